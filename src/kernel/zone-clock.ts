import { DAY_MS } from './dates.ts';

/**
 * The clock on the wall in an IANA time zone. Its readings are milliseconds, counted as if the wall were in UTC, so that
 * they can be calculated with: 86,400,000 a day, whatever the clocks do.
 */
export interface ZoneClock {
  /** What the wall shows at an instant. */
  readonly wallAt: (instant: number) => number;
  /** When the wall first shows this or, if clocks jump over it, something later. */
  readonly instantOf: (wall: number) => number;
  /** Whether clocks jump over a part of this day of the wall, counted from 1970-01-01. */
  readonly isShortened: (day: number) => boolean;
}

export function zoneClock(zone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const wallAt = (instant: number): number => {
    const read: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(instant)) read[type] = Number(value);
    const { year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second = NaN } = read;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  };

  /** By day in UTC: its start has this much less than the wall. */
  const offsets = new Map<number, number>();
  const offsetAt = (day: number): number => {
    let offset = offsets.get(day);
    if (offset === undefined) offsets.set(day, (offset = wallAt(day * DAY_MS) - day * DAY_MS));
    return offset;
  };

  const instantOf = (wall: number): number => {
    const day = Math.floor(wall / DAY_MS);
    const before = wall - offsetAt(day - 1);
    const after = wall - offsetAt(day + 2);
    if (before === after || wallAt(before) === wall) return before;
    if (wallAt(after) === wall) return after;
    return firstAfterJump(wallAt, wall, Math.min(before, after), Math.max(before, after));
  };
  const isShortened = (day: number): boolean => instantOf((day + 1) * DAY_MS) - instantOf(day * DAY_MS) < DAY_MS;
  return { wallAt, instantOf, isShortened };
}

/** The instant between these at which the wall jumps over a time. */
function firstAfterJump(wallAt: ZoneClock['wallAt'], wall: number, notYet: number, past: number): number {
  let low = notYet;
  let high = past;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallAt(middle) > wall) high = middle;
    else low = middle;
  }
  return high;
}
