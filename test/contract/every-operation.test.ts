import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';

import type { AnyOperation } from '../../src/contract/operation.ts';
import { browserOperations, linkPageOperations, operations } from '../../src/contract/registry.ts';
import { loadHandler } from '../../src/features/load-handler.ts';
import { isStrict } from '../../src/features/parse-input.ts';
import { isUuid } from '../../src/kernel/ids.ts';
import { expectError } from '../harness/expect-error.ts';
import { addMember } from '../harness/ledger.ts';
import { forEachDatabase, type Answer, type RequestOptions, type TestApp } from '../harness/test-app.ts';
import { allRows, rowsOf } from '../harness/table-rows.ts';
import { exampleBody, furnish, liveCall, urlOf } from './live-calls.ts';
import { textPlaces } from './text-places.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const UNKNOWN_KEY = `hl_${'0'.repeat(43)}`;
const SLUG = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const BAD_IDS = [
  '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
  '00000000-0000-0000-0000-000000000000',
  '01981F6E-7C1A-7B3E-9A44-2F6D0C5E8B10',
  'zzzzzzzz',
  'zzzzzzz',
  '0',
  '-1',
  "' or 1=1 --",
  'a\0b',
  'é😀',
  '..',
  'a/b',
  'x'.repeat(5_000),
];

