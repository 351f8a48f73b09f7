import { describe, expect, test } from 'vitest';

import { seededRandom } from '../../kernel/random.ts';
import { nextSyncAt, type NextSyncCause, type ScheduledConnection, type SyncPace } from './next-sync.ts';

const NOW = '2026-03-02T06:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PACE: SyncPace = { globalIntervalSeconds: 43_200, minIntervalSeconds: null };

function connection(given: Partial<ScheduledConnection> = {}): ScheduledConnection {
  return {
    id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
    status: 'active',
    paused: 0,
    sync_interval_seconds: null,
    consecutive_failures: 0,
    last_sync_at: NOW,
    last_error_at: null,
    linked_at: '2026-01-01T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}

/** Milliseconds from now; null: never. */
function wait(given: Partial<ScheduledConnection>, cause: NextSyncCause, pace = PACE): number | null {
  const next = nextSyncAt(connection(given), cause, pace, NOW);
  return next === null ? null : Date.parse(next) - Date.parse(NOW);
}

/** Connections whose ids differ, as those of a household do. */
function many(count: number): string[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, () => Buffer.from(random.bytes(16)).toString('hex'));
}

const SUCCESS = { after: 'success', history: 'complete', notAfter: null } as const;
const CHANGE = { after: 'change', notBefore: null } as const;

describe('the next sync', () => {
  test('is an interval and up to a tenth of it, at most ten minutes, after a success', () => {
    for (const id of many(500)) {
      expect(wait({ id }, SUCCESS)).toBeGreaterThanOrEqual(12 * HOUR);
      expect(wait({ id }, SUCCESS)).toBeLessThanOrEqual(12 * HOUR + 10 * MINUTE);
      expect(wait({ id, sync_interval_seconds: 3_600 }, SUCCESS)).toBeGreaterThanOrEqual(60 * MINUTE);
      expect(wait({ id, sync_interval_seconds: 3_600 }, SUCCESS)).toBeLessThanOrEqual(66 * MINUTE);
    }
  });

  test('is not after what a webhook during the sync asked for', () => {
    const inFiveMinutes = '2026-03-02T06:05:00.000Z';
    expect(wait({}, { ...SUCCESS, notAfter: inFiveMinutes })).toBe(5 * MINUTE);
    expect(wait({}, { ...SUCCESS, notAfter: '2026-03-03T06:00:00.000Z' })).toBe(wait({}, SUCCESS));
    expect(wait({ paused: 1 }, { ...SUCCESS, notAfter: inFiveMinutes })).toBeNull();
  });

  test('spreads over connections that were linked at once, and stays the same for each', () => {
    const minutes = many(200).map((id) => Math.floor(((wait({ id }, SUCCESS) ?? 0) - 12 * HOUR) / MINUTE));
    for (let minute = 0; minute < 10; minute += 1) {
      expect(minutes.filter((one) => one === minute).length).toBeGreaterThan(5);
    }
    expect(wait({}, SUCCESS)).toBe(wait({}, SUCCESS));
  });

  test('backs off after failures: half an hour, doubled each time, at most a day, and up to a tenth more', () => {
    const hours = [0.5, 1, 2, 4, 8, 16, 24, 24];
    for (const id of many(50)) {
      for (const [index, n] of hours.entries()) {
        const after = wait({ id, consecutive_failures: index + 1 }, { after: 'failure', notBefore: null });
        expect(after).toBeGreaterThanOrEqual(n * HOUR);
        expect(after).toBeLessThanOrEqual(n * HOUR * 1.1);
      }
    }
    expect(wait({ consecutive_failures: 5_000 }, { after: 'failure', notBefore: null })).toBeLessThan(27 * HOUR);
  });

  test('is not before the pause that the provider asked for', () => {
    const notBefore = '2026-03-02T09:00:00.000Z';
    expect(wait({ consecutive_failures: 1 }, { after: 'failure', notBefore })).toBe(3 * HOUR);
    expect(wait({ consecutive_failures: 4 }, { after: 'failure', notBefore })).toBeGreaterThan(3 * HOUR);
  });

  test('comes soon while the history loads, for a day, and never later than usual', () => {
    const linked = { linked_at: '2026-03-01T07:00:00.000Z' };
    expect(wait(linked, { ...SUCCESS, history: 'not_ready' })).toBe(MINUTE);
    expect(wait(linked, { ...SUCCESS, history: 'loading' })).toBe(10 * MINUTE);
    expect(wait(linked, SUCCESS)).toBeGreaterThanOrEqual(12 * HOUR);
    const longAgo = { linked_at: '2026-03-01T06:00:00.000Z' };
    expect(wait(longAgo, { ...SUCCESS, history: 'not_ready' })).toBeGreaterThanOrEqual(12 * HOUR);
  });

  test('keeps the least interval of the provider, whatever else is set', () => {
    const pace = { globalIntervalSeconds: 900, minIntervalSeconds: 21_600 };
    const own = { sync_interval_seconds: 3_600, linked_at: NOW, consecutive_failures: 1 };
    for (const cause of [
      SUCCESS,
      { ...SUCCESS, history: 'not_ready' },
      { after: 'failure', notBefore: null },
    ] as const) {
      expect(wait(own, cause, pace)).toBeGreaterThanOrEqual(6 * HOUR);
    }
  });

  test('is now when one is asked for, and never while paused, without a login or disconnected', () => {
    expect(wait({}, { after: 'request' })).toBe(0);
    const causes: NextSyncCause[] = [{ after: 'request' }, SUCCESS, { after: 'failure', notBefore: null }, CHANGE];
    for (const cause of causes) {
      expect(wait({ paused: 1 }, cause)).toBeNull();
      expect(wait({ status: 'pending_reauth' }, cause)).toBeNull();
      expect(wait({ status: 'disconnected' }, cause)).toBeNull();
      expect(wait({ status: 'error' }, cause)).not.toBeNull();
    }
  });

  test('after a change of the interval counts from the last sync, and is due at once after a long pause', () => {
    const hourAgo = { last_sync_at: '2026-03-02T05:00:00.000Z' };
    expect(wait(hourAgo, CHANGE)).toBeGreaterThanOrEqual(11 * HOUR);
    expect(wait({ ...hourAgo, sync_interval_seconds: 900 }, CHANGE)).toBe(0);
    expect(wait({ last_sync_at: '2026-02-02T05:00:00.000Z' }, CHANGE)).toBe(0);
    expect(wait({ last_sync_at: null, created_at: '2026-02-02T05:00:00.000Z' }, CHANGE)).toBe(0);
  });

  test('after a change of the interval is not before the back-off of failures ends', () => {
    const failed = { last_sync_at: '2026-02-01T00:00:00.000Z', last_error_at: NOW, consecutive_failures: 3 };
    expect(wait(failed, CHANGE)).toBeGreaterThanOrEqual(2 * HOUR);
    expect(wait(failed, { after: 'change', notBefore: '2026-03-02T11:00:00.000Z' })).toBe(5 * HOUR);
    expect(wait({ ...failed, consecutive_failures: 0 }, CHANGE)).toBe(0);
  });
});
