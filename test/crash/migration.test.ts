import { copyFileSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { createApp } from '../../src/app.ts';
import { DATABASE_FILE } from '../../src/boot/data-directory.ts';
import { programVersion } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { createDatabase } from '../../src/db/unit-of-work.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { readConfig, type Config } from '../../src/kernel/config.ts';
import { createPostgresDatabase, temporaryDirectory } from '../harness/databases/databases.ts';
import { allRows } from '../harness/table-rows.ts';
import { runProgram } from '../harness/programs/program.ts';
import { nextMigration } from './next-version.ts';

const START = 'test/crash/start-app.ts';
const NEXT = 'test/crash/next-version.ts';
const KILLED = { code: null, signal: 'SIGKILL' };
const DONE = { code: 0, signal: null };

describe('a first start that is killed', () => {
  const points = migrations.flatMap(({ version, statements, sqlite }) => {
    const last = statements.length + (sqlite?.length ?? 0) - 1;
    const indexes = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * last));
    const killed = indexes.map((index) => ({ point: `migration:${version}:${index}`, applied: version - 1 }));
    return [...killed, { point: `migration:${version}:committed`, applied: version }];
  });

  test.for(points)('at $point starts again with everything in place', async ({ point, applied }) => {
    const home = temporaryDirectory().path;
    const file = join(home, DATABASE_FILE);
    const env = { HOMELEDGER_DATA_DIR: home, LOG_LEVEL: 'error' };
    expect(await runProgram([START, point], { env })).toMatchObject(KILLED);
    const found = contentOf(file);
    expect(found.check).toBe('ok');
    expect(found.rows['schema_migrations'] ?? []).toHaveLength(applied);
    if (applied === 0) expect(found.schema).toEqual([]);
    expect(existsSync(join(home, 'encryption.key'))).toBe(false);

    await startHere(home);
    const complete = await freshContent();
    const now = contentOf(file);
    expect(now.schema).toEqual(complete.schema);
    expect(now.check).toBe('ok');
    for (const table of ['categories', 'tags', 'change_sets', 'changes', 'encryption_keys']) {
      expect([table, now.rows[table]?.length]).toEqual([table, complete.rows[table]?.length]);
    }
  });
});