describe('the registry', () => {
  const all = [...operations, ...browserOperations, ...linkPageOperations];

  test('names every operation and path once', () => {
    expect(repeated(all.map(({ name }) => name))).toEqual([]);
    expect(repeated(all.flatMap((one) => pathsOf(one).map((path) => `${one.method} ${path}`)))).toEqual([]);
    expect(repeated(operations.flatMap(({ cli }) => (cli ? [cli.command] : [])))).toEqual([]);
  });

  test('writes with no method that clients take for reading, and lets no read-only key write', () => {
    for (const { name, method, effect, scope } of operations) {
      expect([name, method === 'GET' && effect === 'write'], name).toEqual([name, false]);
      if (effect === 'write') expect([name, scope]).toEqual([name, 'full_access']);
    }
  });

  test('keeps what only browsers call apart: below /auth, without a key, never in a cache', () => {
    for (const { name, path, scope, session, noStore } of browserOperations) {
      expect([name, path]).toEqual([name, expect.stringMatching(/^\/auth\/[a-z]/)]);
      expect([name, scope, session === undefined, noStore]).toEqual([name, 'none', false, true]);
    }
    expect(operations.filter(({ session }) => session !== undefined)).toEqual([]);
  });

  test('keeps what the page of a link calls apart: with its token in the path, never in a cache', () => {
    for (const { name, path, scope, linkToken, noStore, refusal } of linkPageOperations) {
      expect([name, path]).toEqual([name, expect.stringMatching(/^\/_link\/\{token\}\/[a-z]/)]);
      expect([name, scope, linkToken, noStore, refusal]).toEqual([name, 'none', true, true, 'INVALID_TOKEN']);
    }
    expect([...operations, ...browserOperations].filter(({ linkToken }) => linkToken !== undefined)).toEqual([]);
  });

  describe.each(all.map((operation) => [operation.name, operation] as const))('example of %s', (_name, one) => {
    test('fits the schemas', () => {
      const { example } = one;
      for (const [schema, value] of [
        [one.params, example.params],
        [one.query, example.query],
        [one.body, example.body],
      ] as const) {
        if (value !== undefined) expect(schema?.safeParse(value)).toMatchObject({ success: true });
      }
      expect(Object.keys(example.params ?? {})).toEqual([...one.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      if (one.body && one.bodyOptional !== true && !one.upload) expect(example.body).toBeDefined();
      if (one.response === null) expect(example.response).toBeNull();
      else expectExactly(one.response, example.response);
    });
  });
});

forEachDatabase((database) => {
  let app: TestApp;
  let revoked: string;
  let expired: string;
  beforeAll(async () => {
    app = await database.open();
    await furnish(app);
    const [first, second] = [await app.newKey(), await app.newKey({ expires_at: '2026-04-26T06:00:01.000Z' })];
    await app.request('DELETE', `/api/v1/api-keys/${first.id}`);
    app.clock.advance(1_000);
    [revoked, expired] = [first.key, second.key];
  });

  test('has a handler for every operation, and journals every write', async () => {
    for (const operation of [...operations, ...browserOperations, ...linkPageOperations]) {
      const handler = await loadHandler(operation);
      expect(handler.operation).toBe(operation);
      expect([operation.name, handler.journal !== null]).toEqual([operation.name, operation.effect === 'write']);
    }
  });

  describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    let before: Record<string, string[]>;
    beforeAll(async () => {
      before = await allRows(app.app.instance.database, ['api_key_uses']);
    });
    const { method } = operation;
    const { params, query } = operation.example;
    const body = exampleBody(operation);
    const example: RequestOptions = {
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
    };
    const url = urlOf(operation.path, params);
    const takesBody = method !== 'GET';
    const makesUnderSlug = method === 'PUT' && operation.alsoStatus?.includes(201) === true;

    if (operation.scope === 'none')
      test('answers the same with a revoked key as with none', async () => {
        for (const path of pathsOf(operation)) {
          const open = await app.request(method, urlOf(path, params), { ...example, key: null });
          for (const key of [revoked, expired, UNKNOWN_KEY, 'nonsense']) {
            const answer = await app.request(method, urlOf(path, params), { ...example, key });
            expect(answer.status).toBe(open.status);
            if (method === 'GET') expect(answer.text).toBe(open.text);
          }
        }
        // Without a key, a request that writes is not refused.
        if (method !== 'GET') before = await allRows(app.app.instance.database, ['api_key_uses']);
      });

    if (operation.scope !== 'none')
      test('refuses a request without a valid key before it looks at anything else', async () => {
        for (const [key, code] of [
          [null, 'MISSING_API_KEY'],
          ['', 'MISSING_API_KEY'],
          ['nonsense', 'INVALID_API_KEY'],
          [UNKNOWN_KEY, 'INVALID_API_KEY'],
          [app.key.replace('hl_', 'zz_'), 'INVALID_API_KEY'],
          [app.key.slice(0, -1), 'INVALID_API_KEY'],
          [expired, 'INVALID_API_KEY'],
          [revoked, 'REVOKED_API_KEY'],
        ] as const) {
          for (const request of [example, { body: 'no JSON' }, { query: { unknown: '1' } }]) {
            const answer = await app.request(method, url, { ...request, key });
            expectEnvelope(answer, 401, code);
            expect(answer.headers['www-authenticate']).toBe('ApiKey realm="homeledger"');
          }
        }
      });

    if (operation.scope === 'full_access')
      test('refuses a key that may only read, before the body is read', async () => {
        for (const request of [
          example,
          { body: 'no JSON' },
          {},
          { body: 'a=b', headers: { 'content-type': 'text/plain' } },
        ]) {
          expectEnvelope(await app.request(method, url, { ...request, key: app.readOnlyKey }), 403, 'FORBIDDEN');
        }
      });

    if (params !== undefined)
      test('knows no record by an unknown or malformed id', async () => {
        for (const id of BAD_IDS) {
          if (makesUnderSlug && SLUG.test(id) && !isUuid(id)) continue;
          // In the middle of a path these dots are gone before anybody could take them for an id.
          if (id === '..' && !operation.path.endsWith('}')) continue;
          const path = urlOf(operation.path, Object.fromEntries(Object.keys(params ?? {}).map((name) => [name, id])));
          const answer = await app.request(method, path, example);
          expectEnvelope(answer, 404, 'NOT_FOUND');
          expect(answer.json.error.message).toMatch(/^(The|This) [^.]+ (was not found|is not known|does not exist)\./);
        }
      });

    if (takesBody)
      test('names an unknown field of the body', async () => {
        const sent = { ...(body as object | undefined), surprise: 1 };
        const answer = await app.request(method, url, { ...example, body: sent });
        expectEnvelope(answer, 400, 'VALIDATION_ERROR', 'surprise');
        if (!operation.upload) {
          expectEnvelope(await app.request(method, url, { ...example, body: '{"a":' }), 400, 'INVALID_BODY');
          expectEnvelope(await app.request(method, url, { ...example, body: '[1]' }), 400, 'INVALID_BODY');
        }
      });

    if (isStrict(operation))
      test('names an unknown parameter of the query', async () => {
        const sent = { ...query, surprise: '1' };
        expectEnvelope(
          await app.request(method, url, { ...example, query: sent }),
          400,
          'INVALID_PARAMETER',
          'surprise',
        );
      });

    test('refuses U+0000 in every text it takes', async () => {
      for (const name of [...Object.keys(operation.query?.shape ?? {}), 'anything']) {
        const answer = await app.request(method, url, { ...example, query: { ...query, [name]: 'a\0b' } });
        expectEnvelope(answer, 400, 'INVALID_PARAMETER', isStrict(operation) ? undefined : name);
      }
      for (const { place, field, make } of operation.body ? textPlaces(operation.body) : []) {
        const poisoned = { ...(body as object), [field]: make('a\0b') };
        const answer = await app.request(method, url, { ...example, body: poisoned });
        expect([place, answer.status]).toEqual([place, 400]);
        expect(['VALIDATION_ERROR', 'INVALID_PARAMETER']).toContain(answer.json.error.code);
      }
    });

    test('says which methods its paths take', async () => {
      for (const path of pathsOf(operation)) {
        const here = operations.filter((one) => pathsOf(one).includes(path));
        const taken = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
        const isOpen = here.some(({ scope }) => scope === 'none') || !path.startsWith('/api/v1');
        const options = await app.request('OPTIONS', urlOf(path, params), { key: null });
        expect(options.status).toBe(204);
        expect(allowed(options)).toEqual([...taken, 'OPTIONS'].sort());
        for (const wrong of METHODS.filter((one) => !taken.includes(one))) {
          const answer = await app.request(wrong, urlOf(path, params));
          expectEnvelope(answer, 405, 'METHOD_NOT_ALLOWED');
          expect(allowed(answer)).toEqual([...taken, 'OPTIONS'].sort());
          const keyless = await app.request(wrong, urlOf(path, params), { key: null });
          if (isOpen) expectEnvelope(keyless, 405, 'METHOD_NOT_ALLOWED');
          else expectEnvelope(keyless, 401, 'MISSING_API_KEY');
        }
      }
    });

    test('has written nothing for any of the refused requests', async () => {
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });

    test('works as its example shows, and journals what it writes', async () => {
      const call = await liveCall(app, operation);
      const request: RequestOptions = {
        ...(call.query === undefined ? {} : { query: call.query }),
        ...(call.body === undefined ? {} : { body: call.body }),
      };
      const path = urlOf(operation.path, call.params);
      const known = await changeSets(app);
      const key = method === 'GET' || operation.scope === 'none' ? {} : { 'idempotency-key': `once-${operation.name}` };
      const answer = await app.request(method, path, { ...request, headers: key });
      expect([operation.status, ...(operation.alsoStatus ?? [])], answer.text).toContain(answer.status);
      expectSuccess(operation, answer);
      const made = (await changeSets(app)).filter((id) => !known.includes(id));
      expect(made.length).toBeLessThanOrEqual(1);
      if (method === 'GET') expect(made).toEqual([]);
      if (operation.effect === 'write' && operation.unjournaled !== true) {
        expect(made).toEqual([answer.headers['x-change-set-id']]);
      } else if (operation.unjournaled === true) expect(made).toEqual([]);
      if (!('idempotency-key' in key)) return;

      const replay = await app.request(method, path, { ...request, headers: key });
      expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([answer.status, 'true']);
      const hidden = Object.fromEntries((operation.secretFields ?? []).map((field) => [field, null]));
      if (answer.json === undefined) expect(replay.text).toBe('');
      else expect(replay.json).toEqual({ ...answer.json, ...hidden });
      expect(await changeSets(app)).toHaveLength(known.length + made.length);
    });

    if (method === 'GET')
      test('answers HEAD as GET without the body', async () => {
        const call = await liveCall(app, operation);
        const request = call.query === undefined ? {} : { query: call.query };
        const path = urlOf(operation.path, call.params);
        const get = await app.request('GET', path, request);
        const head = await app.request('HEAD', path, request);
        expect([head.status, head.text]).toEqual([get.status, '']);
        for (const name of ['content-type', 'etag', 'cache-control'])
          expect(head.headers[name]).toBe(get.headers[name]);
        const keyless = await app.request('HEAD', path, { ...request, key: null });
        // Refusals too: a proxy must not give one caller what another was told.
        const caching = operation.noStore === true ? 'no-store' : 'private, no-cache';
        if (path.startsWith('/api/v1/'))
          expect([get, keyless].map((one) => one.headers['cache-control'])).toEqual([caching, caching]);
        expect([keyless.status, keyless.text]).toEqual([operation.scope === 'none' ? get.status : 401, '']);
        if (operation.etag !== true) return;
        const headers = { 'if-none-match': String(get.headers.etag) };
        const again = await app.request('GET', path, { ...request, headers });
        expect([again.status, again.text]).toEqual([304, '']);
        expect(again.headers['cache-control']).toBe(get.headers['cache-control']);
      });
  });
});

