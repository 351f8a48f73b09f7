import { sql, type CompiledQuery, type Selectable, type Updateable } from 'kysely';

import type { TransactionKeysTable } from '../../../db/schema-imports.ts';
import type { TransactionOriginsTable, TransactionsTable } from '../../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../../db/unit-of-work.ts';
import type { LedgerRow as EvidenceRow } from '../../../engines/imports/analysis.ts';
import { bankIdKey } from '../../../engines/matching/identity.ts';

/** A row of the account that a file may deliver again, with its origin. */
export interface CandidateRow {
  id: string;
  date: string;
  authorized_date: string | null;
  amount_cents: number;
  iso_currency_code: string | null;
  name: string;
  merchant_name: string | null;
  pending: 0 | 1;
  deleted_cause: string | null;
  is_deleted: 0 | 1;
  updated_at: string;
  merged_into_id: string | null;
  import_id: string | null;
  source_key: string | null;
  content_key: string | null;
  balance_cents: number | null;
  /** A provider has delivered it. */
  is_fed: 0 | 1;
}

export type TransactionRow = Selectable<TransactionsTable>;

const AT_ONCE = 5_000;
const IN_FORCE = ['completed', 'partly_reverted'];

/** Live rows of an account between two days. */
export async function selectEvidenceRows(
  tx: ReadTx,
  accountId: string,
  from: string,
  to: string,
): Promise<EvidenceRow[]> {
  return tx.q
    .selectFrom('transactions')
    .select(['date', 'amount_cents', 'name'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute();
}

/** Every row of the account between two days, deleted ones too, in the order of creation. */
export function candidatesOf(tx: ReadTx, accountId: string, from: string, to: string): CompiledQuery<CandidateRow> {
  return candidates(tx)
    .where('t.account_id', '=', accountId)
    .where('t.date', '>=', from)
    .where('t.date', '<=', to)
    .orderBy('t.date')
    .orderBy('t.id')
    .compile();
}

/** How many rows `candidatesOf` has. */
export async function countCandidates(tx: ReadTx, accountId: string, from: string, to: string): Promise<number> {
  const { count } = await tx.q
    .selectFrom('transactions')
    .select(sql<number>`count(*)`.as('count'))
    .where('account_id', '=', accountId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .executeTakeFirstOrThrow();
  return count;
}

/** Rows outside these days to which the bank gave one of these ids. */
export async function selectCandidatesNamed(
  tx: ReadTx,
  wanted: { accountId: string; namespace: string; ids: readonly string[]; from: string; to: string },
): Promise<CandidateRow[]> {
  const { accountId, namespace, ids, from, to } = wanted;
  const found: CandidateRow[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const hasSome = tx.portable.inList(
      sql.ref('k.bank_id'),
      some.map((id) => bankIdKey(namespace, id)),
    );
    const rows = await candidates(tx)
      .where('t.account_id', '=', accountId)
      .where((row) => row.or([row('t.date', '<', from), row('t.date', '>', to)]))
      .where('t.id', 'in', (named) =>
        named
          .selectFrom('transaction_aliases')
          .select('transaction_id')
          .where('namespace', '=', namespace)
          .where(tx.portable.inList(sql.ref('external_id'), some))
          .union(keysInForce(tx, accountId).select('k.transaction_id').where(hasSome)),
      )
      .orderBy('t.id')
      .execute();
    found.push(...rows);
  }
  return found;
}

/** These rows of an account, deleted ones too. */
export async function selectCandidates(tx: ReadTx, accountId: string, ids: readonly string[]): Promise<CandidateRow[]> {
  const found: CandidateRow[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE));
    found.push(...(await candidates(tx).where('t.account_id', '=', accountId).where(list).execute()));
  }
  return found;
}

function candidates(tx: ReadTx) {
  return tx.q
    .selectFrom('transactions as t')
    .leftJoin('transaction_origins as o', 'o.transaction_id', 't.id')
    .leftJoin('transaction_feeds as f', 'f.transaction_id', 't.id')
    .select([
      't.id',
      't.date',
      't.authorized_date',
      't.amount_cents',
      't.iso_currency_code',
      't.name',
      't.merchant_name',
      't.pending',
      't.deleted_cause',
      sql<0 | 1>`case when t.deleted_at is null then 0 else 1 end`.as('is_deleted'),
      't.updated_at',
      't.merged_into_id',
      't.import_id',
      'o.source_key',
      'o.content_key',
      'o.balance_cents',
      sql<0 | 1>`case when f.transaction_id is null then 0 else 1 end`.as('is_fed'),
    ]);
}

export interface AliasRow {
  transaction_id: string;
  namespace: string;
  external_id: string;
  external_account_id: string | null;
}

/** Ids that sources gave to the rows of an account between two days, oldest first. */
export async function selectAliases(tx: ReadTx, accountId: string, from: string, to: string): Promise<AliasRow[]> {
  return aliases(tx)
    .where('t.account_id', '=', accountId)
    .where('t.date', '>=', from)
    .where('t.date', '<=', to)
    .execute();
}

/** Ids that sources gave to these rows, oldest first. */
export async function selectAliasesOf(tx: ReadTx, transactionIds: readonly string[]): Promise<AliasRow[]> {
  return aliases(tx)
    .where(tx.portable.inList(sql.ref('t.id'), transactionIds))
    .execute();
}

function aliases(tx: ReadTx) {
  return tx.q
    .selectFrom('transactions as t')
    .innerJoin('transaction_aliases as a', 'a.transaction_id', 't.id')
    .select(['a.transaction_id', 'a.namespace', 'a.external_id', 'a.external_account_id'])
    .orderBy('a.first_seen_at')
    .orderBy('a.external_id');
}

/** What a later import in force knows a row by. */
export type KeysRow = Omit<TransactionKeysTable, 'import_id'>;

/** Of the rows of an account between two days, and of these others. */
export async function selectKeys(
  tx: ReadTx,
  accountId: string,
  { from, to }: { from: string; to: string },
  otherIds: readonly string[],
): Promise<KeysRow[]> {
  const columns = [
    'transaction_id',
    'source_key',
    'content_key',
    'bank_id',
    'former_bank_ids',
    'balance_cents',
  ] as const;
  return keysInForce(tx, accountId)
    .select(columns.map((column) => `k.${column}` as const))
    .where((row) =>
      row.or([
        row.and([row('t.date', '>=', from), row('t.date', '<=', to)]),
        tx.portable.inList(sql.ref('t.id'), otherIds),
      ]),
    )
    .orderBy('k.import_id')
    .execute();
}

function keysInForce(tx: ReadTx, accountId: string) {
  return tx.q
    .selectFrom('transactions as t')
    .innerJoin('transaction_keys as k', 'k.transaction_id', 't.id')
    .innerJoin('imports as i', 'i.id', 'k.import_id')
    .where('t.account_id', '=', accountId)
    .where('i.status', 'in', IN_FORCE);
}

export async function selectTransactions(tx: ReadTx, ids: readonly string[]): Promise<Map<string, TransactionRow>> {
  const found = new Map<string, TransactionRow>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('id'), ids.slice(start, start + AT_ONCE));
    for (const row of await tx.q.selectFrom('transactions').selectAll().where(list).execute()) found.set(row.id, row);
  }
  return found;
}

