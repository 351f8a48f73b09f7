import { dayNumber, mondayOf, type DateOnly } from '../../kernel/dates.ts';
import { averageCents, formatCents } from '../../kernel/money.ts';
import type { Period } from './summary-grouping.contract.ts';
import { toTotal, totalGroups, type Group, type TotalRecord } from './totals.ts';

/** The period that a date, or the first seven characters of one, falls into. */
export function periodOf(at: DateOnly, period: Period): string {
  if (period === 'year') return at.slice(0, 4);
  if (period === 'month') return at.slice(0, 7);
  return period === 'week' ? mondayOf(at) : at;
}

/** The period of a group of rows: those by day and week know their date, the others their month. */
export function periodOfGroup(group: Group, period: Period): string {
  return periodOf((group.date ?? group.month) as string, period);
}

export interface AverageTotal extends TotalRecord {
  period_count: number;
  average_amount: string;
}

/**
 * One total per currency with its average per period (10.5.4). An end of the filter that is open is where the rows
 * of that currency begin or end.
 */
export function averagedTotals(
  groups: readonly Group[],
  period: Period,
  filter: { dateFrom?: DateOnly; dateTo?: DateOnly },
): AverageTotal[] {
  return totalGroups(groups).map((total) => {
    const found = groups
      .filter((group) => group.iso_currency_code === total.iso_currency_code)
      .map((group) => periodOfGroup(group, period))
      .sort();
    const first = filter.dateFrom === undefined ? (found[0] as string) : periodOf(filter.dateFrom, period);
    const last = filter.dateTo === undefined ? (found.at(-1) as string) : periodOf(filter.dateTo, period);
    const count = periodNumber(last, period) - periodNumber(first, period) + 1;
    return {
      ...toTotal(total),
      period_count: count,
      average_amount: formatCents(averageCents(total.total, BigInt(count))),
    };
  });
}

/** Consecutive periods have consecutive numbers. */
function periodNumber(at: string, period: Period): number {
  if (period === 'year') return Number(at);
  if (period === 'month') return Number(at.slice(0, 4)) * 12 + Number(at.slice(5, 7));
  return period === 'week' ? Math.floor(dayNumber(at) / 7) : dayNumber(at);
}
