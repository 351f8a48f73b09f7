import type { Engine } from '../db/engine.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { remedyText, troubleText } from '../db/storage-trouble.ts';
import { createDatabase, type Database } from '../db/unit-of-work.ts';
import type { SharedWriteGate, WriteGate } from '../db/write-gate.ts';
import { countKeysWithOtherPrefix } from '../features/api-keys/index.ts';
import type { SettingsWrites } from '../features/config/index.ts';
import {
  keyFileIn,
  loadMasterKey,
  loadNumberKey,
  refuseDuringMaintenance,
  releaseLeases,
  takeMaintenance,
  type LoadKey,
} from '../features/encryption/index.ts';
import type { Instance } from '../features/handler.ts';
import type { ThreadSetup } from '../jobs/worker-protocol.ts';
import { instantNow, type Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Passwords } from '../kernel/passwords.ts';
import type { Random } from '../kernel/random.ts';
import { databaseFile, explainStorage } from './data-directory.ts';
import { openDatabase, type Opened } from './open-database.ts';
import { seedLedger } from './seed.ts';
import { createUnattendedAdmin } from './unattended-admin.ts';

/** What every part of one Homeledger shares. */
export interface Parts {
  clock: Clock;
  random: Random;
  logger: Logger;
  ids: Ids;
  passwords: Passwords;
  gate: SharedWriteGate;
  failpoint: (point: string) => void;
  settingsWrites: SettingsWrites;
}

export interface HowToOpen {
  /** Set in worker threads: the main thread has already booted, and owns the gate. */
  worker?: ThreadSetup;
  writeGate?: WriteGate;
  /** False for commands that only work on an existing database. */
  mayMakeDatabase?: boolean;
  /** The name of a command that must have the database to itself (contract 85.4). */
  exclusive?: string;
  /** Finds the encryption key in another way than a start does. */
  loadKey?: LoadKey;
  /** Set by commands, which wait for a long write of a server on the same file; called when one begins to. */
  onBusy?: () => void;
}

/** The database of a household, open and at the schema of this program. */
export interface Ledger extends Opened {
  database: Database;
  keys: Pick<Instance, 'masterKey' | 'keySource' | 'keyFile' | 'numberKey'>;
  /** The key file that this start created, if it did. */
  madeKeyFile: string | null;
}

/** Opens the database with its key. The main thread also migrates and seeds it; for other threads that is done. */
export async function openLedger(config: Config, parts: Parts, how: HowToOpen): Promise<Ledger> {
  const { clock, random, logger, ids, failpoint, gate } = parts;
  const { worker } = how;
  const open = (): Promise<Engine> => openEngine(config, how, gate, logger);
  const mayMake = how.mayMakeDatabase ?? true;
  const { engine, made }: Opened = worker
    ? { engine: await open(), made: null }
    : await openDatabase({ config, open, mayMake, now: () => instantNow(clock), failpoint, logger });
  const database = createDatabase({
    engine,
    clock,
    ids,
    ...(worker ? { presence: worker.presence } : {}),
    onWritten: (tables) => parts.settingsWrites.note(tables),
    onHookError: (error) => logger.error({ err: error }, 'A task after a commit failed.'),
  });
  if (worker) {
    return { engine, made, database, keys: worker.keys, madeKeyFile: null };
  }
  try {
    if (how.exclusive !== undefined) await takeMaintenance(database, how.exclusive);
    else await database.read((tx) => refuseDuringMaintenance(tx, database));
    const keyParts = { config, database, random, logger, failpoint };
    const master = await (how.loadKey ?? loadMasterKey)(keyParts);
    const numberKey = await loadNumberKey(keyParts, master.key);
    await seedLedger(database);
    await createUnattendedAdmin(config, database, parts.passwords, logger);
    await warnOfOtherPrefix(config.keyPrefix, database, clock, logger);
    const keyFile = master.source === 'key_file' ? keyFileIn(config.dataDir) : null;
    const keys = { masterKey: master.key, keySource: master.source, keyFile, numberKey };
    return { engine, made, database, keys, madeKeyFile: master.madeFile };
  } catch (error) {
    await releaseLeases(database);
    await database.close();
    throw explainStorage(error, config.dataDir);
  }
}

async function openEngine(
  config: Config,
  { worker, writeGate, onBusy }: HowToOpen,
  gate: WriteGate,
  logger: Logger,
): Promise<Engine> {
  const isWorker = worker !== undefined;
  if (config.databaseUrl !== null) {
    const { openPostgres } = await import('../db/postgres/postgres.ts');
    return openPostgres(config.databaseUrl, isWorker ? 3 : 10, (error) => {
      logger.warn({ code: (error as { code?: string }).code }, 'A database connection broke.');
    });
  }
  const path = databaseFile(config.dataDir);
  return openSqlite({
    path,
    gate: writeGate ?? gate,
    readers: isWorker ? 1 : 2,
    onBusy,
    writerCacheKiB: isWorker ? 16_384 : 4_096,
    readerCacheKiB: 4_096,
    onLogError: (error) => logger.warn({ err: error }, 'The write-ahead log could not be copied into the database.'),
    onTrouble(trouble, cause) {
      if (trouble === null) logger.info(`The database ${path} is available again.`);
      else logger.error({ err: cause }, `${troubleText(trouble, path)} ${remedyText(trouble, path)}`);
    },
    ...(worker?.storage ? { share: worker.storage } : {}),
  });
}

/** After a change of API_KEY_PREFIX, keys with the old one no longer work; the operator is told how many (20.4). */
async function warnOfOtherPrefix(prefix: string, database: Database, clock: Clock, logger: Logger): Promise<void> {
  const count = await database.read((tx) => countKeysWithOtherPrefix(tx, prefix, instantNow(clock)));
  if (count > 0) {
    const keys = count === 1 ? '1 active API key does' : `${count} active API keys do`;
    logger.warn(
      `${keys} not work, because the prefix is not that of API_KEY_PREFIX. Set the old prefix, or create new keys.`,
    );
  }
}
