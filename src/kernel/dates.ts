import type { Clock } from './clock.ts';

/** A calendar date as `YYYY-MM-DD`. */
export type DateOnly = string;
/** An instant as ISO 8601 UTC text with milliseconds and `Z`. */
export type Instant = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/i;

export function isDateOnly(text: string): boolean {
  const match = DATE.exec(text);
  return match !== null && isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** True for a day that exists in the proleptic Gregorian calendar, years 1 to 9999. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function toDateOnly(year: number, month: number, day: number): DateOnly {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Days since 1970-01-01; negative before. */
export function dayNumber(date: DateOnly): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

export function dateOfDayNumber(day: number): DateOnly {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The last day that can be written: the text of a later one would sort before all others. */
const LAST_DAY = '9999-12-31';
const LAST_DAY_NUMBER = dayNumber(LAST_DAY);

/** The day so many days later, or earlier; 9999-12-31 if it would come after that. */
export function addDays(date: DateOnly, days: number): DateOnly {
  return dateOfDayNumber(Math.min(dayNumber(date) + days, LAST_DAY_NUMBER));
}

/** The same day so many months later, or earlier if negative; at most the last day of that month. */
export function addMonths(date: DateOnly, months: number): DateOnly {
  const number = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(number / 12), (number % 12) + 1];
  if (year < 1) return '0001-01-01';
  return year > 9999 ? LAST_DAY : toDateOnly(year, month, Math.min(Number(date.slice(8)), daysInMonth(year, month)));
}

/** The next day; undefined after 9999-12-31, the last one of the calendar. */
export function dayAfter(date: DateOnly): DateOnly | undefined {
  return date === LAST_DAY ? undefined : addDays(date, 1);
}

/** The Monday of the date's ISO week. */
export function mondayOf(date: DateOnly): DateOnly {
  const day = dayNumber(date);
  return dateOfDayNumber(day - ((((day + 3) % 7) + 7) % 7));
}

/** An instant in any ISO 8601 form with a zone, in our canonical form; undefined when it is not one. */
export function parseInstant(text: string): Instant | undefined {
  const match = INSTANT.exec(text);
  if (!match || !isDateOnly(match[1] as string)) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  const instant = new Date(ms).toISOString();
  // A zone can lead outside the four-digit years, where texts no longer sort.
  return /^\d/.test(instant) ? instant : undefined;
}

/** The IANA zone of this name, as the IANA writes it; undefined if there is none, as for an offset such as +05:30. */
export function timeZoneNamed(name: string): string | undefined {
  return /^[+-]/.test(name) ? undefined : zoneOf(name);
}

function zoneOf(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-CA', { timeZone: name }).resolvedOptions();
    // An older name of a zone stays: what it resolves to is another one.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}

/** The calendar day of an instant (milliseconds since the epoch) in an IANA time zone. */
export function dayIn(zone: string, ms: number): DateOnly {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const found = Object.fromEntries(parts.formatToParts(ms).map((part) => [part.type, part.value]));
  return `${(found['year'] as string).padStart(4, '0')}-${found['month']}-${found['day']}`;
}

/** More than any zone is away from UTC. */
const ZONES_MS = 26 * HOUR_MS;

/** The first instant of a day in an IANA time zone; of a day that the zone left out, that of the next one. */
export function startOfDay(zone: string, date: DateOnly): Instant {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  let [before, from] = [(midnight - ZONES_MS) / MINUTE_MS, (midnight + ZONES_MS) / MINUTE_MS];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayIn(zone, middle * MINUTE_MS) < date) before = middle;
    else from = middle;
  }
  return instantAt(from * MINUTE_MS);
}

/** Reads the time of day of instants (milliseconds since the epoch) in an IANA time zone, as `HH:MM`. */
export function wallClock(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (ms) => format.format(ms);
}

export function todayIn(zone: string, clock: Clock): DateOnly {
  return dayIn(zone, clock.now());
}

/**
 * The time zone of the machine, the default of `instance.timezone`; UTC if `TZ` is empty or names none. Of `TZ=GMT+3` it
 * is an offset.
 */
export function machineTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Of an empty TZ it is Etc/Unknown, which no formatter takes.
  return (zone && zoneOf(zone)) || 'UTC';
}

/** An instant given in milliseconds since the epoch. */
export function instantAt(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** `at` plus a number of milliseconds, as an instant. */
export function instantAfter(at: Instant, ms: number): Instant {
  return new Date(Date.parse(at) + ms).toISOString();
}

/** No pause is longer, so that its end is an instant that can be stored. */
const LONGEST_PAUSE_MS = 1e12;

/** What `Retry-After` asks for, a number of seconds or a date, in milliseconds; null if it asks for nothing. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST_PAUSE_MS);
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), LONGEST_PAUSE_MS);
}
