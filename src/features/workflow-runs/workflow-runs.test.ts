import { beforeAll, describe, expect, test } from 'vitest';

import { addCall } from '../../../test/harness/agents/agent-calls.ts';
import { setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { addRuns, addWorkflow, type MadeWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { cleanUpNightly } from './index.ts';

const RUNS = '/api/v1/workflows/runs';
const codeOf = ({ status, json }: Answer): [number, string | undefined] => [status, json?.error?.code];

type Query = Record<string, string>;

forEachDatabase((database) => {
  const list = async (app: TestApp, query: Query = {}, path = RUNS): Promise<Answer> =>
    app.request('GET', path, { query });
  const slugsOf = ({ json }: Answer): string[] => json.runs.map((run: { operator_note: string }) => run.operator_note);

  async function addLines(app: TestApp, runId: string, lines: readonly object[]): Promise<void> {
    await app.write('test.lines', async (tx) => {
      const rows = lines.map((data, at) => [runId, at + 1, 'assistant_message', tx.now, JSON.stringify(data)]);
      await tx.insertMany('workflow_run_lines', ['run_id', 'seq', 'type', 'ts', 'data'], rows);
      const size = { transcript_lines: lines.length };
      await tx.q.updateTable('workflow_runs').set(size).where('id', '=', runId).execute();
    });
  }

  describe('lists of runs', () => {
    let app: TestApp;
    let one: MadeWorkflow;
    let gone: MadeWorkflow;
    beforeAll(async () => {
      app = await database.open();
      await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'Europe/Berlin' } });
      [one, gone] = [await addWorkflow(app, { name: 'One' }), await addWorkflow(app, { name: 'Gone' })];
      await addRuns(app, one, [
        { operator_note: 'a', started_at: '2026-04-20T21:59:59.999Z' },
        {
          operator_note: 'b',
          started_at: '2026-04-20T22:00:00.000Z',
          trigger: 'cron',
          status: 'error',
          error_code: 'api_error',
        },
        { operator_note: 'c', started_at: '2026-04-21T21:59:59.999Z', hit_cap: 'max_turns' },
        { operator_note: 'd', started_at: '2026-04-21T22:00:00.000Z', hit_cap: 'max_budget', trigger: 'after_sync' },
      ]);
      await addRuns(app, gone, [
        { operator_note: 'e', started_at: '2026-04-26T05:00:00.000Z', status: 'skipped', skip_reason: 'concurrency' },
        { operator_note: 'f', started_at: '2026-04-26T05:30:00.000Z', status: 'timeout', hit_cap: 'max_duration' },
      ]);
      await app.request('DELETE', '/api/v1/workflows/gone');
    });

    test('are filtered, newest first, days being those of the household', async () => {
      for (const [query, expected] of [
        [{}, 'fedcba'],
        [{ workflow: 'one' }, 'dcba'],
        [{ workflow: one.id }, 'dcba'],
        [{ workflow: one.short_id }, 'dcba'],
        [{ workflow: 'gone' }, 'fe'],
        [{ workflow: gone.id }, 'fe'],
        [{ status: 'error,timeout' }, 'fb'],
        [{ trigger: 'cron,after_sync' }, 'db'],
        [{ skip_reason: 'concurrency' }, 'e'],
        [{ hit_cap: 'max_turns,max_budget' }, 'dc'],
        [{ hit_cap: 'any' }, 'fdc'],
        [{ start: '2026-04-21', end: '2026-04-21' }, 'cb'],
        [{ start: '2026-04-20T22:00:00Z', end: '2026-04-21T22:00:00Z' }, 'cb'],
        [{ start: '2026-04-21', end: '2026-04-22', hit_cap: 'any', workflow: 'one' }, 'dc'],
        [{ end: '2026-04-20' }, 'a'],
        [{ start: '2026-04-21', end: '9999-12-31', workflow: 'one' }, 'dcb'],
        [{ start: '9999-12-31', end: '9999-12-31' }, ''],
      ] as const) {
        const answer = await list(app, query);
        expect([query, answer.status === 200 ? slugsOf(answer).join('') : answer.text]).toEqual([query, expected]);
      }
      expect(slugsOf(await list(app, { status: 'success' }, '/api/v1/workflows/one/runs'))).toEqual(['d', 'c', 'a']);
      expect(codeOf(await list(app, {}, '/api/v1/workflows/gone/runs'))).toEqual([404, 'NOT_FOUND']);
      const [newest] = (await list(app, { workflow: 'gone', limit: '1' })).json.runs;
      expect(newest).toMatchObject({ workflow_id: null, workflow_slug: 'gone', workflow_name: 'Gone' });
    });

    test('come in pages, whose cursor belongs to their filters', async () => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list(app, { limit: '2', workflow: 'one', ...(cursor === '' ? {} : { cursor }) });
        seen.push(...slugsOf(page));
        cursor = page.json.next_cursor;
        expect(page.json).toMatchObject({ limit: 2, has_more: cursor !== '' });
      } while (cursor !== '');
      expect(seen).toEqual(['d', 'c', 'b', 'a']);
      const { next_cursor: next } = (await list(app, { limit: '1', workflow: 'one' })).json;
      for (const [query, code] of [
        [{ cursor: next, limit: '1' }, 'INVALID_CURSOR'],
        [{ cursor: next, limit: '1', workflow: 'one', status: 'error' }, 'INVALID_CURSOR'],
        [{ cursor: 'x' }, 'INVALID_CURSOR'],
        [{ limit: '0' }, 'INVALID_PARAMETER'],
        [{ status: 'failed' }, 'INVALID_PARAMETER'],
        [{ hit_cap: 'none' }, 'INVALID_PARAMETER'],
        [{ start: '2026-02-30' }, 'INVALID_PARAMETER'],
        [{ start: '2026-04-22', end: '2026-04-20' }, 'INVALID_PARAMETER'],
        [{ workflow: 'never-was' }, 'INVALID_PARAMETER'],
      ] as const) {
        expect([query, ...codeOf(await list(app, query))]).toEqual([query, 400, code]);
      }
    });

    test('have no page after a run that was deleted', async () => {
      const [kept, deleted] = [await addWorkflow(app, { name: 'Kept' }), await addWorkflow(app, { name: 'Deleted' })];
      await addRuns(app, kept, [{ started_at: '2026-04-01T00:00:00.000Z' }]);
      await addRuns(app, deleted, [{ started_at: '2026-04-02T00:00:00.000Z' }]);
      const page = { limit: '1', end: '2026-04-10' };
      const { runs, next_cursor: cursor } = (await list(app, page)).json;
      expect(codeOf(await list(app, { ...page, cursor }))).toEqual([200, undefined]);
      await app.write('test.delete', async (tx) => {
        await tx.q.deleteFrom('workflow_runs').where('id', '=', runs[0].id).execute();
      });
      expect(codeOf(await list(app, { ...page, cursor }))).toEqual([400, 'INVALID_CURSOR']);
    });

    test('of failures say what went wrong lately', async () => {
      const failed = async (query: Query = {}) => list(app, query, `${RUNS}/recent-errors`);
      const [run] = (await failed()).json;
      expect(run).toEqual({
        workflow_slug: 'gone',
        workflow_name: 'Gone',
        run_id: expect.any(String),
        run_short_id: expect.any(String),
        status: 'timeout',
        started_at: '2026-04-26T05:30:00.000Z',
        error_code: null,
        error_message: null,
        duration_ms: null,
        hit_cap: 'max_duration',
      });
      expect((await failed()).json).toHaveLength(1);
      expect((await failed({ hours: '168' })).json.map((one: { status: string }) => one.status)).toEqual([
        'timeout',
        'error',
      ]);
      expect((await failed({ hours: '168', limit: '1' })).json).toHaveLength(1);
      for (const query of [{ hours: '169' }, { hours: '0' }, { limit: '51' }, { limit: 'x' }] as const) {
        expect(codeOf(await failed(query))).toEqual([400, 'INVALID_PARAMETER']);
      }
    });
  });

  test('what a run has left is named by it, and found by it', async () => {
    const app = await database.open();
    const workflow = await addWorkflow(app);
    const [id] = (await addRuns(app, workflow, [{}])) as [string];
    const report = (await app.request('POST', '/api/v1/reports', { body: { title: 'Rents', body: 'Paid.' } })).json;
    const set = await app.request('POST', '/api/v1/tags', { body: { name: 'Made' } });
    const changeSet = set.headers['x-change-set-id'] as string;
    await addCall(app, { tool: 'save_tag', surface: 'workflow', transport: null, run_id: id });
    await app.write('test.traces', async (tx) => {
      tx.journal.allowUnjournaled('report');
      await tx.q.updateTable('reports').set({ workflow_run_id: id }).where('id', '=', report.id).execute();
      await tx.q.updateTable('change_sets').set({ workflow_run_id: id }).where('id', '=', changeSet).execute();
    });
    const run = (await app.request('GET', `${RUNS}/${id}`)).json;
    expect(run).toMatchObject({ report_ids: [report.id], change_set_count: 1, proposal_id: null });
    expect(run.change_set_status).toBe('applied');
    expect((await app.request('GET', `${RUNS}/${run.short_id}`)).json).toEqual(run);
    expect((await list(app)).json.runs).toEqual([run]);
    const found = async (path: string, parameter: string, value: string): Promise<unknown[]> => {
      const { json } = await app.request('GET', `/api/v1${path}`, { query: { [parameter]: value } });
      return (Array.isArray(json) ? json : ((Object.values(json)[0] as unknown[] | undefined) ?? [])).map(
        (one) => (one as { id?: string }).id ?? one,
      );
    };
    const other = (await addRuns(app, workflow, [{}]))[0] as string;
    for (const [path, parameter] of [
      ['/reports', 'workflow_run_id'],
      ['/change-sets', 'workflow_run_id'],
      ['/mcp-calls', 'run_id'],
    ] as const) {
      for (const value of [id, run.short_id as string]) expect(await found(path, parameter, value)).toHaveLength(1);
      expect(await found(path, parameter, other)).toEqual([]);
      const refused = await app.request('GET', `/api/v1${path}`, { query: { [parameter]: workflow.id } });
      expect(codeOf(refused)).toEqual([400, 'INVALID_PARAMETER']);
    }
    // What outlives its run is still found by its UUID.
    await app.write('test.runs', (tx) => tx.q.deleteFrom('workflow_runs').where('id', '=', id).execute());
    for (const [path, parameter] of [
      ['/reports', 'workflow_run_id'],
      ['/change-sets', 'workflow_run_id'],
      ['/mcp-calls', 'run_id'],
    ] as const) {
      expect(await found(path, parameter, id)).toHaveLength(1);
    }
  });

  test('a run says whether what it wrote is still in force, over all its change sets', async () => {
    const app = await database.open();
    const [id, idle] = (await addRuns(app, await addWorkflow(app), [{}, {}])) as [string, string];
    const sets: string[] = [];
    for (const name of ['One', 'Two']) {
      const { headers } = await app.request('POST', '/api/v1/tags', { body: { name } });
      sets.push(headers['x-change-set-id'] as string);
    }
    const belongs = async (setId: string) =>
      app.write('test.traces', async (tx) => {
        await tx.q.updateTable('change_sets').set({ workflow_run_id: id }).where('id', '=', setId).execute();
      });
    for (const setId of sets) await belongs(setId);
    const status = async (run = id): Promise<string | null> => {
      const single = (await app.request('GET', `${RUNS}/${run}`)).json.change_set_status;
      const { runs } = (await list(app)).json as { runs: { id: string; change_set_status: string | null }[] };
      expect(runs.find((one) => one.id === run)?.change_set_status).toBe(single);
      return single as string | null;
    };
    const revert = async (setId?: string) =>
      (await app.request('POST', `/api/v1/change-sets/${setId}/revert`, { body: {} })).json.change_set.id as string;
    expect([await status(), await status(idle)]).toEqual(['applied', null]);
    const undone = await revert(sets[0]);
    expect(await status()).toBe('partly_reverted');
    await revert(sets[1]);
    expect(await status()).toBe('reverted');
    // What the run itself takes back is no longer in force either.
    await belongs(undone);
    expect(await status()).toBe('reverted');
    await revert(undone);
    expect(await status()).toBe('partly_reverted');
  });

  test('a note is set and cleared, and leaves no change set', async () => {
    const app = await database.open();
    const [id] = (await addRuns(app, await addWorkflow(app), [{}])) as [string];
    const note = async (body: object): Promise<Answer> => app.request('PATCH', `${RUNS}/${id}`, { body });
    const set = await note({ note: ' Categories were fine. ' });
    expect([set.status, set.json.operator_note, set.headers['x-change-set-id']]).toEqual([
      200,
      'Categories were fine.',
      undefined,
    ]);
    for (const cleared of ['', null]) {
      await note({ note: 'x' });
      expect((await note({ note: cleared })).json.operator_note).toBeNull();
    }
    for (const body of [{}, { note: 'x'.repeat(2_001) }, { note: 1 }, { note: 'x', status: 'error' }]) {
      expect(codeOf(await note(body))).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(codeOf(await app.request('PATCH', `${RUNS}/zzzzzzzz`, { body: { note: 'x' } }))).toEqual([404, 'NOT_FOUND']);
  });

  test('a run in progress is asked to cancel, one that has ended is not', async () => {
    const app = await database.open();
    await setUpModel(app);
    const run = (await start(app, await addWorkflow(app))).json;
    for (const path of [run.id, run.short_id]) {
      const answer = await app.request('POST', `${RUNS}/${path}/cancel`);
      expect([answer.status, answer.json]).toEqual([202, { status: 'cancelling', run_id: run.id }]);
    }
    expect((await app.request('GET', `${RUNS}/${run.id}`)).json).toMatchObject({
      status: 'in_progress',
      cancel_requested: true,
    });
    const { instance } = app.app;
    await instance.runs().look();
    await instance.runs().settled();
    expect((await list(app)).json.runs).toMatchObject([{ status: 'cancelled', error_message: null }]);
    expect(codeOf(await app.request('POST', `${RUNS}/${run.id}/cancel`))).toEqual([409, 'INVALID_STATE']);
    expect(codeOf(await app.request('POST', `${RUNS}/zzzzzzzz/cancel`))).toEqual([404, 'NOT_FOUND']);
  });

  test('a transcript is one JSON object per line, in pieces, from any line on', async () => {
    const app = await database.open();
    const [none, id] = (await addRuns(app, await addWorkflow(app), [{}, { status: 'in_progress' }])) as [
      string,
      string,
    ];
    const read = async (query: Query = {}, run = id): Promise<Answer> =>
      app.request('GET', `${RUNS}/${run}/transcript`, { query });
    const lines = Array.from({ length: 300 }, (_, at) => ({ text: `${at} "quoted"\n😀 ${'x'.repeat(1_000)}` }));
    await addLines(app, id, lines);
    const whole = await read();
    expect([whole.status, whole.headers['content-type'], whole.headers['cache-control']]).toEqual([
      200,
      'application/x-ndjson',
      'no-store',
    ]);
    const parsed = whole.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; data: object });
    expect(parsed.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
    expect(parsed.map(({ data }) => data)).toEqual(lines);
    expect(parsed[0]).toEqual({ seq: 1, type: 'assistant_message', ts: '2026-04-26T06:00:00.000Z', data: lines[0] });
    const tail = await read({ after: '299' });
    expect(JSON.parse(tail.text)).toEqual(parsed[299]);
    expect([(await read({ after: '300' })).status, (await read({ after: '300' })).text]).toEqual([200, '']);
    expect(codeOf(await read({ after: '-1' }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(codeOf(await read({}, none))).toEqual([404, 'NOT_FOUND']);
    expect((await app.request('GET', `${RUNS}/${id}`)).json.has_transcript).toBe(true);
  });

  test('a cleanup deletes what is old, with its transcript, and nothing that is still needed', async () => {
    const app = await database.open();
    await setUpModel(app, { run_retention_days: 10 });
    const workflow = await addWorkflow(app);
    const { instance } = app.app;
    const ago = (days: number): string => new Date(app.clock.now() - days * DAY_MS).toISOString();
    const over = (days: number): object => ({ started_at: ago(days), completed_at: ago(days) });
    const ids = await addRuns(app, workflow, [
      { operator_note: 'old', ...over(11) },
      { operator_note: 'old with a transcript', ...over(12) },
      { operator_note: 'skipped', ...over(40), status: 'skipped', skip_reason: 'concurrency' },
      { operator_note: 'running', started_at: ago(11), status: 'in_progress' },
      { operator_note: 'undecided', ...over(11) },
      { operator_note: 'decided', ...over(11) },
      { operator_note: 'young', ...over(9) },
    ]);
    await addLines(app, ids[1] as string, [{ text: 'x' }]);
    await app.write('test.proposals', async (tx) => {
      const json = { calls: '[]', counts: '{}', totals: '[]', fingerprint: 'none', change_count: 0 };
      for (const [at, status] of [
        [4, 'proposed'],
        [5, 'applied'],
      ] as const) {
        const made = { id: tx.ids.uuid(), short_id: tx.ids.shortId(), created_at: tx.now, proposed_at: tx.now };
        const of = { title: 'x', source: 'workflow', proposer_type: 'agent', proposer_name: 'W', expires_at: ago(-20) };
        await tx.q
          .insertInto('proposals')
          .values({ ...json, ...made, ...of, status, run_id: ids[at] as string, workflow_id: workflow.id })
          .execute();
      }
      const spent = { run_id: ids[0] as string, started_at: ago(31), cost_micros: 5 };
      await tx.q.insertInto('workflow_spending').values(spent).execute();
      await tx.q
        .insertInto('workflow_spending')
        .values({ ...spent, run_id: ids[1] as string, started_at: ago(12) })
        .execute();
    });
    const clean = async (): Promise<unknown> => (await app.request('POST', '/api/v1/workflows/cleanup')).json;
    await app.request('PATCH', '/api/v1/workflows/settings', { body: { run_retention_days: 0 } });
    expect(await clean()).toEqual({ runs_deleted: 0, transcripts_deleted: 0, retention_days: 0 });
    await app.request('PATCH', '/api/v1/workflows/settings', { body: { run_retention_days: 10 } });
    expect(await clean()).toEqual({ runs_deleted: 4, transcripts_deleted: 1, retention_days: 10 });
    expect(slugsOf(await list(app))).toEqual(['young', 'undecided', 'running']);
    expect(codeOf(await app.request('GET', `${RUNS}/${ids[1]}/transcript`))).toEqual([404, 'NOT_FOUND']);
    expect(await rowsOf(instance.database, 'select run_id from workflow_run_lines')).toEqual([]);
    await cleanUpNightly(instance);
    expect(await rowsOf(instance.database, 'select run_id from workflow_spending')).toEqual([{ run_id: ids[1] }]);
    expect(codeOf(await app.request('POST', '/api/v1/workflows/cleanup', { key: app.readOnlyKey }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});
