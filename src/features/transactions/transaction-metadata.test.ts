import { describe, expect, test } from 'vitest';

import { changeSetOf, journalOf } from '../../../test/harness/journal-rows.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { forEachDatabase, type Answer } from '../../../test/harness/test-app.ts';

const MAX_INTEGER = '9007199254740991';

forEachDatabase((database) => {
  async function ledger(metadata = '{}') {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe', columns: { metadata } };
    const [transaction] = (await addTransactions(app, [row])) as [Made];
    const path = `/api/v1/transactions/${transaction.short_id}`;
    const call = (method: string, rest = '', body?: unknown): Promise<Answer> => {
      app.clock.advance(1_000);
      return app.request(method, `${path}/metadata${rest}`, body === undefined ? {} : { body });
    };
    const get = async () => (await app.request('GET', path)).json;
    return { app, transaction, call, get, stored: async () => (await get()).metadata as Record<string, unknown> };
  }

  test('is replaced, set, unset and cleared', async () => {
    const { app, transaction, call, stored } = await ledger();
    const id = transaction.id;
    const put = await call('PUT', '', { metadata: { a: 1, b: { c: [null, true, 'x'] } } });
    expect([put.status, put.json]).toEqual([
      200,
      { transaction_id: id, metadata: { a: 1, b: { c: [null, true, 'x'] } } },
    ]);
    expect(await journalOf(app, put)).toMatchObject([
      { before: {}, after: { 'metadata.a': 1, 'metadata.b': { c: [null, true, 'x'] } }, transaction_id: id },
    ]);
    const patch = await call('PATCH', '', { set: { a: 2, d: null }, unset: ['b', 'never'] });
    expect([patch.status, patch.json]).toEqual([200, { transaction_id: id, metadata: { a: 2, d: null } }]);
    expect(await journalOf(app, patch)).toMatchObject([
      {
        before: { 'metadata.a': 1, 'metadata.b': { c: [null, true, 'x'] } },
        after: { 'metadata.a': 2, 'metadata.d': null },
      },
    ]);
    const one = await call('PATCH', '/e', { value: null });
    expect([one.status, one.json]).toEqual([200, { transaction_id: id, metadata: { a: 2, d: null, e: null } }]);
    const gone = await call('DELETE', '/a');
    expect([gone.status, gone.text, await stored()]).toEqual([204, '', { d: null, e: null }]);
    const replaced = await call('PUT', '', { metadata: { e: null, f: 'new' } });
    expect(await journalOf(app, replaced)).toMatchObject([
      { before: { 'metadata.d': null }, after: { 'metadata.f': 'new' } },
    ]);
    const cleared = await call('DELETE');
    expect([cleared.status, cleared.text, await stored()]).toEqual([204, '', {}]);
    for (const answer of [put, patch, one, gone, replaced, cleared]) {
      expect((await changeSetOf(app, answer))?.['action']).toBe('transaction.metadata_update');
    }
    expect(await rowsOf(app.app.instance.database, 'select locks from transactions')).toEqual([
      { locks: '["metadata.a","metadata.b","metadata.d","metadata.e","metadata.f"]' },
    ]);
  });

  test('equal JSON changes nothing, whatever the order of its keys', async () => {
    const { call, get } = await ledger('{"a":{"x":1,"y":[1,2]},"b":0.1}');
    const before = await get();
    for (const [method, rest, body, status] of [
      ['PUT', '', '{"metadata":{"b":0.10,"a":{"y":[1,2],"x":1.0}}}', 200],
      ['PATCH', '', '{"set":{"a":{"y":[1,2],"x":1}},"unset":["never"]}', 200],
      ['PATCH', '', '{"set":{}}', 200],
      ['PATCH', '', '{"unset":[]}', 200],
      ['PATCH', '/a', '{"value":{"y":[1,2],"x":1}}', 200],
      ['DELETE', '/never', undefined, 204],
    ] as const) {
      const answer = await call(method, rest, body);
      expect([body, answer.status, answer.headers['x-change-set-id']]).toEqual([body, status, undefined]);
    }
    expect(await get()).toEqual(before);
    expect((await call('PATCH', '/a', { value: { x: 1, y: [2, 1] } })).headers['x-change-set-id']).toBeDefined();
    await call('DELETE');
    const empty = await get();
    expect((await call('DELETE')).headers['x-change-set-id']).toBeUndefined();
    expect((await call('PUT', '', { metadata: {} })).headers['x-change-set-id']).toBeUndefined();
    expect(await get()).toEqual(empty);
  });

  test('every key is data', async () => {
    const { call, stored } = await ledger();
    const keys = [
      '__proto__',
      'constructor',
      'toString',
      'a/b',
      'a%2Fb',
      'a b',
      'é',
      '😀',
      'مرحبا',
      '.',
      'a.b',
      '0',
      '"',
      'A',
      'a',
    ];
    // A path of one dot means the folder itself, so `.` is reached through the whole map only.
    for (const key of keys.filter((one) => one !== '.')) {
      const path = `/${encodeURIComponent(key)}`;
      const set = await call('PATCH', path, { value: key });
      expect([key, set.status]).toEqual([key, 200]);
      expect(Object.entries(set.json.metadata)).toEqual([[key, key]]);
      expect(Object.entries(await stored())).toEqual([[key, key]]);
      expect((await call('DELETE', path)).status).toBe(204);
      expect(Object.entries(await stored())).toEqual([]);
    }
    const text = `{${keys.map((key) => `${JSON.stringify(key)}:{"__proto__":${JSON.stringify(key)}}`).join()}}`;
    const put = await call('PUT', '', `{"metadata":${text}}`);
    expect(JSON.stringify(sorted(put.json.metadata))).toBe(JSON.stringify(sorted(JSON.parse(text))));
    expect(JSON.stringify(sorted(await stored()))).toBe(JSON.stringify(sorted(JSON.parse(text))));
    const patch = await call('PATCH', '', '{"set":{"__proto__":[1]},"unset":["constructor"]}');
    expect(Object.keys(patch.json.metadata).sort()).toEqual(keys.filter((key) => key !== 'constructor').sort());
    expect(Object.getOwnPropertyDescriptor(await stored(), '__proto__')?.value).toEqual([1]);
    await call('PATCH', '', '{"unset":["__proto__"]}');
    expect(Object.hasOwn(await stored(), '__proto__')).toBe(false);
  });

  describe('limits', () => {
    const letters = (bytes: number) => 'x'.repeat(bytes - 2);

    test('hold to the byte', async () => {
      const { call, stored } = await ledger();
      expect((await call('PATCH', '/a', { value: letters(4_096) })).status).toBe(200);
      const long = await call('PATCH', '/a', { value: letters(4_097) });
      expect([long.status, long.json.error.details[0].path]).toEqual([400, 'value']);
      expect((await call('PATCH', '/a', { value: 'é'.repeat(2_047) })).status).toBe(200);
      expect((await call('PATCH', '/a', { value: 'é'.repeat(2_048) })).status).toBe(400);
      expect((await call('PATCH', '/a', { value: letters(4_000) })).status).toBe(200);
      // {"a":…4000…,"b":…} is 8,192 bytes with 4,181 for b, more than a value may take; so a third key fills it.
      expect((await call('PATCH', '/b', { value: letters(4_000) })).status).toBe(200);
      const before = await stored();
      const rest = 8_192 - Buffer.byteLength(JSON.stringify(before)) - Buffer.byteLength(',"c":');
      const over = await call('PATCH', '', { set: { c: letters(rest + 1) } });
      expect([over.status, over.json.error.code, over.json.error.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        'set',
      ]);
      expect(await stored()).toEqual(before);
      expect((await call('PATCH', '', { set: { c: letters(rest) } })).status).toBe(200);
      expect((await call('PATCH', '/d', { value: 1 })).status).toBe(400);
      expect((await call('PATCH', '', { set: { d: letters(rest) }, unset: ['c'] })).status).toBe(200);
      expect((await call('DELETE', '/d')).status).toBe(204);
    });

    test('keys have 1 to 128 characters', async () => {
      const { call, stored } = await ledger();
      for (const key of ['k'.repeat(128), '😀'.repeat(128)]) {
        expect((await call('PATCH', `/${encodeURIComponent(key)}`, { value: 1 })).status).toBe(200);
        expect((await call('PATCH', '', { set: { [key]: 2 } })).status).toBe(200);
        expect((await call('DELETE', `/${encodeURIComponent(key)}`)).status).toBe(204);
      }
      for (const key of [
        'k'.repeat(129),
        '😀'.repeat(129),
        'a\nb',
        '\0',
        'a\0b',
        '\u0085',
        '\u007f',
        'x'.repeat(14_000),
      ]) {
        for (const [method, rest, body] of [
          ['PATCH', `/${encodeURIComponent(key)}`, { value: 1 }],
          ['DELETE', `/${encodeURIComponent(key)}`],
          ['PUT', '', { metadata: { [key]: 1 } }],
          ['PATCH', '', { set: { [key]: 1 } }],
          ['PATCH', '', { unset: [key] }],
        ] as const) {
          const answer = await call(method, rest, body);
          expect([method, answer.status, answer.json.error.code]).toEqual([method, 400, 'VALIDATION_ERROR']);
          expect(answer.text.length).toBeLessThan(2_000);
          if (rest !== '') expect(answer.json.error.details[0].path).toBe('key');
        }
      }
      expect((await call('PUT', '', { metadata: { '': 1 } })).status).toBe(400);
      expect(await stored()).toEqual({});
    });

    test('numbers are kept exactly or refused', async () => {
      const { app, call, get } = await ledger();
      for (const number of [MAX_INTEGER, `-${MAX_INTEGER}`, '0', '-0', '0.1', '1e15', '-12.345', '1E-7']) {
        const answer = await call('PATCH', '/n', `{"value":${number}}`);
        expect([number, answer.status]).toEqual([number, 200]);
        expect(answer.json.metadata.n).toBe(Number(number) + 0);
        expect((await get()).metadata.n).toBe(Number(number) + 0);
      }
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const number of [
        '9007199254740993',
        '9007199254740992',
        '-9007199254740993',
        '1e400',
        '-1e400',
        '1e16',
        `${MAX_INTEGER}0`,
      ]) {
        for (const [method, rest, body] of [
          ['PATCH', '/n', `{"value":${number}}`],
          ['PATCH', '/n', `{"value":{"a":[1,{"b":${number}}]}}`],
          ['PATCH', '', `{"set":{"m":1,"n":${number}}}`],
          ['PUT', '', `{"metadata":{"n":[${number}]}}`],
        ] as const) {
          const answer = await call(method, rest, body);
          expect([body, answer.status, answer.json.error.code]).toEqual([body, 400, 'VALIDATION_ERROR']);
          expect(answer.json.error.message).toContain('as a string');
        }
      }
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
      expect((await call('PATCH', '/n', { value: '9007199254740993' })).json.metadata.n).toBe('9007199254740993');
    });

    test('values nest as deep as a body may', async () => {
      const { call, get } = await ledger();
      const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
      expect((await call('PATCH', '/deep', `{"value":${nested(63)}}`)).status).toBe(200);
      expect(JSON.stringify((await get()).metadata.deep)).toBe(nested(63));
      for (const depth of [64, 501, 2_000, 100_000]) {
        const answer = await call('PATCH', '/deep', `{"value":${nested(depth)}}`);
        expect([depth, answer.status, answer.json.error.code]).toEqual([depth, 400, 'VALIDATION_ERROR']);
      }
    });

    test('many small keys are refused at once', async () => {
      const { call, stored } = await ledger();
      const many = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1]));
      for (const [method, body] of [
        ['PUT', { metadata: many }],
        ['PATCH', { set: many }],
      ] as const) {
        expect((await call(method, '', body)).status).toBe(400);
      }
      expect((await call('PATCH', '', { unset: Object.keys(many) })).status).toBe(400);
      const most = Object.keys(many).slice(0, LIMITS.jsonMembers);
      expect((await call('PATCH', '', { unset: most })).status).toBe(200);
      expect(await stored()).toEqual({});
    });
  });

  test('refuses what is not metadata, and writes nothing', async () => {
    const { app, call } = await ledger('{"a":1}');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [method, rest, body, path] of [
      ['PUT', '', {}, 'metadata'],
      ['PUT', '', { metadata: null }, 'metadata'],
      ['PUT', '', { metadata: [] }, 'metadata'],
      ['PUT', '', { metadata: 'a' }, 'metadata'],
      ['PUT', '', { metadata: { a: { b: ['x\0'] } } }, 'metadata'],
      ['PUT', '', { metadata: { a: { 'x\0': 1 } } }, 'metadata'],
      ['PUT', '', { metadata: { a: 'half \ud800' } }, 'metadata'],
      ['PATCH', '', {}, ''],
      ['PATCH', '', { set: [] }, 'set'],
      ['PATCH', '', { set: null }, 'set'],
      ['PATCH', '', { unset: 'a' }, 'unset'],
      ['PATCH', '', { unset: [1] }, 'unset[0]'],
      ['PATCH', '', { unset: [''] }, 'unset.'],
      ['PATCH', '', { set: { a: 2 }, unset: ['a'] }, 'unset.a'],
      ['PATCH', '', { set: { b: 2 }, unset: ['a'], extra: 1 }, 'extra'],
      ['PATCH', '/a', {}, 'value'],
      ['PATCH', '/a', { value: 'x\0' }, 'value'],
      ['PATCH', '/a', { value: 1, key: 'b' }, 'key'],
    ] as const) {
      const answer = await call(method, rest, body);
      const shown = JSON.stringify(body);
      expect([shown, answer.status, answer.json.error.code]).toEqual([shown, 400, 'VALIDATION_ERROR']);
      expect([shown, answer.json.error.details[0].path]).toEqual([shown, path]);
    }
    for (const body of ['{"value":NaN}', '{"value":Infinity}', '{"value":01}', '[1]', '']) {
      expect((await call('PATCH', '/a', body)).status).toBe(400);
    }
    expect((await call('PATCH', '/a', { value: 'x'.repeat(10_000_000) })).status).toBe(413);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });
});

function sorted(map: Record<string, unknown>): [string, unknown][] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}
