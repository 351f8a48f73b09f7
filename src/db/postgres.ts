import { PostgresAdapter, PostgresQueryCompiler, type CompiledQuery, type QueryResult } from 'kysely';
import pg from 'pg';

import { AppError } from '../kernel/errors.ts';
import type { Engine, EngineConnection, SqlValue } from './engine.ts';
import { postgresPortable } from './portable.ts';
import { createSessionPresence, NOTICE, type SessionPresence } from './postgres-presence.ts';
import { orUnavailable, UnansweredCommit } from './unavailable.ts';
import { createWriteGate } from './write-gate.ts';

/** Writers of all processes take this advisory lock, so that both engines serialise writes alike. */
const WRITE_LOCK = 4_741_331;
const STREAM_ROWS = 1_000;
const ROWS_PER_STATEMENT = 5_000;
const CONNECT_MS = 10_000;
/** A commit that takes longer counts as unanswered. */
const COMMIT_MS = 60_000;
const ROLLBACK_MS = 5_000;
/** Read committed: once it has the lock, a writer sees what the one before it committed. */
const BEGIN_WRITE = ['begin', ...NOTICE, `select pg_advisory_xact_lock(${WRITE_LOCK})`].join('; ');
const BEGIN_READ = 'begin isolation level repeatable read, read only';

/** int8 columns are hundredths and counts, all safe integers; sums are returned as text. */
const types = {
  getTypeParser(oid: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary'): unknown {
    return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format);
  },
};

class PostgresConnection implements EngineConnection {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#client.query(query.sql, query.parameters as unknown[]);
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  async values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]> {
    const values = query.parameters as unknown[];
    const { rows } = await this.#client.query<SqlValue[]>({ text: query.sql, values, rowMode: 'array' });
    return rows;
  }

  async *iterate(query: CompiledQuery): AsyncIterable<Record<string, unknown>> {
    await this.#client.query(`declare stream no scroll cursor for ${query.sql}`, query.parameters as unknown[]);
    for (;;) {
      const { rows } = await this.#client.query(`fetch ${STREAM_ROWS} from stream`);
      yield* rows as Record<string, unknown>[];
      if (rows.length < STREAM_ROWS) break;
    }
    await this.#client.query('close stream');
  }

  async execute(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  async overwriteDeleted(): Promise<void> {
    // Deleted rows stay in the server's files until VACUUM reuses their space.
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict: string,
  ): Promise<number> {
    const names = columns.join(', ');
    const text = `insert into ${table} (${names})
      select ${names} from json_populate_recordset(null::${table}, $1::json) ${onConflict}`;
    let inserted = 0;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const records = recordsOf(columns, rows.slice(start, start + ROWS_PER_STATEMENT));
      inserted += (await this.#client.query(text, [records])).rowCount ?? 0;
    }
    return inserted;
  }

  async updateMany(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const assignments = columns.map((column) => `${column} = changed.${column}`).join(', ');
    const text = `update ${table} set ${assignments} from json_populate_recordset(null::${table}, $1::json) as changed
      where ${table}.id = changed.id`;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const records = recordsOf(['id', ...columns], rows.slice(start, start + ROWS_PER_STATEMENT));
      await this.#client.query(text, [records]);
    }
  }
}

/** Rows as one JSON parameter: the table's own row type gives each value its type, and no statement grows with them. */
function recordsOf(columns: readonly string[], rows: readonly (readonly SqlValue[])[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, inJson(row[index] as SqlValue)]))),
  );
}

