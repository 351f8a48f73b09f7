import { describe, expect, test } from 'vitest';

import { csvOf, importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { scriptedModel, workOnRuns } from '../../../test/harness/workflows/runs.ts';
import { changeModels, setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import {
  HOUR,
  MINUTE,
  endAll,
  listening,
  look,
  lookTogether,
  opened,
  pass,
  runs,
  starts,
} from '../../../test/harness/workflows/starts.ts';
import { openSyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { lookForStarts } from './index.ts';

let lastRow = 0;

/** An import that adds a row. */
async function importRow(app: TestApp): Promise<void> {
  const file = csvOf(`2026-01-02 SHOP${(lastRow += 1)} -3.50`);
  const answer = await importFile(app, file, { account_name: `Account ${lastRow}` });
  expect(answer.status, answer.text).toBe(201);
}

forEachDatabase((database) => {
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
