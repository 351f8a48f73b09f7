import { addDays, daysInMonth, type DateOnly } from '../../../kernel/dates.ts';

/** Days from and to, both included; open where absent. */
export interface Days {
  dateFrom?: DateOnly;
  dateTo?: DateOnly;
}

/** Months from and to as YYYY-MM, both included; open where absent. */
export interface Months {
  from?: string;
  to?: string;
}

/** The whole months of a range, and the days before and after them. `months` is null if no month is whole. */
export function splitByMonths(range: Days): { months: Months | null; days: Days[] } {
  const { dateFrom, dateTo } = range;
  const from = dateFrom === undefined ? FIRST : firstWholeMonth(dateFrom);
  const to = dateTo === undefined ? LAST : lastWholeMonth(dateTo);
  if (from > to) return { months: null, days: [range] };
  const days: Days[] = [];
  if (dateFrom !== undefined && firstDay(from) !== dateFrom)
    days.push({ dateFrom, dateTo: addDays(firstDay(from), -1) });
  if (dateTo !== undefined && lastDay(to) !== dateTo) days.push({ dateFrom: addDays(lastDay(to), 1), dateTo });
  const months = {
    ...(dateFrom === undefined ? {} : { from: monthOf(firstDay(from)) }),
    ...(dateTo === undefined ? {} : { to: monthOf(firstDay(to)) }),
  };
  return { months, days };
}

/** The first and last day of a month YYYY-MM. */
export function daysOfMonth(month: string): { from: DateOnly; to: DateOnly } {
  const number = numberOf(month);
  return { from: firstDay(number), to: lastDay(number) };
}

/** Months have consecutive numbers, because the month after the last one that can be written compares wrongly as text. */
function numberOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

const FIRST = numberOf('0001-01');
const LAST = numberOf('9999-12');

function monthOf(date: DateOnly): string {
  return date.slice(0, 7);
}

function firstDay(month: number): DateOnly {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

function lastDay(month: number): DateOnly {
  return firstDay(month).slice(0, 8) + String(daysInMonth(Math.floor(month / 12), (month % 12) + 1));
}

function firstWholeMonth(date: DateOnly): number {
  return date.endsWith('-01') ? numberOf(date) : numberOf(date) + 1;
}

function lastWholeMonth(date: DateOnly): number {
  return date === lastDay(numberOf(date)) ? numberOf(date) : numberOf(date) - 1;
}
