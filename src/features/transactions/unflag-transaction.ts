import { clearFlag } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { unflagTransaction as operation } from './transaction-writes.contract.ts';

export const unflagTransaction = handleWrite(operation, 'transaction.unflag', async (context, { params }) => {
  await editTransaction(context, params.id, 'Took the flag off a transaction', clearFlag);
  return null;
});
