import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { createPostgresDatabase, temporaryDirectory } from '../../test/harness/databases/databases.ts';
import { forEachEngine, type TestEngine } from '../../test/harness/databases/engines.ts';
import { rowsOf } from '../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../test/harness/test-app.ts';
import { createApp, type App } from '../app.ts';
import { readConfig } from '../kernel/config.ts';
import type { Instant } from '../kernel/dates.ts';
import { createLogger } from '../kernel/logger.ts';
import type { Engine } from './engine.ts';
import {
  checksum,
  migrate,
  MigrationError,
  programVersion,
  tablesFound,
  type Migration,
  type MigrationResult,
} from './migrate.ts';
import { migrations } from './migrations/index.ts';

const NEXT = programVersion() + 1;

async function schemaVersion(engine: Engine): Promise<number> {
  if ((await tablesFound(engine)) === 'none') return 0;
  return Number((await select(engine, 'select max(version) as n from schema_migrations'))[0]?.['n']);
}
const now = (): string => '2026-04-26T06:00:00.000Z';
const good: Migration = {
  version: NEXT,
  name: 'good',
  statements: ['create table extra (id {text} primary key) {strict}', `insert into extra values ('a')`],
};
const failing: Migration = {
  ...good,
  name: 'failing',
  statements: [...good.statements, 'select nonsense from nowhere'],
};
const losing: Migration = { ...good, name: 'losing', statements: [...good.statements, 'delete from users'] };

const placeOf = (file: string | undefined) =>
  file === undefined ? {} : { file, backups: join(dirname(file), 'backups') };

