import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { eventually } from '../../../test/harness/eventually.ts';
import { keepLease, lapse } from '../../../test/harness/bank-files/import-queue.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { bookkeep } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { acceptJob, endJob, failJob } from './index.ts';
import { failInterruptedJobs } from './job-turn.ts';

const APPLY_ALL = '/api/v1/rules/apply-all';
const ROWS = 30;
const ASYNC = { prefer: 'respond-async' };
const ACTOR = { type: 'system', id: null, userId: null, name: 'test' } as const;

/** Rows that a rule changes one and all, in chunks of one. */
async function household(app: TestApp): Promise<{ rows: Made[]; rule: Record<string, string> }> {
  setLimit('ruleChunkRows', 1);
  const account = await addAccount(app, await addMember(app, 'Ada'));
  const list = Array.from({ length: ROWS }, (_, n) => ({ account, date: '2026-04-01', amount_cents: n, name: 'Row' }));
  const rows = await addTransactions(app, list);
  const body = { name: 'Flag', actions: [{ type: 'flag' }] };
  return { rows, rule: (await app.request('POST', '/api/v1/rules', { body })).json };
}

const start = (app: TestApp, headers: Record<string, string> = {}, body: object = {}): Promise<Answer> =>
  app.request('POST', APPLY_ALL, { body, headers });
const jobOf = async (app: TestApp, id: string): Promise<Answer['json']> =>
  (await app.request('GET', `/api/v1/jobs/${id}`)).json;
const ended = async (app: TestApp, id: string): Promise<Answer['json']> =>
  eventually(async () => {
    const job = await jobOf(app, id);
    expect(job.finished_at).not.toBeNull();
    return job;
  });

/** Takes the turn until it is told to give it on. */
async function takeFirstPlace({ app: { instance } }: TestApp): Promise<() => Promise<void>> {
  const id = await acceptJob(instance, { kind: 'rules_apply', options: {}, actor: ACTOR });
  return () => bookkeep(instance.database, (tx) => endJob(tx, id, { status: 'succeeded' }));
}

