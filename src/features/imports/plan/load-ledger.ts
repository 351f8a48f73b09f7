import type { ReadTx } from '../../../db/unit-of-work.ts';
import { bankIdKey, type LedgerCandidate, type LedgerState, type Span } from '../../../engines/matching/identity.ts';
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
  selectKeys,
  type AliasRow,
  type CandidateRow,
  type KeysRow,
} from './ledger.queries.ts';
import type { RowList } from './row-list.ts';
import type { AccountRow } from '../target/targets.queries.ts';

const AROUND_DAYS = 31;

export interface LedgerRow extends LedgerCandidate {
  otherContentKeys: readonly string[];
  otherSourceKeys: readonly string[];
  otherBalances: readonly number[];
  bankIds: readonly string[];
  formerBankIds: readonly string[];
}

/** What joins a row after it was read. */
export type ReadLater = 'otherContentKeys' | 'otherSourceKeys' | 'otherBalances' | 'bankIds' | 'formerBankIds';

/** The rows of an account that a file with these dates may deliver again or correct, deleted ones included. */
export async function loadLedger(
  tx: ReadTx,
  account: AccountRow,
  firstDate: string,
  lastDate: string,
  { namespace, ids }: { namespace: string | null; ids: readonly string[] },
): Promise<{ ledger: RowList<LedgerRow>; days: Span }> {
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
  const range = { from, to };
  const keys = await selectKeys(
    tx,
    account.id,
    range,
    named.map(({ id }) => id),
  );
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
  if (merged.length > 0 || aliases.length > 0 || keys.length > 0) attachKeys(all, merged, aliases, keys);
  return { ledger: all, days: { first: from, last: to } };
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
    isStale: row.pending === 1 && row.deleted_cause === 'provider',
    changedAt: row.updated_at,
    sourceKey: row.source_key,
    isProvider,
    isEntered: row.import_id === null && !isProvider,
    contentKey: row.content_key,
    balanceCents: row.balance_cents,
  };
}

/** Gives surviving rows what other files know them by, and the ids and keys of rows that were merged into them. */
function attachKeys(
  rows: RowList<LedgerRow>,
  merged: readonly CandidateRow[],
  aliases: readonly AliasRow[],
  keys: readonly KeysRow[],
): void {
  const indexes = new Map<string, number>();
  for (const [index, { id }] of numbered(rows)) indexes.set(id, index);
  const survivorOf = survivors(merged);
  const rowOf = (id: string): LedgerRow | undefined => rows.at(indexes.get(survivorOf(id)) ?? -1);
  for (const alias of aliases) {
    const row = rowOf(alias.transaction_id);
    if (row && !isOfProvider(alias)) row.bankIds = withOne(row.bankIds, bankIdKey(alias.namespace, alias.external_id));
  }
  for (const { id, content_key: key } of merged) {
    const row = rowOf(id);
    if (row && key !== null) row.otherContentKeys = withOne(row.otherContentKeys, key);
  }
  for (const one of keys) {
    const row = rowOf(one.transaction_id);
    if (!row) continue;
    if (one.content_key !== row.contentKey) row.otherContentKeys = withOne(row.otherContentKeys, one.content_key);
    if (one.source_key !== row.sourceKey) row.otherSourceKeys = withOne(row.otherSourceKeys, one.source_key);
    if (one.bank_id !== null) row.bankIds = withOne(row.bankIds, one.bank_id);
    if (one.balance_cents !== null) row.otherBalances = withOne(row.otherBalances, one.balance_cents);
    for (const id of one.former_bank_ids === null ? [] : (JSON.parse(one.former_bank_ids) as string[])) {
      row.bankIds = withOne(row.bankIds, id);
      row.formerBankIds = withOne(row.formerBankIds, id);
    }
  }
}

function withOne<Value>(list: readonly Value[], value: Value): readonly Value[] {
  return list.includes(value) ? list : [...list, value];
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
