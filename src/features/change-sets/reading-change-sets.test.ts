import { beforeAll, describe, expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const SETS = '/api/v1/change-sets';
interface Set extends Made {
  created_at: string;
  actor_type: string;
  actor_id: string | null;
  actor_user_id: string | null;
  surface: string;
  source: string;
  action: string;
  entity_types: string[];
}
interface Change {
  sequence: number;
  entity_type: string;
  entity_id: string;
  operation: string;
  before: object | null;
  after: object | null;
}
type Query = Readonly<Record<string, string>>;

forEachDatabase((database) => {
  const setOf = (answer: Answer): string => String(answer.headers['x-change-set-id']);

  async function walk<T>(app: TestApp, path: string, list: string, query: Query): Promise<T[]> {
    const found: T[] = [];
    for (let cursor = ''; ;) {
      const more = cursor === '' ? {} : { cursor };
      const { status, json, text } = await app.request('GET', path, { query: { ...query, ...more } });
      expect(status, text).toBe(200);
      found.push(...(json[list] as T[]));
      expect(json.has_more).toBe(json.next_cursor !== '');
      if (json.next_cursor === '') return found;
      cursor = json.next_cursor as string;
    }
  }

  describe('the list of change sets', () => {
    let app: TestApp;
    let all: Set[];
    let row: Made;
    let agent: Made & { key: string };
    let ana: Made;
    let workflow: Made;
    beforeAll(async () => {
      app = await database.open();
      ana = await addMember(app, 'Ana');
      const account = await addAccount(app, ana);
      const common = { account, date: '2026-04-20', amount_cents: 450, name: 'Cafe' };
      [row] = (await addTransactions(app, [common])) as [Made];
      agent = await app.newKey({ actor_type: 'agent', actor_name: 'Reviewer' });
      workflow = (await app.request('POST', '/api/v1/workflow-presets/routine-reviewer/enable')).json;
      const hers = await app.newKey({ memberId: ana.id });
      const at = `/api/v1/transactions/${row.id}`;
      for (const [seconds, method, path, body, key] of [
        [1, 'POST', `${at}/tags`, { slug: 'work' }, app.key],
        [0, 'PATCH', `${at}/category`, { category_slug: 'income' }, agent.key],
        [0, 'POST', `${at}/comments`, { body: 'hello' }, agent.key],
        [3_600, 'POST', '/api/v1/series', { name: 'Coffee', transaction_ids: [row.id] }, app.key],
        [0, 'POST', '/api/v1/counterparties', { name: 'Cafe' }, hers.key],
        [86_400, 'DELETE', '/api/v1/tags/work', undefined, agent.key],
        [86_400, 'PATCH', `/api/v1/accounts/${account.id}`, { display_name: 'Joint' }, app.key],
      ] as const) {
        app.clock.advance(seconds * 1_000);
        const answer = await app.request(method, path, { key, ...(body === undefined ? {} : { body }) });
        expect(answer.status, answer.text).toBeLessThan(300);
      }
      all = await walk<Set>(app, SETS, 'change_sets', { limit: '500' });
    });

    test('is in order of time, newest first, and pages visit each once', async () => {
      const keys = all.map((set) => `${set.created_at} ${set.id}`);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? 1 : -1)));
      for (const limit of ['1', '2', '5']) expect(await walk(app, SETS, 'change_sets', { limit })).toEqual(all);
      expect(await walk(app, SETS, 'change_sets', { limit: '2', source: 'edit' })).toEqual(
        all.filter(({ source }) => source === 'edit'),
      );
    });

    test('has, for each filter, exactly the sets that show its value', async () => {
      const cases: [Query, (set: Set) => boolean][] = [
        ...(['actor_type', 'surface', 'source', 'action'] as const).flatMap((field) =>
          [...new Set(all.map((set) => set[field]))].map((value): [Query, (set: Set) => boolean] => [
            { [field]: value },
            (set) => set[field] === value,
          ]),
        ),
        [{ actor_type: 'agent,user' }, ({ actor_type: type }) => type === 'agent' || type === 'user'],
        [{ action: 'tag.delete,series.create' }, ({ action }) => ['tag.delete', 'series.create'].includes(action)],
        [{ actor_id: agent.id }, (set) => set.actor_id === agent.id],
        [{ actor_id: agent.short_id }, (set) => set.actor_id === agent.id],
        // It has never run.
        [{ actor_id: workflow.short_id }, () => false],
        [{ actor_id: ana.id }, (set) => set.actor_user_id === ana.short_id],
        [{ actor_id: ana.short_id, source: 'edit' }, ({ action }) => action === 'counterparty.create'],
        ...['transaction', 'tag', 'comment', 'series', 'account'].map((type): [Query, (set: Set) => boolean] => [
          { entity_type: type },
          (set) => set.entity_types.includes(type),
        ]),
        [{ from: '2026-04-27' }, (set) => set.created_at >= '2026-04-27'],
        [{ to: '2026-04-26' }, (set) => set.created_at < '2026-04-27'],
        [{ from: '2026-04-27', to: '2026-04-27' }, (set) => set.created_at.startsWith('2026-04-27')],
        [{ from: '2026-04-27', to: '9999-12-31' }, (set) => set.created_at >= '2026-04-27'],
        [{ to: '9999-12-31' }, () => true],
        [{ from: '2026-04-26T07:00:01Z' }, (set) => set.created_at >= '2026-04-26T07:00:01.000Z'],
        [{ to: '2026-04-26T07:00:01.000Z' }, (set) => set.created_at < '2026-04-26T07:00:01.000Z'],
        [
          { actor_type: 'agent', entity_type: 'tag' },
          (set) => set.actor_id === agent.id && set.entity_types.includes('tag'),
        ],
        [{ sync_log_id: '' }, () => true],
      ];
      for (const [query, isWanted] of cases) {
        const found = await walk<Set>(app, SETS, 'change_sets', query);
        expect([query, found.map(({ action }) => action)]).toEqual([
          query,
          all.filter(isWanted).map(({ action }) => action),
        ]);
      }
    });

    test('can be filtered by an entity, also one that no longer exists, and by a transaction with its comments', async () => {
      const actions = async (query: Query): Promise<string[]> =>
        (await walk<Set>(app, SETS, 'change_sets', query)).map(({ action }) => action);
      const changes = (await app.request('GET', `${SETS}/${all.find(({ action }) => action === 'tag.delete')?.id}`))
        .json.changes as Change[];
      const tagId = changes.find((change) => change.entity_type === 'tag')?.entity_id as string;
      expect(await actions({ entity_id: tagId })).toEqual(['tag.delete', 'transaction.tag_add']);
      const own = [
        'tag.delete',
        'series.create',
        'transaction.category_set',
        'transaction.tag_add',
        'test.transactions',
      ];
      expect(await actions({ entity_id: row.id })).toEqual(own);
      expect(await actions({ entity_id: row.short_id, entity_type: 'transaction' })).toEqual(own);
      expect(await actions({ entity_id: row.id, entity_type: 'tag,transaction' })).toEqual(own);
      expect(await actions({ entity_id: row.id, entity_type: 'tag' })).toEqual([]);
      expect(await actions({ transaction_id: row.short_id })).toEqual([
        ...own.slice(0, 2),
        'comment.create',
        ...own.slice(2),
      ]);
    });

    test('refuses a cursor of another query', async () => {
      const { next_cursor: cursor } = (await app.request('GET', SETS, { query: { limit: 1 } })).json;
      const set = all.find(({ action }) => action === 'series.create') as Set;
      const { next_cursor: inside } = (await app.request('GET', `${SETS}/${set.id}`, { query: { limit: 1 } })).json;
      for (const [path, query] of [
        [SETS, { cursor, source: 'edit' }],
        [SETS, { cursor: inside }],
        [SETS, { cursor: 'nonsense' }],
        [`${SETS}/${set.id}`, { cursor }],
        [`${SETS}/${all[0]?.id}`, { cursor: inside }],
      ] as const) {
        const answer = await app.request('GET', path, { query });
        expect([path, query, answer.status, answer.json.error.code]).toEqual([path, query, 400, 'INVALID_CURSOR']);
      }
      expect((await app.request('GET', SETS, { query: { cursor, limit: 5 } })).status).toBe(200);
    });
  });

  describe('a change set', () => {
    test('says who, why and over which surface; lists its changes by sequence, page by page', async () => {
      const app = await database.open();
      const account = await addAccount(app, await addMember(app, 'Ana'));
      const common = { account, date: '2026-04-20', amount_cents: 450, name: 'Cafe' };
      const rows = await addTransactions(app, [common, common, common]);
      const agent = await app.newKey({ actor_type: 'agent', actor_name: 'Reviewer' });
      const operations = rows.map(({ id }) => ({ transaction_id: id, tags_to_add: ['work'], comment: 'seen' }));
      const done = await app.request('POST', '/api/v1/transactions/update', {
        key: agent.key,
        body: { operations },
        headers: { 'x-change-reason': encodeURIComponent('wöchentliche Prüfung'), 'x-request-id': 'req-1' },
      });
      const { json } = await app.request('GET', `${SETS}/${setOf(done)}`);
      expect(json).toMatchObject({
        id: setOf(done),
        actor_type: 'agent',
        actor_id: agent.id,
        actor_user_id: null,
        actor_name: 'Reviewer',
        surface: 'rest',
        source: 'edit',
        action: 'transactions.update',
        reason: 'wöchentliche Prüfung',
        created_count: 4,
        updated_count: 3,
        deleted_count: 0,
        entity_types: ['comment', 'tag', 'transaction'],
        status: 'applied',
        revertible: true,
        reverts_change_set_id: null,
        reverted_by_change_set_id: null,
        request_id: 'req-1',
      });
      expect(json.changes.map((change: Change) => change.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      for (const limit of ['1', '3', '7']) {
        expect(await walk(app, `${SETS}/${json.short_id}`, 'changes', { limit })).toEqual(json.changes);
      }
      const [tag, first] = json.changes as Change[];
      expect(tag).toMatchObject({ entity_type: 'tag', operation: 'create', before: null, after: { slug: 'work' } });
      expect(first).toMatchObject({ operation: 'update', before: {}, after: { 'tag:work': true } });
      // Each record by the name that people know, and its transaction by what lists say of it.
      const cafe = { label: 'Cafe', amount: '4.50', iso_currency_code: 'USD', date: '2026-04-20' };
      expect(tag).toMatchObject({ label: 'Work', amount: null, iso_currency_code: null, date: null });
      for (const change of json.changes.slice(1)) expect(change).toMatchObject(cafe);
      await app.request('DELETE', '/api/v1/tags/work');
      expect((await app.request('GET', `${SETS}/${json.id}`)).json.changes[0].label).toBe('Work');
    });

    test('of an import lists every created row after the journaled changes, page by page', async () => {
      const app = await database.open();
      await addMember(app, 'Ana');
      const count = 1_203;
      const lines = Array.from({ length: count }, (_, index) => `2026-04-20,Shop ${index},-${index}.50,EUR`);
      const body = {
        csv_base64: Buffer.from(['Date,Description,Amount,Currency', ...lines].join('\n')).toString('base64'),
        account_name: 'Checking',
        sign: 'positive_is_in',
      };
      const done = await app.request('POST', '/api/v1/connections/csv/import', { body });
      expect(done.status, done.text).toBe(201);
      const set = (await app.request('GET', `${SETS}/${setOf(done)}`)).json;
      const changes = await walk<Change>(app, `${SETS}/${set.id}`, 'changes', { limit: '500' });
      const rows = changes.filter(({ entity_type: type }) => type === 'transaction');
      expect(set.created_count).toBe(changes.filter(({ operation }) => operation === 'create').length);
      expect([rows.length, new Set(rows.map((change) => change.entity_id)).size]).toEqual([count, count]);
      expect(changes.slice(-count)).toEqual(rows);
      expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, index) => index + 1));
      for (const { operation, before, after } of rows)
        expect([operation, before, after]).toEqual(['create', null, null]);
      expect(rows.map((change) => change.entity_id)).toEqual(rows.map((change) => change.entity_id).toSorted());
    });

    test('hides people, keys and connections from a reading key, and secrets from everybody', async () => {
      const app = await database.open();
      const made = await app.request('POST', '/api/v1/users', {
        body: { name: 'Zoë', email: 'zoe@example.org' },
      });
      const key = await app.request('POST', '/api/v1/api-keys', { body: { name: 'Bank reader', scope: 'read_only' } });
      for (const answer of [made, key]) {
        const path = `${SETS}/${setOf(answer)}`;
        const [read, full] = [await app.request('GET', path, { key: app.readOnlyKey }), await app.request('GET', path)];
        expect(read.json.changes).toMatchObject([{ operation: 'create', before: null, after: null, redacted: [] }]);
        expect(read.json.changes[0].entity_id).toBe(full.json.changes[0].entity_id);
        expect(full.json.changes[0]).toMatchObject({ label: answer.json.name, after: { name: answer.json.name } });
        expect(read.json.changes[0].label).toBe(answer === key ? null : 'Zoë');
        expect(read.text).not.toMatch(/zoe@|read_only/);
      }
      const { key: secret } = key.json as { key: string };
      const whole = await walk(app, SETS, 'change_sets', {});
      const each = await Promise.all(
        (whole as Set[]).map(async ({ id }) => (await app.request('GET', `${SETS}/${id}`)).text),
      );
      for (const text of [JSON.stringify(whole), ...each]) {
        expect(text).not.toContain(secret);
        expect(text).not.toMatch(/hash/);
      }
    });
  });
});
