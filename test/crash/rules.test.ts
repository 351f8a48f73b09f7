import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { runProgram } from '../harness/programs/program.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const ROWS = 22;
const CHUNK = 5;

forEachDatabase((database) => {
  async function furnished(): Promise<{ app: TestApp; rule: Made; rows: Made[] }> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ada'));
    const day = { account, date: '2026-04-01', amount_cents: 100 };
    const rows = await addTransactions(
      app,
      Array.from({ length: ROWS }, (_, n) => ({ ...day, name: `Row ${n}` })),
    );
    const actions = [
      { type: 'set_category', category_slug: 'travel' },
      { type: 'add_tag', tag_slug: 'seen' },
      { type: 'add_comment', content: 'Seen' },
    ];
    const rule = (await app.request('POST', '/api/v1/rules', { body: { name: 'Travel', actions } })).json as Made;
    await app.close();
    return { app, rule, rows };
  }

  async function runAndDie(app: TestApp, point: string, times: number, workers: number): Promise<void> {
    const words = ['test/crash/run-rules.ts', point, String(times), String(workers), app.key, String(CHUNK)];
    const { signal, out, err } = await runProgram(words, { env: app.env });
    expect([point, signal, out], err).toEqual([point, 'SIGKILL', '']);
  }

  /** How many rows have everything that the rule does; every other row has nothing of it. */
  async function doneRows(app: TestApp, rows: readonly Made[]): Promise<number> {
    let done = 0;
    for (const { id } of rows) {
      const row = (await app.request('GET', `/api/v1/transactions/${id}`)).json;
      const comments = (await app.request('GET', `/api/v1/transactions/${id}/comments`)).json as unknown[];
      const entries = (await app.request('GET', `/api/v1/transactions/${id}/annotations`)).json as unknown[];
      const isDone = row.category_source === 'rule';
      const found = [row.category?.slug ?? null, row.tags, comments.length, entries.length];
      expect(found).toEqual(isDone ? ['travel', ['seen'], 1, 3] : [null, [], 0, 0]);
      if (isDone) done += 1;
    }
    return done;
  }

  async function checkAfterwards(app: TestApp, rule: Made, rows: readonly Made[], expected: number): Promise<void> {
    const later = await app.again({ env: { PORT: '0' } });
    await later.app.listen();
    const get = async (path: string): Promise<Answer['json']> => (await later.request('GET', `/api/v1/${path}`)).json;
    expect(await doneRows(later, rows)).toBe(expected);
    const [job, ...more] = await get('jobs');
    expect(more).toEqual([]);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERRUPTED' }, progress: { done: expected } });
    expect([job.finished_at === null, job.result.affected_count]).toEqual([false, expected]);
    const hits = (await get(`rules/${rule.id}`)).hit_count as number;
    expect(hits).toBe(expected);
    const { history } = await get(`rules/${rule.id}/sync-history`);
    expect(history).toMatchObject(
      expected === 0 ? [] : [{ status: 'error', hit_count: expected, changed_count: expected }],
    );

    const again = await later.request('POST', '/api/v1/rules/apply-all', { body: {} });
    expect(again.json).toMatchObject({ affected_count: ROWS - expected, matched_count: ROWS });
    expect(await doneRows(later, rows)).toBe(ROWS);
    expect((await get(`rules/${rule.id}`)).hit_count).toBe(hits + ROWS);
    if (expected === 0) return;
    const undo = `/api/v1/change-sets/${job.result.change_set_id}/revert`;
    const undone = await later.request('POST', undo, { body: {} });
    expect(undone.status, undone.text).toBe(200);
    const left = await later.request('GET', '/api/v1/transactions/count', { query: { category_slug: 'travel' } });
    expect(left.json.count).toBe(ROWS - expected);
  }

  test.for([
    ['rules:chunk-written', 1, 0],
    ['rules:chunk-committed', 1, CHUNK],
    ['rules:chunk-written', 3, 2 * CHUNK],
    ['rules:chunk-committed', 5, ROWS],
  ] as const)(
    'a run killed at %s, time %i, leaves whole chunks and can be made again',
    async ([point, times, done]) => {
      const { app, rule, rows } = await furnished();
      await runAndDie(app, point, times, 0);
      await checkAfterwards(app, rule, rows, done);
    },
  );

  test('a process that dies during a run in a thread leaves the same', async () => {
    const { app, rule, rows } = await furnished();
    await runAndDie(app, 'rules:chunk-written', 1, 1);
    await checkAfterwards(app, rule, rows, 0);
  });
});
