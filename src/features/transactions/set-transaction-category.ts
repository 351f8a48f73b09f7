import { setCategory } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { editTransaction } from './edit-transaction.ts';
import { resolveCategoryChoice } from './resolve-category.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { setTransactionCategory as operation } from './transaction-writes.contract.ts';

export const setTransactionCategory = handleWrite(
  operation,
  'transaction.category_set',
  async (context, { params, body }) => {
    const { tx } = context;
    const summary = 'Set the category of a transaction';
    const { after } = await editTransaction(context, params.id, summary, async (facets, editor) =>
      setCategory(facets, editor, await resolveCategoryChoice(tx, body)),
    );
    return transactionAnswer(tx, after.id);
  },
);
