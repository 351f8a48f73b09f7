import { handleRead } from '../handler.ts';
import { listCategories as operation } from './categories.contract.ts';
import { selectCategories } from './categories.queries.ts';
import { inTreeOrder, toCategory } from './categories.table.ts';

export const listCategories = handleRead(operation, async ({ tx }, { query }) => {
  const all = inTreeOrder(await selectCategories(tx)).map(toCategory);
  return all.filter(
    (category) =>
      (query.archived === undefined || category.archived === query.archived) &&
      (query.kind === undefined || query.kind.includes(category.kind)),
  );
});
