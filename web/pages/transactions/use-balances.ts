import { getOverviewHistory } from '../../../src/features/overview/overview.contract.ts';
import { useAccounts } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { amountOf, centsOf } from '../../lib/amounts.ts';
import { useList } from './list-context.ts';
import { AS_READ } from './list-queries.ts';
import { firstDayOf, lastDayOf, type DayLayout } from './months.ts';
import type { RowAt } from './use-rows.ts';

/** What an account had after a row of a day; undefined where nothing says so. */
export type BalanceAt = (day: DayLayout, index: number, rowAt: RowAt) => string | undefined;

/** Other filters leave out rows that have moved the balance, too. */
const ALLOWED: ReadonlySet<string> = new Set(['account_id', 'date_from', 'date_to', 'start_date', 'end_date']);
const OWED: ReadonlySet<string> = new Set(['credit', 'loan']);

/** The running balance of the one account that is shown: that of the day's end, moved back row by row. */
export function useBalances(month: string): BalanceAt {
  const { columns, account: id, filters } = useList();
  const account = useAccounts()?.find((one) => one.id === id);
  const isWanted =
    columns.has('balance') && account !== undefined && Object.keys(filters).every((name) => ALLOWED.has(name));
  const query = {
    account_id: account?.id ?? '',
    date_from: firstDayOf(month),
    date_to: lastDayOf(month),
    interval: 'day' as const,
  };
  const { data } = useApiQuery(getOverviewHistory, { query }, { ...AS_READ, enabled: isWanted });
  const isOwed = OWED.has(account?.type ?? '');
  const series = data?.series.find(({ iso_currency_code: code }) => code === account?.iso_currency_code);
  const ends = new Map(series?.points.map((point) => [point.date, isOwed ? point.liabilities : point.assets]));
  return ({ day, start }, index, rowAt) => {
    const end = ends.get(day.key);
    if (!isWanted || end === undefined || rowAt(index)?.pending !== false) return undefined;
    let cents = centsOf(end);
    for (let newer = start; newer < index; newer++) {
      const row = rowAt(newer);
      if (row?.amount === undefined || row.iso_currency_code !== account.iso_currency_code) return undefined;
      if (row.pending === false) cents += isOwed ? -centsOf(row.amount) : centsOf(row.amount);
    }
    return amountOf(cents);
  };
}
