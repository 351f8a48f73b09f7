import { describe, expect, test } from 'vitest';

import { changeSetOf, journalOf } from '../../../test/harness/journal-rows.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { allRows } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { insertComment } from './index.ts';

const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

forEachDatabase((database) => {
  async function ledger() {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const row = { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe' };
    const [transaction, other] = (await addTransactions(app, [row, { ...row, name: 'Grocer' }])) as [Made, Made];
    return { app, transaction, other, ...callsOn(app, transaction) };
  }

  /** Requests on the comments of one transaction, each a little later than the last. */
  function callsOn(app: TestApp, transaction: Made) {
    const call = (method: string, rest = '', body?: unknown, key?: string): Promise<Answer> => {
      app.clock.advance(1_000);
      return app.request(method, `/api/v1/transactions/${transaction.id}/comments${rest}`, {
        ...(body === undefined ? {} : { body }),
        ...(key === undefined ? {} : { key }),
      });
    };
    return {
      call,
      add: async (body: string, key?: string) => (await call('POST', '', { body }, key)).json,
      list: async () => (await call('GET')).json,
    };
  }

  test('are written, listed oldest first, edited and deleted', async () => {
    const { app, transaction, call, list } = await ledger();
    expect(await list()).toEqual([]);
    const made = await app.newKey({ name: 'Alice’s key' });
    const first = await call('POST', '', { body: '  Split with Bob\n' }, made.key);
    expect(first.status).toBe(201);
    expect(first.json).toEqual({
      id: first.json.id,
      short_id: first.json.short_id,
      transaction_id: transaction.id,
      body: 'Split with Bob',
      author_type: 'user',
      author_id: made.id,
      author_user_id: null,
      author_name: 'Alice’s key',
      edited: false,
      created_at: first.json.created_at,
      updated_at: first.json.created_at,
    });
    const second = await call('POST', '', { body: 'And Ben' });
    expect(await list()).toEqual([first.json, second.json]);
    expect(await journalOf(app, first)).toMatchObject([
      { entity_type: 'comment', operation: 'create', before: null, after: first.json, transaction_id: transaction.id },
    ]);

    const edited = await call('PUT', `/${first.json.short_id}`, { body: ' Split with Bob, half each ' });
    const { updated_at } = edited.json;
    const expected = { ...first.json, body: 'Split with Bob, half each', edited: true, updated_at };
    expect([edited.status, edited.json, updated_at > first.json.updated_at]).toEqual([200, expected, true]);
    expect(await list()).toEqual([expected, second.json]);
    expect(await journalOf(app, edited)).toMatchObject([
      {
        operation: 'update',
        before: { body: 'Split with Bob', edited: false },
        after: { body: 'Split with Bob, half each', edited: true },
      },
    ]);
    const same = await call('PUT', `/${first.json.id}`, { body: 'Split with Bob, half each  ' });
    expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, expected, undefined]);

    const gone = await call('DELETE', `/${first.json.id}`);
    expect([gone.status, gone.text, await list()]).toEqual([204, '', [second.json]]);
    expect(await journalOf(app, gone)).toMatchObject([{ operation: 'delete', before: expected, after: null }]);
    for (const [method, body] of [['DELETE'], ['PUT', { body: 'Back' }]] as const) {
      const again = await call(method, `/${first.json.id}`, body);
      expect([again.status, again.json.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const sets = [await changeSetOf(app, first), await changeSetOf(app, edited), await changeSetOf(app, gone)];
    expect(sets.map((set) => set?.['action'])).toEqual(['comment.create', 'comment.update', 'comment.delete']);
  });

  test('do not change the record of the transaction', async () => {
    const { app, transaction, call, add } = await ledger();
    const get = async () => (await app.request('GET', `/api/v1/transactions/${transaction.id}`)).json;
    const before = await get();
    const { id } = await add('One');
    await call('PUT', `/${id}`, { body: 'Two' });
    await call('DELETE', `/${id}`);
    expect(await get()).toEqual(before);
  });

  test('the text of a deleted comment is no longer in any answer', async () => {
    const { app, transaction, call, add } = await ledger();
    const { id } = await add('Secret words');
    await call('PUT', `/${id}`, { body: 'Secret words, edited' });
    const answers = [await call('DELETE', `/${id}`), await call('DELETE', `/${id}`), await call('GET')];
    answers.push(await call('GET', '?include_deleted=true'), await call('PUT', `/${id}`, { body: 'x' }));
    const sets = (await app.request('GET', '/api/v1/change-sets')).json.change_sets as { id: string }[];
    for (const path of [
      `transactions/${transaction.id}`,
      'transactions',
      'transactions?search=secret',
      `transactions/${transaction.id}/annotations`,
      'change-sets',
      ...sets.map((set) => `change-sets/${set.id}`),
    ]) {
      answers.push(await app.request('GET', `/api/v1/${path}`));
    }
    for (const { text } of answers) expect(text).not.toContain('Secret');
  });

  test('of another transaction are not found', async () => {
    const { app, other, call, add, list } = await ledger();
    const comment = await add('Mine');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const elsewhere = callsOn(app, other);
    for (const id of [comment.id, comment.short_id]) {
      expect((await elsewhere.call('PUT', `/${id}`, { body: 'Yours' })).status).toBe(404);
      expect((await elsewhere.call('DELETE', `/${id}`)).status).toBe(404);
    }
    for (const id of [UNKNOWN, 'zzzzzzzz', 'nonsense-', '0']) {
      expect((await call('PUT', `/${id}`, { body: 'x' })).json.error.code).toBe('NOT_FOUND');
      expect((await call('DELETE', `/${id}`)).json.error.code).toBe('NOT_FOUND');
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    expect(await list()).toEqual([comment]);
  });

  test('on a deleted transaction are kept, and shown on request', async () => {
    const { app, transaction, call, add } = await ledger();
    const comment = await add('Keep me');
    await app.request('DELETE', `/api/v1/transactions/${transaction.id}`);
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', '?include_deleted=0'],
      ['POST', '', { body: 'x' }],
      ['PUT', `/${comment.id}`, { body: 'x' }],
      ['DELETE', `/${comment.id}`],
    ] as const) {
      expect([method, (await call(method, rest, body)).status]).toEqual([method, 404]);
    }
    expect((await call('GET', '?include_deleted=true')).json).toEqual([comment]);
    for (const query of ['?include_deleted=yes', '?incl_deleted=true', '?include_deleted=1&include_deleted=1']) {
      const answer = await call('GET', query);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
    }
    const elsewhere = { id: UNKNOWN, short_id: 'zzzzzzzz' };
    expect((await callsOn(app, elsewhere).call('GET', '?include_deleted=true')).status).toBe(404);
  });

  describe('permissions', () => {
    test('people may change any comment, agents and systems only those of their own key', async () => {
      const { app, call, add, list } = await ledger();
      const keys = {
        person: (await app.newKey({ actor_type: 'user' })).key,
        agent: (await app.newKey({ actor_type: 'agent' })).key,
        otherAgent: (await app.newKey({ actor_type: 'agent' })).key,
        system: (await app.newKey({ actor_type: 'system' })).key,
      };
      for (const [author, authorKey] of Object.entries(keys)) {
        for (const [editor, editorKey] of Object.entries(keys)) {
          const comment = await add(`by ${author}`, authorKey);
          const known = await list();
          const isAllowed = editor === 'person' || editor === author;
          const edit = await call('PUT', `/${comment.id}`, { body: 'edited' }, editorKey);
          const who = [author, editor];
          expect([...who, edit.status]).toEqual([...who, isAllowed ? 200 : 403]);
          if (isAllowed) {
            const { updated_at } = edit.json;
            expect(edit.json).toEqual({ ...comment, body: 'edited', edited: true, updated_at });
          } else {
            expect(edit.json.error.code).toBe('FORBIDDEN');
            expect(edit.headers['x-change-set-id']).toBeUndefined();
            expect(await list()).toEqual(known);
          }
          const removal = await call('DELETE', `/${comment.id}`, undefined, editorKey);
          expect([...who, removal.status]).toEqual([...who, isAllowed ? 204 : 403]);
        }
      }
    });

    test('by a rule, or without an author, belong to nobody', async () => {
      const { app, transaction, call } = await ledger();
      const agent = await app.newKey({ actor_type: 'agent' });
      const made = await app.write('test.rule', async (tx) => {
        const author = { type: 'system', id: UNKNOWN, userId: null, name: 'Coffee rule' } as const;
        const rule = await insertComment(tx, { transactionId: transaction.id, body: 'By rule', author });
        const nobody = { ...author, id: null };
        return [rule, await insertComment(tx, { transactionId: transaction.id, body: 'By nobody', author: nobody })];
      });
      expect((await call('GET')).json).toMatchObject([
        { author_id: UNKNOWN, author_type: 'system' },
        { author_id: null },
      ]);
      for (const { id } of made) {
        expect((await call('DELETE', `/${id}`, undefined, agent.key)).status).toBe(403);
        expect((await call('DELETE', `/${id}`)).status).toBe(204);
      }
    });
  });

  test('hold any text of up to 10,000 characters, as sent', async () => {
    const { app, call, add, list } = await ledger();
    for (const body of [
      'x'.repeat(10_000),
      '😀'.repeat(10_000),
      'مرحبا\u202e',
      '<b onload="x">{{a}}</b>',
      "'; drop table comments",
    ]) {
      const comment = await add(body);
      expect(comment.body).toBe(body);
      expect((await call('PUT', `/${comment.id}`, { body: `\u00a0${body}\n` })).json.edited).toBe(false);
      await call('DELETE', `/${comment.id}`);
    }
    expect((await add(`\ufeff\u2003a\tb \n`)).body).toBe('a\tb');
    const [{ id }] = await list();
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const body of [
      'x'.repeat(10_001),
      '😀'.repeat(10_001),
      '',
      ' \n\t\u3000',
      'a\0b',
      'half \udc00',
      7,
      true,
      null,
      ['a'],
      { text: 'a' },
      undefined,
    ]) {
      for (const [method, rest] of [
        ['POST', ''],
        ['PUT', `/${id}`],
      ] as const) {
        const answer = await call(method, rest, { body });
        const shown = JSON.stringify(body)?.slice(0, 20);
        expect([shown, answer.status, answer.json.error.code]).toEqual([shown, 400, 'VALIDATION_ERROR']);
        expect(answer.json.error.details[0].path).toBe('body');
      }
    }
    expect((await call('POST', '', { body: 'x'.repeat(10_000_000) })).status).toBe(413);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });
});
