import { assert, constantFrom, integer, array, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { RateLimiter } from '../../kernel/rate-limit.ts';

const START = '2026-04-26T06:00:00.000Z';
const START_SECOND = Date.parse(START) / 1_000;
const FIVE = { API_RATE_LIMIT_RPM: '60', API_RATE_LIMIT_BURST: '5' };
const WRONG_KEY = `hl_${'0'.repeat(43)}`;

describe('a token bucket', () => {
  test('lets through its size at once, then one per refill', () => {
    const clock = fixedClock(START);
    const limiter = new RateLimiter(clock, 60, 5);
    for (let left = 4; left >= 0; left--) {
      const verdict = { allowed: true, limit: 5, remaining: left, reset: START_SECOND + 5 - left, retryAfter: 1 };
      expect(limiter.take('a')).toEqual(verdict);
    }
    expect(limiter.take('a')).toMatchObject({ allowed: false, remaining: 0, retryAfter: 1, reset: START_SECOND + 5 });
    clock.advance(999);
    expect(limiter.take('a').allowed).toBe(false);
    clock.advance(1);
    expect(limiter.take('a').allowed).toBe(true);
    expect(limiter.take('a').allowed).toBe(false);
    expect(limiter.take('b').allowed).toBe(true);
  });

  test('says how long to wait, rounded up', () => {
    const clock = fixedClock(START);
    const limiter = new RateLimiter(clock, 2, 1);
    limiter.take('a');
    expect(limiter.take('a').retryAfter).toBe(30);
    clock.advance(10_001);
    expect(limiter.take('a').retryAfter).toBe(20);
  });

  test('gains nothing from a clock that goes back', () => {
    const clock = fixedClock(START);
    const limiter = new RateLimiter(clock, 60, 1);
    limiter.take('a');
    clock.advance(-3_600_000);
    expect(limiter.take('a')).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1_000);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('never lets through more than its size plus what was refilled, whatever the clock does', () => {
    const step = record({ ms: integer({ min: -5_000, max: 5_000 }), name: constantFrom('a', 'b') });
    assert(
      property(
        array(step, { maxLength: 200 }),
        integer({ min: 1, max: 600 }),
        integer({ min: 1, max: 20 }),
        (steps, rpm, size) => {
          const clock = fixedClock(START);
          const limiter = new RateLimiter(clock, rpm, size);
          const allowed = { a: 0, b: 0 };
          let forward = 0;
          for (const { ms, name } of steps) {
            clock.advance(ms);
            forward += Math.max(0, ms);
            const verdict = limiter.take(name);
            if (verdict.allowed) allowed[name] += 1;
            expect(verdict.remaining).toBeGreaterThanOrEqual(0);
            expect(verdict.remaining).toBeLessThanOrEqual(size);
            expect(verdict.retryAfter).toBeGreaterThanOrEqual(1);
          }
          const most = size + (forward * rpm) / 60_000 + 1e-6;
          expect(Math.max(allowed.a, allowed.b)).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  test('forgets the one that was used longest ago when there are too many', () => {
    const limiter = new RateLimiter(fixedClock(START), 1, 1);
    limiter.take('first');
    limiter.take('second');
    for (let i = 0; i < LIMITS.rateBuckets - 1; i++) limiter.take(`other ${i}`);
    expect(limiter.take('second').allowed).toBe(false);
    expect(limiter.take('first').allowed).toBe(true);
  });
});

forEachDatabase((database) => {
  test('a key has BURST requests at once and then RPM a minute', async () => {
    const app = await database.open({ env: FIVE });
    for (let left = 4; left >= 0; left--) {
      const answer = await app.request('GET', '/api/v1/keys/me');
      expect([answer.status, rates(answer)]).toEqual([200, ['5', String(left), String(START_SECOND + 5 - left)]]);
    }
    const refused = await app.request('GET', '/api/v1/keys/me');
    expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ]);
    expect(rates(refused)).toEqual(['5', '0', String(START_SECOND + 5)]);
    app.clock.advance(1_000);
    expect((await app.request('GET', '/api/v1/keys/me')).status).toBe(200);
    expect((await app.request('GET', '/api/v1/keys/me')).status).toBe(429);
    expect((await app.request('GET', '/api/v1/keys/me', { key: app.readOnlyKey })).status).toBe(200);
  });

  test('every answer to a known key costs a token and says how many are left', async () => {
    const app = await database.open({ env: { API_RATE_LIMIT_RPM: '60', API_RATE_LIMIT_BURST: '8' } });
    const key = app.readOnlyKey;
    for (const [left, status, method, path, body] of [
      ['7', 200, 'GET', '/api/v1/categories', undefined],
      ['6', 403, 'POST', '/api/v1/api-keys', 'no JSON'],
      ['5', 404, 'GET', '/api/v1/nothing', undefined],
      ['4', 405, 'DELETE', '/api/v1/categories', undefined],
      ['3', 400, 'GET', '/api/v1/categories?kind=x', undefined],
      ['2', 200, 'GET', '/api/v1/openapi.json', undefined],
      ['1', 200, 'HEAD', '/api/v1/categories', undefined],
      ['0', 404, 'POST', '/api/v1/nothing', {}],
      ['0', 429, 'GET', '/api/v1/categories', undefined],
      ['0', 429, 'POST', '/api/v1/api-keys', 'no JSON'],
    ] as const) {
      const answer = await app.request(method, path, { key, body });
      expect([path, answer.status, rates(answer)[1]]).toEqual([path, status, left]);
    }
  });

  test('answers without a known key say nothing of buckets', async () => {
    const app = await database.open({ env: FIVE });
    for (const [path, key] of [
      ['/health', app.key],
      ['/version', app.key],
      ['/api/v1/headless/bootstrap', app.key],
      ['/openapi.json', null],
      ['/api/v1/categories', null],
      ['/api/v1/nothing', WRONG_KEY],
      ['/nothing', app.key],
    ] as const) {
      const answer = await app.request('GET', path, { key });
      expect([path, rates(answer)]).toEqual([path, [undefined, undefined, undefined]]);
    }
    expect(rates(await app.request('GET', '/api/v1/keys/me'))[1]).toBe('4');
  });

  test('refused requests are limited by address, and never those with a right key', async () => {
    const app = await database.open({ env: FIVE });
    const attempts = [WRONG_KEY, 'nonsense', null, WRONG_KEY, ''];
    for (const [index, key] of attempts.entries()) {
      const path = index % 2 === 0 ? '/api/v1/categories' : '/api/v1/nothing';
      expect((await app.request('GET', path, { key, from: '192.0.2.1' })).status).toBe(401);
    }
    for (const key of [WRONG_KEY, null]) {
      const refused = await app.request('GET', '/api/v1/categories', { key, from: '192.0.2.1' });
      expect([refused.status, refused.json.error.code, refused.headers['retry-after']]).toEqual([
        429,
        'RATE_LIMITED',
        '1',
      ]);
      expect(rates(refused)).toEqual([undefined, undefined, undefined]);
    }
    expect((await app.request('GET', '/api/v1/categories', { from: '192.0.2.1' })).status).toBe(200);
    expect((await app.request('GET', '/api/v1/categories', { key: WRONG_KEY, from: '192.0.2.2' })).status).toBe(401);
    app.clock.advance(1_000);
    expect((await app.request('GET', '/api/v1/categories', { key: WRONG_KEY, from: '192.0.2.1' })).status).toBe(401);
  });

  test('routes without a key share one bucket per address', async () => {
    const app = await database.open({ env: FIVE });
    for (const path of ['/version', '/openapi.json', '/docs', '/api/v1/headless/bootstrap', '/version']) {
      expect((await app.request('GET', path, { key: null })).status).toBe(200);
    }
    for (const path of ['/version', '/openapi.json', '/docs', '/api/v1/headless/bootstrap']) {
      for (const key of [null, app.key]) expect((await app.request('GET', path, { key })).status).toBe(429);
      expect((await app.request('GET', path, { key: null, from: '192.0.2.9' })).status).toBe(200);
    }
  });

  test('forwarded addresses count only behind a trusted proxy, and only those it wrote', async () => {
    const direct = await database.open({ env: FIVE });
    const forged = (i: number) => ({ key: WRONG_KEY, headers: { 'x-forwarded-for': `203.0.113.${i}` } });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await direct.request('GET', '/api/v1/keys/me', forged(i))).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);

    const proxied = await database.open({ env: { ...FIVE, TRUST_PROXY: 'loopback, 10.0.0.0/8' } });
    const through = (chain: string) => ({ key: WRONG_KEY, headers: { 'x-forwarded-for': chain } });
    for (let i = 0; i < 5; i++) {
      const answer = await proxied.request('GET', '/api/v1/keys/me', through(`203.0.113.${i}, 198.51.100.1, 10.1.1.1`));
      expect(answer.status).toBe(401);
    }
    expect((await proxied.request('GET', '/api/v1/keys/me', through('198.51.100.1'))).status).toBe(429);
    expect((await proxied.request('GET', '/api/v1/keys/me', through('198.51.100.2'))).status).toBe(401);
    const stranger = { ...through('198.51.100.2'), from: '192.0.2.7' };
    for (let i = 0; i < 5; i++) await proxied.request('GET', '/api/v1/keys/me', stranger);
    expect((await proxied.request('GET', '/api/v1/keys/me', stranger)).status).toBe(429);
    expect((await proxied.request('GET', '/api/v1/keys/me', through('198.51.100.2'))).status).toBe(401);
  });

  test('IPv6 addresses count by their /64, mapped ones as IPv4', async () => {
    const app = await database.open({ env: { API_RATE_LIMIT_RPM: '1', API_RATE_LIMIT_BURST: '2' } });
    const status = async (from: string): Promise<number> =>
      (await app.request('GET', '/api/v1/keys/me', { key: null, from })).status;
    const seen: [string, number][] = [];
    for (const from of [
      '2001:db8::1',
      '2001:db8:0:0:ffff::2',
      '2001:DB8::3',
      '2001:db8:0:1::1',
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '::ffff:c000:201',
      '::ffff:192.0.2.2',
    ]) {
      seen.push([from, await status(from)]);
    }
    expect(seen.map(([, code]) => code)).toEqual([401, 401, 429, 401, 401, 401, 429, 401]);
  });
});

function rates({ headers }: Answer): unknown[] {
  return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']];
}
