import { handleRead } from '../handler.ts';
import { listComments as operation } from './comments.contract.ts';
import { selectLiveComments } from './comments.queries.ts';
import { toComment } from './comments.table.ts';
import { transactionOf } from './find-comment.ts';

export const listComments = handleRead(operation, async ({ tx }, { params, query }) => {
  const transactionId = await transactionOf(tx, params.id, { includeDeleted: query.include_deleted });
  return (await selectLiveComments(tx, transactionId)).map(toComment);
});
