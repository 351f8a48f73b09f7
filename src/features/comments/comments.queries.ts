import { sql } from 'kysely';

import type { CommentsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Actor } from '../../journal/write.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** The live comments of a transaction, oldest first. */
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

/** The live comments of live transactions, oldest first, one by one. */
export function iterateLiveComments(tx: ReadTx): AsyncIterable<CommentsTable> {
  return tx.iterate(
    tx.q
      .selectFrom('comments')
      .innerJoin('transactions', 'transactions.id', 'comments.transaction_id')
      .selectAll('comments')
      .where('comments.deleted_at', 'is', null)
      .where('transactions.deleted_at', 'is', null)
      .orderBy('comments.created_at')
      .orderBy('comments.id')
      .compile(),
  );
}

/** Comments that rules wrote on these transactions, including deleted ones. */
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

interface SaidComment {
  transactionId: string;
  body: string;
}

/** Those of these comments that this author made within a day and that still stand. */
export async function selectSameComments(
  tx: ReadTx & { readonly now: string },
  { type, id, name }: Actor,
  wanted: readonly SaidComment[],
): Promise<SaidComment[]> {
  if (wanted.length === 0) return [];
  const transactionIds = [...new Set(wanted.map(({ transactionId }) => transactionId))];
  const same = tx.q
    .selectFrom('comments')
    .select(['transaction_id as transactionId', 'body'])
    .where(tx.portable.inList(sql.ref('transaction_id'), transactionIds))
    .where('author_type', '=', type)
    .where('created_at', '>=', instantAfter(tx.now, -LIMITS.repeatedWriteHours * HOUR_MS))
    .where('deleted_at', 'is', null);
  // Agents without a key have only their name.
  return (
    id === null ? same.where('author_id', 'is', null).where('author_name', '=', name) : same.where('author_id', '=', id)
  ).execute();
}
