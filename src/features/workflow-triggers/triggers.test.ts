import { describe, expect, test } from 'vitest';

import { csvOf, importFile } from '../../../test/harness/bank-files.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../test/harness/made-up-provider.ts';
import { runASync } from '../../../test/harness/run-a-sync.ts';
import { scriptedModel, workOnRuns } from '../../../test/harness/runs.ts';
import { changeModels, setUpModel, start } from '../../../test/harness/started-runs.ts';
import { openSyncedHousehold } from '../../../test/harness/synced-household.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp, type TestDatabase } from '../../../test/harness/test-app.ts';
import { addWorkflow, type MadeWorkflow } from '../../../test/harness/workflow-rows.ts';
import { lookForStarts } from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface StoredRun {
  workflow_name: string;
  trigger: string;
  status: string;
  skip_reason: string | null;
  started_at: string;
}

async function runs(app: TestApp): Promise<StoredRun[]> {
  return rowsOf<StoredRun>(
    app.app.instance.database,
    'select workflow_name, trigger, status, skip_reason, started_at from workflow_runs order by started_at, workflow_name, id',
  );
}

/** When runs began, to the minute, and why some were skipped. */
async function starts(app: TestApp): Promise<string[]> {
  return (await runs(app)).map(({ started_at: at, skip_reason: reason }) =>
    reason === null ? at.slice(0, 16) : `${at.slice(0, 16)} ${reason}`,
  );
}

async function look(app: TestApp): Promise<void> {
  await lookForStarts(app.app.instance);
}

/** Lets time pass, as a process that looks every so often. Runs end before the next look. */
async function pass(app: TestApp, until: string, step = 5 * MINUTE): Promise<void> {
  while (app.clock.now() < Date.parse(until)) {
    app.clock.advance(Math.min(step, Date.parse(until) - app.clock.now()));
    await look(app);
    await endAll(app);
  }
}

async function endAll(app: TestApp): Promise<void> {
  if ((await runs(app)).every(({ status }) => status !== 'in_progress')) return;
  await app.write('test.end', async (tx) => {
    const ended = { status: 'success', completed_at: tx.now };
    await tx.q.updateTable('workflow_runs').set(ended).where('status', '=', 'in_progress').execute();
  });
}

async function put(app: TestApp, key: string, value: string): Promise<void> {
  const answer = await app.request('PUT', `/api/v1/config/${key}`, { body: { value } });
  expect(answer.status, answer.text).toBe(200);
}

async function patch(app: TestApp, { id }: MadeWorkflow, body: object): Promise<void> {
  const answer = await app.request('PATCH', `/api/v1/workflows/${id}`, { body });
  expect(answer.status, answer.text).toBe(200);
}

async function opened(database: TestDatabase, at: string, zone = 'Europe/Amsterdam'): Promise<TestApp> {
  const app = await database.open();
  await addMember(app, 'Ana');
  app.clock.set(at);
  await put(app, 'instance.timezone', zone);
  await setUpModel(app);
  return app;
}

const scheduled = (app: TestApp, cron: string, fields: object = {}) =>
  addWorkflow(app, { name: cron.replaceAll(/[^\d]/g, 'x'), enabled: true, schedule_cron: cron, ...fields });
const listening = (app: TestApp, fields: object = {}) =>
  addWorkflow(app, { enabled: true, trigger_on_sync_complete: true, ...fields });

let lastRow = 0;

/** An import that adds a row. */
async function importRow(app: TestApp): Promise<void> {
  const file = csvOf(`2026-01-02 SHOP${(lastRow += 1)} -3.50`);
  const answer = await importFile(app, file, { account_name: `Account ${lastRow}` });
  expect(answer.status, answer.text).toBe(201);
}

