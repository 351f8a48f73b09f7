import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { QuietHours } from '../../kernel/quiet-hours.ts';
import { zoneClock } from '../../kernel/zone-clock.ts';
import { newestOccurrence, nextOccurrence } from './occurrences.ts';
import { parseCron, type Cron } from './parse-cron.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

function parsed(expression: string): Cron {
  const result = parseCron(expression);
  if ('problem' in result) throw new Error(`${expression}: ${result.problem}`);
  return result.cron;
}

function problemOf(expression: string): string {
  const result = parseCron(expression);
  return 'problem' in result ? result.problem : 'none';
}

/** The next occurrences after an instant, as instants. */
function next(expression: string, zone: string, after: string, count = 1, quiet: QuietHours | null = null): string[] {
  const found: string[] = [];
  const cron = parsed(expression);
  const clock = zoneClock(zone);
  for (let at: number | null = Date.parse(after); found.length < count;) {
    at = nextOccurrence(cron, clock, at, quiet);
    if (at === null) break;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

function newest(expression: string, zone: string, after: string, until: string, quiet: QuietHours | null = null) {
  const window = { after: Date.parse(after), until: Date.parse(until) };
  const at = newestOccurrence(parsed(expression), zoneClock(zone), window, quiet);
  return at === null ? null : new Date(at).toISOString().slice(0, 16);
}

const AMSTERDAM = 'Europe/Amsterdam';

describe('expressions', () => {
  test.each([
    ['0 7 * * MON', '2026-07-06T07:00 2026-07-13T07:00'],
    ['  0\t7  * * mon ', '2026-07-06T07:00 2026-07-13T07:00'],
    ['30 6,18 * * *', '2026-07-01T06:30 2026-07-01T18:30'],
    ['*/25 9 * * *', '2026-07-01T09:00 2026-07-01T09:25 2026-07-01T09:50 2026-07-02T09:00'],
    ['5-59/20 9 * * *', '2026-07-01T09:05 2026-07-01T09:25 2026-07-01T09:45'],
    ['0 0 1 jan,Jul-SEP *', '2026-08-01T00:00 2026-09-01T00:00 2027-01-01T00:00'],
    ['00 08 01 1-12/3 *', '2026-07-01T08:00 2026-10-01T08:00'],
    ['0 0 * * 7', '2026-07-05T00:00'],
    ['0 0 * * FRI-7', '2026-07-03T00:00 2026-07-04T00:00 2026-07-05T00:00 2026-07-10T00:00'],
    ['0 0 * * 5-7/2', '2026-07-03T00:00 2026-07-05T00:00 2026-07-10T00:00'],
    // Day and weekday both leave days out: either is enough.
    ['0 0 13 * FRI', '2026-07-03T00:00 2026-07-10T00:00 2026-07-13T00:00 2026-07-17T00:00'],
    ['0 0 29 2 MON', '2027-02-01T00:00 2027-02-08T00:00 2027-02-15T00:00 2027-02-22T00:00 2028-02-07T00:00'],
    ['0 0 */15 * MON', '2026-07-06T00:00 2026-07-13T00:00 2026-07-16T00:00'],
    // A field that leaves nothing out restricts nothing.
    ['0 0 1-31 * MON', '2026-07-06T00:00 2026-07-13T00:00'],
    ['0 0 13 * 0-6', '2026-07-13T00:00 2026-08-13T00:00'],
    ['0 0 29 2 *', '2028-02-29T00:00 2032-02-29T00:00'],
    ['0 0 31 * *', '2026-07-31T00:00 2026-08-31T00:00 2026-10-31T00:00'],
  ])('%s comes when it says', (expression, expected) => {
    const times = expected.split(' ');
    expect(next(expression, 'UTC', '2026-07-01T00:00:00Z', times.length)).toEqual(times);
  });

  test.each([
    ['', 'must have five fields (minute hour day month weekday), such as 0 7 * * MON; this is empty'],
    ['* * * *', 'must have five fields (minute hour day month weekday), such as 0 7 * * MON; this has 4'],
    ['0 0 7 * * MON', 'must have five fields (minute hour day month weekday), such as 0 7 * * MON; this has 6'],
    ['@daily', 'must have five fields (minute hour day month weekday), such as 0 7 * * MON; this is a nickname'],
    ['0 7 * *\u00a0MON', 'must have five fields (minute hour day month weekday), such as 0 7 * * MON; this has 4'],
    ['61 * * * *', 'minute: 61 is not understood; a value is 0 to 59'],
    ['* 24 * * *', 'hour: 24 is not understood; a value is 0 to 23'],
    ['* * 0 * *', 'day: 0 is not understood; a value is 1 to 31'],
    ['* * L * *', 'day: L is not understood; a value is 1 to 31'],
    ['* * 15W * *', 'day: 15W is not understood; a value is 1 to 31'],
    ['* * ? * *', 'day: ? is not understood; a value is 1 to 31'],
    ['* * * 13 *', 'month: 13 is not understood; a value is 1 to 12 or JAN to DEC'],
    ['* * * JANUARY *', 'month: JANUARY is not understood; a value is 1 to 12 or JAN to DEC'],
    ['* * * MON *', 'month: MON is not understood; a value is 1 to 12 or JAN to DEC'],
    ['* * * * 8', 'weekday: 8 is not understood; a value is 0 to 7 or SUN to SAT'],
    ['* * * * MON#1', 'weekday: MON#1 is not understood; a value is 0 to 7 or SUN to SAT'],
    ['* * * * FRI-SUN', 'weekday: FRI-SUN runs backwards; at the end of a range, Sunday is 7'],
    ['50-10 * * * *', 'minute: 50-10 runs backwards'],
    ['+5 * * * *', 'minute: +5 is not understood; a value is 0 to 59'],
    ['-5 * * * *', 'minute: -5 is not understood; a value is 0 to 59'],
    ['5- * * * *', 'minute: 5- is not understood; a value is 0 to 59'],
    ['1-2-3 * * * *', 'minute: 1-2-3 is not understood; a value is 0 to 59'],
    ['1,,2 * * * *', 'minute: there is nothing before or after a comma'],
    ['1, * * * *', 'minute: there is nothing before or after a comma'],
    ['*/0 * * * *', 'minute: the step of */0 must be a whole number from 1 to 59'],
    ['*/60 * * * *', 'minute: the step of */60 must be a whole number from 1 to 59'],
    ['* */ * * *', 'hour: the step of */ must be a whole number from 1 to 23'],
    ['*/5/5 * * * *', 'minute: the step of */5/5 must be a whole number from 1 to 59'],
    ['5/15 * * * *', 'minute: 5/15 has a step without a range; write 5-59/15'],
    ['** * * * *', 'minute: ** is not understood; a value is 0 to 59'],
    ['*-5 * * * *', 'minute: *-5 is not understood; a value is 0 to 59'],
    ['１ * * * *', 'minute: an entry is not understood; a value is 0 to 59'],
    ['"ignore" * * * *', 'minute: an entry is not understood; a value is 0 to 59'],
    ['001 * * * *', 'minute: 001 is not understood; a value is 0 to 59'],
    [`${'1,'.repeat(100)}1 * * * *`, 'must have at most 200 characters'],
  ])('%j is refused: %s', (expression, problem) => {
    expect(problemOf(expression)).toBe(problem);
  });
});

describe('on days on which clocks change', () => {
  test('a time that does not exist comes with the change, one that exists twice comes the first time', () => {
    // 2026-03-29, 02:00 → 03:00; 2026-10-25, 03:00 → 02:00.
    expect(next('30 2 * * *', AMSTERDAM, '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ]);
    expect(next('*/20 2,3 * * *', AMSTERDAM, '2026-03-29T00:30:00Z', 4)).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T01:20',
      '2026-03-29T01:40',
      '2026-03-30T00:00',
    ]);
    expect(next('30 2 * * *', AMSTERDAM, '2026-10-24T00:30:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
    expect(next('30 2 * * *', AMSTERDAM, '2026-10-25T00:30:00Z')).toEqual(['2026-10-26T01:30']);
    expect(next('*/30 * * * *', AMSTERDAM, '2026-10-24T23:45:00Z', 4)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T02:00',
      '2026-10-25T02:30',
    ]);
    expect(next('30 2 * * *', 'America/New_York', '2026-03-08T06:00:00Z')).toEqual(['2026-03-08T07:00']);
    expect(next('30 1 * * *', 'America/New_York', '2026-11-01T05:00:00Z', 2)).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ]);
    // Half an hour: 02:00 → 02:30 on 2026-10-04; 02:00 → 01:30 on 2026-04-05.
    expect(next('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z')).toEqual(['2026-10-03T15:30']);
    expect(next('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', 2)).toEqual([
      '2026-04-04T14:45',
      '2026-04-05T15:15',
    ]);
    // Midnight itself is skipped, and a whole day.
    expect(next('0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', 2)).toEqual([
      '2026-09-06T04:00',
      '2026-09-07T03:00',
    ]);
    expect(next('0 7 * * *', 'Pacific/Apia', '2011-12-29T20:00:00Z', 2)).toEqual([
      '2011-12-30T10:00',
      '2011-12-30T17:00',
    ]);
  });

  test('the newest occurrence is found from within a repeated hour, too', () => {
    expect(newest('30 2 * * *', AMSTERDAM, '2026-10-24T12:00:00Z', '2026-10-25T01:10:00Z')).toBe('2026-10-25T00:30');
    expect(newest('* * * * *', AMSTERDAM, '2026-10-24T12:00:00Z', '2026-10-25T01:10:00Z')).toBe('2026-10-25T00:59');
    expect(newest('0 7 * * *', 'UTC', '2026-10-24T07:00:00Z', '2026-10-25T06:59:59Z')).toBeNull();
    expect(newest('0 7 * * *', 'UTC', '2026-10-24T06:59:59Z', '2026-10-24T07:00:00Z')).toBe('2026-10-24T07:00');
  });
});

describe('quiet hours', () => {
  const night = { start: '22:00', end: '07:00' };

  test('have no occurrences', () => {
    expect(next('0 */6 * * *', 'UTC', '2026-07-01T00:00:00Z', 3, night)).toEqual([
      '2026-07-01T12:00',
      '2026-07-01T18:00',
      '2026-07-02T12:00',
    ]);
    expect(next('0 7,22 * * *', 'UTC', '2026-07-01T00:00:00Z', 2, night)).toEqual([
      '2026-07-01T07:00',
      '2026-07-02T07:00',
    ]);
    expect(newest('0 * * * *', 'UTC', '2026-07-01T12:00:00Z', '2026-07-02T03:00:00Z', night)).toBe('2026-07-01T21:00');
  });

  test('that leave none in five years are found at once', () => {
    for (const expression of ['0 3 * * *', '* 0-6,22-23 * * *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
      expect(next(expression, AMSTERDAM, '2026-07-01T00:00:00Z', 1, night)).toEqual([]);
    }
    expect(next('0-58 * * * *', AMSTERDAM, '2026-07-01T00:00:00Z', 1, { start: '00:00', end: '23:59' })).toEqual([]);
    expect(next('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z')).toEqual([]);
    // Clocks jump over 02:30 to 03:00, where it is not quiet.
    expect(next('30 2 * * *', AMSTERDAM, '2026-07-01T00:00:00Z', 1, { start: '02:00', end: '03:00' })).toEqual([
      '2027-03-28T01:00',
    ]);
  });
});

describe('compared with a walk along the clock, minute by minute', () => {
  const changes: readonly (readonly [zone: string, day: string])[] = [
    [AMSTERDAM, '2026-03-29'],
    [AMSTERDAM, '2026-10-25'],
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-04-04'],
    ['Australia/Lord_Howe', '2026-10-03'],
    ['America/Santiago', '2026-04-05'],
    ['America/Santiago', '2026-09-06'],
    ['Asia/Beirut', '2026-03-28'],
    ['Asia/Beirut', '2026-10-24'],
    ['Africa/Casablanca', '2026-02-15'],
    ['Pacific/Apia', '2011-12-30'],
    ['Asia/Kolkata', '2026-03-29'],
    ['Asia/Kathmandu', '2026-02-28'],
    ['America/St_Johns', '2026-11-01'],
    ['UTC', '2028-02-29'],
  ];
  const walks = changes.map(([zone, day]) => walkAround(zone, Date.parse(`${day}T00:00:00Z`)));
  const list = (min: number, max: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: 2, max: Math.min(20, max) }).map((step) => `*/${step}`),
      fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => values.join(',')),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    );
  const expressions = fc
    .tuple(list(0, 59), list(0, 4), fc.oneof(fc.constant('*'), list(1, 31)), fc.oneof(fc.constant('*'), list(0, 7)))
    .map(([minute, hour, day, weekday]) => `${minute} ${hour} ${day} * ${weekday}`);
  const quiets = fc.constantFrom<QuietHours | null>(
    null,
    null,
    { start: '01:30', end: '02:45' },
    { start: '22:00', end: '03:00' },
    { start: '03:00', end: '01:00' },
  );

  test('nothing is missed and nothing comes twice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...walks),
        expressions,
        quiets,
        fc.integer({ min: 0, max: 4_000 }),
        (walk, text, quiet, skip) => {
          const cron = parsed(text);
          const after = walk.start + skip * MINUTE + 30_000;
          const expected = walk.occurrences(text, quiet).filter((at) => at > after);
          const clock = zoneClock(walk.zone);
          const found: number[] = [];
          for (let at = nextOccurrence(cron, clock, after, quiet); at !== null && at < walk.end;) {
            found.push(at);
            at = nextOccurrence(cron, clock, at, quiet);
          }
          expect(found).toEqual(expected);
          const until = (after + walk.end) / 2;
          expect(newestOccurrence(cron, clock, { after, until }, quiet)).toBe(
            expected.findLast((at) => at <= until) ?? null,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

interface Walk {
  readonly zone: string;
  readonly start: number;
  readonly end: number;
  readonly occurrences: (expression: string, quiet: QuietHours | null) => number[];
}

/** Five days, of which the wall is read every minute: what it newly shows or jumps over is when something comes. */
function walkAround(zone: string, day: number): Walk {
  const start = day - 2 * DAY;
  const end = day + 3 * DAY;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const read = (at: number): number => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
  const minutes: { at: number; time: string; shown: number[] }[] = [];
  let latest = read(start - DAY);
  for (let at = start - DAY + MINUTE; at < end; at += MINUTE) {
    const wall = read(at);
    const shown: number[] = [];
    for (; latest < wall; latest += MINUTE) shown.push(latest + MINUTE);
    if (at >= start) minutes.push({ at, time: format.format(at).slice(11, 16), shown });
  }
  const occurrences = (expression: string, quiet: QuietHours | null): number[] =>
    minutes
      .filter(({ shown }) => shown.some((wall) => matches(expression, new Date(wall))))
      .filter(({ time }) => !quiet || !isBetween(time, quiet))
      .map(({ at }) => at);
  return { zone, start, end, occurrences };
}

function isBetween(time: string, { start, end }: QuietHours): boolean {
  return start < end ? time >= start && time < end : time >= start || time < end;
}

function matches(expression: string, wall: Date): boolean {
  const [minute, hour, day, , weekday] = expression.split(' ') as [string, string, string, string, string];
  if (!includes(minute, wall.getUTCMinutes(), 0) || !includes(hour, wall.getUTCHours(), 0)) return false;
  const isDay = includes(day, wall.getUTCDate(), 1);
  const isWeekday = includes(weekday, wall.getUTCDay(), 0) || (wall.getUTCDay() === 0 && includes(weekday, 7, 0));
  const isFull = (text: string, from: number, to: number): boolean => {
    for (let value = from; value <= to; value += 1) if (!includes(text, value, from)) return false;
    return true;
  };
  const allWeekdays = isFull(weekday, 1, 6) && (includes(weekday, 0, 0) || includes(weekday, 7, 0));
  if (isFull(day, 1, 31) || allWeekdays) return isDay && isWeekday;
  return isDay || isWeekday;
}

function includes(text: string, value: number, min: number): boolean {
  return text.split(',').some((item) => {
    if (item === '*') return true;
    if (item.startsWith('*/')) return (value - min) % Number(item.slice(2)) === 0;
    const [from, to = from] = item.split('-').map(Number) as [number, number?];
    return value >= from && value <= to;
  });
}
