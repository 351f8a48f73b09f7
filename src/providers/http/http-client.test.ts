import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { freePort } from '../../../test/harness/servers/free-port.ts';
import {
  fakeOutside,
  scriptedServer,
  type Scripted,
  type ScriptedServer,
} from '../../../test/harness/servers/scripted-server.ts';
import type { ProviderFailure } from '../provider-failure.ts';
import { createHttpClient, type HttpAnswer, type HttpCall, type HttpOptions } from './http-client.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await scriptedServer();
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

const OK = { json: { fine: true } };

async function send(
  answers: Scripted[],
  call: Partial<HttpCall> = {},
  options: HttpOptions & { random?: number } = {},
): Promise<{ answer: HttpAnswer | null; failure: ProviderFailure | null; pauses: number[]; count: number }> {
  server.script(...answers);
  const outside = fakeOutside(undefined, options.random);
  const client = createHttpClient(outside, options);
  try {
    const wanted = { method: 'POST', url: `${server.url}/path`, headers: {}, body: '{}', ...call } as const;
    let failure: ProviderFailure | null = null;
    const answer = await client.call(wanted).catch((error: unknown) => {
      failure = error as ProviderFailure;
      return null;
    });
    return { answer, failure, pauses: outside.pauses, count: server.requests.length };
  } finally {
    await client.close();
  }
}

const fail = (status: number): Scripted => ({ status, json: { error: true } });

describe('a request to a provider', () => {
  test('that fails four times for a passing reason is answered at the fifth', async () => {
    for (const passing of [fail(500), fail(503), fail(429), fail(408), { text: '<html>' }, 'drop'] as const) {
      const { answer, pauses, count } = await send([passing, passing, passing, passing, OK]);
      expect([answer?.status, answer?.json, count]).toEqual([200, { fine: true }, 5]);
      expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    }
  });

  test('is not sent a sixth time', async () => {
    const { answer, count } = await send([fail(502)]);
    expect([answer?.status, count]).toEqual([502, 5]);
    const unreadable = await send([{ text: '<html>' }]);
    expect(unreadable.failure).toMatchObject({ failureClass: 'transient', code: 'PROVIDER_BAD_RESPONSE' });
    expect((await send(['drop'])).failure).toMatchObject({ failureClass: 'transient', code: 'NETWORK_ERROR' });
  });

  test('is not repeated if the answer would be the same', async () => {
    for (const status of [400, 401, 403, 404, 410, 422, 302]) {
      const { answer, count } = await send([fail(status)]);
      expect([answer?.status, count]).toEqual([status, 1]);
    }
  });

  test('waits by chance between half and one and a half of the pause', async () => {
    expect((await send([fail(500), fail(500), OK], {}, { random: 0 })).pauses).toEqual([500, 1_000]);
    expect((await send([fail(500), fail(500), OK], {}, { random: 1 })).pauses).toEqual([1_500, 3_000]);
  });

  test('waits as long as the provider asks, in seconds or until a date', async () => {
    const limited = (after: string): Scripted => ({ status: 429, json: {}, headers: { 'retry-after': after } });
    expect((await send([limited('2'), OK])).pauses).toEqual([2_000]);
    expect((await send([limited('0'), OK])).pauses).toEqual([1_000]);
    expect((await send([limited('Mon, 02 Mar 2026 12:00:30 GMT'), OK])).pauses).toEqual([30_000]);
    expect((await send([limited('60'), OK])).pauses).toEqual([60_000]);
    expect((await send([limited('soon'), OK])).pauses).toEqual([1_000]);
  });

  test('does not wait for longer than a minute', async () => {
    const { answer, pauses, count } = await send([{ status: 429, json: {}, headers: { 'retry-after': '61' } }, OK]);
    expect([answer?.status, answer?.retryAfterMs, pauses, count]).toEqual([429, 61_000, [], 1]);
    for (const after of ['999999999999', '9'.repeat(400), 'Fri, 31 Dec 99999 23:59:59 GMT']) {
      const absurd = await send([{ status: 429, json: {}, headers: { 'retry-after': after } }, OK]);
      expect([absurd.answer?.retryAfterMs, absurd.count]).toEqual([1e12, 1]);
    }
  });

  test('that must not arrive twice is repeated only after 429 or if nobody was reached', async () => {
    expect((await send([fail(500), OK], { isOnce: true })).count).toBe(1);
    expect((await send(['drop', OK], { isOnce: true })).count).toBe(1);
    expect((await send([{ text: 'x' }, OK], { isOnce: true })).failure?.isUnsent).toBe(false);
    expect((await send([fail(429), fail(429), OK], { isOnce: true })).answer?.status).toBe(200);
    const { failure, pauses } = await send([OK], { isOnce: true, url: `http://127.0.0.1:${await freePort()}/` });
    expect(failure).toMatchObject({ code: 'NETWORK_ERROR', isUnsent: true });
    expect(pauses).toHaveLength(4);
  });

  test('that is never answered ends as a timeout', async () => {
    const { failure } = await send(['never'], {}, { requestMs: 20 });
    expect(failure).toMatchObject({ failureClass: 'transient', code: 'TIMEOUT', isUnsent: false });
    expect((await send(['never'], { withinMs: 20 })).count).toBe(1);
  });

  test('ends at once, with the reason of its signal', async () => {
    const control = new AbortController();
    const reason = new Error('the sync took too long');
    server.script(() => {
      control.abort(reason);
      return 'never';
    });
    const client = createHttpClient(fakeOutside());
    const call = { method: 'GET', url: server.url, headers: {}, signal: control.signal } as const;
    await expect(client.call(call)).rejects.toBe(reason);
    await expect(client.call(call)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
    await client.close();
  });

  test('is not tried again once the client is closed', async () => {
    const outside = fakeOutside();
    const client = createHttpClient(outside);
    server.script(() => {
      void client.close();
      return 'never';
    });
    const call = client.call({ method: 'GET', url: server.url, headers: {} });
    await expect(call).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect([outside.pauses, server.requests.length]).toEqual([[], 1]);
  });

  test('is not answered by a body beyond the limit', async () => {
    const { failure, count } = await send([{ json: { long: 'x'.repeat(2_000) } }], {}, { bodyBytes: 1_000 });
    expect([failure?.code, count]).toEqual(['PROVIDER_BAD_RESPONSE', 1]);
  });

  test('follows no redirect and no proxy of the environment', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, 'http://127.0.0.1:9');
    const { answer, count } = await send([{ status: 307, json: {}, headers: { location: `${server.url}/other` } }]);
    expect([answer?.status, count]).toEqual([307, 1]);
  });
});
