import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { sampleLedger } from '../../../test/harness/ledgers/sample-ledger.ts';
import { addChannel } from '../../../test/harness/servers/notifications.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import type { Database } from '../../db/unit-of-work.ts';
import { rowOf, lineOf, type BackupRow } from './backup-format.ts';
import { BACKED_UP } from './backed-up-tables.ts';
import { findBackup, listBackups } from './backup-files.ts';
import { installationId } from './backup-place.ts';
import { makeBackup } from './make-backup.ts';
import { fillLedger, openScratch } from './scratch-ledger.ts';

test('a row is the same after it was written and read', () => {
  const row = {
    text: 'Käse\n"\u0000\u2028 👩‍👩‍👧 {"base64":"x"}',
    none: null,
    most: Number.MAX_SAFE_INTEGER,
    least: -Number.MAX_SAFE_INTEGER,
    bytes: new Uint8Array([0, 255, 10, 13]),
  };
  expect(rowOf(lineOf(row).slice(0, -1))).toEqual(row);
  for (const bad of ['1', '[]', 'null', '{"a":1.5}', '{"a":true}', '{"a":{}}', '{"a":9007199254740993}', '{']) {
    expect(() => rowOf(bad)).toThrow('The backup cannot be used');
  }
});

/** Every row that a backup should hold, the same for both kinds of database. */
async function keptRows(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [table, treatment] of Object.entries(BACKED_UP)) {
    if (treatment !== 'kept') continue;
    const rows = await rowsOf<BackupRow>(database, `select * from ${table}`);
    found[table] = rows
      .map(({ trigrams: _index, ...row }) =>
        lineOf(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
      )
      .toSorted();
  }
  return found;
}

forEachDatabase((database) => {
  async function ledger(): Promise<TestApp> {
    const app = await database.open();
    await sampleLedger(app);
    await addChannel(app, { format: 'gotify', url: 'https://gotify.invalid', token: 'channel-token' });
    return app;
  }
  const dataDir = (app: TestApp): string => String(app.env['HOMELEDGER_DATA_DIR']);
  const backups = (app: TestApp): string => join(dataDir(app), 'backups');

  test('a backup of one instant holds every row of it, whatever is written meanwhile', async () => {
    const app = await ledger();
    const { instance } = app.app;
    // The first backup gives the household its id.
    await installationId(instance);
    const before = await keptRows(instance.database);
    let writes: Promise<unknown> | undefined;
    const made = await makeBackup(instance, {
      kind: 'manual',
      lock: null,
      onProgress: (percent) => {
        if (percent < 50) writes ??= addChannel(app, { format: 'gotify', url: 'https://late.invalid', token: 'late' });
      },
    });
    await writes;
    const scratch = await openScratch(dataDir(app), 'a', instance);
    const bytes = readFileSync(made.path);
    await fillLedger(
      scratch.database,
      (async function* () {
        yield bytes;
      })(),
      null,
    );
    expect(await keptRows(scratch.database)).toEqual(before);
    expect(await keptRows(instance.database)).not.toEqual(before);
    await scratch.discard();
  });

  test('a process that dies leaves no file that counts, and the next backup removes what it left', async () => {
    const app = await ledger();
    const { instance } = app.app;
    const dying = {
      ...instance,
      failpoint: (point: string) => {
        if (point === 'backup:written') throw new Error('died');
      },
    };
    await expect(makeBackup(dying, { kind: 'manual', lock: null })).rejects.toThrow('died');
    const [failed] = await listBackups(instance);
    expect(failed).toMatchObject({ status: 'error', error_message: 'died', verified_at: null, progress: null });
    expect(readdirSync(backups(app))).toEqual([`${failed?.name}.json`]);

    const record = join(backups(app), `${failed?.name}.json`);
    const left = {
      ...(JSON.parse(readFileSync(record, 'utf8')) as object),
      status: 'in_progress',
      maker: '00000000-0000-7000-8000-000000000000',
    };
    writeFileSync(record, JSON.stringify(left));
    writeFileSync(join(backups(app), `${failed?.name}.part`), 'half');
    writeFileSync(join(dataDir(app), 'backup-proof-00000000-0000-7000-8000-000000000000.sqlite'), 'half');
    expect(await findBackup(instance, String(failed?.id))).toMatchObject({ status: 'error', progress: null });

    const made = await makeBackup(instance, { kind: 'scheduled', lock: null });
    expect((await listBackups(instance)).filter(({ status }) => status === 'complete')).toEqual([made.record]);
    const names = [...readdirSync(backups(app)), ...readdirSync(dataDir(app))];
    expect(names.filter((name) => /part$|^backup-proof/.test(name))).toEqual([]);
  });

  test('only one backup is made at a time', async () => {
    const app = await ledger();
    const both = await Promise.allSettled(
      [1, 2].map(() => makeBackup(app.app.instance, { kind: 'manual', lock: null })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  });
});