forEachDatabase((database) => {
  test('an apply-all has the same result whether or not the caller waits for it', async () => {
    const app = await database.open();
    const { rule } = await household(app);
    const {
      dry_run: _dry,
      change_set_id: _none,
      sample_matches: _samples,
      ...counts
    } = (await start(app, {}, { dry_run: true })).json;
    const answer = await start(app, ASYNC);
    expect([answer.status, answer.json.kind, answer.json.result]).toEqual([202, 'rules_apply_all', null]);
    expect(answer.headers).toMatchObject({
      location: `/api/v1/jobs/${answer.json.id}`,
      'retry-after': '1',
      'preference-applied': 'respond-async',
    });
    expect(answer.headers['x-change-set-id']).toBeUndefined();
    const job = await ended(app, answer.json.short_id);
    expect(job).toMatchObject({ status: 'succeeded', progress: { done: ROWS, total: ROWS }, error: null });
    expect(job.result).toMatchObject({ ...counts, affected_count: ROWS, dry_run: false });
    expect(job.created_by).toMatchObject({ type: 'user', name: 'Test' });
    const set = (await app.request('GET', `/api/v1/change-sets/${job.result.change_set_id}`)).json;
    expect(set).toMatchObject({ action: 'rules.apply_all', source: 'rule', updated_count: ROWS });

    const waited = await app.request('POST', `/api/v1/rules/${rule['id']}/apply`, { headers: { prefer: 'wait' } });
    expect([waited.status, waited.headers['preference-applied'], waited.json.matched_count]).toEqual([
      200,
      'wait',
      ROWS,
    ]);
    const [newest, ...older] = (await app.request('GET', '/api/v1/jobs')).json;
    expect([newest.kind, newest.result]).toEqual(['rules_apply', waited.json]);
    expect(older.map(({ id }: Made) => id)).toEqual([job.id, expect.any(String)]);
  });

  test('a dry run takes Prefer, has a job and takes its turn, and writes nothing else', async () => {
    const app = await database.open();
    const { rule } = await household(app);
    const goOn = await takeFirstPlace(app);
    const dry = { dry_run: true };
    const later = await start(app, ASYNC, dry);
    expect([later.status, later.json.kind, later.json.status, later.headers['preference-applied']]).toEqual([
      202,
      'rules_apply_all',
      'queued',
      'respond-async',
    ]);
    await goOn();
    const job = await ended(app, later.json.id);
    expect(job).toMatchObject({ status: 'succeeded', progress: { done: ROWS, total: ROWS }, error: null });
    expect(job.result).toMatchObject({
      affected_count: ROWS,
      total_affected: ROWS,
      dry_run: true,
      change_set_id: null,
    });
    expect(job.result.sample_matches).toHaveLength(LIMITS.ruleSamplesDefault);
    const waited = await start(app, { prefer: 'wait', 'idempotency-key': 'dry' }, dry);
    expect([waited.status, waited.headers['preference-applied'], waited.json]).toEqual([200, 'wait', job.result]);
    const replayed = await start(app, { prefer: 'wait', 'idempotency-key': 'dry' }, dry);
    expect([replayed.headers['idempotency-replayed'], replayed.json]).toEqual(['true', job.result]);
    const one = await app.request('POST', `/api/v1/rules/${rule['id']}/apply`, { body: dry });
    const [newest, ...older] = (await app.request('GET', '/api/v1/jobs')).json;
    expect([newest.kind, newest.result, older.length]).toEqual(['rules_apply', one.json, 3]);
    const written = 'select (select count(*) from rule_runs) + (select count(*) from rule_hits) as n';
    expect(await rowsOf(app.app.instance.database, written)).toEqual([{ n: 0 }]);
    expect((await app.request('GET', `/api/v1/rules/${rule['id']}`)).json.hit_count).toBe(0);
  });

  test('a dry run that is cancelled ends early, with the counts of what it has read', async () => {
    const app = await database.open();
    await household(app);
    const { instance } = app.app;
    instance.failpoint = (point) => {
      if (point !== 'rules:chunk-rehearsed') return;
      void bookkeep(instance.database, (tx) => tx.q.updateTable('jobs').set({ is_cancel_requested: 1 }).execute());
    };
    const { status, json } = await start(app, {}, { dry_run: true });
    expect([status, json.status, json.result.dry_run]).toEqual([202, 'cancelled', true]);
    expect(json.progress).toEqual({ done: json.result.total_scanned, total: ROWS });
    expect(json.result.total_scanned).toBeLessThan(ROWS);
  });

  test('runs take turns in the order of arrival; one that waits can be cancelled', async () => {
    const app = await database.open();
    await household(app);
    const goOn = await takeFirstPlace(app);
    const [first, second, third] = [await start(app, ASYNC), await start(app, ASYNC), await start(app, ASYNC)];
    for (const { status, json } of [first, second, third]) {
      expect([status, json.status, json.progress, json.started_at]).toEqual([
        202,
        'queued',
        { done: 0, total: null },
        null,
      ]);
    }
    const cancelled = await app.request('POST', `/api/v1/jobs/${second.json.short_id}/cancel`);
    expect([cancelled.status, cancelled.json.status, cancelled.json.result]).toEqual([200, 'cancelled', null]);
    await goOn();
    expect((await ended(app, first.json.id)).result.affected_count).toBe(ROWS);
    expect((await ended(app, third.json.id)).result.affected_count).toBe(0);
    expect(await jobOf(app, second.json.id)).toEqual(cancelled.json);
    const done = await app.request('POST', `/api/v1/jobs/${first.json.id}/cancel`, { body: {} });
    expect([done.status, done.json]).toEqual([200, await jobOf(app, first.json.id)]);
  });

  test('cancelling leaves whole chunks, a change set of them, and a run that can be repeated', async () => {
    const app = await database.open();
    const { rule } = await household(app);
    const { instance } = app.app;
    // Their code is loaded when they are first called, and the run is short.
    for (const path of ['change-sets/none/revert', 'jobs/none/cancel']) {
      expect((await app.request('POST', `/api/v1/${path}`, { body: {} })).status).toBe(404);
    }
    let cancelling: Promise<Answer> | undefined;
    let refused: Promise<Answer> | undefined;
    instance.failpoint = (point) => {
      if (point !== 'rules:chunk-committed') return;
      // On SQLite, chunks would follow each other without letting any request in between.
      void bookkeep(instance.database, async () => setImmediate());
      cancelling ??= (async () => {
        const [set] = await rowsOf<Made>(instance.database, 'select id, short_id from change_sets where is_open = 1');
        refused = app.request('POST', `/api/v1/change-sets/${set?.id}/revert`, { body: {} });
        await refused;
        const [job] = (await app.request('GET', '/api/v1/jobs', { query: { status: 'running' } })).json;
        expect([job.result, job.progress.total]).toEqual([null, ROWS]);
        return app.request('POST', `/api/v1/jobs/${job.id}/cancel`);
      })();
    };
    const answer = await start(app);
    instance.failpoint = () => undefined;
    expect((await refused)?.json.error.code).toBe('CONFLICT');
    expect((await cancelling)?.status).toBe(200);
    expect([answer.status, answer.json.status]).toEqual([202, 'cancelled']);
    const { result, progress } = answer.json;
    expect([progress.done, result.affected_count]).toEqual([result.total_scanned, result.total_scanned]);
    expect(progress.done).toBeLessThan(ROWS);
    const set = `/api/v1/change-sets/${result.change_set_id}`;
    expect((await app.request('GET', set)).json.updated_count).toBe(progress.done);
    const flagged = { query: { flagged: true } };
    expect((await app.request('GET', '/api/v1/transactions/count', flagged)).json.count).toBe(progress.done);
    expect((await app.request('GET', `/api/v1/rules/${rule['id']}`)).json.hit_count).toBe(progress.done);
    expect((await start(app)).json.affected_count).toBe(ROWS - progress.done);
    expect((await app.request('POST', `${set}/revert`, { body: {} })).json.reverted_count).toBe(progress.done);
  });

  test('a run that fails keeps its chunks and says how far it got', async () => {
    const app = await database.open({ expectsFailures: true });
    const { rule } = await household(app);
    let chunks = 0;
    app.app.instance.failpoint = (point) => {
      if (point === 'rules:chunk-committed') chunks += 1;
      if (chunks === 3 && point === 'rules:chunk-committed') throw new Error('Something broke.');
    };
    const answer = await start(app);
    app.app.instance.failpoint = () => undefined;
    expect([answer.status, answer.json.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    const [job] = (await app.request('GET', '/api/v1/jobs', { query: { status: 'failed' } })).json;
    expect(job).toMatchObject({ error: { code: 'INTERNAL_ERROR' }, result: { affected_count: 3, total_scanned: 3 } });
    expect(job.error.message).not.toContain('Something broke');
    const { history } = (await app.request('GET', `/api/v1/rules/${rule['id']}/sync-history`)).json;
    expect(history).toMatchObject([{ status: 'error', hit_count: 3, changed_count: 3 }]);
    const undo = `/api/v1/change-sets/${job.result.change_set_id}/revert`;
    expect((await app.request('POST', undo, { body: {} })).json.reverted_count).toBe(3);
    expect((await start(app)).json.affected_count).toBe(ROWS);
  });

  test('a run fails if its rule no longer exists or applies when its turn comes', async () => {
    const app = await database.open();
    const { rule } = await household(app);
    const goOn = await takeFirstPlace(app);
    const apply = (): Promise<Answer> => app.request('POST', `/api/v1/rules/${rule['id']}/apply`, { headers: ASYNC });
    const job = (await apply()).json;
    await app.request('PATCH', `/api/v1/rules/${rule['id']}`, { body: { enabled: false } });
    await goOn();
    expect(await ended(app, job.id)).toMatchObject({ status: 'failed', error: { code: 'RULE_NOT_APPLICABLE' } });
    expect((await apply()).json.error.code).toBe('RULE_NOT_APPLICABLE');
  });

  test('a job whose process has ended is interrupted, and the next one starts', async () => {
    const app = await database.open();
    await household(app);
    const other = await app.again();
    const { id } = await (async () => {
      const accepted = await acceptJob(other.app.instance, { kind: 'rules_apply_all', options: {}, actor: ACTOR });
      return jobOf(app, accepted);
    })();
    await other.close();
    expect((await start(app)).json.affected_count).toBe(ROWS);
    expect(await jobOf(app, id)).toMatchObject({ status: 'failed', result: null, error: { code: 'INTERRUPTED' } });
  });

  test('a run that takes longer than its lease is not given up: each chunk renews it', async () => {
    const app = await database.open();
    await household(app);
    const { instance } = app.app;
    const checks: Promise<unknown>[] = [];
    let chunks = 0;
    instance.failpoint = (point) => {
      if (point !== 'rules:chunk-committed') return;
      chunks += 1;
      void bookkeep(instance.database, async () => setImmediate());
      if (chunks === 3) checks.push(lapse(app, 'job:%'));
      if (chunks === 6) checks.push(failInterruptedJobs(instance));
    };
    const answer = await start(app);
    instance.failpoint = () => undefined;
    await Promise.all(checks);
    expect([chunks, answer.status, answer.json.affected_count]).toEqual([ROWS + 1, 200, ROWS]);
    expect((await app.request('GET', '/api/v1/jobs')).json).toMatchObject([{ status: 'succeeded', error: null }]);
  });

  test('a job that waits longer than its lease lasts is not given up', async () => {
    const app = await database.open();
    await household(app);
    const goOn = await takeFirstPlace(app);
    const { id } = (await start(app, ASYNC)).json;
    const leaseEnd = async (): Promise<string> => {
      const asked = `select expires_at from leases where name = 'job:${id}'`;
      return (await rowsOf<{ expires_at: string }>(app.app.instance.database, asked))[0]?.expires_at ?? '';
    };
    for (let time = 0; time < 2; time++) {
      const end = await leaseEnd();
      for (const job of (await app.request('GET', '/api/v1/jobs')).json.slice(1)) {
        await keepLease(app, { kind: 'job', id: job.id });
      }
      app.clock.advance(0.8 * LIMITS.workLeaseMs);
      await eventually(async () => expect((await leaseEnd()) > end).toBe(true));
    }
    await failInterruptedJobs(app.app.instance);
    expect((await jobOf(app, id)).status).toBe('queued');
    await goOn();
    expect((await ended(app, id)).result.affected_count).toBe(ROWS);
  });

  test('a run that was given up meanwhile changes nothing more, and its change set stays as it was closed', async () => {
    const app = await database.open({ expectsFailures: true });
    await household(app);
    const { instance } = app.app;
    let givenUp: Promise<unknown> | undefined;
    let chunks = 0;
    instance.failpoint = (point) => {
      if (point !== 'rules:chunk-committed' || (chunks += 1) !== 2) return;
      givenUp = bookkeep(instance.database, async (tx) => {
        const [job] = await tx.q.selectFrom('jobs').select('id').where('status', '=', 'running').execute();
        await failJob(tx, String(job?.id), { code: 'INTERRUPTED', message: 'Another process gave it up.' });
      });
    };
    const answer = await start(app);
    instance.failpoint = () => undefined;
    await givenUp;
    expect([answer.status, answer.json.error.code]).toEqual([503, 'UNAVAILABLE']);
    const [job] = (await app.request('GET', '/api/v1/jobs')).json;
    expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERRUPTED' } });
    const { result } = job;
    expect(result.affected_count).toBeLessThan(ROWS);
    const set = (await app.request('GET', `/api/v1/change-sets/${result.change_set_id}`)).json;
    expect(set.updated_count).toBe(result.affected_count);
    const flagged = { query: { flagged: true } };
    expect((await app.request('GET', '/api/v1/transactions/count', flagged)).json.count).toBe(result.affected_count);
  });

  test('with threads, a run is accepted at once while others fill them', async () => {
    const app = await database.open({ workers: 2 });
    await household(app);
    const goOn = await takeFirstPlace(app);
    const accepted: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { status, json } = await start(app, ASYNC);
      expect([status, json.status]).toEqual([202, 'queued']);
      accepted.push(json.id);
    }
    expect((await app.request('GET', '/api/v1/transactions/count')).json.count).toBe(ROWS);
    await goOn();
    const soon = (await start(app, ASYNC)).json.id;
    const cancelled = await app.request('POST', `/api/v1/jobs/${soon}/cancel`);
    expect(cancelled.json).toMatchObject({ status: 'cancelled', result: null });
    const affected: number[] = [];
    for (const id of accepted) affected.push((await ended(app, id)).result.affected_count);
    expect(affected).toEqual([ROWS, 0, 0]);
  });

  test('jobs are listed newest first, by kind and status, and kept for a week', async () => {
    const app = await database.open();
    const { rule } = await household(app);
    await start(app);
    app.clock.advance(1_000);
    await app.request('POST', `/api/v1/rules/${rule['id']}/apply`, { body: {} });
    const list = async (query: Record<string, string> = {}): Promise<Answer> =>
      app.request('GET', '/api/v1/jobs', { query });
    const [second, first] = (await list()).json;
    expect([first.kind, second.kind]).toEqual(['rules_apply_all', 'rules_apply']);
    expect((await list({ kind: 'rules_apply' })).json).toEqual([second]);
    expect((await list({ kind: 'rules_apply,rules_apply_all', status: 'succeeded' })).json).toEqual([second, first]);
    expect((await list({ status: 'queued,failed' })).json).toEqual([]);
    expect((await list({ status: '' })).json).toHaveLength(2);
    for (const query of [{ kind: 'import' }, { status: 'done' }] as Record<string, string>[]) {
      expect((await list(query)).json.error.code).toBe('INVALID_PARAMETER');
    }
    app.clock.advance(7 * 86_400_000 - 500);
    await start(app);
    expect((await app.request('GET', `/api/v1/jobs/${first.id}`)).status).toBe(404);
    expect((await app.request('GET', `/api/v1/jobs/${second.id}`)).status).toBe(200);
  });

  test('a reading key sees jobs but cannot cancel them', async () => {
    const app = await database.open();
    await household(app);
    const { json } = await start(app, ASYNC);
    const key = { key: app.readOnlyKey };
    expect((await app.request('GET', `/api/v1/jobs/${json.id}`, key)).status).toBe(200);
    expect((await app.request('POST', `/api/v1/jobs/${json.id}/cancel`, key)).json.error.code).toBe('FORBIDDEN');
    await ended(app, json.id);
  });
});
