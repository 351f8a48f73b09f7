import { expect, test } from 'vitest';

import { csvOf, importFile } from '../harness/bank-files/bank-files.ts';
import { eventually } from '../harness/eventually.ts';
import { endImport, startEndlessImport } from '../harness/bank-files/import-queue.ts';
import { addMember } from '../harness/ledger.ts';
import { runProgram } from '../harness/programs/program.ts';
import { allRows } from '../harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const ROWS = 1_200;
const POINTS = ['import:accepted', 'import:matched', 'import:rows-written', 'import:before-commit'];
/** What may differ: the record of the attempt, and bookkeeping of keys and running servers. */
const RECORDS = ['imports', 'api_key_uses', 'idempotent_answers', 'leases'];

const FILE = [
  'Date,Description,Amount,Currency,Balance',
  ...Array.from({ length: ROWS }, (_value, index) => {
    const date = new Date(Date.UTC(2025, 0, 1) + Math.floor(index / 4) * 86_400_000).toISOString().slice(0, 10);
    return `${date},Payment ${index},-1.00,EUR,${(5_000 - index - 1).toFixed(2)}`;
  }),
].join('\n');
const BODY = { csv_base64: Buffer.from(FILE).toString('base64'), account_name: 'Checking', sign: 'positive_is_in' };

forEachDatabase((database) => {
  async function furnished(): Promise<TestApp> {
    const app = await database.open();
    await addMember(app, 'Ada');
    return app;
  }

  async function importAndDie(app: TestApp, point: string, workers: number): Promise<void> {
    const words = ['test/crash/import-file.ts', point, String(workers), app.key, JSON.stringify(BODY)];
    const { signal, out, err } = await runProgram(words, { env: app.env });
    expect([point, signal, out], err).toEqual([point, 'SIGKILL', '']);
  }

  test.for(POINTS)('an import killed at %s leaves nothing but its record, and can be made again', async (point) => {
    const app = await furnished();
    await app.close();
    const before = await app.again();
    const rows = await allRows(before.app.instance.database, RECORDS);
    await before.close();
    await importAndDie(app, point, 0);

    const later = await app.again({ env: { PORT: '0' } });
    await later.app.listen();
    expect(await allRows(later.app.instance.database, RECORDS)).toEqual(rows);
    expect((await later.request('GET', '/api/v1/transactions/count')).json).toMatchObject({ count: 0 });
    expect((await later.request('GET', '/api/v1/accounts')).json).toEqual([]);
    const [record] = (await later.request('GET', '/api/v1/imports')).json.imports;
    expect(record).toMatchObject({ status: 'failed', error: { code: 'UNAVAILABLE' }, change_set_id: null });
    expect(record.finished_at).not.toBeNull();

    const again = await later.request('POST', '/api/v1/connections/csv/import', { body: BODY });
    expect([again.status, again.json.import?.counts?.added], again.text.slice(0, 500)).toEqual([201, ROWS]);
    expect((await later.request('GET', '/api/v1/transactions/count')).json).toMatchObject({ count: ROWS });
    expect((await later.request('GET', '/api/v1/accounts')).json).toHaveLength(1);
    const names = await allNames(later);
    expect(new Set(names).size).toBe(ROWS);
  });

  test('an import whose process dies while it waits does not hold up others', async () => {
    const app = await furnished();
    const first = await startEndlessImport(app);
    await importAndDie(app, 'import:accepted', 0);
    const queued = async (): Promise<{ id: string }[]> =>
      (await app.request('GET', '/api/v1/imports', { query: { status: 'queued' } })).json.imports;
    const [dead] = await queued();
    const waiting = importFile(app, csvOf('2026-02-02 TEA -1.00'), { account_name: 'Other' });
    await eventually(async () => {
      expect((await queued()).map(({ id }) => id)).not.toEqual([dead?.id]);
    });
    await endImport(app, first);
    const done = await waiting;
    expect([done.status, done.json.imported_transactions]).toEqual([201, 1]);
    expect((await app.request('GET', `/api/v1/imports/${dead?.id}`)).json).toMatchObject({
      status: 'failed',
      error: { code: 'UNAVAILABLE' },
      counts: { total: ROWS, added: 0 },
      started_at: null,
      change_set_id: null,
    });
    const again = await app.request('POST', '/api/v1/connections/csv/import', { body: BODY });
    expect([again.status, again.json.import?.counts?.added]).toEqual([201, ROWS]);
  });

  test('a process that dies during an import in a thread costs other processes nothing', async () => {
    const app = await furnished();
    await importAndDie(app, 'import:before-commit', 1);
    const done = await app.request('POST', '/api/v1/connections/csv/import', { body: BODY });
    expect([done.status, done.json.import?.counts?.added], done.text.slice(0, 500)).toEqual([201, ROWS]);
  });
});

async function allNames(app: TestApp): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const query = { limit: 500, ...(cursor === '' ? {} : { cursor }) };
    const page = (await app.request('GET', '/api/v1/transactions', { query })).json;
    names.push(...page.transactions.map((row: { name: string }) => row.name));
    if (page.has_more !== true) return names;
    cursor = page.next_cursor;
  }
}
