import { assert, date, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fixedClock } from '../../test/harness/fixed-clock.ts';
import { instantNow } from './clock.ts';
import {
  addDays,
  dayAfter,
  dayIn,
  dayNumber,
  daysInMonth,
  instantAfter,
  isDateOnly,
  machineTimeZone,
  mondayOf,
  parseInstant,
  startOfDay,
  timeZoneNamed,
  toDateOnly,
  todayIn,
} from './dates.ts';

const CANONICAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const day = integer({ min: dayNumber('0001-01-01'), max: dayNumber('9999-12-31') });
const someDate = day.map((number) => addDays('1970-01-01', number));

describe('dates', () => {
  test('begin at midnight, or where a zone left midnight or the whole day out', () => {
    for (const [zone, given, begin] of [
      ['UTC', '2026-04-26', '2026-04-26T00:00:00.000Z'],
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
      ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
      ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
    ] as const) {
      expect([zone, given, startOfDay(zone, given)]).toEqual([zone, given, begin]);
    }
  });

  test('are the days of the calendar', () => {
    for (const good of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) expect(isDateOnly(good)).toBe(true);
    for (const bad of [
      '2023-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '0000-01-01',
      '2026-1-1',
      '2026-01-01 ',
      '10000-01-01',
      '',
      '２026-01-01',
    ]) {
      expect([bad, isDateOnly(bad)]).toEqual([bad, false]);
    }
    assert(
      property(
        integer({ min: 1, max: 9_999 }),
        integer({ min: 1, max: 12 }),
        integer({ min: 1, max: 31 }),
        (y, m, d) => {
          expect(isDateOnly(toDateOnly(y, m, d))).toBe(d <= daysInMonth(y, m));
        },
      ),
    );
  });

  test('are counted in days, forwards and backwards', () => {
    assert(
      property(someDate, integer({ min: -1_000, max: 1_000 }), (from, days) => {
        const to = addDays(from, days);
        if (!isDateOnly(to)) return;
        if (dayNumber(from) + days > dayNumber('9999-12-31')) {
          expect(to).toBe('9999-12-31');
          return;
        }
        expect(dayNumber(to) - dayNumber(from)).toBe(days);
        expect(addDays(to, -days)).toBe(from);
        expect(to > from).toBe(days > 0);
      }),
    );
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
    expect([addDays('9999-12-30', 1), addDays('9999-12-30', 2)]).toEqual(['9999-12-31', '9999-12-31']);
    expect([dayAfter('2023-12-31'), dayAfter('9999-12-31')]).toEqual(['2024-01-01', undefined]);
  });

  test('belong to a week that starts on Monday', () => {
    expect(mondayOf('2026-04-26')).toBe('2026-04-20');
    assert(
      property(someDate, (one) => {
        const monday = mondayOf(one);
        if (!isDateOnly(monday)) return;
        expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
        expect(dayNumber(one) - dayNumber(monday)).toBeLessThan(7);
        expect(monday <= one).toBe(true);
      }),
    );
  });

  test('of an instant depend on the zone', () => {
    const at = Date.parse('2026-03-29T22:30:00Z');
    expect(dayIn('UTC', at)).toBe('2026-03-29');
    expect(dayIn('Europe/Berlin', at)).toBe('2026-03-30');
    expect(dayIn('America/New_York', at)).toBe('2026-03-29');
    expect(todayIn('Pacific/Kiritimati', fixedClock('2026-12-31T12:00:00Z'))).toBe('2027-01-01');
    expect(['Europe/Berlin', 'europe/BERLIN', 'utc', 'Asia/Kolkata', 'Asia/Calcutta'].map(timeZoneNamed)).toEqual([
      'Europe/Berlin',
      'Europe/Berlin',
      'UTC',
      'Asia/Kolkata',
      'Asia/Calcutta',
    ]);
    expect(['Mars/Olympus', '+05:30', '-08', ''].map(timeZoneNamed)).toEqual(Array(4).fill(undefined));
  });

  test('are those of UTC on a machine whose TZ is empty or names no zone', () => {
    const before = process.env['TZ'];
    try {
      for (const [zone, read] of [
        ['', 'UTC'],
        ['Mars/Olympus', 'UTC'],
        ['Asia/Tokyo', 'Asia/Tokyo'],
        ['GMT+3', '+03:00'],
      ] as const) {
        process.env['TZ'] = zone;
        expect(machineTimeZone()).toBe(read);
        expect(dayIn(machineTimeZone(), 0)).toBe('1970-01-01');
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});

describe('instants', () => {
  test('are read in any ISO form with a zone', () => {
    for (const [text, read] of [
      ['2026-04-26T06:00Z', '2026-04-26T06:00:00.000Z'],
      ['2026-04-26T06:00:01.5Z', '2026-04-26T06:00:01.500Z'],
      ['2026-04-26T06:00:00.123456789Z', '2026-04-26T06:00:00.123Z'],
      ['2026-04-26T01:30:00+05:30', '2026-04-25T20:00:00.000Z'],
      ['2026-04-26T06:00:00-00:00', '2026-04-26T06:00:00.000Z'],
    ] as const) {
      expect(parseInstant(text)).toBe(read);
    }
  });

  test('without a zone, or that no calendar has, are refused', () => {
    for (const text of [
      '2026-04-26',
      '2026-04-26T06:00:00',
      '2026-02-30T06:00:00Z',
      '2026-04-26T25:00:00Z',
      '2026-04-26T06:60:00Z',
      '2026-04-26 06:00:00Z',
      '2026-04-26T06:00:00+0200',
      '2026-04-26T06:00:00+99:00',
      '',
      'now',
      '9999-12-31T23:59:59-01:00',
      '1745647200',
    ]) {
      expect([text, parseInstant(text)]).toEqual([text, undefined]);
    }
  });

  test('are kept in one form, which sorts as text', () => {
    const range = { min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true };
    assert(
      property(date(range), date(range), (a, b) => {
        const [one, other] = [a.toISOString(), b.toISOString()];
        expect(parseInstant(one)).toBe(one);
        expect(one < other).toBe(a.getTime() < b.getTime());
      }),
    );
    assert(
      property(string(), (text) => {
        const read = parseInstant(text);
        if (read !== undefined) expect(read).toMatch(CANONICAL);
      }),
    );
  });

  test('come from the clock', () => {
    const clock = fixedClock('2026-04-26T06:00:00Z');
    clock.advance(1_500);
    expect(instantNow(clock)).toBe('2026-04-26T06:00:01.500Z');
    expect(instantAfter(instantNow(clock), -1_500)).toBe('2026-04-26T06:00:00.000Z');
  });
});
