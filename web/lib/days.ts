/** Calendar days as the API writes them: `YYYY-MM-DD`, and months as `YYYY-MM`. */

import { LANGUAGE } from './language.ts';

const MS_PER_DAY = 86_400_000;

/** The day of an instant in the time zone of the household. */
export function dayIn(timezone: string, instant: string): string {
  return dayFormat(timezone).format(new Date(instant));
}

function dayFormat(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
}

const MOST_AHEAD_MS = 15 * 3_600_000;

/** The instant at which a day begins in the time zone of the household, where a clock change may have cut its midnight out. */
export function startOfDay(timezone: string, day: string): string {
  const format = dayFormat(timezone);
  let [before, begun] = [Date.parse(day) - MOST_AHEAD_MS, Date.parse(day) + MOST_AHEAD_MS];
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (format.format(middle) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun).toISOString();
}

/** The same day some months later, or the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

export function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / MS_PER_DAY);
}

/** Of a month. */
export function lastDayOf(month: string): string {
  return addDays(addMonths(`${month}-01`, 1), -1);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

const utc = { timeZone: 'UTC' } as const;
const formats = {
  day: new Intl.DateTimeFormat(LANGUAGE, { ...utc, day: 'numeric', month: 'short', year: 'numeric' }),
  long: new Intl.DateTimeFormat(LANGUAGE, { ...utc, dateStyle: 'full' }),
  weekday: new Intl.DateTimeFormat(LANGUAGE, { ...utc, weekday: 'short', day: 'numeric', month: 'short' }),
  dayOfYear: new Intl.DateTimeFormat(LANGUAGE, { ...utc, day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat(LANGUAGE, { ...utc, month: 'long', year: 'numeric' }),
  monthName: new Intl.DateTimeFormat(LANGUAGE, { ...utc, month: 'long' }),
  shortMonth: new Intl.DateTimeFormat(LANGUAGE, { ...utc, month: 'short' }),
  shortMonthOfYear: new Intl.DateTimeFormat(LANGUAGE, { ...utc, month: 'short', year: 'numeric' }),
};

/** A day or month in the words of the reader. */
export function inWords(day: string, form: keyof typeof formats = 'day'): string {
  return formats[form].format(new Date(day));
}
