import type { CommentsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Actor } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { loadFacetsByAnyId } from '../facets/index.ts';
import { findLiveComment } from './comments.queries.ts';

/** UUID of the transaction that a path names. @throws NOT_FOUND for an unknown one, and for a deleted one if so asked */
export async function transactionOf(tx: ReadTx, anyId: string, { includeDeleted = false } = {}): Promise<string> {
  const facets = (await loadFacetsByAnyId(tx, [anyId])).get(anyId);
  if (!facets || (facets.deletedAt !== null && !includeDeleted)) throw notFound('The transaction was');
  return facets.id;
}

/**
 * The comment that a path names and that the caller may change: people any, agents and systems only their own.
 * @throws NOT_FOUND, FORBIDDEN
 */
export async function getChangeableComment(
  tx: ReadTx,
  path: { id: string; comment_id: string },
  caller: Actor,
): Promise<CommentsTable> {
  const row = await findLiveComment(tx, await transactionOf(tx, path.id), path.comment_id);
  if (!row) throw notFound('The comment was');
  const isOwn = row.author_id !== null && row.author_id === caller.id;
  if (caller.type !== 'user' && !isOwn) {
    throw new AppError(
      'FORBIDDEN',
      'Only people can change the comments of others. Add a comment of your own instead.',
    );
  }
  return row;
}
