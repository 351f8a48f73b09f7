import { insertComment } from '../comments/index.ts';
import { setFlag } from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { flagTransaction as operation } from './transaction-writes.contract.ts';

export const flagTransaction = handleWrite(operation, 'transaction.flag', async (context, { params, body }) => {
  const { tx, principal } = context;
  const { after, changed } = await editTransaction(context, params.id, 'Flagged a transaction', (facets, editor) =>
    setFlag(facets, editor, tx.now),
  );
  const { reason = '' } = body;
  if (reason !== '') {
    await insertComment(tx, { transactionId: after.id, body: reason, author: actorOf(principal) });
    if (!changed) tx.journal.summarise('Commented on a flagged transaction');
  }
  return transactionAnswer(tx, after.id);
});
