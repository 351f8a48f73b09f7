import { actorOf, handleWrite } from '../handler.ts';
import { createComment as operation } from './comments.contract.ts';
import { toComment } from './comments.table.ts';
import { transactionOf } from './find-comment.ts';
import { insertComment } from './insert-comment.ts';

export const createComment = handleWrite(operation, 'comment.create', async ({ tx, principal }, { params, body }) => {
  const transactionId = await transactionOf(tx, params.id);
  tx.journal.summarise('Commented on a transaction');
  return toComment(await insertComment(tx, { transactionId, body: body.body, author: actorOf(principal) }));
});
