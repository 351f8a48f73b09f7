import { sql } from 'kysely';

import type { SyncSuggestionsTable, TransactionsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { pairKey, type SuggestionReason } from '../../engines/sync/account-plan.ts';

/** A candidate as it is stored, in JSON. */
export interface StoredCandidate {
  readonly transaction_id: string;
  readonly reasons: readonly SuggestionReason[];
}
export interface StoredAccount {
  readonly account_id: string;
  readonly pair_count: number;
  readonly overlap_count: number;
}

/** A suggestion with its candidates parsed. `obsolete` is never stored: it follows from what became of the rows. */
export interface SuggestionRow extends Omit<SyncSuggestionsTable, 'candidates' | 'accounts' | 'status'> {
  readonly status: 'open' | 'accepted' | 'dismissed';
  readonly candidates: readonly StoredCandidate[];
  readonly accounts: readonly StoredAccount[];
}

export interface SuggestionFilter {
  readonly kinds?: readonly string[] | undefined;
  readonly connectionId?: string | undefined;
  readonly accountId?: string | undefined;
}

export async function findSuggestion(tx: ReadTx, anyId: string): Promise<SuggestionRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  const row = await tx.q.selectFrom('sync_suggestions').selectAll().where(column, '=', anyId).executeTakeFirst();
  return row && parsed(row);
}

/** Suggestions that are stored as open, newest first. */
export async function selectOpen(tx: ReadTx, filter: SuggestionFilter): Promise<SuggestionRow[]> {
  const rows = await matching(tx, filter, ['open'])
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(parsed);
}

/** The newest of those that somebody decided, and how many there are. */
export async function selectResolved(
  tx: ReadTx,
  filter: SuggestionFilter,
  statuses: readonly string[],
  limit: number,
): Promise<{ rows: SuggestionRow[]; total: number }> {
  if (statuses.length === 0) return { rows: [], total: 0 };
  const rows = await matching(tx, filter, statuses)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const { n } = await matching(tx, filter, statuses)
    .select((suggestion) => suggestion.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { rows: rows.map(parsed), total: n };
}

function matching(tx: ReadTx, { kinds, connectionId, accountId }: SuggestionFilter, statuses: readonly string[]) {
  let query = tx.q.selectFrom('sync_suggestions').where('status', 'in', statuses);
  if (kinds !== undefined) query = query.where('kind', 'in', kinds);
  if (connectionId !== undefined) query = query.where('connection_id', '=', connectionId);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  return query;
}

/** Suggestions about these newer transactions, whatever became of them. */
export async function selectAbout(tx: ReadTx, transactionIds: readonly string[]): Promise<SuggestionRow[]> {
  if (transactionIds.length === 0) return [];
  const list = tx.portable.inList(sql.ref('transaction_id'), transactionIds);
  return (await tx.q.selectFrom('sync_suggestions').selectAll().where(list).execute()).map(parsed);
}

/** The suggestions `same_account` about this newer account, whatever became of them. */
export async function selectSameAccount(tx: ReadTx, accountId: string): Promise<SuggestionRow[]> {
  const rows = await tx.q
    .selectFrom('sync_suggestions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', 'same_account')
    .orderBy('id')
    .execute();
  return rows.map(parsed);
}

/** Suggestions that this change set accepted. */
export async function selectAcceptedBy(tx: ReadTx, changeSetId: string): Promise<SuggestionRow[]> {
  return (await tx.q.selectFrom('sync_suggestions').selectAll().where('change_set_id', '=', changeSetId).execute()).map(
    parsed,
  );
}

export type CandidateTransaction = Pick<
  TransactionsTable,
  | 'id'
  | 'short_id'
  | 'account_id'
  | 'date'
  | 'amount_cents'
  | 'iso_currency_code'
  | 'name'
  | 'deleted_at'
  | 'deleted_cause'
  | 'merged_into_id'
>;

export async function selectCandidates(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CandidateTransaction>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.q
    .selectFrom('transactions')
    .select(['id', 'short_id', 'account_id', 'date', 'amount_cents', 'iso_currency_code', 'name'])
    .select(['deleted_at', 'deleted_cause', 'merged_into_id'])
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export interface CandidateAccount {
  id: string;
  short_id: string;
  name: string;
  display_name: string | null;
  provider: string;
  connection_id: string | null;
  deleted_at: string | null;
}

export async function selectCandidateAccounts(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CandidateAccount>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.q
    .selectFrom('accounts')
    .select(['id', 'short_id', 'name', 'display_name', 'provider', 'connection_id', 'deleted_at'])
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertSuggestions(tx: BareWriteTx, rows: readonly SuggestionRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first) as (keyof SuggestionRow)[];
  const stored = rows.map((row) =>
    columns.map((column) => {
      const value = row[column];
      return typeof value === 'string' || value === null ? value : JSON.stringify(value);
    }),
  );
  await tx.insertMany('sync_suggestions', columns, stored);
}

type Resolution = Pick<
  SyncSuggestionsTable,
  'status' | 'accounts' | 'accepted_transaction_id' | 'accepted_account_id' | 'change_set_id' | 'resolved_at'
>;

/** Writes what became of suggestions; each names the same columns. */
export async function resolveSuggestions(
  tx: BareWriteTx,
  rows: readonly (Partial<Resolution> & { id: string })[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = (Object.keys(first) as (keyof Resolution | 'id')[]).filter((column) => column !== 'id');
  const values = rows.map((row) => [row.id, ...columns.map((column) => row[column] ?? null)]);
  await tx.updateMany('sync_suggestions', columns, values);
}

/** Keys of `pairKey`: what is never to be suggested or joined again. */
export async function selectSeparated(tx: ReadTx): Promise<ReadonlySet<string>> {
  const rows = await tx.q.selectFrom('separated_pairs').select(['one_id', 'other_id']).execute();
  return new Set(rows.map(({ one_id: one, other_id: other }) => pairKey(one, other)));
}

/** Remembers that the two of each pair, transactions or accounts, are to stay apart. */
export async function separate(tx: BareWriteTx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  const rows = pairs.map(([one, other]) => (one < other ? [one, other, tx.now] : [other, one, tx.now]));
  await tx.insertMany('separated_pairs', ['one_id', 'other_id', 'created_at'], rows, 'on conflict do nothing');
}

export async function forgetSeparation(tx: BareWriteTx, one: string, other: string): Promise<void> {
  const [first, second] = one < other ? [one, other] : [other, one];
  await tx.q.deleteFrom('separated_pairs').where('one_id', '=', first).where('other_id', '=', second).execute();
}

function parsed(row: SyncSuggestionsTable): SuggestionRow {
  return {
    ...row,
    status: row.status as SuggestionRow['status'],
    candidates: JSON.parse(row.candidates) as StoredCandidate[],
    accounts: JSON.parse(row.accounts) as StoredAccount[],
  };
}
