import { handleRead } from '../handler.ts';
import { countMatches } from './matches.queries.ts';
import { resolveFilters } from './resolve-filters.ts';
import { totalsOf } from './totals.ts';
import { selectGroups } from './totals.queries.ts';
import { countTransactions as operation } from './transactions.contract.ts';

export const countTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const count = await countMatches(tx, await resolveFilters(tx, query, 'include'));
  if (!query.include_totals) return { count };
  const counting = await resolveFilters(tx, query, 'exclude');
  if (counting.deleted) return { count, totals: [] };
  const options = { includePending: query.include_pending, spendingOnly: false };
  const groups = await selectGroups(tx, counting, options, ['category_id', 'iso_currency_code']);
  return { count, totals: totalsOf(groups) };
});
