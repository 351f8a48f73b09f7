import type { CompiledQuery, DialectAdapter, QueryCompiler, QueryResult } from 'kysely';

import type { Portable } from './portable.ts';

/** A value that both engines store as it is. Booleans are 0/1, instants and dates text, money integers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** One open connection inside a transaction. */
export interface EngineConnection {
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** Runs statements that return nothing and take no parameters: DDL, savepoints. */
  execute(sql: string): Promise<void>;
  /** Inserts rows in bulk, by the engine's fastest way; returns how many went in. */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict: string,
  ): Promise<number>;
  /**
   * Updates rows in bulk by their `id`, by the engine's fastest way. Each row holds its id and then one value per
   * column; blobs are not supported.
   */
  updateMany(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void>;
  /** Rows as their values in the order of the columns: for many rows, in a third less time than as objects. */
  values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]>;
  /** Rows of a query one by one, without holding them all. */
  iterate(query: CompiledQuery): AsyncIterable<Record<string, unknown>>;
}

/** What a database engine offers to the layers above. Only files of this folder know which one it is. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly portable: Portable;
  /** Runs `fn` in a read transaction: every query in it sees one state of the database. */
  read<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T>;
  /** Runs `fn` in a write transaction. Writers are served one after the other, in order of arrival. */
  write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T>;
  /** Shows others that this one runs, under a name, until `close` or until the process or thread dies in any way. */
  announceAlive(name: string): Promise<void>;
  isPresent(name: string): Promise<boolean>;
  /** Answers within `ms` or rejects; with UNAVAILABLE where it is known what keeps the database from being used. */
  ping(ms: number): Promise<void>;
  /** Looks at the files of the database between requests, where the engine has files, and tells of trouble. */
  look(): void;
  /** Reads the whole database for damage, beside everything else, where the engine does not do that by itself. */
  check(): Promise<void>;
  /** Begins to move finished writes from the log into the database file, where the engine has such a log. */
  checkpoint(): void;
  close(): Promise<void>;
}
