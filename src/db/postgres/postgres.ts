import { PostgresAdapter, PostgresQueryCompiler, type CompiledQuery, type QueryResult } from 'kysely';
import type pg from 'pg';

import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Engine, EngineConnection, ReadScope, SqlValue } from '../engine.ts';
import { postgresPortable } from '../portable.ts';
import { asUnready, orUnavailable, READ_ONLY_SERVER, UnansweredCommit } from '../unavailable.ts';
import { createWriteGate } from '../write-gate.ts';
import { createFreshStatistics, type InsertedRows } from './fresh-statistics.ts';
import { createPlannedStatements } from './planned-statements.ts';
import { askOnce, connectTo, destroy, openPool, within } from './postgres-pool.ts';
import { createSessionPresence, NOTICE, type SessionPresence } from './postgres-presence.ts';
import { askPlanned, ReadSession, type Ask, type Connections } from './postgres-reads.ts';
import { RowSources } from './postgres-rows.ts';
import { SilentConnection, WriteTurn } from './write-turn.ts';

/** Writers of all processes take this advisory lock, so that both engines serialise writes alike. */
const WRITE_LOCK = 4_741_331;
const STREAM_ROWS = 1_000;
const ROWS_PER_STATEMENT = 5_000;
/** A commit that takes longer counts as unanswered. */
const COMMIT_MS = 60_000;
const ROLLBACK_MS = 5_000;
/** What a server may end a writer with that waits for its turn, thinks, or changes very many rows. */
const patient = (): string[] => [
  'set local statement_timeout = 0',
  `set local lock_timeout = ${LIMITS.writeWaitMs}`,
  'set local idle_in_transaction_session_timeout = 0',
];
/** Read committed, whatever the server prefers: once it has the lock, a writer sees what the one before it committed. */
const beginWrite = (): string => ['begin isolation level read committed', ...patient(), ...NOTICE].join('; ');
const LOCK = `select pg_advisory_xact_lock(${WRITE_LOCK})`;
/**
 * Whether the server would take a write: it is not read-only, and its disk has room for what is sorted in too little
 * memory. Nothing is written to a table or to the log.
 */
const PROBE = [
  'begin',
  "set local work_mem = '64kB'",
  `select current_setting('transaction_read_only') as read_only, count(distinct md5(i::text))
    from generate_series(1, 4000) as i`,
  'commit',
].join('; ');
const BEGIN_READ = 'begin isolation level repeatable read, read only';

class PostgresConnection implements EngineConnection {
  readonly #ask: Ask;
  readonly #rows: RowSources;
  readonly inserted: InsertedRows = new Map();

  constructor(ask: Ask, rows: RowSources) {
    this.#ask = ask;
    this.#rows = rows;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#ask({ text: query.sql, values: query.parameters as unknown[] });
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  async values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]> {
    const values = query.parameters as unknown[];
    const { rows } = await this.#ask({ text: query.sql, values, rowMode: 'array' });
    return rows as SqlValue[][];
  }

  async *iterate<Row>(query: CompiledQuery<Row>): AsyncIterable<Row> {
    const text = `declare stream no scroll cursor for ${query.sql}`;
    await this.#ask({ text, values: query.parameters as unknown[] });
    for (;;) {
      const { rows } = await this.#ask({ text: `fetch ${STREAM_ROWS} from stream` });
      yield* rows as Row[];
      if (rows.length < STREAM_ROWS) break;
    }
    await this.#ask({ text: 'close stream' });
  }

  async execute(sql: string): Promise<void> {
    await this.#ask({ text: sql });
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
    const { source, valuesOf } = await this.#rows.of(this.#ask, table, columns);
    const text = `insert into ${table} (${names}) select * from ${source} ${onConflict}`;
    let inserted = 0;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const values = valuesOf(rows.slice(start, start + ROWS_PER_STATEMENT));
      inserted += (await this.#ask({ text, values })).rowCount ?? 0;
    }
    this.inserted.set(table, (this.inserted.get(table) ?? 0) + inserted);
    return inserted;
  }

