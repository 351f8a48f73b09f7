import { flushCompileCache } from 'node:module';

import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { createWriteGate } from '../../src/db/write-gate.ts';
import { migrate, programVersion, type Migration } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';

/** The migration of a program that is one version ahead of this one. */
export const nextMigration: Migration = {
  version: programVersion() + 1,
  name: 'next',
  statements: [
    'create table extra (id {text} primary key, n {int} not null) {strict}',
    `insert into extra select id, 1 from categories`,
    'alter table tags add column extra {text}',
  ],
};

const [file, crashAt] = process.argv.slice(2);
if (file !== undefined) {
  // A killed process keeps no compiled code for the next one unless it does so before.
  flushCompileCache();
  const engine = openSqlite({
    path: file,
    gate: createWriteGate(),
    readers: 1,
    writerCacheKiB: 2_000,
    readerCacheKiB: 2_000,
  });
  await migrate({
    engine,
    now: () => '2026-04-26T06:00:00.000Z',
    file,
    migrations: [...migrations, nextMigration],
    failpoint: (point) => {
      if (point === crashAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  await engine.close();
}
