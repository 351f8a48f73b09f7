import { textIds } from '../../../db/texts.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';
import { differenceMadeBy } from '../../../journal/difference.ts';
import { journalOf } from '../../../journal/journal-of.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { fold } from '../../../kernel/fold.ts';
import { deliveredFieldsOf } from '../../facets/index.ts';
import { keptValues, redeliveredValues, type FileValues } from './delivered-values.ts';
import {
  selectDeletions,
  selectTransactions,
  setDeleted,
  updateTransaction,
  type TransactionRow,
} from '../plan/ledger.queries.ts';
import type { LedgerRow } from '../plan/load-ledger.ts';
import type { DataRow, Plan } from '../plan/plan.ts';
import type { RowList } from '../plan/row-list.ts';

const journal = journalOf('transaction');

/** A row of the file that the ledger has. */
type Matched = DataRow & { ledger: LedgerRow };

/**
 * Writes what a file changes about existing transactions: values the bank changed, restored rows, stale pending rows.
 * Returns the number of changed transactions.
 */
export async function writeMatched(tx: WriteTx, plan: Plan, namespace: string | null): Promise<number> {
  const matched = plan.accounts.map(({ rows }) => rows.filter((row): row is Matched => row.ledger !== null));
  const revived = matched.flatMap((rows) => rows.filter(({ reason }) => reason === 'BROUGHT_BACK').toArray());
  await revive(tx, revived);
  const removed = plan.accounts.flatMap((account) => [...account.removed]);
  await remove(tx, removed);
  const refreshed = await refresh(tx, plan, matched, namespace);
  return revived.length + removed.length + refreshed;
}

/** Brings deleted rows back. */
async function revive(tx: WriteTx, rows: readonly Matched[]): Promise<void> {
  const ids = rows.map(({ ledger }) => ledger.id);
  const deletions = await selectDeletions(tx, ids);
  await setDeleted(tx, ids, null);
  for (const row of deletions) {
    const fields = { before: { deleted_at: row.deleted_at }, after: { deleted_at: null } };
    journal.changed(tx, row, fields, { internal: { deleted_cause: row.deleted_cause } });
  }
}

async function remove(tx: WriteTx, rows: readonly LedgerRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await setDeleted(tx, ids, { at: tx.now, cause: 'provider' });
  const deleted = new Map((await selectDeletions(tx, ids)).map((row) => [row.id, row]));
  for (const id of ids) {
    const row = deleted.get(id);
    if (!row) continue;
    const fields = { before: { deleted_at: null }, after: { deleted_at: tx.now } };
    journal.changed(tx, row, fields, { internal: { deleted_cause: null, cause: 'provider' } });
  }
}

/** Updates the fields that the bank delivers; what a person, an agent or a rule set stays (36.7.3). */
async function refresh(
  tx: WriteTx,
  plan: Plan,
  matched: readonly RowList<Matched>[],
  namespace: string | null,
): Promise<number> {
  const isRefreshed = (planned: Matched): boolean =>
    planned.reason === 'RESTORED' ||
    // An export says what the ledger said once, which is no news.
    (planned.ownId === null &&
      (fillsCurrency(planned) || (planned.outcome !== 'duplicate' && isRedelivered(planned, namespace))));
  const rows = matched.flatMap((one) => one.filter(isRefreshed).toArray());
  if (rows.length === 0) return 0;
  const current = await selectTransactions(
    tx,
    rows.map(({ ledger }) => ledger.id),
  );
  const names = rows.flatMap(({ name, merchantName }) => (merchantName === null ? [name] : [name, merchantName]));
  const textIdOf = await textIds(tx, names.map(fold));
  let changedCount = 0;
  for (const planned of rows) {
    const row = current.get(planned.ledger.id);
    const isNewer = isRedelivered(planned, namespace);
    if (!row || !(await refreshRow(tx, planned, row, { isNewer, plan, textIdOf }))) continue;
    if (isNewer) planned.isRedelivered = true;
    if (planned.reason !== 'BROUGHT_BACK') changedCount += 1;
  }
  return changedCount;
}

/** Returns whether anything changed. */
async function refreshRow(
  tx: WriteTx,
  planned: Matched,
  row: TransactionRow,
  { isNewer, plan, textIdOf }: { isNewer: boolean; plan: Plan; textIdOf: ReadonlyMap<string, number> },
): Promise<boolean> {
  const { sourceKey: firstSource, otherSourceKeys } = planned.ledger;
  const isSameSource = [firstSource, ...otherSourceKeys].includes(plan.sourceKey);
  const delivered = isNewer ? redeliveredValues(planned, row, isSameSource) : keptValues(planned, row);
  const isRestored = planned.reason === 'RESTORED';
  const category = categoryOf(row, delivered, plan);
  const changed = differenceMadeBy(
    { ...deliveredFieldsOf(delivered), ...(isRestored ? { deleted_at: null } : {}), ...category },
    { ...row, ...deliveredFieldsOf(row) },
  );
  if (!changed) return false;
  const { name, merchant_name: merchantName } = delivered;
  await updateTransaction(tx, row.id, {
    ...delivered,
    ...(isRestored ? { deleted_at: null, deleted_cause: null } : {}),
    name_text_id: textIdOf.get(fold(name)) ?? row.name_text_id,
    merchant_text_id: merchantName === null ? null : (textIdOf.get(fold(merchantName)) ?? row.merchant_text_id),
    ...('category_id' in changed.after ? category : {}),
    updated_at: tx.now,
  });
  const { contentKey, sourceKey } = planned.ledger;
  journal.changed(tx, row, changed, {
    internal: {
      content_key: contentKey,
      source_key: sourceKey,
      ...(isRestored ? { deleted_cause: row.deleted_cause } : {}),
    },
  });
  return true;
}

/** Whether the same bank delivers the row again, so that its values count. A merely similar row changes nothing. */
function isRedelivered({ reason, match, bankId, ledger }: Matched, namespace: string | null): boolean {
  if (ledger.isProvider || ledger.sourceKey === null) return false;
  if (reason === 'POSTED' || reason === 'CHANGED_BY_BANK') return true;
  if (match !== 'certain' || reason === 'SAME_FILE') return false;
  return namespace !== null && bankId !== null && ledger.bankIds.includes(bankIdKey(namespace, bankId));
}

function fillsCurrency({ currency, ledger }: Matched): boolean {
  return currency !== null && ledger.currency === null;
}

function categoryOf(
  row: TransactionRow,
  delivered: FileValues,
  plan: Plan,
): { category_id?: string | null; category_source?: string | null } {
  const isAutomatic = row.category_source === 'provider' || row.category_source === null;
  const isLocked = (JSON.parse(row.locks) as string[]).includes('category');
  if (!isAutomatic || isLocked || row.provider_category_primary === delivered.provider_category_primary) return {};
  const categoryId = plan.categories(delivered.provider_category_primary);
  return { category_id: categoryId, category_source: categoryId === null ? null : 'provider' };
}
