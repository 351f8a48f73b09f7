import { describe, expect, test } from 'vitest';

import { changeSetOf, journalOf } from '../../../test/harness/journal-rows.ts';
import {
  addAccount,
  addMember,
  addTag,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { allRows, rowsOf } from '../../../test/harness/table-rows.ts';
import {
  forEachDatabase,
  TEST_START,
  type Answer,
  type RequestOptions,
  type TestApp,
} from '../../../test/harness/test-app.ts';

const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

forEachDatabase((database) => {
  async function ledger(extra: Partial<NewTransaction> = {}) {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const made = await addTransactions(app, [
      { account, date: '2026-04-25', amount_cents: 2_340, name: 'Corner Cafe', ...extra },
    ]);
    return { app, account, transaction: made[0] as Made, ...callsOn(app, made[0] as Made) };
  }

  /** Requests on one transaction; time goes on a little before each. */
  function callsOn(app: TestApp, transaction: Made) {
    const call = (method: string, rest = '', body?: unknown, options: RequestOptions = {}): Promise<Answer> => {
      app.clock.advance(1_000);
      const sent = body === undefined ? {} : { body };
      return app.request(method, `/api/v1/transactions/${transaction.id}${rest}`, { ...sent, ...options });
    };
    return { call, get: async () => (await call('GET', '?include_deleted=true')).json };
  }

  describe('deleting and restoring', () => {
    test('twice answers 204, then 404; the row is gone for everybody but the restorer', async () => {
      const { app, transaction, call, get } = await ledger();
      const before = await get();
      const done = await call('DELETE');
      expect([done.status, done.text]).toEqual([204, '']);
      expect((await changeSetOf(app, done))?.['action']).toBe('transaction.delete');
      expect((await call('DELETE')).status).toBe(404);
      expect((await call('GET')).status).toBe(404);
      expect((await app.request('GET', '/api/v1/transactions')).json.transactions).toEqual([]);
      const gone = await get();
      expect(gone).toEqual({ ...before, deleted_at: gone.updated_at, updated_at: gone.updated_at });
      expect(gone.updated_at > before.updated_at).toBe(true);

      const restored = await app.request('POST', `/api/v1/transactions/${transaction.short_id}/restore`, { body: {} });
      expect([restored.status, restored.json]).toEqual([200, { ...before, updated_at: restored.json.updated_at }]);
      expect((await changeSetOf(app, restored))?.['action']).toBe('transaction.restore');
      const again = await call('POST', '/restore');
      expect([again.status, again.json.error.code]).toEqual([409, 'CONFLICT']);
      const [deletion, restoration] = [await journalOf(app, done), await journalOf(app, restored)];
      const fields = { entity_type: 'transaction', operation: 'update', transaction_id: transaction.id };
      expect(deletion).toMatchObject([
        { ...fields, before: { deleted_at: null }, after: { deleted_at: gone.deleted_at } },
      ]);
      expect(restoration).toMatchObject([
        { ...fields, before: { deleted_at: gone.deleted_at }, after: { deleted_at: null } },
      ]);
    });

    test('remembers whether a person or an agent deleted', async () => {
      const { app, call } = await ledger();
      const cause = async () =>
        (await rowsOf(app.app.instance.database, 'select deleted_cause from transactions'))[0]?.['deleted_cause'];
      for (const [actor_type, word] of [
        ['user', 'person'],
        ['agent', 'agent'],
        ['system', 'agent'],
      ] as const) {
        const { key } = await app.newKey({ actor_type });
        expect((await call('DELETE', '', undefined, { key })).status).toBe(204);
        expect(await cause()).toBe(word);
        expect((await call('POST', '/restore')).status).toBe(200);
        expect(await cause()).toBeNull();
      }
    });

    test('restores what a provider, a revert or a removed connection deleted, but not a merged row', async () => {
      for (const cause of ['provider', 'revert', 'connection', 'merged'] as const) {
        const { call, get } = await ledger({ columns: { deleted_at: TEST_START, deleted_cause: cause } });
        const answer = await call('POST', '/restore');
        expect([cause, answer.status]).toEqual([cause, cause === 'merged' ? 409 : 200]);
        expect((await get()).deleted_at).toBe(cause === 'merged' ? TEST_START : null);
        if (cause === 'merged') expect(answer.json.error.code).toBe('CONFLICT');
      }
    });

    test('keeps category, tags, flag, metadata and comments', async () => {
      const { call, get } = await ledger();
      await call('PATCH', '/category', { category_slug: 'food_and_drink_coffee' });
      await call('POST', '/tags', { slug: 'treat' });
      await call('POST', '/flag', { reason: 'Charged twice?' });
      await call('PUT', '/metadata', { metadata: { invoice: 'A-17' } });
      const before = await get();
      await call('DELETE');
      expect(await get()).toMatchObject({ category_source: 'person', tags: ['treat'], metadata: { invoice: 'A-17' } });
      await call('POST', '/restore');
      expect(await get()).toEqual({ ...before, updated_at: (await get()).updated_at });
      expect((await call('GET', '/comments')).json).toMatchObject([{ body: 'Charged twice?' }]);
    });
  });

  const writes: readonly (readonly [string, string, unknown?])[] = [
    ['DELETE', ''],
    ['PATCH', '/category', { category_slug: 'food_and_drink' }],
    ['DELETE', '/category'],
    ['POST', '/flag', { reason: 'Why?' }],
    ['DELETE', '/flag'],
    ['POST', '/tags', { slug: 'never-made' }],
    ['DELETE', '/tags/needs-review'],
    ['PUT', '/metadata', { metadata: { a: 1 } }],
    ['PATCH', '/metadata', { set: { a: 1 } }],
    ['DELETE', '/metadata'],
    ['PATCH', '/metadata/a', { value: 1 }],
    ['DELETE', '/metadata/a'],
    ['POST', '/comments', { body: 'Lost' }],
  ];

  test('no write reaches a deleted, unknown or malformed transaction', async () => {
    const { app, transaction, call } = await ledger();
    await call('DELETE');
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    for (const [method, rest, body] of [...writes, ['POST', '/restore'] as const]) {
      for (const id of [transaction.id, transaction.short_id, UNKNOWN, 'zzzzzzzz', 'nonsense-', '0', "' or 1=1"]) {
        const isRestorable = rest === '/restore' && (id === transaction.id || id === transaction.short_id);
        if (isRestorable) continue;
        const path = `/api/v1/transactions/${encodeURIComponent(id)}${rest}`;
        const answer = await app.request(method, path, body === undefined ? {} : { body });
        expect([method, rest, id, answer.status]).toEqual([method, rest, id, 404]);
        expect(answer.json.error.code).toBe('NOT_FOUND');
      }
    }
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
  });

  test('every write names its change set once, and its reason', async () => {
    const { app, call } = await ledger({ columns: { metadata: '{"b":1}' } });
    for (const [method, rest, body] of [...writes.slice(1), writes[0] as (typeof writes)[0]]) {
      const answer = await call(method, rest, body, { headers: { 'x-change-reason': 'weekly%20review' } });
      const set = await changeSetOf(app, answer);
      if (set) expect([rest, set['reason'], set['source']]).toEqual([rest, 'weekly review', 'edit']);
    }
    const { database: db } = app.app.instance;
    const actions = await rowsOf<{ action: string }>(
      db,
      `select action from change_sets where reason is not null order by id`,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'transaction.category_set',
      'transaction.category_reset',
      'transaction.flag',
      'transaction.unflag',
      'transaction.tag_add',
      'transaction.metadata_update',
      'transaction.metadata_update',
      'transaction.metadata_update',
      'transaction.metadata_update',
      'comment.create',
      'transaction.delete',
    ]);
  });

  describe('flags', () => {
    test('keep their first instant, can have a comment, and can be removed twice', async () => {
      const { app, call, get } = await ledger();
      const first = await call('POST', '/flag', { reason: '  Charged twice? 😀\n' });
      const at = (await get()).updated_at;
      expect([first.status, first.json.flagged_at, first.json]).toEqual([200, at, await get()]);
      expect(await journalOf(app, first)).toMatchObject([
        { entity_type: 'transaction', before: { flagged_at: null }, after: { flagged_at: at } },
        { entity_type: 'comment', operation: 'create', after: { body: 'Charged twice? 😀' } },
      ]);
      for (const body of [undefined, {}, { reason: '' }, { reason: ' \n ' }]) {
        const again = await call('POST', '/flag', body);
        expect([again.status, again.json.flagged_at, again.headers['x-change-set-id']]).toEqual([200, at, undefined]);
      }
      const more = await call('POST', '/flag', { reason: 'Still open' });
      expect(await journalOf(app, more)).toMatchObject([{ entity_type: 'comment', operation: 'create' }]);
      expect([more.json.flagged_at, more.json.updated_at]).toEqual([at, at]);
      expect((await call('GET', '/comments')).json).toHaveLength(2);

      const off = await call('DELETE', '/flag');
      expect([off.status, off.text, (await get()).flagged_at]).toEqual([204, '', null]);
      const offAgain = await call('DELETE', '/flag');
      expect([offAgain.status, offAgain.headers['x-change-set-id']]).toEqual([204, undefined]);
    });

    test('refuse invalid reasons', async () => {
      const { app, call } = await ledger();
      expect((await call('POST', '/flag', { reason: ` ${'é'.repeat(10_000)} ` })).status).toBe(200);
      await call('DELETE', '/flag');
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const reason of ['x'.repeat(10_001), 7, true, null, ['a'], { a: 1 }, 'a\0b', 'half \ud800']) {
        const answer = await call('POST', '/flag', { reason });
        expect([answer.status, answer.json.error.code, answer.json.error.details[0].path]).toEqual([
          400,
          'VALIDATION_ERROR',
          'reason',
        ]);
      }
      expect((await call('POST', '/flag', { reason: 'x'.repeat(10_000_000) })).status).toBe(413);
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    });
  });

  describe('tags', () => {
    test('are added once, created if needed, and removed', async () => {
      const { app, transaction, call, get } = await ledger();
      const first = await call('POST', '/tags', { slug: 'vacation-2026' });
      const answer = { transaction_id: transaction.id, tags: ['vacation-2026'] };
      expect([first.status, first.json]).toEqual([200, { ...answer, added: true }]);
      expect(await journalOf(app, first)).toMatchObject([
        { entity_type: 'tag', operation: 'create', after: { slug: 'vacation-2026', name: 'Vacation 2026' } },
        { entity_type: 'transaction', before: {}, after: { 'tag:vacation-2026': true } },
      ]);
      const { updated_at } = await get();
      const second = await call('POST', '/tags', { slug: 'vacation-2026' });
      expect([second.json, second.headers['x-change-set-id']]).toEqual([{ ...answer, added: false }, undefined]);
      expect((await get()).updated_at).toBe(updated_at);
      const third = await call('POST', '/tags', { slug: 'needs-review' });
      expect(third.json.tags).toEqual(['needs-review', 'vacation-2026']);
      expect(await journalOf(app, third)).toHaveLength(1);

      const off = await call('DELETE', '/tags/vacation-2026');
      expect([off.status, (await get()).tags]).toEqual([204, ['needs-review']]);
      expect(await journalOf(app, off)).toMatchObject([{ before: { 'tag:vacation-2026': true }, after: {} }]);
      const offAgain = await call('DELETE', '/tags/vacation-2026');
      expect([offAgain.status, offAgain.headers['x-change-set-id']]).toEqual([204, undefined]);
      const never = await call('DELETE', '/tags/never-made');
      expect([never.status, never.json.error.code]).toEqual([404, 'NOT_FOUND']);
    });

    test('are found by slug first, then by UUID and short_id', async () => {
      const { app, call, get } = await ledger();
      const [shopping, other] = [await addTag(app, 'shopping'), await addTag(app, 'other')];
      await app.write('test.rename', async (tx) => {
        await tx.q.updateTable('tags').set({ short_id: 'shopping' }).where('id', '=', other.id).execute();
        tx.journal.allowUnjournaled('tag');
      });
      for (const [name, slug] of [
        ['shopping', 'shopping'],
        [shopping.id, 'shopping'],
        [shopping.short_id, 'shopping'],
        [other.id, 'other'],
      ] as const) {
        expect((await call('POST', '/tags', { slug: name })).json).toMatchObject({ tags: [slug], added: true });
        expect((await call('DELETE', `/tags/${name}`)).status).toBe(204);
        expect((await get()).tags).toEqual([]);
      }
    });

    test('refuse what is neither a slug nor an id', async () => {
      const { app, call } = await ledger();
      const before = await allRows(app.app.instance.database, ['api_key_uses']);
      for (const [slug, code] of [
        [UNKNOWN, 'INVALID_PARAMETER'],
        ['', 'VALIDATION_ERROR'],
        ['Upper', 'VALIDATION_ERROR'],
        ['bad space', 'VALIDATION_ERROR'],
        ['-leading', 'VALIDATION_ERROR'],
        ['trailing-', 'VALIDATION_ERROR'],
        ['::x', 'VALIDATION_ERROR'],
        ['été', 'VALIDATION_ERROR'],
        ['😀', 'VALIDATION_ERROR'],
        ['مرحبا', 'VALIDATION_ERROR'],
        ['a\0b', 'VALIDATION_ERROR'],
        ['x'.repeat(65), 'VALIDATION_ERROR'],
        ['x'.repeat(100_000), 'VALIDATION_ERROR'],
        [7, 'VALIDATION_ERROR'],
        [null, 'VALIDATION_ERROR'],
        [['a'], 'VALIDATION_ERROR'],
        [undefined, 'VALIDATION_ERROR'],
      ] as const) {
        const answer = await call('POST', '/tags', { slug });
        expect([slug, answer.status, answer.json.error.code]).toEqual([slug, 400, code]);
        expect(answer.json.error.details[0].path).toBe('slug');
      }
      expect((await call('POST', '/tags', { slug: 'x'.repeat(10_000_000) })).status).toBe(413);
      expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
      for (const slug of ['a', 'a1', 'work:2026', 'x'.repeat(64)]) {
        expect((await call('POST', '/tags', { slug })).json.added).toBe(true);
      }
    });
  });

  test('what a person or agent writes is locked, even if nothing remains of it; a system key locks nothing', async () => {
    for (const actor_type of ['user', 'agent', 'system'] as const) {
      const { app, call } = await ledger();
      const { key } = await app.newKey({ actor_type });
      const locks = async () => {
        const [row] = await rowsOf(app.app.instance.database, 'select locks from transactions');
        return JSON.parse(String(row?.['locks'])) as string[];
      };
      for (const [method, rest, body] of writes.slice(1, -1)) {
        if (rest !== '/category' || method !== 'DELETE') await call(method, rest, body, { key });
      }
      await call('DELETE', '/tags/never-made', undefined, { key });
      const all = ['category', 'flag', 'metadata.a', 'tag:never-made'];
      expect([actor_type, await locks()]).toEqual([actor_type, actor_type === 'system' ? [] : all]);
      await call('DELETE', '/category', undefined, { key });
      expect(await locks()).toEqual(actor_type === 'system' ? [] : all.slice(1));
    }
  });

  test('a repeat with the same Idempotency-Key changes nothing more', async () => {
    const { app, call } = await ledger();
    const headers = { 'idempotency-key': 'once' };
    const first = await call('POST', '/flag', { reason: 'Once' }, { headers });
    const second = await call('POST', '/flag', { reason: 'Once' }, { headers });
    expect([second.json, second.headers['x-change-set-id']]).toEqual([first.json, first.headers['x-change-set-id']]);
    expect((await call('GET', '/comments')).json).toHaveLength(1);
    expect(
      await rowsOf(app.app.instance.database, `select id from change_sets where action = 'transaction.flag'`),
    ).toHaveLength(1);
  });
});
