import { addDays, dayNumber, daysInMonth, toDateOnly, type DateOnly } from '../../kernel/dates.ts';
import type { Cents } from '../../kernel/money.ts';

/** A live posted row of a series. */
export interface Member {
  id: string;
  date: DateOnly;
  cents: Cents;
  currency: string | null;
}

export const CADENCES = {
  weekly: { days: [6, 8], perYear: 52, step: { days: 7 }, graceDays: 5 },
  biweekly: { days: [13, 15], perYear: 26, step: { days: 14 }, graceDays: 5 },
  monthly: { days: [27, 33], perYear: 12, step: { months: 1 }, graceDays: 5 },
  bimonthly: { days: [57, 65], perYear: 6, step: { months: 2 }, graceDays: 5 },
  quarterly: { days: [85, 97], perYear: 4, step: { months: 3 }, graceDays: 5 },
  half_yearly: { days: [174, 192], perYear: 2, step: { months: 6 }, graceDays: 20 },
  yearly: { days: [355, 376], perYear: 1, step: { months: 12 }, graceDays: 20 },
} as const;
export type Cadence = keyof typeof CADENCES;
export type Direction = 'out' | 'in';
export type SeriesStatus = 'active' | 'late' | 'ended';
export type AmountKind = 'fixed' | 'variable';

/** What the rows of a series say of it (contract 10.11). */
export interface Rhythm<M extends Member = Member> {
  direction: Direction;
  /** Oldest first. Of a transfer with both legs in the series one leg, and no refund. */
  occurrences: readonly M[];
  last: M | null;
  typicalIntervalDays: number | null;
  cadence: Cadence | null;
  nextExpectedDate: DateOnly | null;
  /** When the payment after the next one is expected: without it the series has ended. */
  secondExpectedDate: DateOnly | null;
  amountKind: AmountKind | null;
  /** What one payment is expected to be, absolute; null without cadence. */
  expectedCents: Cents | null;
  /** Absolute, and also of what has ended; null without cadence. */
  yearlyCents: Cents | null;
}

const NEWEST_INTERVALS = 24;
/** Of dates, to tell the usual day of the month, and of amounts, to tell the usual one. */
const NEWEST_PAYMENTS = 12;
const DAYS_WITHOUT_CADENCE = 400;

/** @param members the live posted rows of a series, oldest first by date, then id */
export function rhythmOf<M extends Member>(members: readonly M[]): Rhythm<M> {
  const { direction, occurrences } = occurrencesOf(members);
  const dates = [...new Set(occurrences.map(({ date }) => date))].reverse();
  const last = occurrences.at(-1) ?? null;
  const typicalIntervalDays = typicalInterval(dates);
  const cadence = typicalIntervalDays === null ? null : cadenceOf(typicalIntervalDays);
  const amountKind = amountKindOf(occurrences, cadence);
  const expected = cadence === null || last === null ? null : { cadence, dates };
  const amounts = occurrences.slice(-NEWEST_PAYMENTS).map(({ cents }) => Math.abs(cents));
  const expectedCents = !expected ? null : amountKind === 'fixed' ? (amounts.at(-1) as Cents) : lowerMedian(amounts);
  return {
    direction,
    occurrences,
    last,
    typicalIntervalDays,
    cadence,
    nextExpectedDate: expected && expectedDate(expected, 1),
    secondExpectedDate: expected && expectedDate(expected, 2),
    amountKind,
    expectedCents,
    yearlyCents: expectedCents === null || cadence === null ? null : expectedCents * CADENCES[cadence].perYear,
  };
}

/**
 * Whether the series goes on, reckoned from the last day that is known: what has not been delivered yet is not late.
 * @param known of the account of the newest occurrence
 */
export function statusOn(rhythm: Rhythm, known: DateOnly): SeriesStatus {
  const { cadence, last, nextExpectedDate: next, secondExpectedDate: second } = rhythm;
  if (!last) return 'active';
  const daysSince = (date: DateOnly): number => dayNumber(known) - dayNumber(date);
  if (cadence === null || next === null || second === null) {
    return daysSince(last.date) > DAYS_WITHOUT_CADENCE ? 'ended' : 'active';
  }
  const { graceDays } = CADENCES[cadence];
  if (daysSince(second) > graceDays) return 'ended';
  return daysSince(next) > graceDays ? 'late' : 'active';
}

