import { DefaultQueryExecutor, Kysely, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';

import type { Clock } from '../kernel/clock.ts';
import { instantNow } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Engine, EngineConnection, ReadScope, SqlValue } from './engine.ts';
import type { Portable } from './portable.ts';
import type { Schema } from './schema.ts';

/** A read transaction: every query sees the same state. Using it after its end throws. */
export interface ReadTx {
  readonly q: Kysely<Schema>;
  readonly portable: Portable;
  /** Rows as arrays of values in column order, for queries with many rows. */
  values(query: CompiledQuery): Promise<readonly (readonly SqlValue[])[]>;
  /** Rows of a query one by one, without holding them all. */
  iterate<Row>(query: CompiledQuery<Row>): AsyncIterable<Row>;
}

/** A write transaction. `now` is the instant of everything that it writes. */
export interface BareWriteTx extends ReadTx {
  readonly now: string;
  readonly ids: Ids;
  insertMany: <T extends keyof Schema>(
    table: T,
    columns: readonly (keyof Schema[T] & string)[],
    rows: readonly (readonly SqlValue[])[],
    onConflict?: string,
  ) => Promise<number>;
  /** Bulk update by `id`: each row holds its id and then one value per column. */
  updateMany: <T extends keyof Schema>(
    table: T,
    columns: readonly (keyof Schema[T] & string)[],
    rows: readonly (readonly SqlValue[])[],
  ) => Promise<void>;
  /**
   * Runs `fn` and rolls back what it wrote, and only that, when it throws or when `keep` returns false for its value.
   * The transaction continues either way.
   */
  savepoint<T>(fn: () => Promise<T>, keep: (value: T) => boolean): Promise<T>;
  /** From here on, the engine overwrites what this transaction deletes, if it can, instead of only forgetting it. */
  overwriteDeleted(): Promise<void>;
  /** Runs after the commit, in order; an error is reported, and never undoes the write. */
  afterCommit(hook: () => void | Promise<void>): void;
  /** Names of the tables written to so far. */
  readonly writtenTables: ReadonlySet<string>;
}

/** Runs last before a commit: the journal writes its change set here, or throws, which rolls everything back. */
type BeforeCommit = (tx: BareWriteTx) => Promise<void>;

export interface Database {
  readonly engineName: 'sqlite' | 'postgres';
  /** `scope` is 'one query' for what every request asks first: such a read has no transaction where that saves time. */
  read<T>(fn: (tx: ReadTx) => Promise<T>, scope?: ReadScope): Promise<T>;
  /** The raw write below the journal; features write through `journal/`, never through this. */
  writeBare<T>(fn: (tx: BareWriteTx) => Promise<T>, beforeCommit: BeforeCommit): Promise<T>;
  /** The name under which others see that this one is running, until `close` or until its process or thread dies. */
  presence(): Promise<string>;
  isPresent(name: string): Promise<boolean>;
  ping(ms: number): Promise<void>;
  look(): void;
  check(): Promise<void>;
  checkpoint(): void;
  close(): Promise<void>;
}

interface UnitOfWorkOptions {
  engine: Engine;
  clock: Clock;
  ids: Ids;
  /** The name under which others see this one; a new one unless given. */
  presence?: string;
  /** Called after each write transaction with the tables that it wrote, before anybody learns of its end. */
  onWritten?: (tables: ReadonlySet<string>) => void;
  /** Called with what an after-commit hook threw. */
  onHookError: (error: unknown) => void;
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);
const INSERTS = /^\s*insert/i;
const UNCOUNTED = 'Insert transactions with insertMany: it counts them in the totals.';
const WRITTEN_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/i;

/** Stands between the queries and the connection: refuses use after the end, and notes which tables were written. */
class GuardedConnection implements DatabaseConnection {
  readonly #inner: EngineConnection;
  written = new Set<string>();
  #finished = false;

  constructor(inner: EngineConnection) {
    this.#inner = inner;
  }

  finish(): void {
    this.#finished = true;
  }