forEachDatabase((database) => {
  // Dozens of operations, many of them in a thread of their own.
  test('heavy work answers from a thread as it does without one', async () => {
    const app = await database.open();
    await furnish(app);
    const threaded = await app.again({ workers: 1 });
    for (const operation of operations.filter(({ weight }) => weight !== 'light')) {
      const { params, query, body: sent } = await liveCall(app, operation);
      // What has been written once answers otherwise the second time.
      const isWrite = operation.effect === 'write' || operation.group === 'rules' || operation.method === 'DELETE';
      const isDry = isWrite && 'dry_run' in ((operation.body as z.ZodObject | undefined)?.shape ?? {});
      const body = isDry ? { ...(sent as object), dry_run: true } : sent;
      const request = { ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) };
      const path = urlOf(operation.path, params);
      const surprise = { ...(sent as object | undefined), surprise: 1 };
      const refused = await threaded.request(operation.method, path, { ...request, body: surprise });
      if (operation.method !== 'GET') expectEnvelope(refused, 400, 'VALIDATION_ERROR', 'surprise');
      // An import is done once, below: the second one of a file finds nothing new.
      if (operation.upload && operation.status === 201) continue;
      const there = await threaded.request(operation.method, path, request);
      // A rehearsal makes nothing, so it is not answered as made.
      const status = isDry && operation.alsoStatus?.includes(200) === true ? 200 : operation.status;
      expect([operation.name, there.status]).toEqual([operation.name, status]);
      if (isWrite && !isDry) continue;
      const here = await app.request(operation.method, path, request);
      expect([operation.name, there.status, timeless(there)]).toEqual([operation.name, here.status, timeless(here)]);
      expect(there.headers['content-type']).toBe(here.headers['content-type']);
    }
    const { body } = await liveCall(app, operations.find(({ name }) => name === 'importCsv') as AnyOperation);
    const { id } = await addMember(app, 'Grace');
    const sent = { ...(body as object), user_id: id };
    const done = await threaded.request('POST', '/api/v1/connections/csv/import', { body: sent });
    expect([done.status, done.headers['x-change-set-id']]).toEqual([201, done.json.import.change_set_id]);
  }, 60_000);
});

