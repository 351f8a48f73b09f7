import { dateOfDayNumber } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { AccountKnowledge } from '../analysis.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import { LedgerIndex, ledgerOf } from '../proof/ledger-overlap.ts';
import { KIND, NEAR_DAYS } from '../columns/parsed-columns.ts';
import type { ParsedColumns } from '../columns/parsed-columns.ts';

import { settle } from '../question.ts';
import type { Question, Settled } from '../question.ts';

/** More than any id of a currency in a file. */
const MOST_CURRENCIES = 65_536;
const FEWEST_NEAR = 3;
const NEARLY_ALL = 0.95;

/** What may separate the date orders that read all dates of a file. */
interface OrderFacts {
  readonly parsed: ParsedColumns;
  /** The tied orders in the sequence of `parsed.days`. */
  readonly orders: readonly DateOrder[];
  /** The order under which alone the balances chain. */
  readonly proved: DateOrder | null;
  readonly profile: { readonly order: DateOrder; readonly code: string } | null;
  readonly today: number;
  /** Evidence code for day first from the way dates are written; null without any. */
  readonly dayFirst: string | null;
  readonly amounts: Float64Array;
  readonly account: AccountKnowledge | null;
  /** First and last day and their sequence under each order. */
  readonly spans: readonly Span[];
}

/** The order of tied dates (36.5.6, tests a to g). */
export const DATE_ORDER: Question<DateOrder, OrderFacts> = {
  name: 'date_format',
  asks: 'Which comes first if the dates themselves do not show it: the day, the month or the year?',
  explains: 'The order of the dates is then judged by everything else that is known.',
  tests: [
    {
      code: 'balance_proof',
      confidence: 'proved',
      means: 'The balances show which rows came first. Only one order of the dates agrees.',
      says: ({ proved }) => proved,
    },
    {
      code: 'stored_profile',
      confidence: 'profile',
      means: 'Files with these columns were read this way before.',
      says: (facts) => orderOfProfile(facts, 'stored_profile'),
    },
    {
      code: 'built_in_profile',
      confidence: 'profile',
      means: 'This bank is known to write its dates this way.',
      says: (facts) => orderOfProfile(facts, 'built_in_profile'),
    },
    {
      code: 'second_date_column',
      confidence: 'certain',
      means:
        'The rows have a second date, which can be read in one order only. Only one order of the first date puts the two within ten days of each other in nearly every row.',
      says: ({ parsed, orders }) => {
        const others = parsed.authorizedDays;
        return others ? only(orders, (i) => liesNear(parsed, parsed.days[i] as Int32Array, others)) : null;
      },
    },
    {
      code: 'future_dates',
      confidence: 'certain',
      means: 'Every other order gives dates more than a month in the future.',
      says: ({ orders, spans, today }) => only(orders, (i) => lastOf(spans, i) <= today + LIMITS.importFutureDays),
    },
    {
      code: 'second_date_column',
      confidence: 'likely',
      means:
        'The rows have a second date, which can be read in several orders too. In one order the two dates are within ten days of each other in nearly every row; in every other order, in half of the rows at most.',
      says: nearestOther,
    },
    {
      code: 'full_stops',
      confidence: 'likely',
      means:
        'There are full stops between day, month and year, as in 03.04.2025. Nobody writes the month first that way.',
      says: (facts) => dayFirstBy(facts, 'full_stops'),
    },
    {
      code: 'decimal_comma',
      confidence: 'likely',
      means:
        'Amounts have a comma before the cents, and every day and month has two digits. Such files put the day first.',
      says: (facts) => dayFirstBy(facts, 'decimal_comma'),
    },
    {
      code: 'header_language',
      confidence: 'likely',
      means: 'The name of the column is in a language that puts the day first.',
      says: (facts) => dayFirstBy(facts, 'header_language'),
    },
    {
      code: 'row_order',
      confidence: 'likely',
      means:
        'There are at least three different dates. Only in one order do the rows run from oldest to newest, or from newest to oldest.',
      says: inTheOrderOfTime,
    },
    {
      code: 'span',
      confidence: 'likely',
      means:
        'There are at least three different dates. In one order the file covers two months at most; in every other order, more than four times as long. This test is skipped if, in any order, the rows fall on the same day of every month, like a rent.',
      says: shortestSpan,
    },
    {
      code: 'ledger_overlap',
      confidence: 'likely',
      means:
        'In one order, at least three rows are already in the account, with the same day and amount. In every other order, none is.',
      says: metInLedger,
    },
    {
      code: 'content',
      confidence: 'ambiguous',
      means: 'Nothing tells the possible orders apart. Homeledger asks.',
      says: ({ orders }) => orders,
    },
  ],
};

/** The first test that separates the tied date orders; several values when none does. */
export function settleOrder(input: Omit<OrderFacts, 'spans'>): Settled<DateOrder> {
  return settle(DATE_ORDER, { ...input, spans: input.parsed.days.map((days) => spanOf(input.parsed, days)) });
}

function orderOfProfile({ profile, orders }: OrderFacts, code: string): DateOrder | null {
  return profile?.code === code && orders.includes(profile.order) ? profile.order : null;
}

function dayFirstBy({ dayFirst, orders }: OrderFacts, code: string): DateOrder | null {
  return dayFirst === code && orders.includes('DMY') && !orders.includes('YMD') ? 'DMY' : null;
}

/** The one order that passes; null if none or several do. */
function only(orders: readonly DateOrder[], passes: (index: number) => boolean): DateOrder | null {
  const passing = orders.filter((_, index) => passes(index));
  return passing.length === 1 ? (passing[0] ?? null) : null;
}

