import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Engine, EngineConnection } from '../db/engine.ts';
import {
  copyDatabase,
  migrate,
  schemaState,
  tablesFound,
  type Migration,
  type MigrationResult,
  type SchemaState,
} from '../db/migrate.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { readOn, type Database } from '../db/unit-of-work.ts';
import { createWriteGate } from '../db/write-gate.ts';
import { verifyLedger } from '../features/backups/verify-ledger.ts';
import { releaseLeases, takeMaintenance } from '../features/encryption/index.ts';
import { instantNow, systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { BACKUPS, BootError, databaseFile, lookAround } from './data-directory.ts';
import { openAsItIs } from './look-at-database.ts';

interface HowToMigrate {
  config: Config;
  now: () => string;
  failpoint?: (point: string) => void;
  /** Those of this program, unless a test is ahead of it. */
  migrations?: readonly Migration[];
}

/** Brings a database to the schema of this program, after a copy of an embedded one (contract 85.4). */
export async function migrateDatabase(engine: Engine, how: HowToMigrate): Promise<MigrationResult> {
  const { config } = how;
  const place =
    config.databaseUrl === null ? { file: databaseFile(config.dataDir), backups: join(config.dataDir, BACKUPS) } : {};
  return migrate({ ...stepsOf(engine, how), ...place });
}

function stepsOf(engine: Engine, { now, failpoint, migrations }: HowToMigrate) {
  return {
    engine,
    now,
    findBroken: (connection: EngineConnection) => brokenRules(engine, connection),
    ...(failpoint ? { failpoint } : {}),
    ...(migrations ? { migrations } : {}),
  };
}

async function brokenRules(engine: Engine, connection: EngineConnection): Promise<string[]> {
  const checks = await verifyLedger(readOn(engine, connection));
  return checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
}

/** The schema of the database that the configuration names, which nothing changes. */
export async function lookAtSchema(config: Config): Promise<SchemaState> {
  return withDatabase(config, ({ engine }) => schemaState(engine));
}

/** The command: like a start, but nothing else is done to the database, and no server may run on it. */
export async function migrateAlone(how: HowToMigrate): Promise<MigrationResult> {
  return alone(how, ({ engine }) => migrateDatabase(engine, how));
}

/** Migrates a copy of an embedded database, or a server database in a transaction that is rolled back. */
export async function rehearseMigration(how: HowToMigrate): Promise<MigrationResult> {
  const { config } = how;
  return alone(how, async ({ engine }) => {
    if (config.databaseUrl !== null) return migrate({ ...stepsOf(engine, how), isRehearsal: true });
    removeRehearsals(config.dataDir);
    const scratch = mkdtempSync(join(config.dataDir, REHEARSAL));
    try {
      const path = join(scratch, 'copy.sqlite');
      await copyDatabase(databaseFile(config.dataDir), path);
      const caches = { writerCacheKiB: 4_096, readerCacheKiB: 4_096 };
      const copy = openSqlite({ path, gate: createWriteGate(), readers: 1, ...caches });
      try {
        return await migrate(stepsOf(copy, how));
      } finally {
        await copy.close();
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}

const REHEARSAL = 'rehearsal-';

/** The lease of the command says that none is going on: these are of processes that were killed. */
function removeRehearsals(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((one) => one.startsWith(REHEARSAL))) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

interface Opened {
  engine: Engine;
  database: Database;
}

/** A database newer than this program is refused before its leases are looked at, which may mean something else there. */
async function alone<T>({ migrations, config }: HowToMigrate, work: (opened: Opened) => Promise<T>): Promise<T> {
  return withDatabase(config, async (opened) => {
    await schemaState(opened.engine, migrations);
    await takeMaintenance(opened.database, 'migrate');
    try {
      return await work(opened);
    } finally {
      await releaseLeases(opened.database);
    }
  });
}

async function withDatabase<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  const place = config.databaseUrl === null ? databaseFile(config.dataDir) : 'The database that DATABASE_URL names';
  const isThere = config.databaseUrl !== null || lookAround(config.dataDir, false).hasFile;
  if (!isThere) throw new BootError(`${place} does not exist. There is nothing to migrate.`);
  const opened = await openAsItIs(config);
  try {
    const tables = await tablesFound(opened.engine);
    if (tables !== 'own') throw new BootError(`${place} has no tables of Homeledger. There is nothing to migrate.`);
    return await work(opened);
  } finally {
    await opened.database.close();
  }
}

export const systemTime = (): string => instantNow(systemClock);
