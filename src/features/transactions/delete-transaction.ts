import { handleWrite } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { deleteTransaction as operation } from './transaction-writes.contract.ts';

export const deleteTransaction = handleWrite(operation, 'transaction.delete', async (context, { params }) => {
  await editTransaction(context, params.id, 'Deleted a transaction', (facets, editor) => ({
    ...facets,
    deletedAt: context.tx.now,
    deletedCause: editor.word,
  }));
  return null;
});
