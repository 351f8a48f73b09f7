import { LIMITS } from '../../kernel/limits.ts';
import { handleRead } from '../handler.ts';
import { effectiveFilters, resolveFilters } from './filters/resolve-filters.ts';
import { averagedTotals } from './totals/periods.ts';
import { describeRow, summaryRows } from './totals/summary-rows.ts';
import { totalsOf } from './totals/totals.ts';
import { summarizeTransactions as operation } from './transactions.contract.ts';

export const summarizeTransactions = handleRead(operation, async ({ tx }, { query }) => {
  const filters = await resolveFilters(tx, query, 'exclude', query.spending_only ? 'gross' : null);
  const { text, groups: by } = query.group_by;
  const { rows, whole, names, period } = await summaryRows(tx, filters, { includePending: query.include_pending }, by);
  const limit = query.limit ?? LIMITS.summaryRowsDefault;
  return {
    group_by: text,
    summary: rows.slice(0, limit).map((row) => describeRow(row, names)),
    totals: period === null ? totalsOf(whole) : averagedTotals(whole, period, filters),
    row_count: rows.length,
    truncated: rows.length > limit,
    filters: {
      ...effectiveFilters(query, filters),
      include_pending: query.include_pending,
      spending_only: query.spending_only,
    },
  };
});
