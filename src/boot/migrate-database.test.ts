import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { lastMigration, nextMigration } from '../../test/crash/next-version.ts';
import { runProgram } from '../../test/harness/programs/program.ts';
import { sampleLedger } from '../../test/harness/ledgers/sample-ledger.ts';
import { temporaryDirectory } from '../../test/harness/databases/databases.ts';
import { allRows } from '../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../test/harness/test-app.ts';
import { createApp } from '../app.ts';
import type { Migration } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import { createLogger } from '../kernel/logger.ts';
import { migrateAlone, rehearseMigration } from './migrate-database.ts';

const AHEAD = [...migrations, nextMigration, lastMigration];
const VERSION = migrations.length;
const now = (): string => '2026-04-26T06:00:00.000Z';
const failing: Migration = {
  ...lastMigration,
  statements: [...lastMigration.statements, 'select nonsense from nowhere'],
};
/** Deletes what no row counts say, but the totals do. */
const breaking: Migration = { ...lastMigration, statements: [`delete from monthly_totals`] };

forEachDatabase(({ open }) => {
  /** A household whose server has stopped; `look` starts one of this program, and compares. */
  async function stopped() {
    const app: TestApp = await open();
    await sampleLedger(app);
    const rows = (of: TestApp['app']) => allRows(of.instance.database);
    const before = await rows(app.app);
    const { config } = app.app.instance;
    await app.close();
    return {
      config,
      async expectAsBefore() {
        const logger = await createLogger({ level: 'silent', format: 'json', destination: { write: () => undefined } });
        const again = await createApp(config, { workers: 0, logger });
        const after = await rows(again);
        await again.close();
        expect(after['transactions']).toEqual(before['transactions']);
        expect(after['schema_migrations']).toEqual(before['schema_migrations']);
        expect(after['monthly_totals']).toEqual(before['monthly_totals']);
      },
      backups: () => (config.databaseUrl === null ? readdirSync(join(config.dataDir, 'backups')) : []),
    };
  }

  describe('a migration of several steps', () => {
    test('that fails in the last, or breaks a rule of the ledger, leaves the database as it was', async () => {
      const home = await stopped();
      for (const [steps, reason] of [
        [[...AHEAD.slice(0, -1), failing], 'nothing was changed'],
        [[...AHEAD.slice(0, -1), breaking], 'it would have broken the ledger (totals)'],
      ] as const) {
        const how = { config: home.config, now, migrations: steps };
        await expect(rehearseMigration(how)).rejects.toThrow(reason);
        await expect(migrateAlone(how)).rejects.toThrow(reason);
      }
      await home.expectAsBefore();
    });

    test('is rehearsed without a trace, and then done', async () => {
      const home = await stopped();
      const how = { config: home.config, now, migrations: AHEAD };
      if (home.config.databaseUrl === null) mkdirSync(join(home.config.dataDir, 'rehearsal-killed'));
      expect(await rehearseMigration(how)).toEqual({ from: VERSION, to: VERSION + 2, snapshot: null });
      await home.expectAsBefore();
      expect(readdirSync(home.config.dataDir).filter((name) => name.startsWith('rehearsal'))).toEqual([]);
      expect(await migrateAlone(how)).toMatchObject({ from: VERSION, to: VERSION + 2 });
      if (home.config.databaseUrl === null) {
        expect(home.backups()).toContain('homeledger-20260426-060000-pre_migration.sqlite');
      }
      expect(await migrateAlone(how)).toMatchObject({ from: VERSION + 2, to: VERSION + 2 });
      // This program is now the older one, which changes nothing.
      for (const run of [rehearseMigration, migrateAlone]) {
        await expect(run({ config: home.config, now })).rejects.toThrow('Start a newer version of Homeledger');
      }
    });
  });

  test('the command refuses while a server runs on the database', async () => {
    const app = await open({ env: { PORT: '0' } });
    await app.app.listen();
    const how = { config: app.app.instance.config, now, migrations: AHEAD };
    for (const run of [rehearseMigration, migrateAlone]) {
      await expect(run(how)).rejects.toThrow(/^A server is running on this database \(process \d+/);
    }
  });

  test('the command says what is to be done', async () => {
    const app = await open();
    const { databaseUrl, dataDir } = app.app.instance.config;
    const env = { HOMELEDGER_DATA_DIR: dataDir, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) };
    const call = (...flags: string[]) => runProgram(['src/main.ts', 'migrate', ...flags], { env });
    const shown = await call('--status', '--json');
    expect([shown.code, JSON.parse(shown.out)]).toEqual([0, { version: VERSION, newest: VERSION, pending: [] }]);
    const done = await call();
    expect([done.code, done.out]).toEqual([0, `The schema is at version ${VERSION}, the newest of this program.\n`]);
    expect((await call('--status', '--dry-run')).code).toBe(2);
  });
});

test('the command makes no database that is not there', async () => {
  using folder = temporaryDirectory();
  const { code, err } = await runProgram(['src/main.ts', 'migrate'], { env: { HOMELEDGER_DATA_DIR: folder.path } });
  expect([code, err]).toEqual([1, expect.stringContaining('homeledger.sqlite does not exist')]);
  expect(readdirSync(folder.path)).toEqual([]);
});