  async updateMany(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const assignments = columns.map((column, at) => `${column} = value_${at}`).join(', ');
    const names = ['row_id', ...columns.map((_column, at) => `value_${at}`)].join(', ');
    const { source, valuesOf } = await this.#rows.of(this.#ask, table, ['id', ...columns]);
    const text = `update ${table} set ${assignments} from ${source} as changed (${names}) where id = row_id`;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      await this.#ask({ text, values: valuesOf(rows.slice(start, start + ROWS_PER_STATEMENT)) });
    }
  }
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
  readonly #pool: pg.Pool;
  readonly #broken = new WeakSet<pg.ClientBase>();
  readonly #connections: Connections;
  /** One writer of this process waits at the server; the others wait here and leave the connections to readers. */
  readonly #gate = createWriteGate();
  readonly #presence: SessionPresence;
  readonly #rows = new RowSources();
  readonly #noteInserted: (inserted: InsertedRows) => void;
  readonly #onError: (error: Error) => void;
  #turn: WriteTurn | undefined;

  constructor(url: string, size: number, onError: (error: Error) => void) {
    this.#pool = openPool(url, size);
    this.#onError = onError;
    this.#connections = {
      planned: createPlannedStatements(),
      broken: this.#broken,
      size,
      connect: () => connectTo(this.#pool).catch(unavailableOr),
    };
    // A query reports a broken connection to its caller; an unhandled event would end the process.
    this.#pool.on('connect', (client) => {
      client.on('error', (error) => {
        this.#broken.add(client);
        onError(error);
      });
    });
    this.#pool.on('error', () => undefined);
    this.#noteInserted = createFreshStatistics(this.#pool);
    this.#presence = createSessionPresence(this.#pool, onError);
  }

  async read<T>(fn: (connection: EngineConnection) => Promise<T>, scope: ReadScope = 'snapshot'): Promise<T> {
    const session = new ReadSession(this.#connections, scope === 'snapshot' ? BEGIN_READ : null);
    try {
      const result = await fn(new PostgresConnection((asked) => session.ask(asked), this.#rows));
      session.end();
      return result;
    } catch (error) {
      await session.fail();
      throw orUnavailable(error);
    }
  }

  async write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter();
    try {
      return await this.#writing(fn);
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
    if (this.#turn?.isDoubtful === true) {
      throw new AppError('UNAVAILABLE', 'A connection to the database does not answer, and writes wait for it.');
    }
    const answers = await askOnce(this.#pool, { text: PROBE }, ms).catch((error: unknown) => {
      throw asUnready(error);
    });
    const rows = [answers].flat().flatMap((answer): { read_only?: string }[] => answer.rows);
    if (rows.some(({ read_only }) => read_only === 'on')) throw asUnready({ code: READ_ONLY_SERVER });
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

  async #writing<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const { client, turn } = await this.#open();
    let failure: Error | undefined;
    try {
      const ask: Ask = (asked) => turn.answered(askPlanned(this.#connections, client, asked));
      const connection = new PostgresConnection(ask, this.#rows);
      const result = await fn(connection);
      await this.#commit(client, turn);
      this.#noteInserted(connection.inserted);
      return result;
    } catch (error) {
      if (error instanceof UnansweredCommit) failure = error;
      else await this.#rollback(client).catch((reason: Error) => (failure = reason));
      throw orUnavailable(error);
    } finally {
      this.#turn = undefined;
      client.release(failure ?? this.#broken.has(client));
    }
  }

  /** Like the first query of a read, but what comes after it waits: its instant is later than the writer's before. */
  async #open(): Promise<{ client: pg.PoolClient; turn: WriteTurn }> {
    for (let tries = 0; ; tries += 1) {
      const client = await this.#connections.connect();
      const turn = new WriteTurn({ pool: this.#pool, client, onSilent: (error) => this.#noteSilent(client, error) });
      this.#turn = turn;
      try {
        await turn.begin(beginWrite(), LOCK);
        return { client, turn };
      } catch (error) {
        this.#turn = undefined;
        client.release(true);
        const known = orUnavailable(error);
        const isLast = tries === (error instanceof SilentConnection ? 1 : this.#connections.size);
        if (isLast || !(known instanceof AppError)) throw known;
      }
    }
  }

  #noteSilent(client: pg.PoolClient, error: SilentConnection): void {
    this.#broken.add(client);
    this.#onError(error);
  }

  /** @throws when the connection must not be used again */
  async #rollback(client: pg.PoolClient): Promise<void> {
    if (this.#broken.has(client)) throw new Error('The connection is broken.');
    await within(ROLLBACK_MS, client.query('rollback')).catch((error: Error) => {
      destroy(client);
      throw error;
    });
  }

  /** @throws UnansweredCommit when only the database knows whether it was done */
  async #commit(client: pg.PoolClient, turn: WriteTurn): Promise<void> {
    if (this.#broken.has(client)) throw new Error('Connection terminated before the commit');
    const asked = turn.answered(client.query('commit'));
    const answer = await within(COMMIT_MS, asked).catch(async (error: Error) => {
      // After a refused commit the connection can still be used.
      throw await this.#rollback(client).then(
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
