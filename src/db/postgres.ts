import { PostgresAdapter, PostgresQueryCompiler, type CompiledQuery, type QueryResult } from 'kysely';
import pg from 'pg';

import type { Engine, EngineConnection, SqlValue } from './engine.ts';
import { postgresPortable } from './portable.ts';
import { createSessionPresence } from './postgres-presence.ts';
import { orUnavailable } from './unavailable.ts';
import { createWriteGate } from './write-gate.ts';

/** Writers of all processes take this advisory lock, so that both engines serialise writes alike. */
const WRITE_LOCK = 4_741_331;
const STREAM_ROWS = 1_000;
const ROWS_PER_STATEMENT = 5_000;
const CONNECT_MS = 10_000;

/** int8 holds hundredths and counts, all within the safe integers; sums leave the database as text. */
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

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for await (const row of this.iterate(query)) yield { rows: [row as R] };
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

/** JSON knows no bytes and no halves of a character. */
function inJson(value: SqlValue): string | number | null {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

/** Opens a pool on a PostgreSQL server. `onError` hears of idle connections that break. */
export function openPostgres(url: string, size: number, onError: (error: Error) => void): Engine {
  const pool = new pg.Pool({ connectionString: url, max: size, connectionTimeoutMillis: CONNECT_MS, types });
  pool.on('error', onError);
  // One writer of this process waits at the server; the others wait here and leave the connections to readers.
  const gate = createWriteGate();
  const presence = createSessionPresence(pool, onError);

  async function inside<T>(begin: string, fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw orUnavailable(error);
    });
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await fn(new PostgresConnection(client));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw orUnavailable(error);
    } finally {
      client.release(broken);
    }
  }

  return {
    name: 'postgres',
    compiler: new PostgresQueryCompiler(),
    adapter: new PostgresAdapter(),
    portable: postgresPortable,
    read: (fn) => inside('begin isolation level repeatable read, read only', fn),
    async write(fn) {
      const leave = await gate.enter();
      try {
        return await inside('begin', async (connection) => {
          await connection.execute(`select pg_advisory_xact_lock(${WRITE_LOCK})`);
          return fn(connection);
        });
      } finally {
        leave();
      }
    },
    bePresent: (name) => presence.enter(name),
    isPresent: (name) => presence.has(name),
    async ping(ms) {
      const answer = pool.query('select 1');
      answer.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The database does not answer.')), ms);
      });
      await Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
    checkpoint() {
      // PostgreSQL looks after its own log.
    },
    async close() {
      presence.leave();
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}
