import { DAY_MS, MINUTE_MS } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { quietMinutes, type QuietHours } from '../../kernel/quiet-hours.ts';
import type { ZoneClock } from '../../kernel/zone-clock.ts';
import type { Cron } from './parse-cron.ts';

/**
 * Occurrences of a schedule in a time zone (contract 60.4): a time that clocks jump over comes when they do, one that they
 * show twice comes the first time. All instants are milliseconds since the epoch.
 */

const HORIZON_MS = LIMITS.workflowCronYears * 366 * DAY_MS;

/** The first occurrence after an instant outside quiet hours; null: none within five years. */
export function nextOccurrence(cron: Cron, clock: ZoneClock, after: number, quiet: QuietHours | null): number | null {
  const from = clock.wallAt(after);
  const end = after + HORIZON_MS;
  const isQuiet = quietMinutes(quiet);
  const loudTimes = cron.times.filter((time) => !isQuiet(time));
  for (let day = dayOf(from); day * DAY_MS <= from + HORIZON_MS + DAY_MS; day += 1) {
    if (!isDayOf(cron, day)) continue;
    // Quiet times that clocks jump over come when it may no longer be quiet.
    for (const time of clock.isShortened(day) ? cron.times : loudTimes) {
      const wall = day * DAY_MS + time * MINUTE_MS;
      if (wall <= from) continue;
      const at = clock.instantOf(wall);
      if (at > end) return null;
      if (at > after && !isQuiet(minuteOf(clock.wallAt(at)))) return at;
    }
  }
  return null;
}

/** The newest occurrence outside quiet hours after one instant and up to another; null: none. */
export function newestOccurrence(
  cron: Cron,
  clock: ZoneClock,
  { after, until }: { after: number; until: number },
  quiet: QuietHours | null,
): number | null {
  const isQuiet = quietMinutes(quiet);
  // Where clocks were put back lately, the wall has already shown later times.
  const latest = Math.max(clock.wallAt(until), until + clock.wallAt(until - DAY_MS) - (until - DAY_MS));
  for (let day = dayOf(latest); day >= dayOf(clock.wallAt(after)); day -= 1) {
    if (!isDayOf(cron, day)) continue;
    for (const time of cron.times.toReversed()) {
      const at = clock.instantOf(day * DAY_MS + time * MINUTE_MS);
      if (at <= after) break;
      if (at <= until && !isQuiet(minuteOf(clock.wallAt(at)))) return at;
    }
  }
  return null;
}

function isDayOf({ months, days, weekdays, isEither }: Cron, day: number): boolean {
  const date = new Date(day * DAY_MS);
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const isDay = days.has(date.getUTCDate());
  const isWeekday = weekdays.has(date.getUTCDay());
  return isEither ? isDay || isWeekday : isDay && isWeekday;
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

function minuteOf(wall: number): number {
  return Math.floor((wall - dayOf(wall) * DAY_MS) / MINUTE_MS);
}
