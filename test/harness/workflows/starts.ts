import { expect } from 'vitest';

import { lookForStarts } from '../../../src/features/workflow-triggers/index.ts';
import { addMember } from '../ledger.ts';
import { rowsOf } from '../table-rows.ts';
import type { TestApp, TestDatabase } from '../test-app.ts';
import { setUpModel } from './started-runs.ts';
import { addWorkflow, type MadeWorkflow } from './workflow-rows.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

interface StoredRun {
  workflow_name: string;
  trigger: string;
  status: string;
  skip_reason: string | null;
  started_at: string;
}

export async function runs(app: TestApp): Promise<StoredRun[]> {
  return rowsOf<StoredRun>(
    app.app.instance.database,
    'select workflow_name, trigger, status, skip_reason, started_at from workflow_runs order by started_at, workflow_name, id',
  );
}

/** When runs began, to the minute, and why some were skipped. */
export async function starts(app: TestApp): Promise<string[]> {
  return (await runs(app)).map(({ started_at: at, skip_reason: reason }) =>
    reason === null ? at.slice(0, 16) : `${at.slice(0, 16)} ${reason}`,
  );
}

export async function look(app: TestApp): Promise<void> {
  await lookForStarts(app.app.instance);
}

/** Lets time pass, as a process that looks every so often. Runs end before the next look. */
export async function pass(app: TestApp, until: string, step = 5 * MINUTE): Promise<void> {
  while (app.clock.now() < Date.parse(until)) {
    app.clock.advance(Math.min(step, Date.parse(until) - app.clock.now()));
    await look(app);
    await endAll(app);
  }
}

export async function endAll(app: TestApp): Promise<void> {
  if ((await runs(app)).every(({ status }) => status !== 'in_progress')) return;
  await app.write('test.end', async (tx) => {
    const ended = { status: 'success', completed_at: tx.now };
    await tx.q.updateTable('workflow_runs').set(ended).where('status', '=', 'in_progress').execute();
  });
}

export async function put(app: TestApp, key: string, value: string): Promise<void> {
  const answer = await app.request('PUT', `/api/v1/config/${key}`, { body: { value } });
  expect(answer.status, answer.text).toBe(200);
}

export async function patch(app: TestApp, { id }: MadeWorkflow, body: object): Promise<void> {
  const answer = await app.request('PATCH', `/api/v1/workflows/${id}`, { body });
  expect(answer.status, answer.text).toBe(200);
}

export async function opened(database: TestDatabase, at: string, zone = 'Europe/Amsterdam'): Promise<TestApp> {
  const app = await database.open();
  await addMember(app, 'Ana');
  app.clock.set(at);
  await put(app, 'instance.timezone', zone);
  await setUpModel(app);
  return app;
}

export const scheduled = (app: TestApp, cron: string, fields: object = {}) =>
  addWorkflow(app, { name: cron.replaceAll(/[^\d]/g, 'x'), enabled: true, schedule_cron: cron, ...fields });
export const listening = (app: TestApp, fields: object = {}) =>
  addWorkflow(app, { enabled: true, trigger_on_sync_complete: true, ...fields });

/** Processes that look at the same time; only servers let several write. */
export async function lookTogether(...apps: readonly TestApp[]): Promise<void> {
  if (apps[0]?.app.instance.database.engineName === 'postgres') await Promise.all([...apps, ...apps].map(look));
  else for (const app of [...apps, ...apps]) await look(app);
}
