import { sql } from 'kysely';

import type { CommentsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';

export async function insertCommentRows(tx: BareWriteTx, rows: readonly CommentsTable[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof CommentsTable)[];
  await tx.insertMany(
    'comments',
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

/** Comments of a transaction that are not deleted, oldest first. */
export async function selectLiveComments(tx: ReadTx, transactionId: string): Promise<CommentsTable[]> {
  return tx.q
    .selectFrom('comments')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A comment that is not deleted, on this transaction, by UUID or short_id. */
export async function findLiveComment(
  tx: ReadTx,
  transactionId: string,
  anyId: string,
): Promise<CommentsTable | undefined> {
  const column = isUuid(anyId) ? 'id' : isShortId(anyId) ? 'short_id' : undefined;
  if (column === undefined) return undefined;
  return tx.q
    .selectFrom('comments')
    .selectAll()
    .where(column, '=', anyId)
    .where('transaction_id', '=', transactionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Comments with these UUIDs, deleted ones too. */
export async function selectComments(tx: ReadTx, ids: readonly string[]): Promise<Map<string, CommentsTable>> {
  const rows = await tx.q
    .selectFrom('comments')
    .selectAll()
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function updateCommentRow(
  tx: BareWriteTx,
  id: string,
  columns: Partial<Pick<CommentsTable, 'body' | 'is_edited' | 'deleted_at' | 'updated_at'>>,
): Promise<void> {
  await tx.q.updateTable('comments').set(columns).where('id', '=', id).execute();
}

/** Comments that rules wrote on these transactions, deleted ones too. */
export async function selectCommentsOfRules(
  tx: ReadTx,
  transactionIds: readonly string[],
): Promise<Pick<CommentsTable, 'transaction_id' | 'author_id' | 'body'>[]> {
  return tx.q
    .selectFrom('comments')
    .select(['transaction_id', 'author_id', 'body'])
    .where(tx.portable.inList(sql.ref('transaction_id'), transactionIds))
    .where('author_type', '=', 'system')
    .execute();
}