forEachEngine((name, create) => {
  function run(
    engine: Engine,
    test: TestEngine,
    steps: readonly Migration[],
    points: string[] = [],
  ): Promise<MigrationResult> {
    return migrate({
      engine,
      now,
      migrations: steps,
      failpoint: (point) => points.push(point),
      ...placeOf(test.file),
    });
  }
  async function withOneUser(): Promise<{ database: TestEngine; engine: Engine }> {
    const database = await create();
    const engine = database.open();
    await run(engine, database, migrations);
    const columns = ['id', 'short_id', 'name', 'name_folded', 'kind', 'created_at', 'updated_at'];
    await engine.write((connection) =>
      connection.insertMany('users', columns, [['u', 'u', 'Ada', 'ada', 'admin', 'x', 'x']], ''),
    );
    return { database, engine };
  }
  const tables = async (engine: Engine): Promise<{ users: number; hasExtra: boolean; version: number }> => ({
    users: Number((await select(engine, 'select count(*) as n from users'))[0]?.['n']),
    hasExtra: await select(engine, 'select * from extra').then(
      () => true,
      () => false,
    ),
    version: await schemaVersion(engine),
  });

  test('an empty database gets every step once', async () => {
    const database = await create();
    const engine = database.open();
    const points: string[] = [];
    expect(await schemaVersion(engine)).toBe(0);
    const result = await run(engine, database, migrations, points);
    expect(result).toEqual({ from: 0, to: programVersion(), snapshot: null });
    expect(points.filter((point) => point.endsWith(':committed'))).toEqual(
      migrations.map(({ version }) => `migration:${version}:committed`),
    );
    const again: string[] = [];
    expect(await run(engine, database, migrations, again)).toEqual({ ...result, from: programVersion() });
    expect(again).toEqual([]);
  });

  test('a database that is newer than the program is refused and left alone', async () => {
    const { database, engine } = await withOneUser();
    await run(engine, database, [...migrations, good]);
    const refused = run(engine, database, migrations);
    await expect(refused).rejects.toThrow(
      `The database has schema version ${NEXT}, but this program supports only versions up to ${NEXT - 1}`,
    );
    await expect(refused).rejects.toBeInstanceOf(MigrationError);
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: true, version: NEXT });
  });

  test('a step that was changed after it ran is refused', async () => {
    const { database, engine } = await withOneUser();
    const [first, ...rest] = migrations as [Migration, ...Migration[]];
    const edited = { ...first, statements: [...first.statements, 'select 1'] };
    const refused = run(engine, database, [edited, ...rest, good]);
    await expect(refused).rejects.toThrow(
      'Migration 1 (baseline) differs from the one that was applied to this database',
    );
    const missing = run(engine, database, [...rest, good]);
    await expect(missing).rejects.toThrow('differs from the one that was applied to this database');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
  });

  test('a failing step leaves nothing of itself', async () => {
    const { database, engine } = await withOneUser();
    const error = await run(engine, database, [...migrations, failing]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MigrationError);
    expect((error as Error).message).toContain('The migration failed, and nothing was changed');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
    await run(engine, database, [...migrations, good]);
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: true, version: NEXT });
  });

  test('a step that loses rows is undone', async () => {
    const { database, engine } = await withOneUser();
    const lost = run(engine, database, [...migrations, losing]);
    await expect(lost).rejects.toThrow('it would have changed the ledger (users: 1 rows)');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
  });

  test('a failure in the last of several steps leaves nothing of any', async () => {
    const { database, engine } = await withOneUser();
    const failed = run(engine, database, [...migrations, good, { ...failing, version: NEXT + 1 }]);
    await expect(failed).rejects.toThrow('The migration failed, and nothing was changed: ');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
    const second = { ...good, version: NEXT + 1, statements: ['create table later (id {text}) {strict}'] };
    expect(await run(engine, database, [...migrations, good, second])).toMatchObject({ from: NEXT - 1, to: NEXT + 1 });
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: true, version: NEXT + 1 });
  });

  test('on an empty database leaves nothing either', async () => {
    const database = await create();
    const engine = database.open();
    await expect(run(engine, database, [...migrations, failing])).rejects.toThrow('nothing was changed');
    expect(await schemaVersion(engine)).toBe(0);
  });

  test('a rehearsal does everything and keeps nothing', async () => {
    const { database, engine } = await withOneUser();
    const rehearse = (steps: readonly Migration[]) =>
      migrate({ engine, now, migrations: steps, isRehearsal: true, ...placeOf(database.file) });
    expect(await rehearse([...migrations, good])).toEqual({ from: NEXT - 1, to: NEXT, snapshot: null });
    await expect(rehearse([...migrations, losing])).rejects.toThrow('it would have changed the ledger');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
  });

  test('a rule that a step breaks undoes it, and one that was broken before does not', async () => {
    const { database, engine } = await withOneUser();
    let asked = 0;
    const after = (...broken: string[]) => ({
      engine,
      now,
      migrations: [...migrations, good],
      ...placeOf(database.file),
      findBroken: async () => (asked++ % 2 === 0 ? ['search'] : broken),
    });
    await expect(migrate(after('search', 'totals'))).rejects.toThrow('it would have broken the ledger (totals)');
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
    await migrate(after('search'));
    expect(await tables(engine)).toEqual({ users: 1, hasExtra: true, version: NEXT });
  });

  test('two programs that start at once take every step once', async () => {
    const database = await create();
    const [one, other] = [database.open(), name === 'postgres' ? database.open() : undefined];
    const both = [run(one, database, migrations), ...(other ? [run(other, database, migrations)] : [])];
    await Promise.all(both);
    expect(await select(one, 'select version from schema_migrations')).toHaveLength(migrations.length);
  });

  if (name === 'postgres') return;

  describe('the snapshot', () => {
    test('is taken before a database with data is changed, and kept', async () => {
      const { database, engine } = await withOneUser();
      const points: string[] = [];
      const { snapshot } = await run(engine, database, [...migrations, good], points);
      expect(points[0]).toBe('migration:snapshot');
      expect(snapshot).toBe(
        join(dirname(database.file as string), 'backups', 'homeledger-20260426-060000-pre_migration.sqlite'),
      );
      expect(statSync(snapshot as string).mode & 0o777).toBe(0o600);
      const copy = new DatabaseSync(snapshot as string, { readOnly: true });
      expect(copy.prepare('select count(*) as n from users').get()).toEqual({ n: 1 });
      expect(copy.prepare('select max(version) as n from schema_migrations').get()).toEqual({ n: NEXT - 1 });
      copy.close();
    });

    test('is left to the program that migrates the database at the same time', async () => {
      const { database, engine } = await withOneUser();
      const file = database.file as string;
      // The other program commits its step after this one has read the version, and before it copies the file.
      const whileOtherMigrates = (): Instant => {
        const other = new DatabaseSync(file);
        other.exec(`insert or ignore into schema_migrations values (${NEXT}, 'good', '${checksum(good)}', '')`);
        other.close();
        return now();
      };
      const steps = [...migrations, good];
      const result = await migrate({ engine, now: whileOtherMigrates, migrations: steps, ...placeOf(file) });
      expect(result).toEqual({ from: NEXT - 1, to: NEXT, snapshot: null });
      expect(readdirSync(join(dirname(file), 'backups'))).toEqual([]);
    });

    test('finds no place taken by copies that killed programs left; one still being written stays', async () => {
      const { database, engine } = await withOneUser();
      const backups = join(dirname(database.file as string), 'backups');
      // When the folder was made, and when its copy was written to last; `now` is 06:00.
      const leave = (name: string, made: string, written: string | null): void => {
        const folder = join(backups, name);
        mkdirSync(folder, { recursive: true });
        const copy = join(folder, 'copy.sqlite');
        if (written !== null) {
          writeFileSync(copy, 'half a copy');
          utimesSync(copy, new Date(written), new Date(written));
        }
        utimesSync(folder, new Date(made), new Date(made));
      };
      leave('unfinished-killed', '2026-04-26T05:40:00Z', '2026-04-26T05:45:00Z');
      leave('unfinished-killed-at-once', '2026-04-26T05:40:00Z', null);
      leave('unfinished-long', '2026-04-26T05:40:00Z', '2026-04-26T05:59:00Z');
      leave('unfinished-new', '2026-04-26T05:59:00Z', null);
      leave('mine', '2026-04-26T05:40:00Z', '2026-04-26T05:45:00Z');
      await run(engine, database, [...migrations, good]);
      expect(readdirSync(backups).toSorted()).toEqual([
        'homeledger-20260426-060000-pre_migration.sqlite',
        'mine',
        'unfinished-long',
        'unfinished-new',
      ]);
    });

    test('is thrown away when the migration fails, because it equals the database', async () => {
      const { database, engine } = await withOneUser();
      await expect(run(engine, database, [...migrations, failing])).rejects.toThrow(MigrationError);
      expect(readdirSync(join(dirname(database.file as string), 'backups'))).toEqual([]);
    });

    test('is kept with the two before it', async () => {
      const { database, engine } = await withOneUser();
      const backups = join(dirname(database.file as string), 'backups');
      mkdirSync(backups);
      const others = ['homeledger-20250101-000000-manual.hlb', 'homeledger-20250101-000000-pre_restore.sqlite'];
      const copies = [1, 2, 3, 4].map((day) => `homeledger-2026040${day}-060000-pre_migration.sqlite`);
      for (const name of [...others, ...copies]) writeFileSync(join(backups, name), '');
      await run(engine, database, [...migrations, good]);
      expect(readdirSync(backups).toSorted()).toEqual([
        ...others,
        ...copies.slice(2),
        'homeledger-20260426-060000-pre_migration.sqlite',
      ]);
    });

    test('says that a database was busy, and leaves it', async () => {
      const { database, engine } = await withOneUser();
      const file = database.file as string;
      const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
      const failpoint = (point: string): void => {
        if (point === `migration:${NEXT}:0`) throw busy;
      };
      const failed = migrate({ engine, now, migrations: [...migrations, good], failpoint, ...placeOf(file) });
      await expect(failed).rejects.toThrow(/^The database was busy or unreachable during the migration.*Start again/);
      expect(await tables(engine)).toEqual({ users: 1, hasExtra: false, version: NEXT - 1 });
      // As the message advises.
      expect(await run(engine, database, [...migrations, good])).toMatchObject({ from: NEXT - 1, to: NEXT });
    });
  });
});