/** JSON has no bytes and no lone surrogates. */
function inJson(value: SqlValue): string | number | null {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

/** Opens a pool on a PostgreSQL server. `onError` is called when a connection breaks, idle or in use. */
export function openPostgres(url: string, size: number, onError: (error: Error) => void): Engine {
  return new Postgres(url, size, onError);
}

class Postgres implements Engine {
  readonly name = 'postgres';
  readonly compiler = new PostgresQueryCompiler();
  readonly adapter = new PostgresAdapter();
  readonly portable = postgresPortable;
  readonly #size: number;
  readonly #pool: pg.Pool;
  readonly #broken = new WeakSet<pg.ClientBase>();
  /** One writer of this process waits at the server; the others wait here and leave the connections to readers. */
  readonly #gate = createWriteGate();
  readonly #presence: SessionPresence;

  constructor(url: string, size: number, onError: (error: Error) => void) {
    const options = { max: size, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, types };
    this.#size = size;
    this.#pool = new pg.Pool({ connectionString: url, ...options });
    // A query reports a broken connection to its caller; an unhandled event would end the process.
    this.#pool.on('connect', (client) => {
      client.on('error', (error) => {
        this.#broken.add(client);
        onError(error);
      });
    });
    this.#pool.on('error', () => undefined);
    this.#presence = createSessionPresence(this.#pool, onError);
  }

  /** What was read is correct, however its transaction ends. */
  async read<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    return this.#inside(BEGIN_READ, fn, (client) => client.query('commit').catch(() => undefined));
  }

  async write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter();
    try {
      return await this.#inside(BEGIN_WRITE, fn, (client) => this.#commit(client));
    } finally {
      leave();
    }
  }

  async announceAlive(name: string): Promise<void> {
    await this.#presence.enter(name).catch(unavailableOr);
  }

  async isPresent(name: string): Promise<boolean> {
    return this.#presence.has(name).catch(unavailableOr);
  }

  async ping(ms: number): Promise<void> {
    await within(ms, this.#pool.query('select 1'));
  }

  look(): void {
    // The server looks after its own files.
  }

  async check(): Promise<void> {
    // The server reports damage when it reads it.
  }

  checkpoint(): void {
    // The server looks after its own log.
  }

  async close(): Promise<void> {
    this.#presence.leave();
    if (!this.#pool.ended && !this.#pool.ending) await this.#pool.end();
  }

  async #inside<T>(
    begin: string,
    fn: (connection: EngineConnection) => Promise<T>,
    end: (client: pg.PoolClient) => Promise<unknown>,
  ): Promise<T> {
    const client = await this.#open(begin);
    let failure: Error | undefined;
    try {
      const result = await fn(new PostgresConnection(client));
      await end(client);
      return result;
    } catch (error) {
      if (error instanceof UnansweredCommit) failure = error;
      else await client.query('rollback').catch((reason: Error) => (failure = reason));
      throw orUnavailable(error);
    } finally {
      client.release(failure ?? this.#broken.has(client));
    }
  }

  /** A connection may have broken while it was idle. Nothing was done on it yet, so another one is used. */
  async #open(begin: string): Promise<pg.PoolClient> {
    for (let tries = 0; ; tries += 1) {
      const client = await this.#pool.connect().catch(unavailableOr);
      try {
        await client.query(begin);
        return client;
      } catch (error) {
        client.release(true);
        const known = orUnavailable(error);
        if (tries === this.#size || !(known instanceof AppError)) throw known;
      }
    }
  }

  /** @throws UnansweredCommit when only the database knows whether it was done */
  async #commit(client: pg.PoolClient): Promise<void> {
    if (this.#broken.has(client)) throw new Error('Connection terminated before the commit');
    const asked = client.query('commit');
    const answer = await within(COMMIT_MS, asked).catch(async (error: Error) => {
      // After a refused commit the connection can still be used.
      const isBroken = this.#broken.has(client);
      const rolledBack = isBroken ? Promise.reject(error) : within(ROLLBACK_MS, client.query('rollback'));
      throw await rolledBack.then(
        () => error,
        () => new UnansweredCommit(error),
      );
    });
    if (answer.command !== 'COMMIT') throw new Error('The transaction had failed before its commit.');
  }
}

function unavailableOr(error: unknown): never {
  throw orUnavailable(error);
}

/** @throws when the answer does not come within `ms` */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The database does not answer.')), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