  get inner(): EngineConnection {
    if (this.#finished) throw new Error('A database transaction was used after it ended. Await every query inside it.');
    return this.#inner;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const inner = this.inner;
    if (WRITES.has(query.query.kind) || query.query.kind === 'RawNode') {
      const table = WRITTEN_TABLE.exec(query.sql)?.[1];
      if (table === 'transactions' && INSERTS.test(query.sql)) throw new Error(UNCOUNTED);
      if (table !== undefined) this.written.add(table);
    }
    return inner.executeQuery<R>(query);
  }

  /** Kysely requires it; `iterate` gives rows one by one. */
  streamQuery(): never {
    return refuse();
  }
}

export function createDatabase(options: UnitOfWorkOptions): Database {
  const { engine, ids } = options;
  let presence: Promise<string> | undefined;

  async function announce(): Promise<string> {
    const name = options.presence ?? ids.uuid();
    await engine.announceAlive(name);
    return name;
  }

  return {
    engineName: engine.name,
    read: (fn, scope) =>
      engine.read(
        guarded(async (connection) => fn(readTx(engine, connection))),
        scope,
      ),
    async writeBare(fn, beforeCommit) {
      const hooks: Hook[] = [];
      let written: ReadonlySet<string> = new Set();
      const run = guarded(async (connection) => {
        const tx = writeTx(options, connection, hooks);
        const value = await fn(tx);
        await beforeCommit(tx);
        written = connection.written;
        return value;
      });
      // A commit without an answer may have been done.
      const result = await engine.write(run).finally(() => options.onWritten?.(written));
      for (const hook of hooks) {
        try {
          await hook();
        } catch (error) {
          options.onHookError(error);
        }
      }
      return result;
    },
    presence() {
      presence ??= announce().catch((error: unknown) => {
        presence = undefined;
        throw error;
      });
      return presence;
    },
    isPresent: (name) => engine.isPresent(name),
    ping: (ms) => engine.ping(ms),
    look: () => engine.look(),
    check: () => engine.check(),
    checkpoint: () => engine.checkpoint(),
    close: () => engine.close(),
  };
}

/** Reads on a connection whose transaction somebody else began. */
export function readOn(engine: Engine, connection: EngineConnection): ReadTx {
  return readTx(engine, new GuardedConnection(connection));
}

type Hook = () => void | Promise<void>;

/** Runs a transaction on a connection that refuses to be used after its end. */
function guarded<T>(run: (connection: GuardedConnection) => Promise<T>): (inner: EngineConnection) => Promise<T> {
  return async (inner) => {
    const connection = new GuardedConnection(inner);
    try {
      return await run(connection);
    } finally {
      connection.finish();
    }
  };
}

function readTx(engine: Engine, connection: GuardedConnection): ReadTx {
  return {
    q: queriesOn(engine, connection),
    portable: engine.portable,
    values: (query) => connection.inner.values(query),
    iterate: (query) => connection.inner.iterate(query),
  };
}

function writeTx({ engine, clock, ids }: UnitOfWorkOptions, connection: GuardedConnection, hooks: Hook[]): BareWriteTx {
  let savepoints = 0;
  return {
    ...readTx(engine, connection),
    now: instantNow(clock),
    ids,
    get writtenTables() {
      return connection.written;
    },
    insertMany: (table, columns, rows, onConflict = '') => {
      connection.written.add(table);
      return connection.inner.insertMany(table, columns, rows, onConflict);
    },
    updateMany: (table, columns, rows) => {
      connection.written.add(table);
      return connection.inner.updateMany(table, columns, rows);
    },
    savepoint: async (run, keep) => {
      const [written, hookCount] = [new Set(connection.written), hooks.length];
      const name = `step_${(savepoints += 1)}`;
      await connection.inner.execute(`savepoint ${name}`);
      let isKept = false;
      try {
        const value = await run();
        isKept = keep(value);
        return value;
      } finally {
        if (!isKept) {
          await connection.inner.execute(`rollback to savepoint ${name}`);
          connection.written = written;
          hooks.length = hookCount;
        }
        await connection.inner.execute(`release savepoint ${name}`);
      }
    },
    overwriteDeleted: () => connection.inner.overwriteDeleted(),
    afterCommit: (hook) => {
      hooks.push(hook);
    },
  };
}

/** A query builder on one connection, which it can neither open nor close. */
function queriesOn({ compiler, adapter }: Engine, connection: GuardedConnection): Kysely<Schema> {
  const provider = {
    provideConnection: <T>(consumer: (connection: DatabaseConnection) => Promise<T>) => consumer(connection),
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  const dialect = {
    createAdapter: () => adapter,
    createDriver: refuse,
    createIntrospector: refuse,
    createQueryCompiler: () => compiler,
  };
  return new Kysely<Schema>({ config: { dialect }, dialect, driver: REFUSING_DRIVER, executor });
}

function refuse(): never {
  throw new Error('Transactions are opened by the unit of work only.');
}

const REFUSING_DRIVER = {
  init: refuse,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: refuse,
};
