import { editorOf, setCategory, writeFacets } from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { resolveCategoryChoice } from './resolve-category.ts';
import { countOf, liveTransactions } from './selected-transactions.ts';
import { batchCategorizeTransactions as operation } from './transaction-bulk.contract.ts';

export const batchCategorizeTransactions = handleWrite(
  operation,
  'transactions.batch_categorize',
  async ({ tx, principal }, { body }) => {
    const categoryId = await resolveCategoryChoice(tx, body);
    const transactions = await liveTransactions(tx, body.transaction_ids);
    const editor = editorOf(actorOf(principal));
    const edits = transactions.map((before) => ({ before, after: setCategory(before, editor, categoryId) }));
    const run = (): Promise<number> => writeFacets(tx, edits);
    const updated = await (body.dry_run ? tx.rehearse(run) : run());
    tx.journal.summarise(`Set the category of ${countOf(updated)}`);
    return {
      category_id: categoryId,
      updated,
      unchanged: transactions.length - updated,
      dry_run: body.dry_run,
      change_set_id: tx.journal.isEmpty() ? null : tx.journal.changeSetId,
    };
  },
);
