import { resetCategory } from '../facets/index.ts';
import { handleWrite } from '../handler.ts';
import { automaticCategories, type AutomaticCategory } from './automatic-category.ts';
import { editTransaction } from './edit-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { resetTransactionCategory as operation } from './transaction-writes.contract.ts';

export const resetTransactionCategory = handleWrite(
  operation,
  'transaction.category_reset',
  async (context, { params }) => {
    const { tx } = context;
    const summary = 'Reset the category of a transaction';
    const { after } = await editTransaction(context, params.id, summary, async (facets) => {
      const automatic = await automaticCategories(tx, [facets]);
      return resetCategory(facets, automatic.get(facets.id) as AutomaticCategory);
    });
    return transactionAnswer(tx, after.id);
  },
);
