import fc from 'fast-check';
import { expect, test } from 'vitest';

import { setUpModel, start } from '../../../test/harness/workflows/started-runs.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addWorkflow, type MadeWorkflow } from '../../../test/harness/workflows/workflow-rows.ts';
import { lookForStarts, noteCause } from './index.ts';

const MINUTE = 60_000;
const PAUSE = 15 * MINUTE;
const QUIET = { quiet_hours_start: '01:00', quiet_hours_end: '03:30' };

type Event =
  | { kind: 'cause' | 'look' | 'other process' | 'end' | 'by hand' | 'pause' | 'enable' }
  | { kind: 'wait'; minutes: number };

const events = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Event>({ kind: 'cause' }) },
    { weight: 4, arbitrary: fc.constant<Event>({ kind: 'look' }) },
    { weight: 2, arbitrary: fc.constant<Event>({ kind: 'other process' }) },
    { weight: 3, arbitrary: fc.constant<Event>({ kind: 'end' }) },
    { weight: 1, arbitrary: fc.constantFrom<Event>({ kind: 'by hand' }, { kind: 'pause' }, { kind: 'enable' }) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(1, 4, 14, 15, 16, 60, 200).map((minutes): Event => ({ kind: 'wait', minutes })),
    },
  ),
  { minLength: 5, maxLength: 30 },
);

interface StoredRun {
  trigger: string;
  status: string;
  skip_reason: string | null;
  started_at: string;
}

async function runsOf({ app: { instance } }: TestApp, { id }: MadeWorkflow): Promise<StoredRun[]> {
  return rowsOf<StoredRun>(
    instance.database,
    `select trigger, status, skip_reason, started_at from workflow_runs where workflow_id = '${id}' order by started_at, id`,
  );
}

async function endRun(app: TestApp, { id }: MadeWorkflow): Promise<void> {
  await app.write('test.end', async (tx) => {
    const ended = { status: 'success', completed_at: tx.now };
    await tx.q
      .updateTable('workflow_runs')
      .set(ended)
      .where('workflow_id', '=', id)
      .where('status', '=', 'in_progress')
      .execute();
  });
}

/** What happens, and the causes that the workflow must not leave out. */
async function live(
  app: TestApp,
  other: TestApp,
  workflow: MadeWorkflow,
  history: readonly Event[],
): Promise<number[]> {
  let owed: number[] = [];
  let isEnabled = true;
  const change = (action: 'enable' | 'disable') => app.request('POST', `/api/v1/workflows/${workflow.id}/${action}`);
  for (const event of history) {
    // Nothing happens at the very same time.
    app.clock.advance(1);
    if (event.kind === 'wait') app.clock.advance(event.minutes * MINUTE);
    if (event.kind === 'look') await lookForStarts(app.app.instance);
    if (event.kind === 'other process') await lookForStarts(other.app.instance);
    if (event.kind === 'end') await endRun(app, workflow);
    if (event.kind === 'by hand') await start(app, workflow);
    if (event.kind === 'pause') [owed, isEnabled] = [[], (await change('disable')).json.enabled];
    if (event.kind === 'enable') isEnabled = (await change('enable')).json.enabled;
    if (event.kind === 'cause') {
      await app.write('test.cause', async (tx) => {
        const cause = { id: tx.ids.uuid(), kind: 'import' as const, happenedAt: tx.now };
        await noteCause(tx, app.app.instance, cause);
        await noteCause(tx, app.app.instance, cause);
      });
      if (isEnabled) owed.push(app.clock.now());
    }
  }
  // Afterwards it is left alone for a day.
  for (let i = 0; i < 30; i += 1) {
    app.clock.advance(i < 10 ? 10 * MINUTE : 50 * MINUTE);
    await lookForStarts((i % 2 === 0 ? app : other).app.instance);
    await endRun(app, workflow);
  }
  return owed;
}

function isQuiet(at: number): boolean {
  const time = new Date(at).toISOString().slice(11, 16);
  return time >= QUIET.quiet_hours_start && time < QUIET.quiet_hours_end;
}

forEachDatabase((database) => {
  test('every import is followed by a run, and none is started too soon, too often, or when it is quiet', async () => {
    const app = await database.open();
    const other = await app.again();
    await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'UTC' } });
    await setUpModel(app);
    let round = 0;
    const lives = fc.asyncProperty(events, fc.boolean(), async (history, isQuietAtNight) => {
      const fields = { name: `W${(round += 1)}`, enabled: true, trigger_on_sync_complete: true };
      const workflow = await addWorkflow(app, { ...fields, ...(isQuietAtNight ? QUIET : {}) });
      const owed = await live(app, other, workflow, history);
      const all = await runsOf(app, workflow);
      expect((await app.request('DELETE', `/api/v1/workflows/${workflow.id}`)).status).toBe(204);
      const began = all.filter(({ status }) => status !== 'skipped');
      const times = began.map(({ started_at: at }) => Date.parse(at));
      for (const at of owed)
        expect(
          times.some((time) => time >= at),
          new Date(at).toISOString(),
        ).toBe(true);
      began.forEach(({ trigger }, i) => {
        if (trigger === 'manual') return;
        const time = times[i] as number;
        expect(i === 0 || time - (times[i - 1] as number) >= PAUSE).toBe(true);
        expect(isQuietAtNight && isQuiet(time)).toBe(false);
      });
      const causes = history.filter(({ kind }) => kind === 'cause').length;
      expect(began.filter(({ trigger }) => trigger === 'after_sync').length).toBeLessThanOrEqual(causes);
      expect(all.filter(({ skip_reason: reason }) => reason !== null).length).toBeLessThanOrEqual(2 * causes);
    });
    await fc.assert(lives, { numRuns: database.name === 'SQLite' ? 20 : 5 });
  });
});
