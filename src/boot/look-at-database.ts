import { existsSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { sql } from 'kysely';

import { declaredIndexes } from '../db/declared-schema.ts';
import type { Engine } from '../db/engine.ts';
import { migrations } from '../db/migrations/index.ts';
import { programVersion, render, tablesFound } from '../db/migrate.ts';
import { createSqliteCheck } from '../db/sqlite/sqlite-check.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { createDatabase, type Database, type ReadTx } from '../db/unit-of-work.ts';
import { createWriteGate } from '../db/write-gate.ts';
import { candidates, findCurrentKey, isKeyOf, selectRecords } from '../features/encryption/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { decryptRecord, keyIdOf } from '../kernel/crypto.ts';
import { createIds } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { systemRandom } from '../kernel/random.ts';
import { databaseFile } from './data-directory.ts';

export { programVersion } from '../db/migrate.ts';

/** What can be seen of a database without changing it: nothing is created, migrated or decided. */
export interface SeenDatabase {
  tables: 'missing' | 'none' | 'own' | 'foreign';
  serverVersion: number | null;
  /** The schema that it has; `isForeignStep`: one of its steps is not that of this program. */
  version: number;
  isForeignStep: boolean;
  damage: readonly string[];
  /** False if it is too large to have been read whole in the time given. */
  isReadWhole: boolean;
  missingIndexes: readonly string[];
  key: SeenKey;
}

interface SeenKey {
  /** The id of the key that the database needs; null if it never had one. */
  neededId: string | null;
  /** The keys at hand, as ids and where they are. */
  found: readonly { keyId: string; where: string; isRight: boolean }[];
  recordCount: number;
  /** Columns with a record that the right key does not read. */
  unreadable: readonly string[];
}

const SAMPLED_PER_COLUMN = 20;

/** Looks at a database for at most about `ms`. @throws what its engine says if it cannot be opened */
export async function lookAtDatabase(config: Config, logger: Logger, ms: number): Promise<SeenDatabase> {
  const isMissing = config.databaseUrl === null && sizeOf(databaseFile(config.dataDir)) === 0;
  if (isMissing) return NOTHING;
  const opened = await openAsItIs(config);
  try {
    const tables = await tablesFound(opened.engine);
    const serverVersion = await opened.database.read(serverVersionOf);
    if (tables !== 'own') return { ...NOTHING, tables, serverVersion };
    const { damage, isReadWhole } = await findDamage(config, opened.database, ms);
    return await opened.database.read(async (tx) => ({
      tables,
      serverVersion,
      ...(await seenSchema(tx)),
      damage,
      isReadWhole,
      missingIndexes: await missingIndexes(tx),
      key: await seenKey(tx, config, logger),
    }));
  } finally {
    await opened.database.close();
  }
}

const NOTHING: SeenDatabase = {
  tables: 'missing',
  serverVersion: null,
  version: 0,
  isForeignStep: false,
  damage: [],
  isReadWhole: true,
  missingIndexes: [],
  key: { neededId: null, found: [], recordCount: 0, unreadable: [] },
};

/** Makes the indexes that the database should have and lacks; returns their names. */
export async function makeMissingIndexes(config: Config): Promise<string[]> {
  const { engine, database } = await openAsItIs(config);
  try {
    const missing = await database.read(missingIndexes);
    const declared = declaredIndexes(engine.name).filter(({ name }) => missing.includes(name));
    for (const { statement } of declared) {
      await engine.write((connection) => connection.execute(render(engine, statement)));
    }
    return declared.map(({ name }) => name);
  } finally {
    await database.close();
  }
}

/** Opens a database without creating, migrating or deciding anything. */
export async function openAsItIs(config: Config): Promise<{ engine: Engine; database: Database }> {
  const engine = await openEngineOf(config);
  const ids = createIds(systemClock, systemRandom());
  return { engine, database: createDatabase({ engine, clock: systemClock, ids, onHookError: () => undefined }) };
}

async function openEngineOf({ databaseUrl, dataDir }: Config): Promise<Engine> {
  if (databaseUrl === null) {
    const caches = { writerCacheKiB: 4_096, readerCacheKiB: 4_096 };
    return openSqlite({ path: databaseFile(dataDir), gate: createWriteGate(), readers: 1, ...caches });
  }
  const { openPostgres } = await import('../db/postgres/postgres.ts');
  return openPostgres(databaseUrl, 4, () => undefined);
}

async function seenSchema(tx: ReadTx): Promise<Pick<SeenDatabase, 'version' | 'isForeignStep'>> {
  const { rows } = await sql<{ version: number | string; name: string }>`select version, name from schema_migrations
    order by version`.execute(tx.q);
  const isForeignStep = rows.some(
    ({ version, name }) =>
      Number(version) <= programVersion() && migrations.find((one) => one.version === Number(version))?.name !== name,
  );
  return { version: Number(rows.at(-1)?.version ?? 0), isForeignStep };
}

async function serverVersionOf(tx: ReadTx): Promise<number | null> {
  if (tx.portable.engine === 'sqlite') return null;
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(tx.q);
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}

/** Damage of a large file is looked for until the time is up. */
async function findDamage(
  config: Config,
  database: Database,
  ms: number,
): Promise<Pick<SeenDatabase, 'damage' | 'isReadWhole'>> {
  if (config.databaseUrl !== null) {
    return { damage: await database.read((tx) => tx.portable.damage(tx, 5)), isReadWhole: true };
  }
  const damage: string[] = [];
  const check = createSqliteCheck(databaseFile(config.dataDir), ({ message }) => damage.push(message));
  const timer = new AbortController();
  const isReadWhole = await Promise.race([
    check.run().then(() => true),
    setTimeout(ms, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  check.stop();
  if (!isReadWhole) await check.settled();
  return { damage, isReadWhole };
}

async function missingIndexes(tx: ReadTx): Promise<string[]> {
  const { engine } = tx.portable;
  const query =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'index'`
      : sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = current_schema()`;
  const there = new Set((await query.execute(tx.q)).rows.map(({ name }) => name));
  return declaredIndexes(engine)
    .map(({ name }) => name)
    .filter((name) => !there.has(name));
}

async function seenKey(tx: ReadTx, config: Config, logger: Logger): Promise<SeenKey> {
  const [needed, records] = [await findCurrentKey(tx), await selectRecords(tx)];
  const keys = candidates({ config, logger });
  const right = needed && keys.find(({ key }) => isKeyOf(key, needed))?.key;
  const unreadable = new Set<string>();
  const seen = new Map<string, number>();
  for (const { table, column, place, record } of right ? records : []) {
    const name = `${table}.${column}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count <= SAMPLED_PER_COLUMN && decryptRecord(right as Uint8Array, place, record) === undefined) {
      unreadable.add(name);
    }
  }
  const found = keys.map(({ key, where }) => ({ keyId: keyIdOf(key), where, isRight: key === right }));
  return { neededId: needed?.key_id ?? null, found, recordCount: records.length, unreadable: [...unreadable] };
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
