import { LANGUAGE } from './language.ts';

const number = new Intl.NumberFormat(LANGUAGE);
const tenths = new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "12,400": a count as the reader writes it. */
export function inDigits(count: number): string {
  return number.format(count);
}

/** "1 change", "12,400 changes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${inDigits(count)} ${count === 1 ? one : many}`;
}

const list = new Intl.ListFormat(LANGUAGE);

/** "12 transactions, 1 rule and 2 counterparties"; parts that are false are left out. */
export function listed(parts: readonly (string | false)[]): string {
  return list.format(parts.filter((part) => part !== false));
}

const SECOND_MS = 1_000;
const TENTHS_UNTIL_MS = 10 * SECOND_MS;
const SECONDS_UNTIL = 120;

/** "17 ms", "1.2 s", "3 min 5 s": how long something took; a dash while that is not known. */
export function durationInWords(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < SECOND_MS) return `${inDigits(Math.round(ms))} ms`;
  if (ms < TENTHS_UNTIL_MS) return `${tenths.format(ms / SECOND_MS)} s`;
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < SECONDS_UNTIL) return `${inDigits(seconds)} s`;
  return `${inDigits(Math.floor(seconds / 60))} min ${inDigits(seconds % 60)} s`;
}
