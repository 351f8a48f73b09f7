import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import { isUuid } from '../../src/kernel/ids.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { openApiDocument } from '../../src/surfaces/http/openapi/openapi.ts';
import { expectError } from '../harness/expect-error.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const NEW_KEY = { name: 'Kitchen tablet', scope: 'read_only' };

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
  });

  describe('unknown paths', () => {
    test('under /api/v1 need a key before they are not found', async () => {
      for (const path of ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/version/', '/api/v1/x?y=1']) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const [keyless, known] = [await app.request(method, path, { key: null }), await app.request(method, path)];
          expect([path, method, keyless.status, known.status]).toEqual([path, method, 401, 404]);
          if (method === 'HEAD') continue;
          expectEnvelope(keyless, 401, 'MISSING_API_KEY');
          expectEnvelope(known, 404, 'NOT_FOUND');
        }
      }
    });

    test('elsewhere are not found', async () => {
      for (const path of ['/nothing', '/api', '/api/v2/categories', '/api/v1x', '/health/']) {
        expectEnvelope(await app.request('GET', path, { key: null }), 404, 'NOT_FOUND');
      }
    });

    test('a path that cannot be decoded is an unknown one, or a malformed id', async () => {
      for (const path of [
        '/api/v1/%zz',
        '/api/v1/api-keys/%ff',
        '/api/v1/api-keys/%',
        '/api/v1/api-keys/%C3%28?force=%25',
      ]) {
        expectEnvelope(await app.request('GET', path, { key: null }), 401, 'MISSING_API_KEY');
        expectEnvelope(await app.request('GET', path), 404, 'NOT_FOUND');
      }
      expectEnvelope(await app.request('GET', '/%zz', { key: null }), 404, 'NOT_FOUND');
      expectEnvelope(await app.request('GET', '/api/v1/categories?kind=%zz'), 400, 'INVALID_PARAMETER');
      // As with any parameter that is wrong, before the id is looked up.
      const both = '/api/v1/api-keys/%C3%28?force=%zz';
      expectEnvelope(await app.request('GET', both, { key: null }), 401, 'MISSING_API_KEY');
      expectEnvelope(await app.request('GET', both), 400, 'INVALID_PARAMETER');
    });

    test('OPTIONS needs no key anywhere', async () => {
      for (const path of ['/nothing', '/api/v1/nothing', '/docs', '/openapi.json', '/api/v1/openapi.json']) {
        expect((await app.request('OPTIONS', path, { key: null })).status).toBe(204);
      }
    });

    test('changing a transaction as a whole is refused, and says how its parts are changed', async () => {
      for (const method of ['PATCH', 'PUT']) {
        const answer = await app.request(method, '/api/v1/transactions/3kQ9xPtn', {
          body: { category_slug: 'income' },
        });
        expectEnvelope(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.json.error.message).toContain('POST /api/v1/transactions/update');
        expect(answer.json.error.message).toContain('PATCH /api/v1/transactions/{id}/category');
      }
      const other = await app.request('POST', '/api/v1/transactions/3kQ9xPtn');
      expect(other.json.error.message).not.toContain('/update');
    });

    test('methods that no path takes are refused in the envelope', async () => {
      for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'QUERY']) {
        for (const path of ['/api/v1/version', '/openapi.json']) {
          const answer = await app.request(method, path);
          expectEnvelope(answer, 405, 'METHOD_NOT_ALLOWED');
          expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
        }
        expectEnvelope(await app.request(method, '/api/v1/nothing'), 404, 'NOT_FOUND');
        expectEnvelope(await app.request(method, '/api/v1/nothing', { key: null }), 401, 'MISSING_API_KEY');
      }
      for (const path of ['/docs', '/openapi.json', '/api/v1/openapi.json']) {
        expectEnvelope(await app.request('POST', path), 405, 'METHOD_NOT_ALLOWED');
      }
    });
  });

  describe('bodies', () => {
    test('that are too large are refused, and those just small enough are read', async () => {
      const padding = ' '.repeat(LIMITS.jsonBodyBytes - JSON.stringify(NEW_KEY).length);
      const fits = await app.request('POST', '/api/v1/api-keys', { body: JSON.stringify(NEW_KEY) + padding });
      expect(fits.status).toBe(201);
      const tooLarge = { body: `${JSON.stringify(NEW_KEY)}${padding} ` };
      expectEnvelope(await app.request('POST', '/api/v1/api-keys', tooLarge), 413, 'PAYLOAD_TOO_LARGE');
      expectEnvelope(await app.request('POST', '/api/v1/api-keys', { ...tooLarge, key: null }), 401, 'MISSING_API_KEY');
      expectEnvelope(
        await app.request('POST', '/api/v1/api-keys', { ...tooLarge, key: app.readOnlyKey }),
        403,
        'FORBIDDEN',
      );
    });

    test('that are not a JSON object are refused', async () => {
      const notUtf8 = Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('","scope":"read_only"}')]);
      for (const body of ['{"name":', 'null', '[]', '"text"', '1', '{name:1}', '{"a":1}x', notUtf8]) {
        expectEnvelope(await app.request('POST', '/api/v1/api-keys', { body }), 400, 'INVALID_BODY');
      }
      expectEnvelope(await app.request('POST', '/api/v1/api-keys'), 400, 'VALIDATION_ERROR');
      expectEnvelope(await app.request('POST', '/api/v1/api-keys', { body: '' }), 400, 'VALIDATION_ERROR');
    });

    test('with a field called __proto__ or constructor are refused like any with an unknown field', async () => {
      for (const field of ['__proto__', 'constructor', 'toString']) {
        const body = `{"name":"x","scope":"read_only","${field}":{"scope":"full_access"}}`;
        expectEnvelope(await app.request('POST', '/api/v1/api-keys', { body }), 400, 'VALIDATION_ERROR');
      }
    });

    test('of another media type are refused', async () => {
      const body = JSON.stringify(NEW_KEY);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'nonsense',
      ]) {
        const answer = await app.request('POST', '/api/v1/api-keys', { body, headers: { 'content-type': type } });
        expectEnvelope(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const spelt = { 'content-type': 'Application/JSON; Charset=UTF-8' };
      expect((await app.request('POST', '/api/v1/api-keys', { body, headers: spelt })).status).toBe(201);
    });

    test('that are compressed are read; those that are not what they claim are refused', async () => {
      const send = (encoding: string, body: Buffer): Promise<Answer> =>
        app.request('POST', '/api/v1/api-keys', { body, headers: { 'content-encoding': encoding } });
      const plain = Buffer.from(JSON.stringify(NEW_KEY));
      expect((await send('gzip', gzipSync(plain))).status).toBe(201);
      for (const encoding of ['gzip', 'deflate', 'br'])
        expectEnvelope(await send(encoding, plain), 400, 'INVALID_BODY');
      expectEnvelope(await send('gzip', gzipSync(plain).subarray(0, -9)), 400, 'INVALID_BODY');
      for (const encoding of ['nonsense', 'gzip, gzip']) {
        expectEnvelope(await send(encoding, plain), 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      expectEnvelope(
        await send('gzip', gzipSync(Buffer.alloc(2 * LIMITS.jsonBodyBytes, ' '))),
        413,
        'PAYLOAD_TOO_LARGE',
      );
    });

    test('name every field that is wrong', async () => {
      const body = { scope: 'admin', actor_type: 'robot', expires_at: 'tomorrow', colour: 'red' };
      const answer = await app.request('POST', '/api/v1/api-keys', { body });
      expectEnvelope(answer, 400, 'VALIDATION_ERROR');
      const paths = answer.json.error.details.map((detail: { path: string }) => detail.path).sort();
      expect(paths).toEqual(['actor_type', 'colour', 'expires_at', 'name', 'scope']);
    });

    test('and queries are answered with what would be right', async () => {
      const said = async (answer: Promise<Answer>): Promise<string> => (await answer).json.error.message;
      const post = (fields: object): Promise<string> => said(app.request('POST', '/api/v1/users', { body: fields }));
      expect(await post({ name: 5 })).toBe('name: must be a string');
      expect(await post({ name: 'Ana', kind: 'robot' })).toBe('kind: must be admin, member or dependent');
      const get = (path: string): Promise<string> => said(app.request('GET', path));
      expect(await get('/api/v1/transactions?limit=5&limit=6')).toBe('limit: must be sent only once');
      expect(await get('/api/v1/transactions?excluded_accounts=no')).toBe(
        'excluded_accounts: must be one of include, exclude, only',
      );
      for (const [query, message] of [
        ['pending=yes', 'pending: must be true, false, 1 or 0'],
        ['pending=true&pending=false', 'pending: must be sent only once'],
        ['limit=1e2', 'limit: must be a whole number from 1 to 500'],
        ['limit=0', 'limit: must be a whole number from 1 to 500'],
        ['category_kind=income,x,y', 'category_kind: must be income, expense, transfer or none'],
      ] as const) {
        const answer = await app.request('GET', `/api/v1/transactions?${query}`);
        const path = query.split('=')[0] as string;
        expect(answer.json.error).toMatchObject({ message, details: [{ path }] });
        expect(answer.json.error.details).toHaveLength(1);
      }
      for (const [query, hint] of [
        ['from=2026-01-01', '; did you mean date_from?'],
        ['catgory_slug=x', '; did you mean category_slug?'],
        ['offset=10', ''],
      ] as const) {
        const name = query.split('=')[0] as string;
        expect(await get(`/api/v1/transactions?${query}`)).toBe(`${name}: unknown parameter${hint}`);
      }
      for (const [path, hint] of [
        ['transactions?fields=date,ammount', '"ammount" is not a field or alias; did you mean amount?'],
        ['transactions?fields=summary', '"summary" is not a field or alias. Leave out fields to see them all.'],
        ['accounts?fields=balance', '"balance" is not a field or alias; did you mean balance_current?'],
      ] as const) {
        expect(await get(`/api/v1/${path}`)).toBe(`fields: ${hint}`);
      }
      // Limits without a message of their own are put into our words too.
      for (const [method, path, body, message] of [
        ['POST', 'transactions/bulk-recategorize', { expected_count: -1 }, 'expected_count: must be at least 0'],
        ['PUT', 'import-profiles/mine', { headers: Array(600).fill('a') }, 'headers: must have at most 512 items'],
        ['POST', 'imports', { account_filter: 7 }, 'account_filter: must be a string or a list'],
        ['POST', 'transactions', { date: '2026-04-25' }, 'amount: is required'],
        ['POST', 'rules', { expires_at: '2026-12-31' }, 'expires_at: must be an instant such as 2026-04-26T06:00:00Z'],
        [
          'GET',
          'change-sets?from=2026-04-31',
          undefined,
          'from: must be a date as YYYY-MM-DD, or an instant such as 2026-04-26T06:00:00Z',
        ],
      ] as const) {
        const { error: refused } = (await app.request(method, `/api/v1/${path}`, { body })).json;
        const told = refused.details.map((one: { path: string; message: string }) => `${one.path}: ${one.message}`);
        expect(told).toContain(message);
      }
      const mistyped = { name: 'Kitchen', scope: 'read_only', expires: null, [`x${'y'.repeat(5_000)}`]: 1 };
      const { error } = (await app.request('POST', '/api/v1/api-keys', { body: mistyped })).json;
      expect(error.message).toBe('expires: unknown field; did you mean expires_at? (and 1 more)');
      expect(error.details[1].path).toBe(`x${'y'.repeat(99)}`);
      const operations = [{ transaction_id: 'Tx9kLm2P', flagged: true, category: 'travel', tag_to_add: ['a'] }];
      const inside = (await app.request('POST', '/api/v1/transactions/update', { body: { operations } })).json.error;
      expect(inside.details.map((one: { message: string }) => one.message)).toEqual([
        'unknown field; did you mean category_id?',
        'unknown field; did you mean tags_to_add?',
      ]);
      for (const [filter, where] of [
        ['category_slug=food', 'category. List the categories to see their slugs.'],
        ['tag=food', 'tag. List the tags to see their slugs.'],
        ['user_id=Ben', 'household member. List the household members to see their ids.'],
        ['series_id=rent', 'series. List the series to see their ids.'],
      ] as const) {
        const [name, value] = filter.split('=');
        expect(await get(`/api/v1/transactions?${filter}`)).toBe(`${name}: "${value}" is not a known ${where}`);
      }
      const padded = { body: ' '.repeat(LIMITS.jsonBodyBytes + 1) };
      expect(await said(app.request('POST', '/api/v1/users', padded))).toBe(
        'The body is too large for this path; it takes at most 1 MiB.',
      );
    });
  });

  test('a request id comes back when it is usable, and is made otherwise', async () => {
    for (const id of ['abc-123', '019a8c5e-7d10-7a3b-9c41-5f2e8d7b6a90', 'a.b:c_d', 'x'.repeat(128)]) {
      const answer = await app.request('GET', '/api/v1/nothing', { headers: { 'x-request-id': id } });
      expect([answer.headers['x-request-id'], answer.json.error.request_id]).toEqual([id, id]);
    }
    for (const id of ['', ' ', 'a b', '<script>', 'x'.repeat(129), 'é']) {
      const answer = await app.request('GET', '/api/v1/nothing', { headers: { 'x-request-id': id } });
      expect(isUuid(String(answer.headers['x-request-id']))).toBe(true);
      expect(answer.json.error.request_id).toBe(answer.headers['x-request-id']);
    }
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await app.request('GET', '/health')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('a list is sent once, and again only after it changed', async () => {
    const first = await app.request('GET', '/api/v1/categories');
    const etag = String(first.headers.etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.request('GET', '/api/v1/categories', { headers: { 'if-none-match': tag } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    }
    const filtered = await app.request('GET', '/api/v1/categories?kind=income', { headers: { 'if-none-match': etag } });
    expect(filtered.status).toBe(200);
    expect(filtered.headers.etag).not.toBe(etag);
  });

  test('large answers are compressed for those who can read that', async () => {
    const server = await app.app.http();
    for (const url of ['/openapi.json', '/api/v1/categories']) {
      const headers = { 'x-api-key': app.key };
      const plain = await server.inject({ url, headers });
      const packed = await server.inject({ url, headers: { ...headers, 'accept-encoding': 'gzip' } });
      expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      expect(packed.headers.vary).toContain('accept-encoding');
    }
    const brotli = await server.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'br, gzip' } });
    expect(brotli.headers['content-encoding']).toBe('br');
  });

  test('pages and answers tell browsers to be careful', async () => {
    for (const path of ['/docs', '/openapi.json', '/api/v1/categories', '/api/v1/nothing']) {
      const { headers } = await app.request('GET', path);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  test('a failure of ours answers 500 without internals, and is logged with the request id', async () => {
    const broken = await database.open({ expectsFailures: true });
    const { engineName } = broken.app.instance.database;
    await broken.app.instance.database.writeBare(
      (tx) => sql`alter table categories rename to elsewhere`.execute(tx.q),
      async () => undefined,
    );
    const answer = await broken.request('GET', '/api/v1/categories');
    expectEnvelope(answer, 500, 'INTERNAL_ERROR');
    expect(answer.text).not.toMatch(/categories|relation|table|SQLITE|select|node_modules|\.ts/i);
    const lines = broken.logs.filter((line) => line.includes(String(answer.headers['x-request-id'])));
    expect(lines.some((line) => line.includes('"level":50') && line.includes('categories'))).toBe(true);
    expect(engineName).toBe(database.name === 'SQLite' ? 'sqlite' : 'postgres');
  });

  test('a lost database answers every request in the envelope', async () => {
    const broken = await database.open({ expectsFailures: true });
    await broken.app.instance.database.close();
    for (const path of ['/api/v1/categories', '/api/v1/keys/me', '/api/v1/nothing']) {
      const answer = await broken.request('GET', path);
      expect([500, 503]).toContain(answer.status);
      expect(answer.json.error.code).toMatch(/^(INTERNAL_ERROR|UNAVAILABLE)$/);
      expect(answer.text).not.toMatch(/pool|closed|SQLITE|open/i);
    }
  });
});

forEachDatabase((database) => {
  describe('on the wire', () => {
    let port: number;
    let app: TestApp;
    beforeAll(async () => {
      app = await database.open({ env: { PORT: '0' } });
      port = Number(new URL(await app.app.listen()).port);
    });

    test('a head that is too large is refused in the envelope', async () => {
      for (const head of [
        `GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(100_000)}\r\n\r\n`,
        `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      ]) {
        const answer = await raw(port, head);
        expect(answer.status).toBe(431);
        expect(answer.json.error.code).toBe('HEADERS_TOO_LARGE');
      }
    });

    test('what is not HTTP is refused in the envelope', async () => {
      for (const head of [
        'nonsense\r\n\r\n',
        'GET /health HTTP/9.9\r\n\r\n',
        'GET /health HTTP/1.1\r\nContent-Length: x\r\n\r\n',
      ]) {
        const answer = await raw(port, head);
        expect(answer.status).toBe(400);
        expect(answer.json.error.code).toBe('INVALID_BODY');
      }
    });

    test('more than one key is refused, wherever they come from', async () => {
      const head = `GET /api/v1/keys/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
      const one = await raw(port, `${head}X-API-Key: ${app.key}\r\n\r\n`);
      const two = await raw(port, `${head}X-API-Key: ${app.key}\r\nX-API-Key: ${app.key}\r\n\r\n`);
      const empty = await raw(port, `${head}X-API-Key: \r\nX-API-Key: ${app.key}\r\n\r\n`);
      expect([one.status, two.status, empty.status]).toEqual([200, 401, 401]);
      expect(two.json.error.code).toBe('INVALID_API_KEY');
    });

    test('a long URL that still fits is looked up', async () => {
      const path = `/api/v1/api-keys/${'a'.repeat(10_000)}`;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': app.key } });
      expect(answer.status).toBe(404);
    });

    test('a body longer than it said, or that never ends, is refused', async () => {
      const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.key}\r\nConnection: close\r\n`;
      const json = 'Content-Type: application/json\r\n';
      const length = await raw(port, `${head}${json}Content-Length: ${LIMITS.jsonBodyBytes + 1}\r\n\r\n`);
      expect([length.status, length.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
      const chunked = await raw(port, `${head}${json}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`);
      expect([chunked.status, chunked.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });

  describe('scripts of other origins', () => {
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' };

    test('may read nothing by default', async () => {
      const app = await database.open();
      const origin = { origin: 'https://app.example' };
      const answers = [
        await app.request('GET', '/api/v1/categories', { headers: origin }),
        await app.request('OPTIONS', '/api/v1/categories', { headers: preflight, key: null }),
      ];
      for (const { headers } of answers) expect(Object.keys(headers).join()).not.toContain('access-control');
    });

    test('may call with a key when they are on the list, and no other may', async () => {
      const app = await database.open({ env: { CORS_ORIGINS: 'https://app.example, http://localhost:3000' } });
      for (const [origin, allowed] of [
        ['https://app.example', 'https://app.example'],
        ['http://localhost:3000', 'http://localhost:3000'],
        ['https://app.example.evil', undefined],
        ['http://app.example', undefined],
        ['null', undefined],
      ] as const) {
        for (const key of [app.key, null]) {
          const answer = await app.request('GET', '/api/v1/categories', { headers: { origin }, key });
          expect(answer.headers['access-control-allow-origin']).toBe(allowed);
          expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
          expect(answer.headers.vary?.toLowerCase()).toContain('origin');
        }
      }
      const asked = { ...preflight, 'access-control-request-headers': 'x-api-key, content-type, idempotency-key' };
      const answer = await app.request('OPTIONS', '/api/v1/api-keys/x', { headers: asked, key: null });
      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(answer.headers['access-control-allow-methods']).toContain('PATCH');
      expect(answer.headers['access-control-allow-headers']).toContain('x-api-key');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      const foreign = { ...asked, origin: 'https://elsewhere.example' };
      const refused = await app.request('OPTIONS', '/api/v1/api-keys/x', { headers: foreign, key: null });
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
      for (const path of ['/auth/setup', '/auth/session', '/version']) {
        const headers = { origin: 'https://app.example' };
        const page = await app.request('GET', path, { headers, key: null });
        expect([path, page.status, page.headers['access-control-allow-origin']]).toEqual([path, 200, undefined]);
      }
    });

    test('may read every header that the reference describes', async () => {
      const app = await database.open({ env: { CORS_ORIGINS: 'https://app.example' } });
      const answer = await app.request('GET', '/api/v1/tags', { headers: { origin: 'https://app.example' } });
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
      const { components, paths } = openApiDocument() as Record<string, object>;
      const described = JSON.stringify([components, paths]).matchAll(/"([\w-]+)":\{"\$ref":"#\/components\/headers\//g);
      expect(exposed).toEqual(expect.arrayContaining([...new Set([...described].map(([, name]) => name))]));
      expect(exposed).toContain('Content-Disposition');
    });

    test('the list does not change what OPTIONS answers to others', async () => {
      const app = await database.open({ env: { CORS_ORIGINS: 'https://app.example' } });
      const answer = await app.request('OPTIONS', '/api/v1/version', { key: null });
      expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    });
  });
});

function expectEnvelope(answer: Answer, status: number, code: string): void {
  expectError(answer, status, code);
  expect(answer.json.error.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

/** What a server answers to bytes that no HTTP client would send. */
async function raw(port: number, text: string): Promise<Pick<Answer, 'status' | 'json'>> {
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('close', () => resolve(received));
    // The server hangs up while the rest of a refused request is still being sent.
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });
  return { status: Number(answer.split(' ')[1]), json: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) };
}
