import { expect, test } from 'vitest';

import { eventually } from '../../../../test/harness/eventually.ts';
import { addAccount, addMember, addTransactions } from '../../../../test/harness/ledger.ts';
import { setLimit } from '../../../../test/harness/limits.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { bookkeep } from '../../../journal/write.ts';
import { acceptJob, endJob } from '../../jobs/index.ts';

const ACTOR = { type: 'system', id: null, userId: null, name: 'test' } as const;
const COUNTS = { affected_count: 3, matched_count: 3, skipped_count: 0, total_scanned: 3, dry_run: false };

forEachDatabase((database) => {
  async function household(): Promise<{ app: TestApp; ruleId: string }> {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ada'));
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'Row' };
    await addTransactions(app, [row, row, row]);
    const body = { name: 'Flag', actions: [{ type: 'flag' }] };
    return { app, ruleId: (await app.request('POST', '/api/v1/rules', { body })).json.id };
  }

  /** Runs wait until the returned function is called. */
  async function holdRuns({ app: { instance } }: TestApp): Promise<() => Promise<void>> {
    const id = await acceptJob(instance, { kind: 'rules_apply', options: {}, actor: ACTOR });
    return () => bookkeep(instance.database, (tx) => endJob(tx, id, { status: 'succeeded' }));
  }

  const ended = async (app: TestApp, id: string): Promise<Answer['json']> =>
    eventually(async () => {
      const job = (await app.request('GET', `/api/v1/jobs/${id}`)).json;
      expect(job.finished_at).not.toBeNull();
      return job;
    });

  const flagged = async (app: TestApp): Promise<number> =>
    (await app.request('GET', '/api/v1/transactions')).json.transactions.filter(
      (one: { flagged_at: string | null }) => one.flagged_at !== null,
    ).length;

  test.for([
    ['apply', {}, 'ruleRunWaitMs'],
    ['apply-all', {}, 'ruleRunWaitMs'],
    ['apply-all', { prefer: 'wait' }, 'preferWaitMs'],
  ] as const)('%s %o that takes longer than its caller waits goes on as a job', async ([name, headers, limit]) => {
    const { app, ruleId } = await household();
    const goOn = await holdRuns(app);
    setLimit(limit, 1);
    const path = name === 'apply' ? `/api/v1/rules/${ruleId}/apply` : '/api/v1/rules/apply-all';
    const send = (): Promise<Answer> =>
      app.request('POST', path, { body: {}, headers: { ...headers, 'idempotency-key': 'once' } });
    const answer = await send();
    const { id } = answer.json;
    expect([answer.status, answer.json.status, answer.json.result]).toEqual([202, 'queued', null]);
    expect(answer.headers).toMatchObject({ location: `/api/v1/jobs/${id}`, 'retry-after': '1' });
    for (const none of ['preference-applied', 'x-change-set-id']) expect(answer.headers[none]).toBeUndefined();
    expect(await flagged(app)).toBe(0);
    const meanwhile = await send();
    await goOn();
    const job = await ended(app, id);
    expect(job).toMatchObject({ status: 'succeeded', error: null, progress: { done: 3, total: 3 }, result: COUNTS });
    expect(await flagged(app)).toBe(3);
    for (const again of [meanwhile, await send()]) {
      expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([202, 'true', answer.text]);
    }
    const set = await app.request('GET', `/api/v1/change-sets/${job.result.change_set_id}`);
    expect(set.json).toMatchObject({ updated_count: 3, status: 'applied' });
    const rule = (await app.request('GET', `/api/v1/rules/${ruleId}`)).json;
    expect(rule.hit_count).toBe(3);
  });

  test('a caller who prefers to wait gets the result, and the preference is confirmed', async () => {
    const { app } = await household();
    const goOn = await holdRuns(app);
    setLimit('ruleRunWaitMs', 1);
    const waiting = app.request('POST', '/api/v1/rules/apply-all', { body: {}, headers: { prefer: 'wait' } });
    await eventually(async () => {
      const jobs = (await app.request('GET', '/api/v1/jobs', { query: { kind: 'rules_apply_all' } })).json;
      expect(jobs).toMatchObject([{ status: 'queued' }]);
    });
    await goOn();
    const answer = await waiting;
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'wait']);
    expect(answer.json).toMatchObject(COUNTS);
    expect(answer.headers['x-change-set-id']).toBe(answer.json.change_set_id);
  });
});
