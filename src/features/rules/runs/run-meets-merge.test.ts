import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../../test/harness/ledger.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { LIMITS } from '../../../kernel/limits.ts';

forEachDatabase((database) => {
  /** A ledger large enough for several chunks. */
  async function ledger(): Promise<TestApp> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const rows = Array.from({ length: 2 * LIMITS.ruleChunkRows + 10 }, (_, index) => ({
      account,
      date: '2026-04-01',
      amount_cents: 100,
      name: `Shop ${index % 7}`,
    }));
    await addTransactions(app, rows);
    return app;
  }
  const post = (app: TestApp, path: string, body: object): Promise<Answer> =>
    app.request('POST', `/api/v1${path}`, { body });
  const make = async (app: TestApp, path: string, body: object): Promise<Made> => (await post(app, path, body)).json;
  const count = async (app: TestApp, query: Record<string, string>): Promise<number> =>
    (await app.request('GET', '/api/v1/transactions/count', { query })).json.count;

  /** Calls once, when the run has written its first chunk and the next one has not begun. */
  async function between(
    app: TestApp,
    run: () => Promise<Answer>,
    meanwhile: () => Promise<Answer>,
  ): Promise<Answer[]> {
    const { instance } = app.app;
    const { failpoint } = instance;
    const other = Promise.withResolvers<Answer>();
    let isCalled = false;
    instance.failpoint = (point) => {
      failpoint(point);
      // The chunk still has the turn to write, so the other write is next.
      if (point !== 'rules:chunk-written' || isCalled) return;
      isCalled = true;
      meanwhile().then(other.resolve, other.reject);
    };
    const done = await run();
    instance.failpoint = failpoint;
    return [done, await other.promise];
  }

  test('a category that is merged during a run is on no row afterwards, and the run continues', async () => {
    const app = await ledger();
    const source = await make(app, '/categories', { name: 'Passing' });
    const target = await make(app, '/categories', { name: 'Lasting' });
    const rule = await make(app, '/rules', {
      name: 'All',
      condition: { not: { field: 'category', op: 'in', value: ['passing', 'lasting'] } },
      actions: [{ type: 'set_category', category_slug: 'passing' }],
    });
    const [done, merged] = await between(
      app,
      () => post(app, '/rules/apply-all', {}),
      () => post(app, `/categories/${target.id}/merge`, { from_category_id: source.id }),
    );
    expect(merged?.json).toMatchObject({ moved: { rules: 1 } });
    expect([done?.status, done?.json.affected_count]).toEqual([200, 2 * LIMITS.ruleChunkRows + 10]);
    expect(await count(app, { category_id: target.id })).toBe(2 * LIMITS.ruleChunkRows + 10);
    const left = await rowsOf(
      app.app.instance.database,
      `select count(*) as n from transactions where category_id = '${source.id}'`,
    );
    expect(Number(left[0]?.['n'])).toBe(0);
    expect((await app.request('GET', `/api/v1/rules/${rule.id}`)).json.hit_count).toBe(2 * LIMITS.ruleChunkRows + 10);
  }, 60_000);

  test('a counterparty that is merged during a run is on no row afterwards', async () => {
    const app = await ledger();
    const source = await make(app, '/counterparties', { name: 'Passing' });
    const target = await make(app, '/counterparties', { name: 'Lasting' });
    const actions = [{ type: 'assign_counterparty', counterparty_id: source.id }];
    await make(app, '/rules', { name: 'All', condition: {}, actions });
    const [done, merged] = await between(
      app,
      () => post(app, '/rules/apply-all', {}),
      () => post(app, `/counterparties/${target.id}/merge`, { from_counterparty_id: source.id }),
    );
    expect([done?.status, merged?.status]).toEqual([200, 200]);
    const bound = await rowsOf(
      app.app.instance.database,
      'select counterparty_id, count(*) as n from transactions group by counterparty_id',
    );
    expect(bound.map((row) => [row['counterparty_id'], Number(row['n'])])).toEqual([
      [target.id, 2 * LIMITS.ruleChunkRows + 10],
    ]);
  }, 60_000);

  test('what a rule did before it and its tag were deleted during a run stays, and the run succeeds', async () => {
    const app = await ledger();
    const actions = [{ type: 'add_tag', tag_slug: 'passing' }];
    const rule = await make(app, '/rules', { name: 'All', condition: {}, actions });
    const [done, gone] = await between(
      app,
      () => post(app, '/rules/apply-all', {}),
      async () => {
        await app.request('DELETE', `/api/v1/rules/${rule.id}`);
        return app.request('DELETE', '/api/v1/tags/passing');
      },
    );
    expect([done?.status, gone?.status]).toEqual([200, 204]);
    expect((await app.request('GET', '/api/v1/tags/passing')).status).toBe(404);
  }, 60_000);
});
