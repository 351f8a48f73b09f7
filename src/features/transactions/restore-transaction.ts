import { AppError } from '../../kernel/errors.ts';
import { selectOfDeletedAccounts } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { writeEdit } from './edit-transaction.ts';
import { getTransactionOrDeleted } from './find-live-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { restoreTransaction as operation } from './transaction-writes.contract.ts';

export const restoreTransaction = handleWrite(operation, 'transaction.restore', async (context, { params }) => {
  const { tx } = context;
  const before = await getTransactionOrDeleted(tx, params.id);
  if (before.deletedAt === null) throw new AppError('CONFLICT', 'The transaction is not deleted.');
  if (before.deletedCause === 'merged') {
    throw new AppError('CONFLICT', 'The transaction was joined into another one, which stands for it now.');
  }
  if ((await selectOfDeletedAccounts(tx, [before.id])).size > 0) {
    throw new AppError('CONFLICT', 'The account of the transaction was deleted. Revert that change set first.');
  }
  await writeEdit(context, before, { ...before, deletedAt: null, deletedCause: null }, 'Restored a transaction');
  return transactionAnswer(tx, before.id);
});
