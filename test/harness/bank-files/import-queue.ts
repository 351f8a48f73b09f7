import { renewWorkLease, takeWorkLease, type Work } from '../../../src/features/work-leases.ts';
import { eventually } from '../eventually.ts';
import type { TestApp } from '../test-app.ts';
import { csvOf, importFile } from './bank-files.ts';

const FILE = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00');

/** Starts an import that goes on until `endImport`, so that others wait for it. Returns its id. */
export async function startEndlessImport(app: TestApp): Promise<string> {
  const { id } = (await importFile(app, FILE, { account_name: 'Lasting' })).json.import;
  await resumeImport(app, id, 'running');
  return id;
}

/** Makes an import that has ended look queued or running again, in the hands of this app. */
export async function resumeImport(app: TestApp, id: string, status: 'queued' | 'running'): Promise<void> {
  const holder = await app.app.instance.database.presence();
  await app.write('test.lasting', async (tx) => {
    await tx.q.updateTable('imports').set({ status, finished_at: null }).where('id', '=', id).execute();
    await takeWorkLease(tx, { kind: 'import', id }, holder);
  });
}

/** Renews a lease, as the process does that works on it. */
export async function keepLease(app: TestApp, work: Work): Promise<void> {
  await app.write('test.keep', (tx) => renewWorkLease(tx, work));
}

/** Lets leases of imports or jobs lapse, as if their holder had not been seen for long. `work` is a name or its pattern. */
export async function lapse(app: TestApp, work: string): Promise<void> {
  await app.write('test.lapse', async (tx) => {
    const expires_at = '2000-01-01T00:00:00.000Z';
    await tx.q.updateTable('leases').set({ expires_at }).where('name', 'like', work).execute();
  });
}

/** Ends such an import, so that the next one in the queue has its turn. */
export async function endImport(app: TestApp, id: string): Promise<void> {
  await app.write('test.end', async (tx) => {
    await tx.q.updateTable('imports').set({ status: 'failed' }).where('id', '=', id).execute();
  });
}

/** Waits for the end of an import and returns its record. */
export async function endedImport(app: TestApp, id: string) {
  return eventually(async () => {
    const { json } = await app.request('GET', `/api/v1/imports/${id}`);
    if (json.status === 'running' || json.status === 'queued') throw new Error('still under way');
    return json;
  });
}