forEachDatabase((database) => {
  test('the program does not start on a newer database', async () => {
    const app = await database.open();
    const { config } = app.app.instance;
    await app.app.instance.database.writeBare(
      (tx) =>
        tx.q
          .insertInto('schema_migrations' as never)
          .values({ version: NEXT, name: 'x', checksum: 'x', applied_at: 'x' } as never)
          .execute(),
      async () => undefined,
    );
    await app.close();
    const logger = await createLogger({ level: 'silent', format: 'json', destination: { write: () => undefined } });
    await expect(createApp(config, { workers: 0, logger })).rejects.toThrow('Start a newer version of Homeledger');
  });
});

test('programs that start at once on one empty server database agree on schema, key and seeds', async () => {
  const database = await createPostgresDatabase();
  using directory = temporaryDirectory();
  const config = readConfig({ DATABASE_URL: database.url, HOMELEDGER_DATA_DIR: directory.path });
  const logger = await createLogger({ level: 'silent', format: 'json' });
  const apps = await Promise.all([1, 2, 3].map(() => createApp(config, { workers: 0, logger })));
  const keys = apps.map(({ instance }) => Buffer.from(instance.masterKey).toString('hex'));
  expect(new Set(keys).size).toBe(1);
  const { database: db } = (apps[0] as App).instance;
  expect(await rowsOf(db, 'select is_current from encryption_keys')).toHaveLength(1);
  expect(await rowsOf(db, 'select slug from categories group by slug having count(*) > 1')).toEqual([]);
  expect(await rowsOf(db, `select id from change_sets where action = 'setup.seed'`)).toHaveLength(1);
  await Promise.all(apps.map((app) => app.close()));
  await database.drop();
});

async function select(engine: Engine, text: string): Promise<Record<string, unknown>[]> {
  return engine.read(async (connection) => {
    const found: Record<string, unknown>[] = [];
    const query = { sql: text, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: 'x' } };
    for await (const row of connection.iterate<Record<string, unknown>>(query as never)) found.push(row);
    return found;
  });
}
