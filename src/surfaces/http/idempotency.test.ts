import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const KEY = /^hl_[0-9A-Za-z]{43}$/;
const DAY_MS = 86_400_000;

forEachDatabase((database) => {
  const body = { name: 'Once', scope: 'read_only' };
  const headers = { 'idempotency-key': 'once' };
  const named = async (app: TestApp, name: string): Promise<number> =>
    (await app.request('GET', '/api/v1/api-keys')).json.filter((key: { name: string }) => key.name === name).length;

  test('answers a repeated request as the first time, without the secret', async () => {
    const app = await database.open();
    const first = await app.request('POST', '/api/v1/api-keys', { body, headers });
    app.clock.advance(DAY_MS - 1);
    const again = await app.request('POST', '/api/v1/api-keys', { body, headers });
    expect(first.json.key).toMatch(KEY);
    expect([again.status, again.json]).toEqual([201, { ...first.json, key: null }]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['x-change-set-id']).toBe(first.headers['x-change-set-id']);
    expect(again.headers['cache-control']).toBe('no-store');
    expect(await named(app, 'Once')).toBe(1);
    app.clock.advance(1);
    const later = await app.request('POST', '/api/v1/api-keys', { body, headers });
    expect(later.json.id).not.toBe(first.json.id);
    expect(await named(app, 'Once')).toBe(2);
  });

  test('survives a restart and an answer without a body', async () => {
    const app = await database.open();
    const { id } = await app.newKey();
    const first = await app.request('DELETE', `/api/v1/api-keys/${id}`, { headers });
    await app.close();
    const again = await (await app.again()).request('DELETE', `/api/v1/api-keys/${id}`, { headers });
    expect([first.status, again.status, again.text]).toEqual([204, 204, '']);
  });

  test('is refused for another body, path or method, and that changes nothing', async () => {
    const app = await database.open();
    const { id } = await app.newKey();
    await app.request('POST', '/api/v1/api-keys', { body, headers });
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [method, path, sent] of [
      ['POST', '/api/v1/api-keys', { ...body, name: 'Twice' }],
      ['POST', '/api/v1/api-keys?x=1', body],
      ['PATCH', `/api/v1/api-keys/${id}`, { name: 'Twice' }],
      ['DELETE', `/api/v1/api-keys/${id}`, undefined],
    ] as const) {
      expectError(await app.request(method, path, { body: sent, headers }), 409, 'IDEMPOTENCY_CONFLICT');
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('belongs to one key', async () => {
    const app = await database.open();
    const other = await app.newKey();
    const first = await app.request('POST', '/api/v1/api-keys', { body, headers });
    const second = await app.request('POST', '/api/v1/api-keys', { body, headers, key: other.key });
    expect([first.status, second.status, second.json.key === null]).toEqual([201, 201, false]);
    expect(await named(app, 'Once')).toBe(2);
  });

  test('makes one of many requests at once do the work', async () => {
    const app = await database.open();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.request('POST', '/api/v1/api-keys', { body, headers })),
    );
    expect(await named(app, 'Once')).toBe(1);
    for (const answer of answers) {
      if (answer.status === 409) expect(answer.json.error.code).toBe('CONFLICT');
      else expect(answer.status).toBe(201);
    }
    expect(answers.filter(({ json }) => typeof json.key === 'string')).toHaveLength(1);
  });

  test('keeps a refusal too', async () => {
    const app = await database.open();
    const { id } = (await app.request('GET', '/api/v1/keys/me')).json;
    expectError(await app.request('DELETE', `/api/v1/api-keys/${id}`, { headers }), 409, 'LAST_FULL_ACCESS_KEY');
    await app.newKey();
    const again = await app.request('DELETE', `/api/v1/api-keys/${id}`, { headers });
    expectError(again, 409, 'LAST_FULL_ACCESS_KEY');
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('is free again after a failure of ours', async () => {
    const app = await database.open({ expectsFailures: true });
    const rename = (from: string, to: string): Promise<unknown> =>
      app.app.instance.database.writeBare(
        (tx) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx.q),
        async () => undefined,
      );
    await rename('changes', 'changes_elsewhere');
    expectError(await app.request('POST', '/api/v1/api-keys', { body, headers }), 500, 'INTERNAL_ERROR');
    expect(await named(app, 'Once')).toBe(0);
    await rename('changes_elsewhere', 'changes');
    expect((await app.request('POST', '/api/v1/api-keys', { body, headers })).json.key).toMatch(KEY);
  });

  test('takes 1 to 255 printable ASCII characters', async () => {
    const app = await database.open();
    for (const key of ['x'.repeat(256), 'a\tb', 'é']) {
      const request = { body, headers: { 'idempotency-key': key } };
      expectError(await app.request('POST', '/api/v1/api-keys', request), 400, 'INVALID_PARAMETER');
    }
    const longest = { body, headers: { 'idempotency-key': 'x'.repeat(255) } };
    expect((await app.request('POST', '/api/v1/api-keys', longest)).status).toBe(201);
  });

  test('on reads is ignored', async () => {
    const app = await database.open();
    await app.request('POST', '/api/v1/api-keys', { body, headers });
    expect((await app.request('GET', '/api/v1/api-keys', { headers })).json).toHaveLength(3);
  });
});

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.error?.code], answer.text).toEqual([status, code]);
}
