import type { SqlValue } from '../../../db/engine.ts';
import type { TransactionOriginsTable } from '../../../db/schema.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { oneAfterAnother } from '../../../kernel/one-after-another.ts';
import type { CreatedIds } from '../plan/describe-plan.ts';
import type { OriginChange } from './learned-settings.ts';
import { insertOrigins, updateOrigin } from '../plan/ledger.queries.ts';
import type { LedgerRow } from '../plan/load-ledger.ts';
import type { Plan, PlannedAccount, PlannedRow } from '../plan/plan.ts';
import type { ReadFile } from '../doors/read-file.ts';
import { rawOf, rawText, storedRecord } from '../records/row-record.ts';

const ROWS_AT_ONCE = 1_000;

const ORIGIN_COLUMNS = [
  'transaction_id',
  'import_id',
  'line',
  'part',
  'source_key',
  'content_key',
  'raw',
  'balance_cents',
] as const;
const ROW_COLUMNS = [
  'import_id',
  'line',
  'part',
  'outcome',
  'reason',
  'match_kind',
  'transaction_id',
  'record',
] as const;

const KEY_COLUMNS = [
  'transaction_id',
  'import_id',
  'source_key',
  'content_key',
  'bank_id',
  'former_bank_ids',
  'balance_cents',
] as const;

/**
 * Stores the outcome of every record and the raw record of each transaction; the file is read once more for its cells.
 * Takes over rows entered by hand that the file contains, and returns those.
 */
export async function writeRecords(
  tx: WriteTx,
  file: ReadFile,
  plan: Plan,
  createdIds: CreatedIds,
  importId: string,
): Promise<OriginChange[]> {
  const { analysis } = file;
  const rawFor = rawOf(analysis.headers);
  const accountIdOf = (account: PlannedAccount | null): string | null =>
    account === null ? null : (createdIds.accountIds.get(account) ?? null);
  let records: SqlValue[][] = [];
  let origins: SqlValue[][] = [];
  let keys: SqlValue[][] = [];
  const taken: (OriginChange & { after: TransactionOriginsTable })[] = [];
  const store = oneAfterAnother();
  const flush = async (): Promise<void> => {
    const [ready, readyOrigins, readyKeys] = [records, origins, keys];
    records = [];
    origins = [];
    keys = [];
    await store.next(async () => {
      await tx.insertMany('transaction_origins', ORIGIN_COLUMNS, readyOrigins);
      await tx.insertMany('import_rows', ROW_COLUMNS, ready);
      await tx.insertMany('transaction_keys', KEY_COLUMNS, readyKeys);
    });
  };
  let index = 0;
  for (const row of analysis.rows()) {
    const planned = plan.rows.at(index++) as PlannedRow;
    const { line, part, outcome, reason, match, ledger, transactionId, contentKey, balanceCents } = planned;
    if (transactionId !== null) {
      origins.push([transactionId, importId, line, part, plan.sourceKey, contentKey, rawFor(row), balanceCents]);
    } else if (ledger?.isEntered === true && ledger.sourceKey === null && planned.ownId === null) {
      const own = { source_key: plan.sourceKey, content_key: contentKey };
      const place = { import_id: importId, line, part };
      const after = { transaction_id: ledger.id, ...place, ...own, raw: rawFor(row), balance_cents: balanceCents };
      taken.push({ before: null, after });
    } else if (planned.isRedelivered && ledger) {
      await updateOrigin(tx, ledger.id, rawFor(row));
    }
    const known = keysOf(planned, plan, analysis.bank_id_namespace);
    if (known) keys.push([transactionId ?? (ledger as LedgerRow).id, importId, ...known]);
    const record = storedRecord(planned, accountIdOf(planned.account), rawText(row));
    records.push([importId, line, part, outcome, reason, match, transactionId ?? ledger?.id ?? null, record]);
    if (records.length >= ROWS_AT_ONCE) await flush();
  }
  await flush();
  await store.settled();
  await insertOrigins(
    tx,
    taken.map(({ after }) => after),
  );
  return taken;
}

/** What the import knows a row by besides its first keys; null if that is nothing. */
function keysOf(planned: PlannedRow, plan: Plan, namespace: string | null): SqlValue[] | null {
  const { contentKey, bankId, formerBankIds, balanceCents, account, ledger, correction, ownId: named } = planned;
  if (named !== null || correction?.action === 'delete' || (!ledger && formerBankIds.length === 0)) return null;
  const keyOf = (id: string): string => bankIdKey(namespace as string, id);
  const ownId = bankId === null || namespace === null || account?.areIdsIgnored === true ? null : keyOf(bankId);
  const isKnown =
    ledger !== null &&
    contentKey === ledger.contentKey &&
    plan.sourceKey === ledger.sourceKey &&
    (ownId === null || ledger.bankIds.includes(ownId)) &&
    formerBankIds.length === 0 &&
    (balanceCents === null || balanceCents === ledger.balanceCents);
  if (isKnown) return null;
  const former = formerBankIds.length === 0 ? null : JSON.stringify(formerBankIds.map(keyOf));
  return [plan.sourceKey, contentKey, ownId, former, balanceCents];
}
