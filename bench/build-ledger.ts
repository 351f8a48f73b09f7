import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import pg from 'pg';

import type * as appModule from '../src/app.ts';
import type * as migrationsModule from '../src/db/migrations/index.ts';
import type * as keysModule from '../src/features/api-keys/index.ts';
import type * as writeModule from '../src/journal/write.ts';
import type * as configModule from '../src/kernel/config.ts';
import type * as cryptoModule from '../src/kernel/crypto.ts';
import type * as householdModule from '../simulators/household.ts';
import type * as writingModule from '../simulators/write-household.ts';

/**
 * A program: builds a seeded household with the code of its working directory, which may be that of another commit,
 * unless the cache has one of the same schema. Prints where it is.
 */
const [size = '', cache = '', server = '', serverName = ''] = process.argv.slice(2);
const transactions = Number(size);
const UNTIL = '2026-04-30';
const ORIGIN = {
  actor: { type: 'system', id: null, userId: null, name: 'bench' },
  surface: 'cli',
  source: 'system',
  action: 'api_key.create',
  reason: null,
  requestId: null,
} as const;

const from = async <T>(path: string): Promise<T> => (await import(pathToFileURL(join(process.cwd(), path)).href)) as T;

const { migrations } = await from<typeof migrationsModule>('src/db/migrations/index.ts');
const { sha256Hex } = await from<typeof cryptoModule>('src/kernel/crypto.ts');
const schema = sha256Hex(JSON.stringify(migrations)).slice(0, 8);
const name = server === '' ? `${transactions}-${schema}` : `${transactions}-${schema}-${serverName}`;
const dataDir = join(cache, name);
const database = `bench_${transactions}_${schema}`;

if (!(await isBuilt())) {
  const start = performance.now();
  await (server === '' ? buildEmbedded() : buildOnServer());
  process.stderr.write(`  (built ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s)\n`);
}
const key = readFileSync(join(dataDir, 'bench-key'), 'utf8');
process.stdout.write(
  JSON.stringify({ transactions, dataDir, key, databaseUrl: server === '' ? null : urlOf(database) }),
);

async function isBuilt(): Promise<boolean> {
  if (!existsSync(join(dataDir, 'bench-key'))) return false;
  if (server === '') return true;
  const found = await administer(`select 1 from pg_database where datname = '${database}'`);
  return found.length === 1;
}

async function buildEmbedded(): Promise<void> {
  const part = `${dataDir}.part`;
  await build(part, {});
  renameSync(part, dataDir);
}

async function buildOnServer(): Promise<void> {
  const part = `${database}_part`;
  rmSync(dataDir, { recursive: true, force: true });
  for (const one of [part, database]) await administer(`drop database if exists ${one} with (force)`);
  await administer(`create database ${part} template template0`);
  await build(`${dataDir}.part`, { DATABASE_URL: urlOf(part) });
  // What the server would do by itself within minutes: no measurement should run beside it.
  await administer('vacuum (analyze)', urlOf(part));
  await administer('checkpoint');
  await administer(`alter database ${part} rename to ${database}`);
  renameSync(`${dataDir}.part`, dataDir);
}

async function build(part: string, variables: Record<string, string>): Promise<void> {
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const { createApp } = await from<typeof appModule>('src/app.ts');
  const { readConfig } = await from<typeof configModule>('src/kernel/config.ts');
  const { makeKey } = await from<typeof keysModule>('src/features/api-keys/index.ts');
  const { write } = await from<typeof writeModule>('src/journal/write.ts');
  const { generateHousehold } = await from<typeof householdModule>('simulators/household.ts');
  const { writeHousehold } = await from<typeof writingModule>('simulators/write-household.ts');
  const config = readConfig({ HOMELEDGER_DATA_DIR: part, LOG_LEVEL: 'error', ...variables });
  const app = await createApp(config, { workers: 0 });
  await writeHousehold(app.instance, generateHousehold({ seed: 1, transactions, until: UNTIL }));
  const fields = {
    name: 'bench',
    scope: 'full_access',
    actor_type: 'system',
    actor_name: null,
    expires_at: null,
  } as const;
  const made = await write(app.instance.database, ORIGIN, (tx) => makeKey(app.instance, tx, fields));
  await app.close();
  writeFileSync(join(part, 'bench-key'), made.value.key);
}

function urlOf(name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(statement: string, url = server): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
