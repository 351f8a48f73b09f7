import { AppError } from '../../kernel/errors.ts';
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
  await writeEdit(context, before, { ...before, deletedAt: null, deletedCause: null }, 'Restored a transaction');
  return transactionAnswer(tx, before.id);
});
