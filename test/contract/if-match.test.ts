import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';

import { recordOf } from '../../src/contract/record-of.ts';
import { operations } from '../../src/contract/registry.ts';
import { openApiDocument } from '../../src/surfaces/http/openapi/openapi.ts';
import { expectError } from '../harness/expect-error.ts';
import { addMember } from '../harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { allRows } from '../harness/table-rows.ts';
import { furnish, liveCall, urlOf } from './live-calls.ts';

const guarded = operations.flatMap((operation) => {
  const record = recordOf(operation);
  return record ? [{ name: operation.name, operation, record }] : [];
});

test('every PUT, PATCH and DELETE takes the ETag of a record, and says so', () => {
  const writes = operations.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method));
  expect(guarded.map(({ name }) => name)).toEqual(writes.map(({ name }) => name));
  expect(guarded.filter(({ record }) => record.etag !== true).map(({ record }) => record.name)).toEqual([]);
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, object>> };
  for (const { operation, record } of guarded) {
    const described = JSON.stringify(paths[operation.path]?.[operation.method.toLowerCase()]);
    expect(described, operation.name).toMatch(/IfMatchHeader.*"412"/);
    expect(record.method).toBe('GET');
  }
});

test('what is beside a record is a field of it', () => {
  for (const { name, beside, response } of operations) {
    const fields = Object.keys((response as z.ZodObject | null)?.shape ?? {});
    expect([name, beside?.filter((field) => !fields.includes(field)) ?? []]).toEqual([name, []]);
  }
});

forEachDatabase((database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await database.open();
    await furnish(app);
  });

  describe.each(guarded)('$name', ({ operation, record }) => {
    test('writes nothing for another ETag, and writes for the one of now', async () => {
      // The first member that the list shows still has accounts.
      const leaving = operation.name === 'deleteUser' && { params: { id: (await addMember(app, 'Leaving')).id } };
      const { params, ...request } = { ...(await liveCall(app, operation)), ...leaving };
      const send = async (tag: string) =>
        app.request(operation.method, urlOf(operation.path, params), { ...request, headers: { 'if-match': tag } });
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const stale of ['"stale"', 'W/"stale", "older"', '']) {
        const refused = await send(stale);
        expectError(refused, 412, 'PRECONDITION_FAILED');
        expect(refused.json.error.message).toMatch(/nothing was written/);
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);

      const read = await app.request('GET', urlOf(record.path, params));
      const tag = String(read.headers['etag']);
      expect([read.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)]);
      const done = await send(`"other", W/${tag}`);
      expect([operation.status, ...(operation.alsoStatus ?? [])], done.text).toContain(done.status);
    });
  });

  test('no other write takes a condition that it would not keep to', async () => {
    for (const { method, path, example } of operations) {
      if (method !== 'POST') continue;
      const sent = { body: example.body, headers: { 'if-match': '*' } };
      const answer = await app.request('POST', urlOf(path, example.params), sent);
      if (answer.status !== 404) expectError(answer, 400, 'INVALID_PARAMETER');
    }
  });

  test('`*` asks that the record exists', async () => {
    const headers = { 'if-match': '*' };
    const made = await app.request('POST', '/api/v1/tags', { body: { name: 'Star' } });
    const path = `/api/v1/tags/${made.json.slug}`;
    expect((await app.request('PATCH', path, { body: { name: 'Stars' }, headers })).status).toBe(200);
    expect((await app.request('DELETE', path, { headers })).status).toBe(204);
    expectError(await app.request('DELETE', path, { headers }), 404, 'NOT_FOUND');
  });

  test('of two edits of what both have read, one is written', async () => {
    const made = await app.request('POST', '/api/v1/tags', { body: { name: 'Twice' } });
    const path = `/api/v1/tags/${made.json.slug}`;
    const { etag } = (await app.request('GET', path)).headers;
    const headers = { 'if-match': String(etag) };
    const names = ['One', 'Two', 'Three', 'Four'];
    const answers = await Promise.all(
      names.map(async (name) => app.request('PATCH', path, { body: { name }, headers })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await app.request('GET', path)).json.name).toBe(winner?.json.name);
  });

  test('a key that is sent again gets the first answer, although the record has changed since', async () => {
    const made = await app.request('POST', '/api/v1/tags', { body: { name: 'Again' } });
    const path = `/api/v1/tags/${made.json.slug}`;
    const { etag } = (await app.request('GET', path)).headers;
    const request = { body: { name: 'Anew' }, headers: { 'if-match': String(etag), 'idempotency-key': 'match-1' } };
    const first = await app.request('PATCH', path, request);
    const again = await app.request('PATCH', path, request);
    expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
  });

  test('the ETag of a record stays when only counters beside it move', async () => {
    const made = await app.request('POST', '/api/v1/tags', { body: { name: 'Counted' } });
    const path = `/api/v1/tags/${made.json.slug}`;
    const first = await app.request('GET', path);
    const [row] = (await app.request('GET', '/api/v1/transactions')).json.transactions;
    const tagged = await app.request('POST', `/api/v1/transactions/${row.id}/tags`, { body: { slug: made.json.slug } });
    expect(tagged.status, tagged.text).toBeLessThan(300);
    const second = await app.request('GET', path);
    expect([first.json.transaction_count, second.json.transaction_count]).toEqual([0, 1]);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    const listed = async () => (await app.request('GET', '/api/v1/tags')).headers['etag'];
    const before = await listed();
    await app.request('DELETE', `/api/v1/transactions/${row.id}/tags/${made.json.slug}`);
    expect(await listed()).not.toBe(before);
  });

  test('the ETag of a series stays when its rhythm, status and cost move with its transactions', async () => {
    const made = await app.request('POST', '/api/v1/series', { body: { name: 'Moved' } });
    const path = `/api/v1/series/${made.json.id}`;
    const first = await app.request('GET', path);
    const { transactions } = (await app.request('GET', '/api/v1/transactions?limit=500')).json;
    const income = transactions.find(({ amount }: { amount: string }) => amount.startsWith('-'));
    const body = { transaction_ids: [income.id] };
    expect((await app.request('POST', `${path}/transactions`, { body })).json.link_result.linked).toBe(1);
    const second = await app.request('GET', path);
    const moved = Object.keys(second.json).filter((field) => second.json[field] !== first.json[field]);
    expect(moved).toEqual(expect.arrayContaining(['transaction_count', 'last_date', 'direction']));
    expect(second.headers['etag']).toBe(first.headers['etag']);
    const headers = { 'if-match': String(first.headers['etag']) };
    expect((await app.request('PATCH', path, { body: { name: 'Kept' }, headers })).status).toBe(200);
  });
});
