import type { CommentsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Actor } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { loadFacetsByAnyId } from '../facets/index.ts';
import { actorOf, handleRead, handleWrite } from '../handler.ts';
import * as contract from './comments.contract.ts';
import { comments, insertComment, toComment } from './comments.entity.ts';
import { iterateLiveComments, selectLiveComments } from './comments.queries.ts';

export const listComments = handleRead(contract.listComments, async ({ tx }, { params, query }) => {
  const transactionId = await getTransactionId(tx, params.id, { includeDeleted: query.include_deleted });
  return (await selectLiveComments(tx, transactionId)).map(toComment);
});

/** Every comment that a transaction shows, one by one. */
export async function* allComments(tx: ReadTx): AsyncGenerator<ReturnType<typeof toComment>> {
  for await (const row of iterateLiveComments(tx)) yield toComment(row);
}

export const createComment = handleWrite(
  contract.createComment,
  'comment.create',
  async ({ tx, principal }, { params, body }) => {
    const transactionId = await getTransactionId(tx, params.id);
    tx.journal.summarise('Created a comment');
    return toComment(await insertComment(tx, { transactionId, body: body.body, author: actorOf(principal) }));
  },
);

export const updateComment = handleWrite(
  contract.updateComment,
  'comment.update',
  async ({ tx, principal }, { params, body }) => {
    const row = await getChangeableComment(tx, params, actorOf(principal));
    if (row.body === body.body) return toComment(row);
    tx.journal.summarise('Changed a comment');
    return toComment(await comments.change(tx, row, { body: body.body, is_edited: 1 }));
  },
);

export const deleteComment = handleWrite(
  contract.deleteComment,
  'comment.delete',
  async ({ tx, principal }, { params }) => {
    await comments.remove(tx, await getChangeableComment(tx, params, actorOf(principal)));
    tx.journal.summarise('Deleted a comment');
    return null;
  },
);

/** UUID of the transaction in a path. @throws NOT_FOUND, also for a deleted one unless `includeDeleted` */
async function getTransactionId(tx: ReadTx, anyId: string, { includeDeleted = false } = {}): Promise<string> {
  const facets = (await loadFacetsByAnyId(tx, [anyId])).get(anyId);
  if (!facets || (facets.deletedAt !== null && !includeDeleted)) throw notFound('transaction');
  return facets.id;
}

/**
 * The comment in a path, if the caller may change it: people may change any, agents and systems only their own.
 * @throws NOT_FOUND, FORBIDDEN
 */
async function getChangeableComment(
  tx: ReadTx,
  path: { id: string; comment_id: string },
  caller: Actor,
): Promise<CommentsTable> {
  const transactionId = await getTransactionId(tx, path.id);
  const row = await comments.find(tx, path.comment_id);
  if (row?.transaction_id !== transactionId) throw notFound('comment');
  const isOwn = row.author_id !== null && row.author_id === caller.id;
  if (caller.type !== 'user' && !isOwn) {
    throw new AppError(
      'FORBIDDEN',
      'Only people can change the comments of others. Add a comment of your own instead.',
    );
  }
  return row;
}
