import { dayNumber, isCalendarDate, toDateOnly } from '../../../kernel/dates.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';

/** Dates in the first column that lack a year, or what separates their parts: each row gets a whole one. */

type Rewrite = (lines: readonly string[]) => string[];

const NEXT = '(?="?\\s*[,;\\t|])';
const YEARLESS = new RegExp(`^\\s*("?)'?(\\d{1,2})([/.-])(\\d{1,2})${NEXT}`);
const FULL = /(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})/g;
const MOST_DAYS = 366;

type Day = readonly [year: number, month: number, day: number];
type Order = 'DMY' | 'MDY';

/** `Periode : 01/08/2026 - 31/08/2026` above rows such as `'03/08,…`: the year is that in which the day lies in between. */
export function yearlessDates(head: readonly string[]): Rewrite | null {
  const header = dateHeaderIn(head);
  const rows = head.slice(header + 1).flatMap((line) => YEARLESS.exec(line) ?? []).length;
  if (header < 0 || rows === 0) return null;
  for (const order of ['DMY', 'MDY'] as const) {
    const period = head.slice(0, header).flatMap((line) => periodIn(line, order) ?? [])[0];
    if (!period) continue;
    const dated = (line: string): string | null => withYear(line, period, order);
    if (!head.slice(header + 1).every((line) => !YEARLESS.test(line) || dated(line) !== null)) continue;
    return (lines) => lines.map((line, at) => (at > header ? (dated(line) ?? line) : line));
  }
  return null;
}

interface Period {
  readonly from: Day;
  readonly to: Day;
}

function periodIn(line: string, order: Order): Period | null {
  const [from, to, ...others] = [...line.matchAll(FULL)].flatMap(([, first, , second, third]) => {
    const parts = [Number(first), Number(second), Number(third)] as const;
    const [day, month] = order === 'DMY' ? [parts[0], parts[1]] : [parts[1], parts[0]];
    const date: Day = (first as string).length === 4 ? parts : [parts[2], month, day];
    return isCalendarDate(...date) ? [date] : [];
  });
  if (!from || !to || others.length > 0) return null;
  const days = numberOf(to) - numberOf(from);
  return days >= 0 && days <= MOST_DAYS ? { from, to } : null;
}

function withYear(line: string, { from, to }: Period, order: Order): string | null {
  const found = YEARLESS.exec(line);
  if (!found) return null;
  const [matched, quote, first, separator, second] = found as unknown as [string, string, string, string, string];
  const [day, month] = (order === 'DMY' ? [first, second] : [second, first]).map(Number) as [number, number];
  const year = [from[0], to[0]].find((one) => {
    if (!isCalendarDate(one, month, day)) return false;
    const at = numberOf([one, month, day]);
    return at >= numberOf(from) && at <= numberOf(to);
  });
  return year === undefined
    ? null
    : `${quote}${first}${separator}${second}${separator}${year}${line.slice(matched.length)}`;
}

function numberOf(date: Day): number {
  return dayNumber(toDateOnly(...date));
}

const COMPACT = new RegExp(`^\\s*("?)(\\d{2})(\\d{2})(\\d{2})${NEXT}`);
/** Below such a name the year comes first. */
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const ENOUGH_ROWS = 3;

/** `260518,…` as 18 May 2026, where the year can only come first or hardly changes while the day does. */
export function compactDates(head: readonly string[]): Rewrite | null {
  const header = dateHeaderIn(head);
  const rows = head.slice(header + 1).flatMap((line) => {
    const found = COMPACT.exec(line);
    return found ? [found.slice(2, 5).map(Number) as [number, number, number]] : [];
  });
  if (header < 0 || rows.length === 0) return null;
  if (!rows.every(([year, month, day]) => isCalendarDate(2000 + year, month, day))) return null;
  const [years, days] = [new Set(rows.map(([year]) => year)), new Set(rows.map(([, , day]) => day))];
  const isYearFirst = EAST_ASIAN.test(firstCell(head[header] as string));
  if (!isYearFirst && (rows.length < ENOUGH_ROWS || years.size > 2 || days.size < ENOUGH_ROWS)) return null;
  return (lines) => lines.map((line, at) => (at > header ? line.replace(COMPACT, '$120$2-$3-$4') : line));
}

/** The line whose first name is that of a date; -1 without one. */
function dateHeaderIn(head: readonly string[]): number {
  return head.findIndex(
    (line) =>
      /[,;\t|]/.test(line) && [...meaningsOf(firstCell(line)).keys()].some((meaning) => meaning.endsWith('_date')),
  );
}

function firstCell(line: string): string {
  return (line.split(/[,;\t|]/, 1)[0] ?? '').trim().replace(/^"|"$/g, '');
}
