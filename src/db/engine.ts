import type { CompiledQuery, DialectAdapter, QueryCompiler, QueryResult } from 'kysely';

import type { Portable } from './portable.ts';

/** A value that both engines store as it is. Booleans are 0/1, instants and dates text, money integers. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** One open connection inside a transaction. */
export interface EngineConnection {
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** Runs statements that return nothing and take no parameters: DDL, savepoints. */
  execute(sql: string): Promise<void>;
  /** Inserts rows in bulk, in the engine's fastest way; returns how many were inserted. */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict: string,
  ): Promise<number>;
  /**
   * Updates rows in bulk by their `id`, in the engine's fastest way. Each row holds its id and then one value per
   * column; blobs are not supported.
   */
  updateMany(table: string, columns: readonly string[], rows: readonly (readonly SqlValue[])[]): Promise<void>;
  /** Until the end of the transaction, deleted content is overwritten. */
  overwriteDeleted(): Promise<void>;
  /** Rows as arrays of values in column order: for many rows, a third faster than as objects. */
  values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]>;
  /** Rows of a query one by one, without holding them all. */
  iterate<Row>(query: CompiledQuery<Row>): AsyncIterable<Row>;
}

/** What a read needs: one state for all its queries, or just the answer to one. */
export type ReadScope = 'snapshot' | 'one query';

/** What a database engine offers to the layers above. Only files in this folder know which engine it is. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly portable: Portable;
  /** Runs `fn` in a read transaction: every query in it sees one state of the database. One query needs none. */
  read<T>(fn: (connection: EngineConnection) => Promise<T>, scope?: ReadScope): Promise<T>;
  /** Runs `fn` in a write transaction. Writers are served one after the other, in order of arrival. */
  write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T>;
  /** Shows others, under a name, that this one is running, until `close` or until its process or thread dies. */
  announceAlive(name: string): Promise<void>;
  isPresent(name: string): Promise<boolean>;
  /** Resolves within `ms` or rejects; with UNAVAILABLE if it is known why the database cannot be used. */
  ping(ms: number): Promise<void>;
  /** Checks the database files between requests and reports trouble; does nothing for an engine without files. */
  look(): void;
  /** Checks the whole database for damage in the background, unless the engine does that itself. */
  check(): Promise<void>;
  /** Starts to move finished writes from the log into the database file, if the engine has such a log. */
  checkpoint(): void;
  close(): Promise<void>;
}