/** Without what depends on the present time: a thread does not have the clock of the test. */
function timeless({ text, headers }: Answer): string {
  // Each file in a zip has the time at which it was made.
  if (headers['content-type'] === 'application/zip')
    return (text.match(/[\w-]+\.[a-z]+/g) ?? []).filter(isExported).join();
  return text.replace(/"(as_of|added_24h|added_7d)":[^,}]+/g, '');
}

function isExported(name: string): boolean {
  return /^[a-z-]+\.(?:csv|tsv|json|beancount)$|^README\.txt$/.test(name);
}

function pathsOf(operation: AnyOperation): string[] {
  return [operation.path, ...(operation.aliases ?? [])];
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function allowed(answer: Answer): string[] {
  return (answer.headers.allow ?? '').split(', ').sort();
}

/** Valid by the schema, and nothing in it that the schema does not describe. */
function expectExactly(schema: z.ZodType, value: unknown): void {
  const result = schema.safeParse(value);
  expect(result).toMatchObject({ success: true });
  expect(result.data).toEqual(value);
}

function expectSuccess(operation: AnyOperation, answer: Answer): void {
  expect(isUuid(String(answer.headers['x-request-id']))).toBe(true);
  if (operation.noStore === true) expect(answer.headers['cache-control']).toBe('no-store');
  if (operation.etag === true) expect(answer.headers.etag).toMatch(/^"[\w-]+"$/);
  if (operation.response === null) expect(answer.text).toBe('');
  else if (answer.json !== undefined) expectExactly(operation.response, answer.json);
}

function expectEnvelope(answer: Answer, status: number, code: string, path?: string): void {
  expectError(answer, status, code);
  const { error } = answer.json;
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(typeof error.message === 'string' && error.message !== '').toBe(true);
  expect(error.request_id).toBe(answer.headers['x-request-id']);
  if (path !== undefined) expect(error.details.map((detail: { path: string }) => detail.path)).toContain(path);
}

async function changeSets(app: TestApp): Promise<string[]> {
  return (await rowsOf<{ id: string }>(app.app.instance.database, 'select id from change_sets')).map(({ id }) => id);
}