forEachDatabase((database) => {
  /** Only servers let several processes write. */
  async function lookTogether(...apps: readonly TestApp[]): Promise<void> {
    if (database.name === 'PostgreSQL') await Promise.all([...apps, ...apps].map(look));
    else for (const app of [...apps, ...apps]) await look(app);
  }

  describe('a schedule', () => {
    test('starts its workflow once for each occurrence, also where clocks change', async () => {
      const app = await opened(database, '2026-03-27T12:00:00.000Z');
      await scheduled(app, '30 2 * * *');
      await look(app);
      for (const day of ['03-28', '03-29', '03-30', '10-24', '10-25', '10-26']) {
        app.clock.set(`2026-${day}T00:00:00.000Z`);
        await pass(app, `2026-${day}T02:00:00.000Z`, 20 * MINUTE);
      }
      expect(await starts(app)).toEqual([
        '2026-03-28T01:40',
        // 02:30 does not exist: 03:00 is next.
        '2026-03-29T01:00',
        '2026-03-30T00:40',
        // This one was missed.
        '2026-10-24T00:20',
        '2026-10-24T00:40',
        // 02:30 comes twice.
        '2026-10-25T00:40',
        '2026-10-26T01:40',
      ]);
    });

    test('has no occurrences in quiet hours, while paused, and while workflows are switched off', async () => {
      const app = await opened(database, '2026-07-01T12:00:00.000Z', 'UTC');
      const quiet = { quiet_hours_start: '22:00', quiet_hours_end: '07:00' };
      const workflow = await scheduled(app, '0 * * * *', quiet);
      await look(app);
      await pass(app, '2026-07-01T13:30:00.000Z', 10 * MINUTE);
      await changeModels(app, { enabled: false });
      await pass(app, '2026-07-01T15:30:00.000Z', 10 * MINUTE);
      await changeModels(app, { enabled: true });
      await pass(app, '2026-07-01T17:30:00.000Z', 10 * MINUTE);
      await app.request('POST', `/api/v1/workflows/${workflow.id}/disable`);
      await pass(app, '2026-07-01T19:30:00.000Z', 10 * MINUTE);
      // It can still be run by hand.
      expect((await start(app, workflow)).status).toBe(201);
      await app.request('POST', `/api/v1/workflows/${workflow.id}/enable`);
      await endAll(app);
      await pass(app, '2026-07-02T08:30:00.000Z', 10 * MINUTE);
      expect((await runs(app)).map(({ trigger, started_at: at }) => `${trigger} ${at.slice(8, 16)}`)).toEqual([
        'cron 01T13:00',
        'cron 01T16:00',
        'cron 01T17:00',
        'manual 01T19:30',
        'cron 01T20:00',
        'cron 01T21:00',
        'cron 02T07:00',
        'cron 02T08:00',
      ]);
    });

    test('that was missed is made up for once, if it is not a day old and not quiet', async () => {
      const app = await opened(database, '2026-07-01T12:30:00.000Z', 'UTC');
      await scheduled(app, '0 */6 * * *', { name: 'often' });
      await scheduled(app, '0 7 * * *', { name: 'daily', quiet_hours_start: '20:00', quiet_hours_end: '06:00' });
      await scheduled(app, '0 7 * * MON', { name: 'weekly' });
      const restartAt = async (at: string): Promise<string[]> => {
        const before = (await runs(app)).length;
        app.clock.set(at);
        const again = await app.again();
        await look(again);
        await look(again);
        await endAll(again);
        await again.close();
        return (await runs(app)).slice(before).map(({ workflow_name: name }) => name);
      };
      expect(await restartAt('2026-07-02T10:00:00.000Z')).toEqual(['daily', 'often']);
      expect(await restartAt('2026-07-02T11:00:00.000Z')).toEqual([]);
      // Quiet: the run of seven o'clock is not made up for, later neither.
      expect(await restartAt('2026-07-03T21:00:00.000Z')).toEqual(['often']);
      expect(await restartAt('2026-07-04T06:30:00.000Z')).toEqual(['often']);
      // Monday the 6th at seven is a day ago.
      expect(await restartAt('2026-07-07T07:00:00.000Z')).toEqual(['daily', 'often']);
      expect(await restartAt('2026-07-14T06:59:00.000Z')).toEqual(['daily', 'often', 'weekly']);
    });

    test('begins anew when it is changed, its deletion is undone, or the time zone changes', async () => {
      const app = await opened(database, '2026-07-01T10:00:00.000Z', 'UTC');
      const workflow = await scheduled(app, '0 9 * * *');
      await look(app);
      app.clock.set('2026-07-01T10:05:00.000Z');
      await look(app);
      await patch(app, workflow, { schedule_cron: '0 10 * * *' });
      await look(app);
      app.clock.set('2026-07-01T20:00:00.000Z');
      await look(app);
      // It has been ten o'clock there since the schedule was changed.
      await put(app, 'instance.timezone', 'America/New_York');
      await look(app);
      await put(app, 'instance.timezone', 'Asia/Tokyo');
      await look(app);
      expect(await starts(app)).toEqual([]);
      // Ten o'clock in Tokyo. The next day it passes while the workflow is deleted.
      await pass(app, '2026-07-02T01:00:00.000Z', HOUR);
      expect(await starts(app)).toEqual(['2026-07-02T01:00']);
      expect((await app.request('DELETE', `/api/v1/workflows/${workflow.id}`)).status).toBe(204);
      app.clock.set('2026-07-03T02:00:00.000Z');
      const { json } = await app.request('GET', '/api/v1/change-sets', { query: { action: 'workflow.delete' } });
      const undone = await app.request('POST', `/api/v1/change-sets/${json.change_sets[0].id}/revert`);
      expect(undone.status, undone.text).toBe(200);
      await look(app);
      expect(await starts(app)).toHaveLength(1);
      await pass(app, '2026-07-04T01:00:00.000Z', HOUR);
      expect((await starts(app)).slice(1)).toEqual(['2026-07-04T01:00']);
    });

    test('outlives a clock that was wrong', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      await scheduled(app, '0 7 * * *');
      await look(app);
      // Two hours fast for a while: the occurrence that it then saw is not repeated.
      await pass(app, '2026-07-01T08:30:00.000Z', HOUR);
      app.clock.set('2026-07-01T06:45:00.000Z');
      await pass(app, '2026-07-01T12:00:00.000Z', HOUR);
      expect(await starts(app)).toEqual(['2026-07-01T07:30']);
      // A year fast: it does not wait for the year to pass.
      app.clock.set('2027-07-01T06:00:00.000Z');
      await look(app);
      await endAll(app);
      app.clock.set('2026-07-01T13:00:00.000Z');
      await look(app);
      const before = (await starts(app)).length;
      await pass(app, '2026-07-03T12:00:00.000Z', HOUR);
      expect((await starts(app)).filter((at) => at.startsWith('2026')).slice(1)).toEqual([
        '2026-07-02T07:00',
        '2026-07-03T07:00',
      ]);
      expect(await starts(app)).toHaveLength(before + 2);
    });

    test('leaves a row that says why when no model is set up, or it still runs', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      await scheduled(app, '0 * * * *');
      await changeModels(app, { provider: null });
      app.clock.set('2026-07-01T07:00:00.000Z');
      await look(app);
      await look(app);
      await setUpModel(app);
      for (const hour of ['08', '09']) {
        app.clock.set(`2026-07-01T${hour}:00:00.000Z`);
        await look(app);
      }
      expect(await starts(app)).toEqual([
        '2026-07-01T07:00 model_not_configured',
        '2026-07-01T08:00',
        '2026-07-01T09:00 already_running',
      ]);
    });

    test('starts one run where two processes look at the same time', async () => {
      const app = await opened(database, '2026-07-01T06:30:00.000Z', 'UTC');
      const other = await app.again();
      for (const minute of [10, 20, 30]) await scheduled(app, `${minute} * * * *`, { name: `At ${minute}` });
      await changeModels(app, { max_concurrent: 10 });
      await lookTogether(app, other);
      for (let hour = 7; hour < 10; hour += 1) {
        app.clock.set(`2026-07-01T0${hour}:45:00.000Z`);
        await lookTogether(app, other);
        await endAll(app);
      }
      expect((await runs(app)).map(({ workflow_name: name, status }) => `${name} ${status}`)).toEqual(
        [7, 8, 9].flatMap(() => ['At 10 success', 'At 20 success', 'At 30 success']),
      );
    });
  });

  describe('an import', () => {
    test('starts a workflow at once; what comes in the next 15 minutes is left to one more start', async () => {
      for (const count of [2, 10]) {
        const app = await opened(database, '2026-07-01T08:00:00.000Z');
        await listening(app, { max_duration_seconds: 7200 });
        await importRow(app);
        await look(app);
        await endAll(app);
        for (let i = 1; i < count; i += 1) {
          app.clock.set(count === 2 ? '2026-07-01T08:05:00.000Z' : `2026-07-01T08:0${i}:00.000Z`);
          await importRow(app);
          await look(app);
        }
        const again = await app.again();
        await pass(again, '2026-07-01T08:15:00.000Z', 5 * MINUTE);
        await pass(again, '2026-07-01T10:00:00.000Z', 15 * MINUTE);
        expect(await starts(app)).toEqual(['2026-07-01T08:00', '2026-07-01T08:15']);
        const [run] = await rowsOf<{ definition: string }>(
          app.app.instance.database,
          `select definition from workflow_runs limit 1`,
        );
        expect(JSON.parse(run?.definition ?? '{}')).toMatchObject({ caps: { maxDurationMs: 1_800_000 } });
      }
    });

    test('that adds and updates nothing, is only a preview, is sent again, or is undone starts nothing', async () => {
      const app = await opened(database, '2026-07-01T08:00:00.000Z');
      const file = csvOf('2026-01-02 SHOP -3.50', '2026-01-03 SHOP -4.50');
      const fields = { account_name: 'Giro' };
      const headers = { 'idempotency-key': 'import-once' };
      await importFile(app, csvOf('2026-01-01 BEFORE -1.00'), fields);
      await listening(app);
      await look(app);
      await importFile(app, file, { ...fields, dry_run: true });
      await look(app);
      expect(await starts(app)).toEqual([]);
      const made = await importFile(app, file, fields, { headers });
      expect(made.status, made.text).toBe(201);
      await pass(app, '2026-07-01T09:00:00.000Z');
      expect(await starts(app)).toEqual(['2026-07-01T08:05']);
      await importFile(app, file, fields, { headers });
      await importFile(app, `${file}\n`, { ...fields, on_duplicate: 'allow' });
      const undone = await app.request('POST', `/api/v1/change-sets/${made.json.import.change_set_id}/revert`);
      expect(undone.status, undone.text).toBe(200);
      await pass(app, '2026-07-01T11:00:00.000Z', 10 * MINUTE);
      expect(await starts(app)).toHaveLength(1);
    });

    test('in quiet hours leaves one row, and one run at their end, also after a restart', async () => {
      const app = await opened(database, '2026-07-01T19:55:00.000Z');
      await listening(app, { quiet_hours_start: '22:00', quiet_hours_end: '07:00' });
      app.clock.set('2026-07-01T20:30:00.000Z');
      await importRow(app);
      await look(app);
      await pass(app, '2026-07-02T01:00:00.000Z', HOUR);
      await importRow(app);
      await pass(app, '2026-07-02T02:00:00.000Z', HOUR);
      const again = await app.again();
      await pass(again, '2026-07-02T12:00:00.000Z', 30 * MINUTE);
      expect(await starts(app)).toEqual(['2026-07-01T20:30 quiet_hours', '2026-07-02T05:00']);
    });

    test('while the workflow runs is made up for when it has ended', async () => {
      const app = await opened(database, '2026-07-01T08:00:00.000Z');
      const workflow = await listening(app);
      expect((await start(app, workflow)).status).toBe(201);
      for (const minute of [20, 25]) {
        app.clock.set(`2026-07-01T08:${minute}:00.000Z`);
        await importRow(app);
        await look(app);
      }
      app.clock.set('2026-07-01T08:28:00.000Z');
      await endAll(app);
      await pass(app, '2026-07-01T09:30:00.000Z', MINUTE);
      expect(await starts(app)).toEqual(['2026-07-01T08:00', '2026-07-01T08:20 already_running', '2026-07-01T08:29']);
    });

    test('starts nothing for a workflow that was paused, deleted, or enabled since, nor while all are switched off', async () => {
      const app = await opened(database, '2026-07-01T08:00:00.000Z');
      const paused = await listening(app, { name: 'Paused' });
      const deleted = await listening(app, { name: 'Deleted' });
      const late = await addWorkflow(app, { name: 'Late', trigger_on_sync_complete: true });
      await importRow(app);
      app.clock.advance(1);
      await app.request('POST', `/api/v1/workflows/${paused.id}/disable`);
      await app.request('DELETE', `/api/v1/workflows/${deleted.id}`);
      await app.request('POST', `/api/v1/workflows/${late.id}/enable`);
      await look(app);
      await changeModels(app, { enabled: false });
      await importRow(app);
      await look(app);
      await changeModels(app, { enabled: true });
      await pass(app, '2026-07-01T09:00:00.000Z');
      expect(await starts(app)).toEqual([]);
      // What was kept for a workflow ends when it is paused.
      await importRow(app);
      await look(app);
      await endAll(app);
      app.clock.advance(MINUTE);
      await importRow(app);
      await look(app);
      await app.request('POST', `/api/v1/workflows/${late.id}/disable`);
      await app.request('POST', `/api/v1/workflows/${late.id}/enable`);
      await pass(app, '2026-07-01T10:00:00.000Z');
      expect(await starts(app)).toEqual(['2026-07-01T09:00']);
    });

    test('starts first whichever workflow ran longest ago, and says which found no room', async () => {
      const app = await opened(database, '2026-07-01T08:00:00.000Z');
      await changeModels(app, { max_concurrent: 2 });
      for (const name of ['A', 'B', 'C']) await listening(app, { name });
      for (const hour of ['09', '10', '11']) {
        app.clock.set(`2026-07-01T${hour}:00:00.000Z`);
        await importRow(app);
        await look(app);
        await endAll(app);
      }
      const skipped = (await runs(app)).filter(({ status }) => status === 'skipped');
      expect(skipped.map(({ workflow_name: name, skip_reason: reason }) => `${name} ${reason}`)).toEqual([
        'C concurrency',
        'B concurrency',
        'C concurrency',
      ]);
    });

    test('is worked off once, whatever breaks in between, by whichever process looks first', async () => {
      const app = await opened(database, '2026-07-01T08:00:00.000Z');
      const other = await app.again();
      await listening(app);
      await importRow(app);
      const { database: storage } = app.app.instance;
      const failing: typeof app.app.instance = {
        ...app.app.instance,
        database: {
          ...storage,
          writeBare: async (fn, beforeCommit) =>
            storage.writeBare(fn, async (tx) => {
              await beforeCommit(tx);
              throw new Error('The process died before the commit.');
            }),
        },
      };
      await expect(lookForStarts(failing)).rejects.toThrow('died');
      expect(await starts(app)).toEqual([]);
      await lookTogether(other, app);
      await endAll(app);
      await pass(app, '2026-07-01T09:00:00.000Z');
      expect(await starts(app)).toEqual(['2026-07-01T08:00']);
    });
  });

  test('a sync that added or changed rows starts a workflow, one that did not starts none', async () => {
    const { app, plaid, connect } = await openSyncedHousehold(database, {
      standInModel: () => scriptedModel({ text: 'Done.' }),
    });
    await setUpModel(app);
    await listening(app);
    const connection = await connect();
    const account = accountOf('checking');
    const sync = async (names: readonly string[]) => {
      const rows = names.map((name) => rowOf('row', { externalAccountId: account.externalId, name }));
      plaid.answers = [{ parts: [pageOf(rows)], outcome: { state: itemOf([account]), position: 'p' } }];
      const log = await runASync(app, connection.id);
      await workOnRuns(app);
      app.clock.advance(HOUR);
      return [log.status, log.added_count + log.modified_count, (await runs(app)).length];
    };
    expect(await sync(['Bakery'])).toEqual(['success', 1, 1]);
    expect(await sync([])).toEqual(['success', 0, 1]);
    expect(await sync(['Baker'])).toEqual(['success', 1, 2]);
    expect(await runs(app)).toMatchObject([
      { trigger: 'after_sync', status: 'success' },
      { trigger: 'after_sync', status: 'success' },
    ]);
  });
});
