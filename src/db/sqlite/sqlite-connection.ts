import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import type { CompiledQuery, QueryResult } from 'kysely';

import type { EngineConnection, SqlValue } from '../engine.ts';
import { InsertedTotals } from './inserted-totals.ts';
import { createPrivate, keepPrivate } from './sqlite-files.ts';
import { withWords } from './sqlite-first.ts';
import type { SqliteWatch } from './sqlite-watch.ts';

const STATEMENTS_KEPT = 400;
const BUSY_MS = 5_000;
const ROWS_PER_UPDATE = 5_000;

/** Prefix in the cache for statements whose rows are arrays. */
const ARRAYS = '-- as arrays\n';

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

/** A connection of node:sqlite with its prepared statements, cached by SQL text. */
export class SqliteConnection implements EngineConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  #isOverwriting = false;

  constructor(path: string | URL, pragmas: readonly string[]) {
    this.#database = new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
    for (const pragma of pragmas) this.#database.exec(`pragma ${pragma}`);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SqlValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    // A search index numbers what it keeps of deleted texts beyond the safe integers.
    statement.setReadBigInts(true);
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]> {
    const { statement } = this.#prepare(query.sql, true);
    return statement.all(...(query.parameters as SqlValue[])) as unknown as SqlValue[][];
  }

  async *iterate<Row>(query: CompiledQuery<Row>): AsyncIterable<Row> {
    // A statement of its own: a cached one would be reset by the next query with the same text.
    const statement = this.#database.prepare(query.sql);
    yield* statement.iterate(...(query.parameters as SqlValue[])) as Iterable<Row>;
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
    const totals = table === 'transactions' ? new InsertedTotals(columns) : null;
    let inserted = 0;
    for (const row of rows) {
      const count = Number(statement.run(...row).changes);
      inserted += count;
      if (count > 0) totals?.add(row);
    }
    for (const { sql, rows: sums } of totals?.statements() ?? []) {
      const add = this.#prepare(sql).statement;
      for (const values of sums) add.run(...values);
    }
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

  async overwriteDeleted(): Promise<void> {
    this.#database.exec('pragma secure_delete = on');
    this.#isOverwriting = true;
  }

  /** Overwriting everything is for single transactions, because it doubles what a deletion writes. */
  endOverwriting(): void {
    if (!this.#isOverwriting) return;
    this.#database.exec('pragma secure_delete = fast');
    this.#isOverwriting = false;
  }

  run(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  /** SQLite may already have rolled back by itself, for instance when the disk is full. */
  rollBack(): void {
    try {
      this.run('rollback');
    } catch {
      // The transaction is no longer open; the first error is the one to report.
    }
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

/** The connection that creates the file if it is missing. */
export function openFirst(path: string, pragmas: readonly string[]): SqliteConnection {
  return withWords(path, () => {
    // The files beside it get its permissions when they are created; those that are left of a crash may have others.
    createPrivate(path, 0o600);
    for (const beside of ['-wal', '-shm']) if (existsSync(path + beside)) keepPrivate(path + beside, 0o600);
    const connection = new SqliteConnection(path, pragmas);
    // Creates the log if there is none, so that it can be watched.
    connection.run('select 1 from sqlite_schema');
    return connection;
  });
}

/**
 * Another connection to the watched files; never creates one.
 * @throws StorageError when they are no longer in place
 */
export function openBeside(path: string, pragmas: readonly string[], watch: SqliteWatch): SqliteConnection {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  watch.beforeRead();
  let made: SqliteConnection | undefined;
  try {
    made = new SqliteConnection(url, pragmas);
    // It was opened by name: the name must still refer to the same file.
    watch.beforeRead();
    return made;
  } catch (error) {
    made?.close();
    throw watch.explain(error, 'reading');
  }
}
