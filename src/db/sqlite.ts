import { basename, dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { SqliteAdapter, SqliteQueryCompiler, type CompiledQuery, type QueryResult } from 'kysely';

import type { Engine, EngineConnection, SqlValue } from './engine.ts';
import { sqlitePortable } from './portable.ts';
import { keepPrivate } from './private-file.ts';
import { createSqliteCheck } from './sqlite-check.ts';
import { withWords } from './sqlite-first.ts';
import { createSqliteLog } from './sqlite-log.ts';
import { createFilePresence } from './sqlite-presence.ts';
import { watchSqlite, type OnTrouble, type SharedWatch, type SqliteWatch, type Step } from './sqlite-watch.ts';
import { StorageError } from './storage-trouble.ts';
import type { WriteGate } from './write-gate.ts';

export interface SqliteOptions {
  path: string;
  gate: WriteGate;
  /** Read connections of this thread; a read waits when all are busy. */
  readers: number;
  /** Page cache of the writing connection, and of each reading one. */
  writerCacheKiB: number;
  readerCacheKiB: number;
  /** Hears why the log could not be copied into the file. */
  onLogError?: (error: Error) => void;
  onTrouble?: OnTrouble;
  /** Set in other threads than the one that opened the database first: they never make a file. */
  share?: SharedWatch;
}

/** An engine whose other threads open the same files and learn what was met in them. */
export interface SqliteEngine extends Engine {
  readonly share: SharedWatch;
}

const STATEMENTS_KEPT = 400;
const BUSY_MS = 5_000;
const ROWS_PER_UPDATE = 5_000;
/** What the log file keeps of its size once its content is in the database file. */
const LOG_KEPT_BYTES = 16 * 1_048_576;

/** Before the text of a statement whose rows are arrays. */
const ARRAYS = '-- as arrays\n';

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

/** A connection of node:sqlite with its prepared statements, cached by SQL text. */
class SqliteConnection implements EngineConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(path: string | URL, pragmas: readonly string[]) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
    for (const pragma of pragmas) this.#database.exec(`pragma ${pragma}`);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SqlValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]> {
    const { statement } = this.#prepare(query.sql, true);
    return statement.all(...(query.parameters as SqlValue[])) as unknown as SqlValue[][];
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for await (const row of this.iterate(query)) yield { rows: [row as R] };
  }

  async *iterate(query: CompiledQuery): AsyncIterable<Record<string, unknown>> {
    // A statement of its own: a cached one would be reset by the next query with the same text.
    const statement = this.#database.prepare(query.sql);
    yield* statement.iterate(...(query.parameters as SqlValue[])) as Iterable<Record<string, unknown>>;
  }

  async execute(sql: string): Promise<void> {
    this.#database.exec(sql);
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict: string,
  ): Promise<number> {
    const marks = columns.map(() => '?').join(', ');
    const { statement } = this.#prepare(
      `insert into ${table} (${columns.join(', ')}) values (${marks}) ${onConflict}`.trim(),
    );
    let inserted = 0;
    for (const row of rows) inserted += Number(statement.run(...row).changes);
    return inserted;
  }

  /** One statement for all rows: with foreign keys, each statement of its own would copy every page it touches. */
  async updateMany(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const assignments = columns.map((column, index) => `${column} = changed.value_${index + 1}`).join(', ');
    const values = columns.map((_column, index) => `value ->> ${index + 1} as value_${index + 1}`).join(', ');
    const { statement } = this.#prepare(`update ${table} set ${assignments}
      from (select value ->> 0 as id, ${values} from json_each(?)) as changed where ${table}.id = changed.id`);
    for (let start = 0; start < rows.length; start += ROWS_PER_UPDATE) {
      statement.run(JSON.stringify(rows.slice(start, start + ROWS_PER_UPDATE)));
    }
  }

  run(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string, asArrays = false): Prepared {
    const key = asArrays ? `${ARRAYS}${sql}` : sql;
    const known = this.#prepared.get(key);
    if (known) return known;
    if (this.#prepared.size >= STATEMENTS_KEPT) {
      const oldest = this.#prepared.keys().next().value;
      if (oldest !== undefined) this.#prepared.delete(oldest);
    }
    const statement = this.#database.prepare(sql);
    if (asArrays) statement.setReturnArrays(true);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#prepared.set(key, prepared);
    return prepared;
  }
}

/** Opens the embedded database. The first thread makes the file when it is missing, mode 0600. */
export function openSqlite(options: SqliteOptions): SqliteEngine {
  const { path, share } = options;
  const onTrouble = options.onTrouble ?? (() => undefined);
  const pragmas = [
    'journal_mode = wal',
    'synchronous = full',
    `cache_size = -${options.writerCacheKiB}`,
    // Copying the log into the file is left to a thread, see docs/decisions/0004.
    'wal_autocheckpoint = 0',
    `journal_size_limit = ${LOG_KEPT_BYTES}`,
    // What a statement may have to take back stays in memory: in a file it took a third of a bulk update.
    'temp_store = memory',
  ];
  const first = share ? undefined : openFirst(path, pragmas);
  const watch = watchSqlite(path, onTrouble, share);
  const writer = first ?? openBeside(path, pragmas, watch);
  const presence = createFilePresence(dirname(path));
  const log = createSqliteLog(path, options.onLogError ?? (() => undefined));
  const check = createSqliteCheck(path, (finding) => watch.noteDamage(finding));
  const readers = createReaders(options, watch);
  let isClosed = false;

  async function inside<T>(
    connection: SqliteConnection,
    begin: string,
    fn: (connection: EngineConnection) => Promise<T>,
    isWrite: boolean,
  ): Promise<T> {
    let step: Step = isWrite ? 'writing' : 'reading';
    try {
      if (isWrite) watch.beforeWrite();
      else watch.beforeRead();
      connection.run(begin);
      const result = await fn(connection);
      if (isWrite) {
        watch.beforeWrite();
        step = 'committing';
      }
      connection.run('commit');
      if (isWrite) watch.afterCommit();
      return result;
    } catch (error) {
      rollback(connection);
      throw watch.explain(error, step);
    }
  }

  async function write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const leave = await options.gate.enter();
    try {
      return await inside(writer, 'begin immediate', fn, true);
    } finally {
      leave();
    }
  }

  /** What is only in a log without a name is saved at once, and not only when the process ends in good order. */
  async function saveLog(): Promise<void> {
    const leave = await options.gate.enter();
    try {
      if (!isClosed) writer.run('pragma wal_checkpoint(passive)');
    } catch (error) {
      options.onLogError?.(error as Error);
    } finally {
      leave();
    }
  }

  let isSaved = false;
  return {
    name: 'sqlite',
    compiler: new SqliteQueryCompiler(),
    adapter: new SqliteAdapter(),
    portable: sqlitePortable,
    share: watch.shared,
    async read(fn) {
      const connection = await readers.borrow();
      try {
        return await inside(connection, 'begin', fn, false);
      } finally {
        readers.giveBack(connection);
      }
    },
    write,
    async announceAlive(name) {
      watch.beforeWrite();
      try {
        presence.enter(name);
      } catch (error) {
        throw watch.explain(error, 'writing');
      }
    },
    isPresent: async (name) => presence.has(name),
    async ping() {
      if (isClosed) throw new Error('The database is closed.');
      const trouble = watch.look();
      if (trouble) throw new StorageError(trouble, basename(path), '');
      writer.run('select 1');
    },
    look() {
      if (isClosed) return;
      const isLogLost = watch.look() === 'log_lost';
      if (isLogLost && !isSaved) void saveLog();
      isSaved = isLogLost;
    },
    check: () => check.run(),
    checkpoint() {
      if (!isClosed && watch.look() === null) log.checkpoint(watch.shared.opened);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      presence.leave();
      check.stop();
      await Promise.all([log.settled(), check.settled()]);
      readers.close();
      writer.close();
    },
  };
}

interface Readers {
  /** @throws StorageError when another connection is needed and the database is not in its place */
  borrow(): Promise<SqliteConnection>;
  giveBack(connection: SqliteConnection): void;
  close(): void;
}

/** Connections that only read, opened when first needed. */
function createReaders(options: SqliteOptions, watch: SqliteWatch): Readers {
  const idle: SqliteConnection[] = [];
  const waiting: ((connection: SqliteConnection) => void)[] = [];
  const open: SqliteConnection[] = [];

  function another(): SqliteConnection {
    const made = openBeside(options.path, [`cache_size = -${options.readerCacheKiB}`, 'query_only = on'], watch);
    open.push(made);
    return made;
  }

  return {
    async borrow() {
      const free = idle.pop();
      if (free) return free;
      if (open.length < options.readers) return another();
      return new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(connection) {
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push(connection);
    },
    close() {
      for (const connection of open) connection.close();
    },
  };
}

/** The connection that makes the file when it is missing. */
function openFirst(path: string, pragmas: readonly string[]): SqliteConnection {
  return withWords(path, () => {
    const connection = new SqliteConnection(path, pragmas);
    // Makes the log, if there is none, so that it can be watched.
    connection.run('select 1 from sqlite_schema');
    keepPrivate(path, 0o600);
    return connection;
  });
}

/**
 * A further connection to the files that are watched; never makes one.
 * @throws StorageError when they are not in their place
 */
function openBeside(path: string, pragmas: readonly string[], watch: SqliteWatch): SqliteConnection {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  watch.beforeRead();
  let made: SqliteConnection | undefined;
  try {
    made = new SqliteConnection(url, pragmas);
    // It was opened by name: what has the name now must be what had it before.
    watch.beforeRead();
    return made;
  } catch (error) {
    made?.close();
    throw watch.explain(error, 'reading');
  }
}

/** SQLite may already have rolled back by itself, for instance when the disk is full. */
function rollback(connection: SqliteConnection): void {
  try {
    connection.run('rollback');
  } catch {
    // No transaction is open any more; the first error is the one to report.
  }
}
