import { keepPreviousData } from '@tanstack/react-query';

import type { CallOf } from '../../../src/contract/operation.ts';
import {
  countTransactions,
  listTransactions,
  summarizeTransactions,
} from '../../../src/features/transactions/transactions.contract.ts';
import { useAccounts } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { hasMonths, listOf, queryOf, within, type Filters, type View } from './filters.ts';
import { periodsOf, type Period, type Stretch } from './months.ts';
import { PIECE_ROWS } from './piece-rows.ts';

type SummaryQuery = CallOf<typeof summarizeTransactions>;
/** More months in more currencies than anybody has. */
const MOST_GROUPS = '5000';
/** Nobody scrolls so fast that reading the same again would show anything else; a write reads what it changed. */
export const AS_READ = { staleTime: 60_000 } as const;

/** Every row of the list, whether it counts in totals or not. */
function allRows(filters: Filters): Record<string, string> {
  return {
    include_pending: 'true',
    excluded_accounts: filters.excluded_accounts ?? 'include',
    dependent_accounts: filters.dependent_accounts ?? 'include',
  };
}

function summaryOf(groupBy: 'month' | 'day', filters: Filters, more: Readonly<Record<string, string>>): SummaryQuery {
  return { query: { ...queryOf(filters, more), group_by: groupBy, limit: MOST_GROUPS } };
}

/**
 * Which rows the money of a list is made of: those that count in the household's totals. If the list is about accounts of
 * which none does, it is their own money.
 */
export function useMoneyFilters(filters: Filters): { money: Filters; isOutsideTotals: boolean } {
  const accounts = useAccounts();
  const chosen = listOf(filters.account_id);
  const isOutsideTotals =
    chosen.length > 0 &&
    chosen.every((id) => {
      const account = accounts?.find((one) => one.id === id || one.short_id === id);
      return account?.is_excluded === true || account?.is_dependent_linked === true;
    });
  if (!isOutsideTotals) return { money: filters, isOutsideTotals };
  return { money: { excluded_accounts: 'include', dependent_accounts: 'include', ...filters }, isOutsideTotals };
}

/** The months of a list, newest first, and its first rows, which are there before the months are counted. */
export function useMonths(view: View) {
  const { filters } = view;
  const enabled = hasMonths(view);
  const { money: moneyFilters, isOutsideTotals } = useMoneyFilters(filters);
  const kept = { ...AS_READ, enabled };
  const first = useApiQuery(listTransactions, firstPage(filters), { ...kept, placeholderData: keepPreviousData });
  const rows = useApiQuery(summarizeTransactions, summaryOf('month', filters, allRows(filters)), kept);
  const money = useApiQuery(summarizeTransactions, summaryOf('month', moneyFilters, {}), kept);
  return { first, rows, money, isOutsideTotals };
}

export function firstPage(filters: Filters): CallOf<typeof listTransactions> {
  return { query: queryOf(filters, { limit: String(PIECE_ROWS) }) };
}

/** How many rows a list has, and what those that count add up to. */
export function useCount(filters: Filters) {
  const { money } = useMoneyFilters(filters);
  const call = { query: { ...queryOf(money), include_totals: 'true' } } as CallOf<typeof countTransactions>;
  return useApiQuery(countTransactions, call, { ...AS_READ, placeholderData: keepPreviousData });
}

/** The days of some months with their money; undefined until their rows are counted. */
export function useDays(filters: Filters, { from, to }: Stretch): readonly Period[] | undefined {
  const { money: moneyFilters } = useMoneyFilters(filters);
  const here = within(filters, from, to);
  const rows = useApiQuery(summarizeTransactions, summaryOf('day', here, allRows(filters)), AS_READ);
  const money = useApiQuery(summarizeTransactions, summaryOf('day', within(moneyFilters, from, to), {}), AS_READ);
  return rows.data && periodsOf(rows.data, money.data);
}
