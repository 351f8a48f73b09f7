import { flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

import type { Engine } from '../../src/db/engine.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { createWriteGate } from '../../src/db/write-gate.ts';
import { migrate, programVersion, type Migration } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';

/** The first migration of a program that is ahead of this one. */
export const nextMigration: Migration = {
  version: programVersion() + 1,
  name: 'next',
  statements: [
    'create table extra (id {text} primary key, n {int} not null) {strict}',
    `insert into extra select id, 1 from categories`,
    'alter table tags add column extra {text}',
  ],
};

/** Another step after it, so that a migration has several. */
export const lastMigration: Migration = {
  version: programVersion() + 2,
  name: 'last',
  statements: ['create table later (id {text} primary key) {strict}', `insert into later select id from extra`],
};

async function open(place: string): Promise<Engine> {
  if (place.startsWith('postgres')) return openPostgres(place, 2, () => undefined);
  const caches = { writerCacheKiB: 2_000, readerCacheKiB: 2_000 };
  return openSqlite({ path: place, gate: createWriteGate(), readers: 1, ...caches });
}

const [place, crashAt] = process.argv.slice(2);
if (place !== undefined && import.meta.main) {
  // A killed process keeps no compiled code for the next one unless it does so before.
  flushCompileCache();
  const engine = await open(place);
  await migrate({
    engine,
    now: () => '2026-04-26T06:00:00.000Z',
    ...(engine.name === 'sqlite' ? { file: place, backups: join(dirname(place), 'backups') } : {}),
    migrations: [...migrations, nextMigration, lastMigration],
    failpoint: (point) => {
      if (point === crashAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  await engine.close();
}