/** When and why rows were deleted. */
export async function selectDeletions(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Pick<TransactionRow, 'id' | 'short_id' | 'deleted_at' | 'deleted_cause'>[]> {
  const found = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const list = tx.portable.inList(sql.ref('id'), ids.slice(start, start + AT_ONCE));
    const columns = ['id', 'short_id', 'deleted_at', 'deleted_cause'] as const;
    found.push(...(await tx.q.selectFrom('transactions').select(columns).where(list).orderBy('id').execute()));
  }
  return found;
}

/** Exact sum of an account's live posted amounts after one day and before another, in hundredths; undefined: in any currency. */
export async function sumBetween(
  tx: ReadTx,
  accountId: string,
  currency: string | null | undefined,
  after: string,
  before: string,
): Promise<bigint> {
  const all = tx.q.selectFrom('transactions');
  const counted =
    currency === undefined ? all : all.where('iso_currency_code', currency === null ? 'is' : '=', currency);
  const row = await counted
    .select(tx.portable.exactSum(sql.ref('amount_cents')).as('sum'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('pending', '=', 0)
    .where('date', '>', after)
    .where('date', '<', before)
    .executeTakeFirst();
  return BigInt(row?.sum ?? 0);
}

export async function updateTransaction(
  tx: BareWriteTx,
  id: string,
  set: Updateable<TransactionsTable>,
): Promise<void> {
  await tx.q.updateTable('transactions').set(set).where('id', '=', id).execute();
}

/** Deletes rows, or restores them if `deleted` is null. */
export async function setDeleted(
  tx: BareWriteTx,
  ids: readonly string[],
  deleted: { at: string; cause: string } | null,
): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await tx.q
      .updateTable('transactions')
      .set({ deleted_at: deleted?.at ?? null, deleted_cause: deleted?.cause ?? null, updated_at: tx.now })
      .where(tx.portable.inList(sql.ref('id'), ids.slice(start, start + AT_ONCE)))
      .execute();
  }
}

/** The record from which a file delivered a row. */
export async function findOriginOf(tx: ReadTx, transactionId: string): Promise<TransactionOriginsTable | undefined> {
  const origins = tx.q.selectFrom('transaction_origins').selectAll();
  return origins.where('transaction_id', '=', transactionId).executeTakeFirst();
}

export async function insertOrigins(tx: BareWriteTx, rows: readonly TransactionOriginsTable[]): Promise<void> {
  const columns = [
    'transaction_id',
    'import_id',
    'line',
    'part',
    'source_key',
    'content_key',
    'raw',
    'balance_cents',
  ] as const;
  await tx.insertMany(
    'transaction_origins',
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

export async function deleteOrigin(tx: BareWriteTx, transactionId: string): Promise<void> {
  await tx.q.deleteFrom('transaction_origins').where('transaction_id', '=', transactionId).execute();
}

/** Keeps the record with which the bank corrected a row. Its first keys stay: the file that had them may come again. */
export async function updateOrigin(tx: BareWriteTx, transactionId: string, raw: string): Promise<void> {
  await tx.q.updateTable('transaction_origins').set({ raw }).where('transaction_id', '=', transactionId).execute();
}