function nearestOther({ parsed, orders }: OrderFacts): DateOrder | null {
  const { count, near: counts } = parsed.otherDates;
  if (count < FEWEST_NEAR) return null;
  const order = only(orders, (i) => (counts[i] as number) >= count * NEARLY_ALL);
  return counts.filter((near) => near * 2 > count).length === 1 ? order : null;
}

function lastOf(spans: readonly Span[], index: number): number {
  return spans[index]?.last ?? Infinity;
}

function haveDates(spans: readonly Span[]): boolean {
  return spans.every((span) => span.distinct >= 3);
}

/** Accounts or currencies that follow each other start over, so the rows of each must be in order too. */
function inTheOrderOfTime({ orders, spans }: OrderFacts): DateOrder | null {
  if (!haveDates(spans)) return null;
  const order = only(orders, (i) => spans[i]?.isMonotonic === true);
  return order === only(orders, (i) => spans[i]?.isMonotonicInParts === true) ? order : null;
}

function shortestSpan({ orders, spans }: OrderFacts): DateOrder | null {
  if (!haveDates(spans) || spans.some((span) => span.isMonthly)) return null;
  const lengths = spans.map((span) => span.last - span.first);
  const short = only(orders, (i) => {
    const length = lengths[i] as number;
    return length <= 62 && lengths.every((other, j) => i === j || other > 4 * length);
  });
  // Interest paid each 20 March over the years is not one week of March 2020.
  return short === 'YMD' && orders.includes('DMY') ? null : short;
}

function metInLedger(facts: OrderFacts): DateOrder | null {
  if (!facts.account) return null;
  const met = facts.parsed.days.map((days, i) => meetings(facts, days, facts.spans[i] as Span));
  return only(facts.orders, (i) => (met[i] as number) >= 3 && met.every((other, j) => i === j || other === 0));
}

function liesNear(parsed: ParsedColumns, days: Int32Array, others: Int32Array): boolean {
  let near = 0;
  let all = 0;
  for (let row = 0; row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || others[row] === NO_DAY) continue;
    all++;
    if (days[row] !== NO_DAY && Math.abs((days[row] as number) - (others[row] as number)) <= NEAR_DAYS) near++;
  }
  return all > 0 && near >= all * NEARLY_ALL;
}

interface Span {
  readonly first: number;
  readonly last: number;
  readonly distinct: number;
  readonly isMonotonic: boolean;
  readonly isMonotonicInParts: boolean;
  /** The same day of nearly each month in each account: a rent or a loan. The other order then has days of one month. */
  readonly isMonthly: boolean;
}

function spanOf(parsed: ParsedColumns, days: Int32Array): Span {
  const seen = new Set<number>();
  let first = Infinity;
  let last = -Infinity;
  const whole = new Course();
  const parts = new Map<number, Course>();
  for (let row = 0; row < parsed.count; row++) {
    const day = days[row] as number;
    const kind = parsed.kinds[row];
    if ((kind !== KIND.row && kind !== KIND.ignored) || day === NO_DAY) continue;
    const key = (parsed.accountIds[row] ?? 0) * MOST_CURRENCIES + (parsed.currencyIds[row] ?? 0);
    let part = parts.get(key);
    if (!part) parts.set(key, (part = new Course()));
    part.noteMonth(day);
    if (kind === KIND.ignored) continue;
    if (seen.size < 3) seen.add(day);
    first = Math.min(first, day);
    last = Math.max(last, day);
    whole.add(day);
    part.add(day);
  }
  const all = [...parts.values()];
  return {
    first,
    last,
    distinct: seen.size,
    isMonotonic: whole.isMonotonic,
    isMonotonicInParts: all.every((part) => part.isMonotonic),
    isMonthly: all.length > 0 && all.every((part) => part.isMonthly),
  };
}

/** The days of an account or a currency in the order of the file. */
class Course {
  #previous = Number.NaN;
  #rises = false;
  #falls = false;
  readonly #months = new Set<number>();
  readonly #daysOfMonth = new Set<number>();

  add(day: number): void {
    if (day > this.#previous) this.#rises = true;
    else if (day < this.#previous) this.#falls = true;
    this.#previous = day;
  }

  /** Days of two months or more are noted only while they are all the same. */
  noteMonth(day: number): void {
    if (this.#daysOfMonth.size > 1) return;
    const date = dateOfDayNumber(day);
    this.#daysOfMonth.add(Number(date.slice(8)));
    this.#months.add(Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)));
  }

  /** Whether the days only rise or only fall. */
  get isMonotonic(): boolean {
    return !(this.#rises && this.#falls);
  }

  /** The same day of three months or more, nearly all that follow each other. */
  get isMonthly(): boolean {
    const { size } = this.#months;
    if (this.#daysOfMonth.size !== 1 || size < 3) return false;
    const missing = Math.max(...this.#months) - Math.min(...this.#months) + 1 - size;
    return missing * 4 <= size;
  }
}

function meetings(tests: OrderFacts, days: Int32Array, span: Span): number {
  if (!tests.account || !Number.isFinite(span.first)) return 0;
  const index = new LedgerIndex(ledgerOf(tests.account, span.first, span.last));
  let count = 0;
  for (let row = 0; row < tests.parsed.count && count < 3; row++) {
    const day = days[row] as number;
    const cents = tests.amounts[row] as number;
    if (
      tests.parsed.kinds[row] === KIND.row &&
      day !== NO_DAY &&
      !Number.isNaN(cents) &&
      index.at(day, cents).length > 0
    )
      count++;
  }
  return count;
}
