import { actorOf, handleWrite } from '../handler.ts';
import { removeComment } from './change-comment.ts';
import { deleteComment as operation } from './comments.contract.ts';
import { getChangeableComment } from './find-comment.ts';

export const deleteComment = handleWrite(operation, 'comment.delete', async ({ tx, principal }, { params }) => {
  const row = await getChangeableComment(tx, params, actorOf(principal));
  tx.journal.summarise('Deleted a comment');
  await removeComment(tx, row);
  return null;
});
