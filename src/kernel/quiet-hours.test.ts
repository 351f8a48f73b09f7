import { describe, expect, test } from 'vitest';

import { afterQuietHours } from './quiet-hours.ts';

const NIGHT = { start: '22:00', end: '07:00' };
const BERLIN = 'Europe/Berlin';

function end(hours: typeof NIGHT, zone: string, at: string): string {
  return new Date(afterQuietHours(hours, zone, Date.parse(at))).toISOString();
}

describe('quiet hours end', () => {
  test('at once outside them, from the minute at which they end', () => {
    for (const at of ['2026-01-10T06:00:00.000Z', '2026-01-10T12:34:56.789Z', '2026-01-10T20:59:59.999Z']) {
      expect(end(NIGHT, BERLIN, at)).toBe(at);
    }
  });

  test('in the household’s morning, before and after midnight', () => {
    expect(end(NIGHT, BERLIN, '2026-01-10T21:00:00.000Z')).toBe('2026-01-11T06:00:00.000Z');
    expect(end(NIGHT, BERLIN, '2026-01-11T05:59:59.999Z')).toBe('2026-01-11T06:00:00.000Z');
    expect(end(NIGHT, 'Asia/Kathmandu', '2026-01-10T20:00:30.000Z')).toBe('2026-01-11T01:15:00.000Z');
    expect(end({ start: '12:00', end: '14:30' }, BERLIN, '2026-01-10T11:00:00.000Z')).toBe('2026-01-10T13:30:00.000Z');
    expect(end({ start: '07:00', end: '06:59' }, 'UTC', '2026-01-10T07:00:00.000Z')).toBe('2026-01-11T06:59:00.000Z');
  });

  test('by the clock on the wall in nights in which it changes', () => {
    expect(end(NIGHT, BERLIN, '2026-03-28T22:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(end(NIGHT, BERLIN, '2026-10-24T21:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z');
    // There is no 02:30 in this night: the hands jump from 02:00 to 03:00.
    expect(end({ start: '22:00', end: '02:30' }, BERLIN, '2026-03-28T23:00:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
    // 02:30 comes twice; the first time counts.
    expect(end({ start: '22:00', end: '02:30' }, BERLIN, '2026-10-24T23:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z');
  });
});
