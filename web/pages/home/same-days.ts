import { addDays, addMonths, inWords, lastDayOf, monthOf } from '../../lib/days.ts';

/** A stretch of a month from its first day. */
export interface Stretch {
  date_from: string;
  date_to: string;
}

/** This month until today, and the same days of last month; when that was shorter, until its last day. */
export function sameDays(today: string): { now: Stretch; before: Stretch } {
  const end = addMonths(today, -1);
  return {
    now: { date_from: `${monthOf(today)}-01`, date_to: today },
    before: { date_from: `${monthOf(end)}-01`, date_to: end },
  };
}

/** "1–28 Nov". */
export function stretchInWords({ date_from: from, date_to: to }: Stretch): string {
  return from === to ? inWords(to, 'dayOfYear') : `${Number(from.slice(8))}–${inWords(to, 'dayOfYear')}`;
}

/** All days of a month. */
export function daysOf(month: string): string[] {
  const first = `${month}-01`;
  return Array.from({ length: Number(lastDayOf(month).slice(8)) }, (_, index) => addDays(first, index));
}
