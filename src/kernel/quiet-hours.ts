import { MINUTE_MS, wallClock } from './dates.ts';

/** Hours of the day in which people want to be left alone, `HH:MM`; they may cross midnight. */
export interface QuietHours {
  readonly start: string;
  readonly end: string;
}

const DAY_MINUTES = 1_440;
/** More than clocks change by on one day. */
const SHIFT_MINUTES = 180;

/** `at`, or the first minute after it that is not quiet: start ≤ now < end is. */
export function afterQuietHours({ start, end }: QuietHours, zone: string, at: number): number {
  const read = wallClock(zone);
  const isQuietMinute = quietMinutes({ start, end });
  const isQuiet = (ms: number): boolean => isQuietMinute(minutesOf(read(ms)));
  if (!isQuiet(at)) return at;
  const minutesUntilEnd = (minutesOf(end) - minutesOf(read(at)) + DAY_MINUTES) % DAY_MINUTES;
  const minute = Math.floor(at / MINUTE_MS);
  // Clocks may be put forward or back before then, so this is only roughly when it ends.
  let found = Math.max(minute + 1, minute + minutesUntilEnd - SHIFT_MINUTES);
  while (isQuiet(found * MINUTE_MS)) found += 1;
  return found * MINUTE_MS;
}

/** Which minutes of the day are quiet, as a clock shows them: start ≤ minute < end. */
export function quietMinutes(hours: QuietHours | null): (minuteOfDay: number) => boolean {
  if (!hours) return () => false;
  const [start, end] = [minutesOf(hours.start), minutesOf(hours.end)];
  return (minute) => (start < end ? start <= minute && minute < end : minute >= start || minute < end);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
