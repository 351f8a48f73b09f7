import { expect, test } from 'vitest';

import { csvOf, importFile, listed } from '../harness/bank-files/bank-files.ts';
import { proxyTo, type HeldProxy } from '../harness/servers/held-proxy.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { setLimit } from '../harness/limits.ts';
import { rowsOf } from '../harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const ROWS = 22;
const CHUNK = 5;

forEachDatabase(
  (database) => {
    /** A household whose app reaches its database through a proxy, if it has a server. */
    async function household(workers = 0): Promise<{ app: TestApp; proxy: HeldProxy }> {
      const first = await database.open();
      const proxy = await proxyTo(first.env['DATABASE_URL'] as string);
      const app = await first.again({ env: { DATABASE_URL: proxy.url }, workers });
      await addMember(app, 'Ana');
      return { app, proxy };
    }

    const once = { 'idempotency-key': 'once' };
    const tag = { name: 'Coffee' };
    const makeTag = (app: TestApp, headers = {}): Promise<Answer> =>
      app.request('POST', '/api/v1/tags', { body: tag, headers });
    const tags = async (app: TestApp): Promise<number> =>
      (await app.request('GET', '/api/v1/tags')).json.filter(({ slug }: { slug: string }) => slug === 'coffee').length;

    /** The actions of all that was written over the API. */
    async function changeSets(app: TestApp): Promise<string[]> {
      const { json } = await app.request('GET', '/api/v1/change-sets');
      return json.change_sets.map(({ action }: { action: string }) => action);
    }

    function expectUnknown(answer: Answer): void {
      expect([answer.status, answer.json.error.code], answer.text).toEqual([503, 'UNAVAILABLE']);
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.json.error.message).toContain('Idempotency-Key');
      expect(answer.json.error.message).not.toContain('Nothing was changed');
    }

    test('a write whose commit was done is reported as unknown, and its retry answers as the first request would have', async () => {
      const { app, proxy } = await household();
      const broken = proxy.breakCommit(/insert into "?tags\b/, 'answer');
      const first = await makeTag(app, once);
      expectUnknown(first);
      await broken;
      const [, id] = /change-sets\/([0-9a-f-]{36})/.exec(first.json.error.message) ?? [];
      expect((await app.request('GET', `/api/v1/change-sets/${id}`)).status).toBe(200);

      const again = await makeTag(app, once);
      expect([again.status, again.json.slug, again.headers['idempotency-replayed']]).toEqual([201, 'coffee', 'true']);
      expect(again.headers['x-change-set-id']).toBe(id);
      expect(await tags(app)).toBe(1);
      expect((await makeTag(app, once)).text).toBe(again.text);
    });

    test('a write whose commit never arrived is reported as unknown, and its retry does it once', async () => {
      const { app, proxy } = await household();
      const broken = proxy.breakCommit(/insert into "?tags\b/, 'commit');
      const first = await makeTag(app, once);
      expectUnknown(first);
      await broken;
      const [, id] = /change-sets\/([0-9a-f-]{36})/.exec(first.json.error.message) ?? [];
      expect((await app.request('GET', `/api/v1/change-sets/${id}`)).status).toBe(404);
      expect(await tags(app)).toBe(0);
      const again = await makeTag(app, once);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
      expect((await makeTag(app, once)).headers['idempotency-replayed']).toBe('true');
      expect(await tags(app)).toBe(1);
    });

    const file = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 BREAD -2.00');
    const send = (app: TestApp): Promise<Answer> => importFile(app, file, { account_name: 'Card' }, { headers: once });

    test.for([0, 1])('an import that was kept is answered by its retry, with %s threads', async (workers) => {
      const { app, proxy } = await household(workers);
      const broken = proxy.breakCommit(/insert into import_accounts/, 'answer');
      const first = await send(app);
      expectUnknown(first);
      await broken;
      const again = await send(app);
      expect([again.status, again.headers['idempotency-replayed']], again.text).toEqual([201, 'true']);
      expect(again.json).toMatchObject({ imported_transactions: 2, import: { status: 'completed' } });
      expect(again.headers['x-change-set-id']).toBe(again.json.import.change_set_id);
      expect(first.json.error.message).toContain(again.json.import.change_set_id);
      expect((await app.request('GET', '/api/v1/imports')).json.imports).toHaveLength(1);
      expect(await listed(app)).toHaveLength(2);
    });

    test('an import that was not kept says so in its record, and its retry makes it', async () => {
      const { app, proxy } = await household();
      const broken = proxy.breakCommit(/insert into import_accounts/, 'commit');
      expectUnknown(await send(app));
      await broken;
      const again = await send(app);
      expect([again.status, again.json.imported_transactions], again.text).toEqual([201, 2]);
      const { imports } = (await app.request('GET', '/api/v1/imports')).json;
      expect(imports.map(({ status }: { status: string }) => status)).toEqual(['completed', 'failed']);
      expect(imports[1].error).toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('Nothing was written'),
      });
      expect(await listed(app)).toHaveLength(2);
    });

    async function withRows(app: TestApp): Promise<void> {
      const account = await addAccount(app, await addMember(app, 'Ada'));
      const day = { account, date: '2026-04-01', amount_cents: 100 };
      await addTransactions(
        app,
        Array.from({ length: ROWS }, (_, n) => ({ ...day, name: `Row ${n}` })),
      );
    }

    const inTravel = async (app: TestApp): Promise<number> =>
      (await app.request('GET', '/api/v1/transactions/count', { query: { category_slug: 'travel' } })).json.count;

    test('a bulk write in a thread is done once', async () => {
      const { app, proxy } = await household(1);
      await withRows(app);
      const body = { filter: { search: 'row' }, target_category_id: 'travel' };
      const recategorize = (key: string): Promise<Answer> =>
        app.request('POST', '/api/v1/transactions/bulk-recategorize', { body, headers: { 'idempotency-key': key } });
      for (const lost of ['commit', 'answer'] as const) {
        const broken = proxy.breakCommit(/insert into change_sets/, lost);
        expectUnknown(await recategorize(lost));
        await broken;
        expect(await inTravel(app)).toBe(lost === 'commit' ? 0 : ROWS);
        if (lost === 'commit') continue;
        const again = await recategorize(lost);
        expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
        expect(again.json).toMatchObject({ matched: ROWS, updated: ROWS });
      }
      expect((await changeSets(app)).filter((action) => action.includes('bulk'))).toHaveLength(1);
    });

    async function withRule(app: TestApp): Promise<string> {
      await withRows(app);
      const actions = [
        { type: 'set_category', category_slug: 'travel' },
        { type: 'add_comment', content: 'Seen' },
      ];
      return (await app.request('POST', '/api/v1/rules', { body: { name: 'Travel', actions } })).json.id;
    }
    const apply = (app: TestApp, ruleId: string): Promise<Answer> =>
      app.request('POST', `/api/v1/rules/${ruleId}/apply`, { body: {}, headers: once });
    const comments = async (app: TestApp): Promise<number> =>
      (await rowsOf(app.app.instance.database, 'select id from comments')).length;

    test.for(['commit', 'answer'] as const)(
      'a run of rules that loses the %s of a chunk goes on with its retry',
      async (lost) => {
        const { app, proxy } = await household();
        const ruleId = await withRule(app);
        setLimit('ruleChunkRows', CHUNK);
        const broken = proxy.breakCommit(/insert into rule_hits/, lost);
        const first = await apply(app, ruleId);
        await broken;
        expect([first.status, first.json.error.message]).toEqual([
          503,
          expect.stringContaining('What it has changed so far stays'),
        ]);
        const done = lost === 'commit' ? 0 : CHUNK;
        expect([await inTravel(app), await comments(app)]).toEqual([done, done]);

        const again = await apply(app, ruleId);
        expect([again.status, again.json.affected_count], again.text).toEqual([200, ROWS - done]);
        expect([await inTravel(app), await comments(app)]).toEqual([ROWS, ROWS]);
        const jobs = (await app.request('GET', '/api/v1/jobs')).json;
        expect(
          jobs.map(({ status, progress }: { status: string; progress: { done: number } }) => [status, progress.done]),
        ).toEqual([
          ['succeeded', ROWS],
          ['failed', done],
        ]);
        const runs = (await changeSets(app)).filter((action) => action.startsWith('rule.apply'));
        expect(runs).toHaveLength(lost === 'commit' ? 1 : 2);
      },
    );

    test('a run of rules whose end was not answered is answered by its retry', async () => {
      const { app, proxy } = await household();
      const ruleId = await withRule(app);
      const broken = proxy.breakCommit(/delete from "leases"/, 'answer');
      expect((await apply(app, ruleId)).status).toBe(503);
      await broken;
      const again = await apply(app, ruleId);
      expect([again.status, again.headers['idempotency-replayed'], again.json.affected_count]).toEqual([
        200,
        'true',
        ROWS,
      ]);
      expect(again.headers['x-change-set-id']).toBe(again.json.change_set_id);
      expect((await app.request('GET', '/api/v1/jobs')).json).toMatchObject([{ status: 'succeeded' }]);
      expect(await comments(app)).toBe(ROWS);
    });
  },
  ['PostgreSQL'],
);