describe('a migration of a ledger that is killed', () => {
  const version = programVersion() + 1;
  const last = nextMigration.statements.length - 1;
  const inTheMiddle = [`migration:${version}:0`, `migration:${version}:${last}`, `migration:${version + 1}:1`];

  test.for(inTheMiddle)('at %s has changed nothing on a server, and runs again', async (point) => {
    const database = await createPostgresDatabase();
    const env = { HOMELEDGER_DATA_DIR: temporaryDirectory().path, DATABASE_URL: database.url, LOG_LEVEL: 'error' };
    const look = async (): Promise<Record<string, string[]>> => {
      const engine = openPostgres(database.url, 2, () => undefined);
      const opened = createDatabase({
        engine,
        clock: systemClock,
        ids: createIds(systemClock, systemRandom()),
        onHookError: () => undefined,
      });
      try {
        return await allRows(opened);
      } finally {
        await opened.close();
      }
    };
    await startOn(readConfig(env));
    const before = await look();
    expect(await runProgram([NEXT, database.url, point])).toMatchObject(KILLED);
    expect(await look()).toEqual(before);
    expect(await runProgram([NEXT, database.url])).toMatchObject(DONE);
    const after = await look();
    expect(after['later']).toHaveLength(before['categories']?.length ?? 0);
    expect(after['schema_migrations']).toHaveLength(migrations.length + 2);
    await database.drop();
  });

  test.for(['migration:snapshot', ...inTheMiddle])('at %s has changed nothing, and runs again', async (point) => {
    const home = temporaryDirectory().path;
    const file = join(home, DATABASE_FILE);
    cpSync(await freshHome(), home, { recursive: true });
    const before = contentOf(file);
    expect(await runProgram([NEXT, file, point])).toMatchObject(KILLED);
    expect(contentOf(file)).toEqual(before);
    const [snapshot] = readdirSync(join(home, 'backups'));
    expect(contentOf(join(home, 'backups', snapshot as string)).rows).toEqual(before.rows);

    await startHere(home);
    expect(contentOf(file)).toEqual(before);
    expect(await runProgram([NEXT, file])).toMatchObject(DONE);
    expectMigrated(file, before);
  });

  test('after its commit is complete', async () => {
    const home = temporaryDirectory().path;
    const file = join(home, DATABASE_FILE);
    const env = { HOMELEDGER_DATA_DIR: home, LOG_LEVEL: 'error' };
    cpSync(await freshHome(), home, { recursive: true });
    const before = contentOf(file);
    expect(await runProgram([NEXT, file, `migration:${version + 1}:committed`])).toMatchObject(KILLED);
    expectMigrated(file, before);
    expect(await runProgram([NEXT, file])).toMatchObject(DONE);
    expectMigrated(file, before);
    const older = await runProgram([START], { env });
    expect([older.code, older.err]).toEqual([1, expect.stringContaining('Start a newer version of Homeledger')]);
    expectMigrated(file, before);
  });

  function expectMigrated(file: string, before: Content): void {
    const after = contentOf(file);
    expect(after.check).toBe('ok');
    expect(after.rows['extra']).toHaveLength(before.rows['categories']?.length ?? 0);
    expect(after.rows['later']).toEqual(after.rows['extra']?.map((row) => JSON.stringify({ id: JSON.parse(row).id })));
    expect(after.rows['schema_migrations']).toHaveLength(migrations.length + 2);
    for (const [table, rows] of Object.entries(before.rows)) {
      if (table !== 'schema_migrations' && table !== 'tags') expect([table, after.rows[table]]).toEqual([table, rows]);
    }
    expect(after.rows['tags']).toHaveLength(before.rows['tags']?.length ?? 0);
  }
});

/** Starts the service and stops it again. Only what dies needs a process of its own. */
async function startHere(home: string): Promise<void> {
  await startOn(readConfig({ HOMELEDGER_DATA_DIR: home, LOG_LEVEL: 'error' }));
}

async function startOn(config: Config): Promise<void> {
  const app = await createApp(config, { workers: 0 });
  await app.close();
}

interface Content {
  schema: string[];
  rows: Record<string, string[]>;
  check: string;
}

/** What a database holds, read from a copy, so that looking at it recovers nothing by accident. */
function contentOf(file: string): Content {
  using folder = temporaryDirectory();
  const copy = join(folder.path, 'copy.sqlite');
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  const database = new DatabaseSync(copy);
  const texts = (query: string): string[] =>
    database
      .prepare(query)
      .all()
      .map((row) => JSON.stringify(row, asHex))
      .sort();
  const schema = texts(`select type, name, sql from sqlite_master where name not like 'sqlite_%'`);
  const tables = database.prepare(`select name from pragma_table_list where schema = 'main' and type = 'table'`).all();
  const names = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite'));
  const rows = Object.fromEntries(names.map((name) => [name, texts(`select * from ${name}`)]));
  const check = String(database.prepare('pragma integrity_check').get()?.['integrity_check']);
  database.close();
  return { schema, rows, check };
}

function asHex(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

let complete: Content | undefined;

/** What an installation that nobody disturbed holds. */
async function freshContent(): Promise<Content> {
  return (complete ??= contentOf(join(await freshHome(), DATABASE_FILE)));
}

let fresh: Promise<string> | undefined;

/** The directory of an installation that nobody disturbed. */
function freshHome(): Promise<string> {
  fresh ??= (async () => {
    const home = temporaryDirectory().path;
    await startHere(home);
    return home;
  })();
  return fresh;
}
