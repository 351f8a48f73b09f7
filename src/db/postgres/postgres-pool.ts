import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

const CONNECT_MS = 10_000;
/** A new connection costs milliseconds and plans everything again, so some stay open, and the others for a while. */
const KEPT = 2;
const IDLE_MS = 60_000;
/** No plan that was made for a small table stays for long. */
const LIFETIME_S = 1_800;

/** As soon as the server, we ask whether the other side is still there (`NOTICE` in postgres-presence.ts). */
const KEEPALIVE_MS = 20_000;

/** With fewer connections for all, no thread may keep what it does not use. */
const PLENTY = 40;
const IDLE_IF_FEW_MS = 1_000;
/** One for its presence, one that writes and one that reads. */
const LEAST = 3;
const NO_CONNECTION_FREE = '53300';
const AGAIN_MS = 200;

/** How many connections the server, the database and the role allow. Null limits are left out. */
const ROOM = `select least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int,
  (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
  (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user)) as room`;

/** int8 columns are hundredths and counts, all safe integers; sums are returned as text. */
const types = {
  getTypeParser(oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary'): unknown {
    return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
  },
};

/** The connections of one thread: at most `size`, fewer where the server allows few. */
export function openPool(url: string, size: number): pg.Pool {
  let isFitted = false;
  const pool: pg.Pool = new pg.Pool({
    connectionString: url,
    max: size,
    min: KEPT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    pipeline: true,
    types,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_S,
    async onConnect(client) {
      if (isFitted) return;
      isFitted = true;
      // A server that does not tell is asked for as much as any other.
      await fit(pool, client, size).catch(() => undefined);
    },
  });
  return pool;
}

/** Half of what is allowed is left to other threads, which need three each. */
async function fit({ options }: pg.Pool, client: pg.ClientBase, size: number): Promise<void> {
  const { rows } = await client.query<{ room: number }>(ROOM);
  const room = rows[0]?.room ?? PLENTY;
  if (room >= PLENTY) return;
  options.max = Math.min(size, Math.max(LEAST, Math.floor(room / 2) - 1));
  options.min = 0;
  options.idleTimeoutMillis = IDLE_IF_FEW_MS;
}

/** A connection of the pool. Where the server has none left, waits for one that another thread or program gives back. */
export async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let waitedMs = 0; ; waitedMs += AGAIN_MS) {
    try {
      return await pool.connect();
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_CONNECTION_FREE || waitedMs >= CONNECT_MS) throw error;
    }
    await pause(AGAIN_MS);
  }
}

/** One query on a connection of its own. @throws when it is not answered within `ms` */
export async function askOnce<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  asked: pg.QueryConfig,
  ms: number,
): Promise<pg.QueryResult<R>> {
  const connecting = connectTo(pool);
  const client = await within(ms, connecting).catch((error: unknown) => {
    // It may still come, and then nobody waits for it.
    connecting.then(
      (late) => late.release(),
      () => undefined,
    );
    throw error;
  });
  let failure: Error | undefined;
  try {
    return await within(ms, client.query<R>(asked));
  } catch (error) {
    failure = error as Error;
    destroy(client);
    throw error;
  } finally {
    client.release(failure);
  }
}

/** At once: its `end` would wait for answers that may never come. */
export function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
}

/** @throws when the answer does not come within `ms` */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The database does not answer.')), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
