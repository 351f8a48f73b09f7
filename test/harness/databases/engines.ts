import { join } from 'node:path';

import { describe, onTestFinished } from 'vitest';

import type { Engine } from '../../../src/db/engine.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { createWriteGate } from '../../../src/db/write-gate.ts';
import { createPostgresDatabase, temporaryDirectory } from './databases.ts';

/** An empty database below every layer, for tests of the layers themselves. */
export interface TestEngine {
  open(): Engine;
  /** The embedded database's file. */
  file: string | undefined;
}

/** Runs a block of tests once per engine; every test makes its own empty database. */
export function forEachEngine(suite: (name: 'sqlite' | 'postgres', create: () => Promise<TestEngine>) => void): void {
  describe('SQLite', () => {
    suite('sqlite', async () => {
      const directory = temporaryDirectory();
      const file = join(directory.path, 'test.sqlite');
      const opened: Engine[] = [];
      onTestFinished(async () => {
        for (const engine of opened) await engine.close();
        directory.remove();
      });
      const open = (): Engine => {
        const engine = openSqlite({
          path: file,
          gate: createWriteGate(),
          readers: 4,
          writerCacheKiB: 2_000,
          readerCacheKiB: 2_000,
        });
        opened.push(engine);
        return engine;
      };
      return { open, file };
    });
  });
  describe('PostgreSQL', () => {
    suite('postgres', async () => {
      const database = await createPostgresDatabase();
      const opened: Engine[] = [];
      onTestFinished(async () => {
        for (const engine of opened) await engine.close();
        await database.drop();
      });
      const open = (): Engine => {
        const engine = openPostgres(database.url, 10, () => undefined);
        opened.push(engine);
        return engine;
      };
      return { open, file: undefined };
    });
  });
}
