import { basename, dirname } from 'node:path';

import { SqliteAdapter, SqliteQueryCompiler } from 'kysely';

import type { Engine, EngineConnection } from '../engine.ts';
import { sqlitePortable } from '../portable.ts';
import { StorageError } from '../storage-trouble.ts';
import { isBusy } from '../unavailable.ts';
import type { WriteGate } from '../write-gate.ts';
import { createSqliteCheck, type SqliteCheck } from './sqlite-check.ts';
import { openBeside, openFirst, type SqliteConnection } from './sqlite-connection.ts';
import { createSqliteLog, type SqliteLog } from './sqlite-log.ts';
import { createFilePresence, type FilePresence } from './sqlite-presence.ts';
import { watchSqlite, type OnTrouble, type SharedWatch, type SqliteWatch, type Step } from './sqlite-watch.ts';

interface SqliteOptions {
  path: string;
  gate: WriteGate;
  /** Number of read connections of this thread; a read waits while all are busy. */
  readers: number;
  /** Page cache of the writing connection, and of each reading one. */
  writerCacheKiB: number;
  readerCacheKiB: number;
  /** Called when the log could not be copied into the file. */
  onLogError?: (error: Error) => void;
  onTrouble?: OnTrouble;
  /** With it, a write waits for one of another process for minutes instead of seconds. Called when it has waited for seconds. */
  onBusy?: (() => void) | undefined;
  /** Set in every thread but the one that opened the database first: these never create a file. */
  share?: SharedWatch;
}

/** An engine whose files other threads can open too, and share what is known about them. */
export interface SqliteEngine extends Engine {
  readonly share: SharedWatch;
}

/** How often a patient write tries to begin; each time takes as long as a connection waits for others, five seconds. */
const BUSY_TRIES = 24;
/** The size that the log file keeps once its content is in the database file. */
const LOG_KEPT_BYTES = 16 * 1_048_576;

/** Opens the embedded database. The first thread creates the file if it is missing, mode 0600. */
export function openSqlite(options: SqliteOptions): SqliteEngine {
  return new Sqlite(options);
}

class Sqlite implements SqliteEngine {
  readonly name = 'sqlite';
  readonly compiler = new SqliteQueryCompiler();
  readonly adapter = new SqliteAdapter();
  readonly portable = sqlitePortable;
  readonly share: SharedWatch;
  readonly #file: string;
  readonly #gate: WriteGate;
  readonly #onLogError: (error: Error) => void;
  readonly #onBusy: (() => void) | undefined;
  readonly #watch: SqliteWatch;
  readonly #writer: SqliteConnection;
  readonly #readers: Readers;
  readonly #presence: FilePresence;
  readonly #log: SqliteLog;
  readonly #check: SqliteCheck;
  #isClosed = false;
  #isLogSaved = false;

  constructor(options: SqliteOptions) {
    const { path, gate, share, onTrouble = () => undefined, onLogError = () => undefined } = options;
    const pragmas = writerPragmas(options.writerCacheKiB);
    const first = share ? undefined : openFirst(path, pragmas);
    this.#watch = watchSqlite(path, onTrouble, share);
    this.#writer = first ?? openBeside(path, pragmas, this.#watch);
    this.#readers = createReaders(options, this.#watch);
    this.#presence = createFilePresence(dirname(path));
    this.#log = createSqliteLog(path, gate, onLogError);
    this.#check = createSqliteCheck(path, (finding) => this.#watch.noteDamage(finding));
    this.#file = basename(path);
    this.#gate = gate;
    this.#onLogError = onLogError;
    this.#onBusy = options.onBusy;
    this.share = this.#watch.shared;
  }

  async read<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const connection = await this.#readers.borrow();
    try {
      this.#watch.beforeRead();
      connection.run('begin');
      const result = await fn(connection);
      connection.run('commit');
      return result;
    } catch (error) {
      connection.rollBack();
      throw this.#watch.explain(error, 'reading');
    } finally {
      this.#readers.giveBack(connection);
    }
  }

  async write<T>(fn: (connection: EngineConnection) => Promise<T>): Promise<T> {
    const leave = await this.#gate.enter();
    let step: Step = 'writing';
    try {
      this.#watch.beforeWrite();
      await this.#log.beforeWrite(this.share.opened);
      this.#begin();
      const result = await fn(this.#writer);
      this.#watch.beforeWrite();
      step = 'committing';
      this.#writer.run('commit');
      this.#watch.afterCommit();
      this.#log.afterCommit(this.share.opened);
      return result;
    } catch (error) {
      this.#writer.rollBack();
      throw this.#watch.explain(error, step);
    } finally {
      this.#writer.endOverwriting();
      leave();
    }
  }

  #begin(): void {
    for (let tries = 1; ; tries += 1) {
      try {
        this.#writer.run('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || !this.#onBusy || tries === BUSY_TRIES) throw error;
        if (tries === 1) this.#onBusy();
      }
    }
  }

  async announceAlive(name: string): Promise<void> {
    this.#watch.beforeWrite();
    try {
      this.#presence.enter(name);
    } catch (error) {
      throw this.#watch.explain(error, 'writing');
    }
  }

  async isPresent(name: string): Promise<boolean> {
    return this.#presence.has(name);
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw new Error('The database is closed.');
    await this.#watch.foresee();
    const trouble = this.#watch.look();
    if (trouble) throw new StorageError(trouble, this.#file, '');
    this.#writer.run('select 1');
  }

  look(): void {
    if (this.#isClosed) return;
    const isLogLost = this.#watch.look() === 'log_lost';
    if (isLogLost && !this.#isLogSaved) void this.#saveLog();
    this.#isLogSaved = isLogLost;
  }

  /** Saves the content of an unlinked log at once, instead of only when the process ends properly. */
  async #saveLog(): Promise<void> {
    const leave = await this.#gate.enter();
    try {
      if (!this.#isClosed) this.#writer.run('pragma wal_checkpoint(passive)');
    } catch (error) {
      this.#onLogError(error as Error);
    } finally {
      leave();
    }
  }

  async check(): Promise<void> {
    await this.#check.run();
  }

  checkpoint(): void {
    if (!this.#isClosed && this.#watch.look() === null) this.#log.checkpoint(this.share.opened);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#presence.leave();
    this.#check.stop();
    await Promise.all([this.#log.settled(), this.#check.settled()]);
    this.#readers.close();
    this.#writer.close();
  }
}

function writerPragmas(cacheKiB: number): string[] {
  return [
    'journal_mode = wal',
    'synchronous = full',
    // Overwrites what is deleted where that costs no further page; a wipe overwrites the rest.
    'secure_delete = fast',
    `cache_size = -${cacheKiB}`,
    // Copying the log into the file is left to a thread, see docs/decisions/0004.
    'wal_autocheckpoint = 0',
    `journal_size_limit = ${LOG_KEPT_BYTES}`,
    // What a statement may have to undo stays in memory: in a file it took a third of a bulk update.
    'temp_store = memory',
  ];
}

interface Readers {
  /** @throws StorageError when another connection is needed and the database file is no longer in place */
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
