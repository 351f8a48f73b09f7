import { existsSync } from 'node:fs';

import type { Engine } from '../db/engine.ts';
import { migrate, MigrationError, restoreSnapshot, tablesFound } from '../db/migrate.ts';
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

export interface OpenOptions {
  config: Config;
  open: () => Promise<Engine>;
  /** Whether a database that is not there is made. */
  mayMake: boolean;
  now: () => string;
  onPoint: (point: string) => void;
  logger: Logger;
}

export interface Opened {
  engine: Engine;
  /** What this start made, to be told: a start from another folder would be a second household without a word. */
  made: string | null;
}

/**
 * Opens the database at the schema of this program. A household that was lost, one of another program and a damaged
 * one are refused before anything is made or changed.
 * @throws BootError, MigrationError
 */
export async function openDatabase(options: OpenOptions): Promise<Opened> {
  const { config, mayMake, logger } = options;
  const isServer = config.databaseUrl !== null;
  const place = isServer ? 'The database that DATABASE_URL names' : `The database ${databaseFile(config.dataDir)}`;
  const found = lookAround(config.dataDir, config.encryptionKey === null);
  if (!isServer) refuseLostFile(found);
  if (!isServer && !found.hasFile && !mayMake) throw nothingThere(place);
  prepareDataDirectory(config.dataDir, logger);
  let engine: Engine | undefined;
  try {
    engine = await options.open();
    const tables = await tablesFound(engine);
    if (tables === 'none' && found.hasKeyFile) {
      const remedy = isServer ? 'Set DATABASE_URL to the one that the key belongs to, or restore it there.' : undefined;
      throw lostDatabase(config.dataDir, `${place} has no tables`, remedy);
    }
    if (tables === 'none' && !mayMake) throw nothingThere(place);
    if (tables === 'foreign' && !isServer) {
      throw new BootError(`${place} is one of another program. Nothing was changed. Put the right file in its place.`);
    }
    await migrateOrRestore(engine, options);
    return { engine, made: tables === 'none' ? place : null };
  } catch (error) {
    await engine?.close();
    throw explainStorage(error, config.dataDir);
  }
}

function nothingThere(place: string): BootError {
  return new BootError(`${place} is not there. Set HOMELEDGER_DATA_DIR or DATABASE_URL to the one you mean.`);
}

async function migrateOrRestore(engine: Engine, { config, now, onPoint, logger }: OpenOptions): Promise<void> {
  const file = config.databaseUrl === null ? databaseFile(config.dataDir) : undefined;
  try {
    const result = await migrate({ engine, now, onPoint, ...(file === undefined ? {} : { file }) });
    if (result.to !== result.from) logger.info(`The schema is now at version ${result.to}.`);
  } catch (error) {
    if (
      error instanceof MigrationError &&
      error.snapshot !== null &&
      file !== undefined &&
      existsSync(error.snapshot)
    ) {
      await engine.close();
      restoreSnapshot(file, error.snapshot);
    }
    throw error;
  }
}
