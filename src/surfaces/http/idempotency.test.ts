import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { csvOf, importFile, type Fields } from '../../../test/harness/bank-files/bank-files.ts';
import { expectError } from '../../../test/harness/expect-error.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { DAY_MS } from '../../kernel/dates.ts';

const KEY = /^hl_[0-9A-Za-z]{43}$/;

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
      if (answer.status === 201) continue;
      expectError(answer, 409, 'CONFLICT');
      expect(answer.json.error.details).toEqual([{ path: 'Idempotency-Key', message: answer.json.error.message }]);
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

  test('replays an import with all that its headers said', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const file = csvOf('2026-01-02 COFFEE -3.50');
    const told = ['location', 'retry-after', 'preference-applied', 'x-change-set-id'];
    const twice = async (key: string, fields: Fields): Promise<[Answer, Answer]> => {
      const more = { headers: { 'idempotency-key': key } };
      return [await importFile(app, file, fields, more), await importFile(app, file, fields, more)];
    };
    for (const [status, fields, names] of [
      [201, {}, ['x-change-set-id']],
      [201, { prefer: 'wait' }, ['preference-applied']],
      [202, { prefer: 'respond-async' }, ['location', 'retry-after', 'preference-applied']],
    ] as const) {
      const [first, again] = await twice(JSON.stringify(fields), fields);
      expect([first.status, again.status, again.text]).toEqual([status, status, first.text]);
      expect([first, again].map(({ headers: all }) => all['idempotency-replayed'])).toEqual([undefined, 'true']);
      expect(told.filter((name) => first.headers[name] !== undefined)).toEqual(names);
      for (const name of told) expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    }
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toHaveLength(3);
  });

  test('knows a form again under another boundary, but not with another file or field', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const send = (boundary: string, file: string, field: string): Promise<Answer> => {
      const part = (head: string, text: string): string =>
        `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
      const form = `${part('name="file"; filename="a.csv"', file)}${part('name="account_name"', field)}--${boundary}--\r\n`;
      return app.request('POST', '/api/v1/connections/csv/import', {
        body: form,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'form' },
      });
    };
    const file = csvOf('2026-01-02 COFFEE -3.50');
    const first = await send('----one', file, 'Card');
    const again = await send('----another', file, 'Card');
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expectError(await send('----one', `${file}\n`, 'Card'), 409, 'IDEMPOTENCY_CONFLICT');
    expectError(await send('----one', file, 'Cards'), 409, 'IDEMPOTENCY_CONFLICT');
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