function occurrencesOf<M extends Member>(members: readonly M[]): { direction: Direction; occurrences: M[] } {
  const outgoing = members.filter(({ cents }) => cents > 0);
  const direction = outgoing.length * 2 >= members.length ? 'out' : 'in';
  const sameSign = direction === 'out' ? outgoing : members.filter(({ cents }) => cents < 0);
  const currency = sameSign.at(-1)?.currency;
  return { direction, occurrences: sameSign.filter((one) => one.currency === currency) };
}

/**
 * Median of the days between consecutive distinct dates, over the newest 24 intervals; the lower one of two medians.
 * Null for fewer than two intervals.
 */
export function typicalInterval(newestFirst: readonly DateOnly[]): number | null {
  const days = newestFirst.slice(0, NEWEST_INTERVALS + 1).map(dayNumber);
  const intervals = days.slice(1).map((day, index) => (days[index] as number) - day);
  return intervals.length < 2 ? null : lowerMedian(intervals);
}

function lowerMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}

function cadenceOf(days: number): Cadence | null {
  const fits = (name: Cadence): boolean => CADENCES[name].days[0] <= days && days <= CADENCES[name].days[1];
  return (Object.keys(CADENCES) as Cadence[]).find(fits) ?? null;
}

interface Expected {
  cadence: Cadence;
  /** Distinct, newest first. */
  dates: readonly DateOnly[];
}

/** The date so many payments after the last one. */
function expectedDate({ cadence, dates }: Expected, payments: number): DateOnly {
  const { step } = CADENCES[cadence];
  const last = dates[0] as DateOnly;
  if ('days' in step) return addDays(last, payments * step.days);
  const day = usualDay(dates.slice(0, NEWEST_PAYMENTS));
  return dayOfMonth(monthOf(nearest(last, day)) + payments * step.months, day);
}

/** The day of the month on which most payments come, of equals the later one; 31 stands for the last day. */
function usualDay(dates: readonly DateOnly[]): number {
  const lasts = dates.filter((date) => date === dayOfMonth(monthOf(date), 31)).length;
  if (lasts * 2 > dates.length) return 31;
  const counts = Map.groupBy(dates, (date) => Number(date.slice(8)));
  return [...counts].sort(([a, of], [b, others]) => others.length - of.length || b - a)[0]?.[0] as number;
}

/** Which of these days, in the month of the date or beside it, a payment was meant for. */
function nearest(date: DateOnly, day: number): DateOnly {
  const month = monthOf(date);
  const distance = (one: DateOnly): number => Math.abs(dayNumber(one) - dayNumber(date));
  const around = [month - 1, month, month + 1].map((one) => dayOfMonth(one, day));
  return around.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** Months have consecutive numbers. */
function monthOf(date: DateOnly): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** In a shorter month, its last day. Dates end with the years that can be written. */
function dayOfMonth(month: number, day: number): DateOnly {
  const year = Math.floor(month / 12);
  if (year > 9999) return '9999-12-31';
  if (year < 1) return '0001-01-01';
  const inYear = (month % 12) + 1;
  return toDateOnly(year, inYear, Math.min(day, daysInMonth(year, inYear)));
}

/** Fixed if most payments repeat a neighbour; the newest may be the first at a new price. */
function amountKindOf(occurrences: readonly Member[], cadence: Cadence | null): AmountKind | null {
  if (occurrences.length < 2) return null;
  if (cadence === 'half_yearly' || cadence === 'yearly') return 'fixed';
  const amounts = occurrences.map(({ cents }) => cents);
  const judged = amounts.slice(0, -1);
  const alike = judged.filter((cents, index) => cents === amounts[index - 1] || cents === amounts[index + 1]);
  return alike.length * 5 >= judged.length * 4 ? 'fixed' : 'variable';
}
