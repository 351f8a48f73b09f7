import { sql } from 'kysely';

import type { CommentsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

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
