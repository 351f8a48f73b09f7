import { expect, test } from 'vitest';

import { csvOf, importFile, listed } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const ROWS = ['2026-02-02 TEA -1.00', '2026-02-03 COFFEE -3.50', '2026-02-04 FUEL -40.00'];
const TRIGGERS = ['sync', 'create', 'retroactive', 'manual'];
const name = (op: string, value: string): Record<string, string> => ({ field: 'name', op, value });
const tag = (slug: string): Record<string, string> => ({ type: 'add_tag', tag_slug: slug });
/** No write accepts look-ahead, so evaluating it fails; `and` comes to it only for coffee. */
const FAILS_ON_COFFEE = { or: [name('eq', 'TEA'), { and: [name('contains', 'coffee'), name('matches', '(?=x)')] }] };

forEachDatabase((database) => {
  async function rule(app: TestApp, fields: Record<string, unknown>): Promise<string> {
    app.clock.advance(1_000);
    const made = await app.request('POST', '/api/v1/rules', { body: { condition: {}, triggers: TRIGGERS, ...fields } });
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  }

  /** Three rules, of which the one in the middle has a condition that fails on coffee. */
  async function household(): Promise<{ app: TestApp; first: string; broken: string; last: string }> {
    const app = await database.open({ expectsFailures: true });
    await addMember(app, 'Ana');
    const { rules } = (await app.request('GET', '/api/v1/rules')).json;
    for (const { id } of rules) await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
    const first = await rule(app, { name: 'First', priority: 1, actions: [tag('first')] });
    const actions = [tag('broken'), { type: 'flag' }, { type: 'add_comment', content: 'Seen' }];
    const broken = await rule(app, { name: 'Broken', priority: 2, actions, stop: true });
    const last = await rule(app, { name: 'Last', priority: 3, actions: [tag('last')] });
    await app.write('test.defect', async (tx) => {
      const condition = JSON.stringify(FAILS_ON_COFFEE);
      await tx.q.updateTable('rules').set({ condition }).where('id', '=', broken).execute();
      tx.journal.recordCreatedRows('rule', 1);
    });
    return { app, first, broken, last };
  }

  async function tagged(app: TestApp): Promise<Record<string, unknown>> {
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    return Object.fromEntries(
      transactions.map((one: { name: string; tags: string[]; flagged: boolean }) => [one.name, one.tags.join(' ')]),
    );
  }

  const hits = async (app: TestApp, ids: readonly string[]): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await app.request('GET', `/api/v1/rules/${id}`)).json.hit_count));

  const warningsOf = (record: { warnings: { code: string; message: string }[] }): string[] =>
    record.warnings.filter(({ code }) => code === 'RULE_FAILED').map(({ message }) => message);

  test('a rule that fails on a row changes nothing there; the row and the effects of other rules stay', async () => {
    const { app, first, broken, last } = await household();
    const { status, json } = await importFile(app, csvOf(...ROWS));
    expect([status, json.import.counts.added]).toEqual([201, 3]);
    expect(await tagged(app)).toEqual({ TEA: 'broken first', COFFEE: 'first last', FUEL: 'first last' });
    const [message, ...more] = warningsOf(json.import);
    expect([message, more]).toEqual([expect.stringContaining('"Broken"'), []]);
    const stored = (await app.request('GET', `/api/v1/imports/${json.import.id}`)).json;
    expect(warningsOf(stored)).toEqual([message]);
    expect(await hits(app, [first, broken, last])).toEqual([3, 1, 2]);
    const { history } = (await app.request('GET', `/api/v1/rules/${broken}/sync-history`)).json;
    expect(history).toMatchObject([{ run_type: 'import', status: 'success', hit_count: 1, changed_count: 1 }]);
    const { transactions } = (await app.request('GET', '/api/v1/transactions', { query: { search: 'coffee' } })).json;
    const { id } = transactions[0];
    expect((await app.request('GET', `/api/v1/transactions/${id}/comments`)).json).toEqual([]);
    expect(transactions[0].flagged_at).toBeNull();
  });

  test('the same for a row that the bank changed', async () => {
    const { app, first, broken, last } = await household();
    const file = (amount: string): string =>
      `Transaction ID,Date,Description,Amount\nA1,2026-02-03,COFFEE,${amount}\nA2,2026-02-02,TEA,${amount}\n`;
    await importFile(app, file('-3.50'), { account_name: 'Card', run_rules: false });
    expect(await tagged(app)).toEqual({ TEA: '', COFFEE: '' });
    const { json } = await importFile(app, file('-3.80'), { account_name: 'Card' });
    expect(json.import.counts).toMatchObject({ updated: 2 });
    expect(warningsOf(json.import)).toHaveLength(1);
    expect(await tagged(app)).toEqual({ TEA: 'broken first', COFFEE: 'first last' });
    expect(await listed(app)).toEqual(['2026-02-03 COFFEE 3.80', '2026-02-02 TEA 3.80']);
    expect(await hits(app, [first, broken, last])).toEqual([2, 1, 1]);
  });

  test('an import without a row that the rule fails on has no warning', async () => {
    const { app } = await household();
    const { json } = await importFile(app, csvOf('2026-02-02 TEA -1.00'));
    expect(warningsOf(json.import)).toEqual([]);
  });

  test('a run over the ledger stops at the failing row and changes nothing of its chunk', async () => {
    const { app, broken } = await household();
    await importFile(app, csvOf(...ROWS), { run_rules: false });
    for (const path of [`/api/v1/rules/${broken}/apply`, '/api/v1/rules/apply-all']) {
      for (const body of [{ dry_run: true }, {}]) {
        const answer = await app.request('POST', path, { body });
        expect([path, answer.status, answer.json.error.code]).toEqual([path, 500, 'INTERNAL_ERROR']);
      }
    }
    expect(await tagged(app)).toEqual({ TEA: '', COFFEE: '', FUEL: '' });
    const jobs = (await app.request('GET', '/api/v1/jobs')).json;
    expect(jobs.map((job: { status: string; error: { code: string } }) => [job.status, job.error.code])).toEqual(
      Array.from({ length: 4 }, () => ['failed', 'INTERNAL_ERROR']),
    );
  });
});
