import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import pg from 'pg';

import { sha256Hex } from '../src/kernel/crypto.ts';
import { freePort } from '../test/harness/servers/free-port.ts';
import {
  copyPrograms,
  installedPrograms,
  isReachableByAll,
  serverOwner,
} from '../test/harness/runner/postgres-server.ts';
import { processorSecondsOfFamily } from './processor.ts';

/** The PostgreSQL of a run. It keeps the seeded ledgers between runs. */
export interface BenchPostgres {
  url: string;
  /** What the cache calls it. */
  name: string;
  version: string;
  copyOf(databaseUrl: string): Promise<{ url: string; drop(): Promise<void> }>;
  /** Processor time of all its processes so far; 0 for a server that somebody else runs. */
  cpuSeconds: () => number;
  /** What it has written to its log so far. */
  logBytes: () => Promise<number>;
  stop: () => Promise<void>;
}

const COPY = 'bench_run_';
const FILE_COPY_SINCE = 150_000;
const START_TIMEOUT_MS = 60_000;
const LOG_TAIL_CHARS = 10_000;

// Lives exactly as long as its standard input: however the bench ends, the server is shut down in order.
const KEEPER = `
  trap '' PIPE
  exec 3<&0
  "$1/postgres" -D "$2" -h 127.0.0.1 -p "$3" -c unix_socket_directories= -c timezone=UTC -c log_timezone=UTC 3<&- &
  server=$!
  { cat <&3 >/dev/null; kill -INT "$server" 2>/dev/null; } &
  wait "$server"
`;

/**
 * A real PostgreSQL with its default settings: the server of TEST_DATABASE_URL, else one of its own with the programs
 * on the PATH, else with those that come with the tests.
 */
export async function startPostgres(cache: string): Promise<BenchPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given)
    return connected(given, `postgres-${sha256Hex(given).slice(0, 8)}`, {
      cpuSeconds: () => 0,
      stop: () => Promise.resolve(),
    });
  const owner = serverOwner();
  const base = owner && !isReachableByAll(cache) ? join(tmpdir(), 'homeledger-bench') : cache;
  mkdirSync(base, { recursive: true });
  const programs = programsFor(base, owner !== undefined);
  const [, major = ''] =
    /(\d+)/.exec(execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' })) ?? [];
  const data = join(base, `postgres-${major}`);
  if (!existsSync(data)) {
    const part = `${data}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { mode: 0o700 });
    if (owner) chownSync(part, owner.uid, owner.gid);
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'];
    execFileSync(join(programs, 'initdb'), ['-D', part, ...options], { ...owner, cwd: base, stdio: 'pipe' });
    renameSync(part, data);
  }
  const kept = await keep(programs, data, owner);
  const url = `postgres://postgres@127.0.0.1:${kept.port}/postgres`;
  try {
    const left = await query<{ datname: string }>(
      url,
      `select datname from pg_database where starts_with(datname, '${COPY}')`,
    );
    for (const { datname } of left) await query(url, `drop database ${datname} with (force)`);
    return await connected(url, `postgres-${major}`, kept);
  } catch (error) {
    await kept.stop();
    throw error;
  }
}

type Kept = Pick<BenchPostgres, 'cpuSeconds' | 'stop'>;

async function keep(
  programs: string,
  data: string,
  owner: { uid: number; gid: number } | undefined,
): Promise<Kept & { port: number }> {
  const port = await freePort();
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', programs, data, String(port)], {
    ...owner,
    cwd: data,
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
  const fail = (reason: string): void => ready.reject(new Error(`PostgreSQL ${reason}. Its log:\n${log}`));
  const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
  ended.then(() => fail('ended'), ready.reject);
  const stop = async (): Promise<void> => {
    keeper.stdin.end();
    await ended;
  };
  try {
    await ready.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { port, stop, cpuSeconds: () => processorSecondsOfFamily(pid) };
}

async function connected(url: string, name: string, kept: Kept): Promise<BenchPostgres> {
  const [shown] = await query<{ version: string; number: number }>(
    url,
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('server_version_num')::int as number`,
  );
  // Writing the copy through the log would be measured with whatever runs next.
  const strategy = (shown?.number ?? 0) >= FILE_COPY_SINCE ? 'strategy file_copy' : '';
  let copies = 0;
  return {
    url,
    name,
    version: shown?.version ?? '',
    cpuSeconds: kept.cpuSeconds,
    async logBytes() {
      const [at] = await query<{ bytes: string }>(url, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
      return Number(at?.bytes);
    },
    stop: kept.stop,
    async copyOf(databaseUrl) {
      const copy = `${COPY}${process.pid}_${(copies += 1)}`;
      await query(url, `create database ${copy} template ${new URL(databaseUrl).pathname.slice(1)} ${strategy}`);
      const at = new URL(url);
      at.pathname = `/${copy}`;
      return {
        url: at.href,
        drop: async () => {
          await query(url, `drop database if exists ${copy} with (force)`);
        },
      };
    },
  };
}

/** Where `postgres` and `initdb` are. */
function programsFor(base: string, isForAnother: boolean): string {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .find((directory) => ['postgres', 'initdb'].every((program) => existsSync(join(directory, program))));
  if (onPath !== undefined) return dirname(realpathSync(join(onPath, 'postgres')));
  const installed = installedPrograms();
  if (!isForAnother || isReachableByAll(installed)) return join(installed, 'bin');
  const copied = join(base, 'native');
  return join(existsSync(copied) ? copied : copyPrograms(installed, base), 'bin');
}

async function query<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
