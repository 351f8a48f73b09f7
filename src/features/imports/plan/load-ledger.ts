import type { ReadTx } from '../../../db/unit-of-work.ts';
import { bankIdKey, type LedgerCandidate, type LedgerState } from '../../../engines/matching/identity.ts';
import { addDays } from '../../../kernel/dates.ts';
import { numbered } from '../../../kernel/sequence.ts';
import { LedgerRowStore, type LedgerRowInput } from './ledger-row-store.ts';
import {
  candidatesOf,
  countCandidates,
  selectAliases,
  selectAliasesOf,
  selectCandidates,
  selectCandidatesNamed,
  type AliasRow,
  type CandidateRow,
} from './ledger.queries.ts';
import type { RowList } from './row-list.ts';
import type { AccountRow } from '../target/targets.queries.ts';

const AROUND_DAYS = 31;

export interface LedgerRow extends LedgerCandidate {
  otherContentKeys: readonly string[];
  bankIds: readonly string[];
  laterBankIds: readonly string[];
}

/** The rows of an account that a file with these dates may deliver again or correct, deleted ones included. */
export async function loadLedger(
  tx: ReadTx,
  account: AccountRow,
  firstDate: string,
  lastDate: string,
  { namespace, ids }: { namespace: string | null; ids: readonly string[] },
): Promise<RowList<LedgerRow>> {
  const from = addDays(firstDate, -AROUND_DAYS);
  const to = addDays(lastDate, AROUND_DAYS);
  const isFed = account.provider !== 'csv';
  // An account that was connected to a bank before still has the rows that the bank delivered.
  const wasFed = isFed || account.external_id !== null;
  const aliases = namespace !== null || wasFed ? await selectAliases(tx, account.id, from, to) : [];
  const named =
    namespace === null ? [] : await selectCandidatesNamed(tx, { accountId: account.id, namespace, ids, from, to });
  if (named.length > 0) {
    aliases.push(
      ...(await selectAliasesOf(
        tx,
        named.map(({ id }) => id),
      )),
    );
  }
  const fromProvider = new Set<string>();
  for (const alias of aliases) if (isOfProvider(alias)) fromProvider.add(alias.transaction_id);
  const rows = new LedgerRowStore(named.length + (await countCandidates(tx, account.id, from, to)));
  const merged: CandidateRow[] = [];
  const add = (row: CandidateRow): void => {
    if (row.merged_into_id !== null) merged.push(row);
    else rows.add(toLedgerRow(row, row.is_fed === 1 || fromProvider.has(row.id) || (isFed && row.source_key === null)));
  };
  named.forEach(add);
  for await (const found of tx.iterate(candidatesOf(tx, account.id, from, to))) add(found);
  const all = rows.finished();
  if (merged.length > 0 || aliases.length > 0) attachKeys(all, merged, aliases);
  return all;
}

/** These rows of an account, whatever their dates; without the keys that came with later files. */
export async function loadRows(tx: ReadTx, account: AccountRow, ids: readonly string[]): Promise<RowList<LedgerRow>> {
  const rows = new LedgerRowStore(ids.length);
  for (const row of await selectCandidates(tx, account.id, ids)) rows.add(toLedgerRow(row, row.is_fed === 1));
  return rows.finished();
}

/** Whether a provider gave the id: files leave the account that they deliver unnamed. */
function isOfProvider({ external_account_id: externalAccountId }: AliasRow): boolean {
  return externalAccountId !== null;
}

function toLedgerRow(row: CandidateRow, isProvider: boolean): LedgerRowInput {
  return {
    id: row.id,
    date: row.date,
    authorizedDate: row.authorized_date,
    amountCents: row.amount_cents,
    currency: row.iso_currency_code,
    name: row.name,
    merchantName: row.merchant_name,
    pending: row.pending === 1,
    state: stateOf(row),
    changedAt: row.updated_at,
    sourceKey: row.source_key,
    isProvider,
    isEntered: row.import_id === null && !isProvider,
    contentKey: row.content_key,
  };
}

/** Gives surviving rows their bank ids, and the ids and content keys of rows that were merged into them. */
function attachKeys(rows: RowList<LedgerRow>, merged: readonly CandidateRow[], aliases: readonly AliasRow[]): void {
  const indexes = new Map<string, number>();
  for (const [index, { id }] of numbered(rows)) indexes.set(id, index);
  const rowWith = (id: string): LedgerRow | undefined => rows.at(indexes.get(id) ?? -1);
  const survivorOf = survivors(merged);
  for (const alias of aliases) {
    const survivor = survivorOf(alias.transaction_id);
    const row = rowWith(survivor);
    if (!row || isOfProvider(alias)) continue;
    const key = bankIdKey(alias.namespace, alias.external_id);
    row.bankIds = survivor === alias.transaction_id ? [...row.bankIds, key] : [key, ...row.bankIds];
    if (alias.is_later === 1) row.laterBankIds = [...row.laterBankIds, key];
  }
  for (const { id, content_key: key } of merged) {
    const row = rowWith(survivorOf(id));
    if (row && key !== null) row.otherContentKeys = [...row.otherContentKeys, key];
  }
}

function stateOf(row: CandidateRow): LedgerState {
  if (row.is_deleted === 0) return 'live';
  return row.deleted_cause === 'person' || row.deleted_cause === 'agent' ? 'kept_deleted' : 'withdrawn';
}

/** The row that a row was merged into, or the row itself. */
function survivors(merged: readonly CandidateRow[]): (id: string) => string {
  const into = new Map<string, string>();
  for (const row of merged) into.set(row.id, row.merged_into_id as string);
  return (id) => {
    let at = id;
    for (let step = 0; step < into.size && into.has(at); step++) at = into.get(at) as string;
    return at;
  };
}
