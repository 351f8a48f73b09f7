import { addDays, dayNumber, mondayOf, type DateOnly } from '../../../kernel/dates.ts';
import { averageCents, formatCents } from '../../../kernel/money.ts';
import type { Period } from '../summary-grouping.contract.ts';
import { toTotal, totalGroups, type Group, type TotalRecord } from './totals.ts';
import type { Days } from './whole-months.ts';

/** The period of a date, or of a month as YYYY-MM. */
export function periodOf(at: DateOnly, period: Period): string {
  if (period === 'year') return at.slice(0, 4);
  if (period === 'month') return at.slice(0, 7);
  return period === 'week' ? mondayOf(at) : at;
}

/** Groups by day and week have a date, the others a month. */
export function periodOfGroup(group: Group, period: Period): string {
  return periodOf((group.date ?? group.month) as string, period);
}

/** Consecutive periods have consecutive numbers. */
function periodNumber(at: string, period: Period): number {
  if (period === 'year') return Number(at);
  if (period === 'month') return Number(at.slice(0, 4)) * 12 + Number(at.slice(5, 7));
  return period === 'week' ? Math.floor(dayNumber(at) / 7) : dayNumber(at);
}

export interface AverageTotal extends TotalRecord {
  period_count?: number;
  average_amount?: string;
  /** The period of today, which is not over. */
  partial_period?: string;
}

/**
 * One total per currency with its average per period (10.5.4). Where the filter has no date, the first or last row of
 * that currency counts.
 * @param today counts only the periods that are over by then, and says which one is not (70.3)
 */
export function averagedTotals(
  groups: readonly Group[],
  period: Period,
  filter: Days,
  today: DateOnly | null = null,
): AverageTotal[] {
  return totalGroups(groups).map((total) => {
    const own = groups.filter((group) => group.iso_currency_code === total.iso_currency_code);
    const found = own.map((group) => periodOfGroup(group, period)).sort();
    const first = filter.dateFrom === undefined ? (found[0] as string) : periodOf(filter.dateFrom, period);
    const last = filter.dateTo === undefined ? (found.at(-1) as string) : periodOf(filter.dateTo, period);
    const current = today === null ? null : periodOf(today, period);
    if (current === null || last < current)
      return { ...toTotal(total), ...averageOf(total.total, period, first, last) };
    const over = own.filter((group) => periodOfGroup(group, period) < current);
    const sum = over.reduce((all, group) => all + group.total, 0n);
    const before = periodOf(addDays(firstDayOf(current, period), -1), period);
    return {
      ...toTotal(total),
      ...(first <= before ? averageOf(sum, period, first, before) : {}),
      ...(first <= current ? { partial_period: current } : {}),
    };
  });
}

function firstDayOf(at: string, period: Period): DateOnly {
  if (period === 'year') return `${at}-01-01`;
  return period === 'month' ? `${at}-01` : at;
}

function averageOf(
  sum: bigint,
  period: Period,
  first: string,
  last: string,
): Required<Pick<AverageTotal, 'period_count' | 'average_amount'>> {
  const count = periodNumber(last, period) - periodNumber(first, period) + 1;
  return { period_count: count, average_amount: formatCents(averageCents(sum, BigInt(count))) };
}
