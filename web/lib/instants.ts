import { dayIn, daysBetween } from './days.ts';
import { LANGUAGE } from './language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_RELATIVE = 30;

const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });
const NOW = { past: 'just now', future: 'in a moment' };

/**
 * How long ago an instant was, or how long it is until then. Days are those of the calendar of the household, whose zone
 * may change its clocks in between; what is far away is a day itself.
 */
export function agoInWords(at: string, nowMs: number, timezone: string | undefined): string {
  const differenceMs = Date.parse(at) - nowMs;
  const size = Math.abs(differenceMs);
  if (size > DAYS_RELATIVE * DAY_MS) return dayInWords(at, timezone);
  if (size < MINUTE_MS) return differenceMs > 0 ? NOW.future : NOW.past;
  if (size < HOUR_MS) return relative.format(Math.trunc(differenceMs / MINUTE_MS), 'minute');
  const zone = timezone ?? ownZone();
  const days = daysBetween(dayIn(zone, new Date(nowMs).toISOString()), dayIn(zone, at));
  if (size < DAY_MS || days === 0) return relative.format(Math.trunc(differenceMs / HOUR_MS), 'hour');
  return relative.format(days, 'day');
}

/** "3 Jan 2026": the day of an instant in the zone of the household. */
export function dayInWords(at: string, timezone: string | undefined): string {
  return formatIn(timezone, { dateStyle: 'medium' }).format(new Date(at));
}

/** "10:00": the time of an instant in the zone of the household. */
export function timeInWords(at: string, timezone: string | undefined): string {
  return formatIn(timezone, { timeStyle: 'short' }).format(new Date(at));
}

/** "Saturday 3 January 2026 at 10:00:00 CET": everything that is known of an instant. */
export function instantInWords(at: string, timezone: string | undefined): string {
  return formatIn(timezone, { dateStyle: 'full', timeStyle: 'long' }).format(new Date(at));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string | undefined, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${timeZone} ${JSON.stringify(style)}`;
  let known = formats.get(name);
  if (!known) {
    known = new Intl.DateTimeFormat(LANGUAGE, timeZone === undefined ? style : { ...style, timeZone });
    formats.set(name, known);
  }
  return known;
}

function ownZone(): string {
  return formatIn(undefined, {}).resolvedOptions().timeZone;
}
