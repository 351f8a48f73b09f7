import { resolve } from 'node:path';

import type { Engine } from '../db/engine.ts';
import { inspectSqlite } from '../db/sqlite/sqlite-first.ts';
import { narrowEncoding, tablesFound } from '../db/migrate.ts';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import {
  BootError,
  databaseFile,
  explainStorage,
  lookAround,
  lostDatabase,
  prepareDataDirectory,
  refuseLostFile,
} from './data-directory.ts';
import { migrateDatabase } from './migrate-database.ts';

interface OpenOptions {
  config: Config;
  open: () => Promise<Engine>;
  /** Whether a missing database is created. */
  mayMake: boolean;
  now: () => string;
  failpoint: (point: string) => void;
  logger: Logger;
}

export interface Opened {
  engine: Engine;
  /** What this start created, in words. It is shown: a start in the wrong folder would silently be a second household. */
  made: string | null;
}

/**
 * Opens the database at the schema of this program. A lost household, the database of another program and a damaged
 * one are refused before anything is created or changed.
 * @throws BootError, MigrationError
 */
export async function openDatabase(options: OpenOptions): Promise<Opened> {
  const { config, mayMake, logger } = options;
  const isServer = config.databaseUrl !== null;
  const name = isServer ? 'database that DATABASE_URL names' : `database ${resolve(databaseFile(config.dataDir))}`;
  const place = `The ${name}`;
  const found = lookAround(config.dataDir, config.encryptionKey === null);
  if (!isServer) refuseLostFile(found);
  if (!isServer && !found.hasFile && !mayMake) throw doesNotExist(place);
  prepareDataDirectory(config.dataDir, logger);

  function judge(tables: 'none' | 'own' | 'foreign'): void {
    if (tables === 'none' && found.hasKeyFile) {
      const remedy = isServer ? 'Set DATABASE_URL to the database of this key, or restore that database.' : undefined;
      throw lostDatabase(config.dataDir, `${place} has no tables`, remedy);
    }
    if (tables === 'none' && !mayMake) throw doesNotExist(place);
    if (tables === 'foreign' && !isServer) {
      throw new BootError(
        `${place} belongs to another program. Nothing was changed. Replace it with the database of Homeledger.`,
      );
    }
  }

  let engine: Engine | undefined;
  try {
    const seen = isServer || !found.hasFile ? undefined : inspectSqlite(databaseFile(config.dataDir));
    if (seen !== undefined) judge(seen);
    engine = await options.open();
    const tables = seen ?? (await tablesFound(engine));
    judge(tables);
    const encoding = tables === 'none' ? await narrowEncoding(engine) : null;
    if (encoding !== null) throw cannotHoldEveryText(place, encoding);
    await migrateAtStart(engine, options);
    return { engine, made: tables === 'none' ? `the ${isServer ? 'tables in the ' : ''}${name}` : null };
  } catch (error) {
    await engine?.close();
    throw explainStorage(error, config.dataDir);
  }
}

/** A household that has begun in one goes on: most of its texts can be stored. */
function cannotHoldEveryText(place: string, encoding: string): BootError {
  return new BootError(
    `${place} has the encoding ${encoding}, in which not every name can be stored. Nothing was changed. ` +
      `Create one with the encoding UTF8: create database homeledger template template0 encoding 'UTF8'.`,
  );
}

function doesNotExist(place: string): BootError {
  return new BootError(
    `${place} does not exist. Set HOMELEDGER_DATA_DIR or DATABASE_URL to the one you mean, or start the server to create it.`,
  );
}

async function migrateAtStart(engine: Engine, { config, now, failpoint, logger }: OpenOptions): Promise<void> {
  const result = await migrateDatabase(engine, { config, now, failpoint });
  if (result.to !== result.from) logger.info(`The schema is now at version ${result.to}.`);
}
