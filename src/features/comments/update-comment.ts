import { actorOf, handleWrite } from '../handler.ts';
import { changeText } from './change-comment.ts';
import { updateComment as operation } from './comments.contract.ts';
import { toComment } from './comments.table.ts';
import { getChangeableComment } from './find-comment.ts';

export const updateComment = handleWrite(operation, 'comment.update', async ({ tx, principal }, { params, body }) => {
  const row = await getChangeableComment(tx, params, actorOf(principal));
  if (row.body === body.body) return toComment(row);
  tx.journal.summarise('Edited a comment');
  return toComment(await changeText(tx, row, { body: body.body, edited: true }));
});
