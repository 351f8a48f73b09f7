import { availableParallelism } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { databaseFile, explainStorage } from './boot/data-directory.ts';
import { loadMasterKey, type MasterKey } from './boot/encryption-key.ts';
import { warnOfOtherPrefix } from './boot/key-prefix.ts';
import { openDatabase, type Opened } from './boot/open-database.ts';
import { seedLedger } from './boot/seed.ts';
import { createUnattendedAdmin } from './boot/unattended-admin.ts';
import type { Engine } from './db/engine.ts';
import { openSqlite, type SqliteEngine } from './db/sqlite.ts';
import { remedyText, troubleText } from './db/storage-trouble.ts';
import { createDatabase } from './db/unit-of-work.ts';
import { createWriteGate, type SharedWriteGate, type WriteGate } from './db/write-gate.ts';
import { createKeyUses } from './features/api-keys/index.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { BackgroundTask, Handler, Instance, Runnable } from './features/handler.ts';
import { loadHandler } from './features/load-handler.ts';
import { runOperation, runTask, type Call, type Outcome } from './features/run-operation.ts';
import type { ThreadSetup } from './jobs/worker-protocol.ts';
import { createLiveProgress } from './jobs/live-progress.ts';
import { createReadingSlots } from './jobs/reading-slots.ts';
import { createUntilDone } from './jobs/until-done.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './jobs/worker-pool.ts';
import { instantNow, systemClock, type Clock } from './kernel/clock.ts';
import type { Config } from './kernel/config.ts';
import { createIds } from './kernel/ids.ts';
import { LIMITS } from './kernel/limits.ts';
import { createLogger, type Logger } from './kernel/logger.ts';
import { systemRandom, type Random } from './kernel/random.ts';
import { VERSION } from './kernel/version.ts';

export interface Overrides {
  clock?: Clock;
  random?: Random;
  logger?: Logger;
  /** Threads for heavy work; 0 runs everything in this one. */
  workers?: number;
  /** For tests of threads that fail: another program, and how soon they count as stuck. */
  threads?: Partial<Pick<WorkerPoolOptions, 'entry' | 'watch'>>;
  /** Check every answer against its schema. */
  checkAnswers?: boolean;
  /** Ends the process at a named point, for crash tests. */
  crashAt?: string;
  /** Set in worker threads: the main thread has booted already, and owns the gate. */
  worker?: ThreadSetup;
  writeGate?: WriteGate;
  /** False for commands that only work on what is there. */
  mayMakeDatabase?: boolean;
  /** Set in worker threads: where they send how far they have come. */
  sendProgress?: (id: string, progress: string | null) => void;
}

export interface App {
  instance: Instance;
  /** The key file made by this start, if one was. */
  madeKeyFile: string | null;
  /** The database made by this start, in words, if one was. */
  madeDatabase: string | null;
  /** Runs an operation here or in a thread, by its weight. */
  dispatch(operation: AnyOperation, call: Call): Promise<Outcome>;
  /** Runs an operation or a task in this thread. */
  runHere(handler: Handler | BackgroundTask, call: Call, onFileRead?: () => void): Promise<Outcome>;
  /** Opens the listener; answers with the address. */
  listen(): Promise<string>;
  /** The HTTP server, for tests that need no socket. */
  http(): Promise<FastifyInstance>;
  /** The service stops soon: what runs is finished, what waits for its turn gives up. */
  drain(): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const CHECKPOINT_EVERY_MS = 5_000;
const INTERRUPTED_EVERY_MS = 60_000;
const MAX_WORKERS = 3;

/**
 * The only composition root: the server, its worker threads, server commands and every test come through here.
 * Boot order is that of contract 20.16; what fails stops the start before the listener opens.
 * @throws BootError, MigrationError
 */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom();
  const logger = overrides.logger ?? (await createLogger({ level: config.logLevel, format: config.logFormat }));
  const ids = createIds(clock, random);
  const failpoint = crashPoint(overrides.crashAt ?? '');
  const isWorker = overrides.worker !== undefined;
  const sharedGate: SharedWriteGate = createWriteGate();
  const open = (): Promise<Engine> => openEngine(config, overrides, sharedGate, logger);
  const mayMake = overrides.mayMakeDatabase ?? true;
  const { engine, made }: Opened = isWorker
    ? { engine: await open(), made: null }
    : await openDatabase({ config, open, mayMake, now: () => instantNow(clock), failpoint, logger });
  let isDraining = false;
  const database = createDatabase({
    engine,
    clock,
    ids,
    ...(overrides.worker ? { presence: overrides.worker.presence } : {}),
    onHookError: (error) => logger.error({ err: error }, 'Work after a commit failed.'),
  });
  let master: MasterKey;
  try {
    master = overrides.worker
      ? { key: overrides.worker.masterKey, source: overrides.worker.keySource, madeFile: null }
      : await loadMasterKey(config, database, random, logger, failpoint);
    if (!isWorker) {
      await seedLedger(database);
      await createUnattendedAdmin(config, database, random, logger);
      await warnOfOtherPrefix(config.keyPrefix, database, clock, logger);
    }
  } catch (error) {
    await database.close();
    throw explainStorage(error, config.dataDir);
  }

  const untilDone = createUntilDone(logger);
  const instance: Instance = {
    config,
    version: VERSION,
    clock,
    ids,
    random,
    logger,
    database,
    masterKey: master.key,
    keySource: master.source,
    isDraining: () => isDraining,
    checkAnswers: overrides.checkAnswers ?? false,
    undos: async () => (await import('./features/undos.ts')).undos,
    async runTask(task, input, { principal, request, claim }) {
      const call = { input: { params: {}, query: {}, body: input }, principal, request, claim };
      await run(task, { ...call, file: null, unread: null });
    },
    untilDone: (work) => untilDone.run(work),
    progress: createLiveProgress(overrides.sendProgress),
    failpoint,
    canWorkInThreads: () => pool?.canWork() ?? true,
  };
  const size = isWorker ? 0 : (overrides.workers ?? Math.min(MAX_WORKERS, availableParallelism() + 1));
  const pool = size > 0 ? startPool(instance, engine, sharedGate, size, overrides) : undefined;
  const running = new Set<Promise<void>>();
  const keyUses = createKeyUses(instance);
  let http: FastifyInstance | undefined;
  const timers: NodeJS.Timeout[] = [];
  const uploads = createReadingSlots(LIMITS.importsReadAtOnce);

  /** @throws UNAVAILABLE when too many uploads are being read already */
  async function dispatch(operation: AnyOperation, call: Call): Promise<Outcome> {
    if (!operation.upload) return run(operation, call);
    const leave = uploads.enter();
    return run(operation, call, leave).finally(leave);
  }

  async function run(target: Runnable, call: Call, onFileRead?: () => void): Promise<Outcome> {
    if (pool && (call.unread !== null || isHeavy(target, call))) return pool.run(target, call, onFileRead);
    const outcome = await app.runHere(await loadHandler(target), call, onFileRead);
    if (outcome.continuation) inBackground(outcome.continuation());
    return outcome;
  }

  /** Waited for at the end. */
  function inBackground(work: Promise<void>): void {
    const going = work
      .catch((error: unknown) => logger.error({ err: error }, 'Background work failed.'))
      .finally(() => running.delete(going));
    running.add(going);
  }

  const app: App = {
    instance,
    madeKeyFile: master.madeFile,
    madeDatabase: made,
    dispatch,
    async runHere(handler, call, onFileRead) {
      if (!('operation' in handler)) return runTask(instance, handler, call);
      if (call.unread === null) return runOperation(instance, handler, call, onFileRead);
      const { readUnread } = await import('./surfaces/http/read-unread.ts');
      return runOperation(instance, handler, await readUnread(handler.operation, call), onFileRead);
    },
    async http() {
      if (http) return http;
      const [{ createHttpServer }, { operations }, { openApiText }] = await Promise.all([
        import('./surfaces/http/server.ts'),
        import('./contract/registry.ts'),
        import('./surfaces/http/openapi.ts'),
      ]);
      http = await createHttpServer({
        instance,
        operations,
        dispatch,
        openapi: openApiText,
        onKeyUsed: (keyId) => keyUses.note(keyId),
      });
      return http;
    },
    async listen() {
      const server = await app.http();
      await endInterruptedWork(instance);
      const address = await server.listen({ host: config.host, port: config.port });
      inBackground(database.check());
      timers.push(setInterval(() => database.look(), LOOK_EVERY_MS));
      timers.push(setInterval(() => database.checkpoint(), CHECKPOINT_EVERY_MS));
      timers.push(setInterval(() => inBackground(endInterruptedWork(instance)), INTERRUPTED_EVERY_MS));
      for (const timer of timers) timer.unref();
      return address;
    },
    drain() {
      isDraining = true;
      pool?.drain();
    },
    async close() {
      app.drain();
      for (const timer of timers) clearInterval(timer);
      await http?.close();
      await pool?.close();
      await Promise.all(running);
      await keyUses.settled();
      await untilDone.stop();
      await database.close();
    },
  };
  return app;
}

/** What nobody works on any more has failed; `gone` is a thread that has just died. */
async function endInterruptedWork(instance: Instance, gone?: string): Promise<void> {
  const interrupted = await import('./features/interrupted-work.ts');
  await interrupted.endInterruptedWork(instance, gone);
}

function isHeavy({ weight }: Runnable, { input }: Call): boolean {
  return (typeof weight === 'function' ? weight(input as never) : weight) === 'heavy';
}

async function openEngine(
  config: Config,
  { worker, writeGate }: Overrides,
  gate: WriteGate,
  logger: Logger,
): Promise<Engine> {
  const isWorker = worker !== undefined;
  if (config.databaseUrl !== null) {
    const { openPostgres } = await import('./db/postgres.ts');
    return openPostgres(config.databaseUrl, isWorker ? 3 : 10, (error) => {
      logger.warn({ code: (error as { code?: string }).code }, 'A database connection broke.');
    });
  }
  const path = databaseFile(config.dataDir);
  return openSqlite({
    path,
    gate: writeGate ?? gate,
    readers: isWorker ? 1 : 2,
    writerCacheKiB: isWorker ? 8_192 : 4_096,
    readerCacheKiB: 8_192,
    onLogError: (error) => logger.warn({ err: error }, 'The write-ahead log could not be copied.'),
    onTrouble(trouble, cause) {
      if (trouble === null) logger.info(`The database ${path} can be used again.`);
      else logger.error({ err: cause }, `${troubleText(trouble, path)} ${remedyText(trouble, path)}`);
    },
    ...(worker?.storage ? { share: worker.storage } : {}),
  });
}

function startPool(
  instance: Instance,
  engine: Engine,
  gate: SharedWriteGate,
  size: number,
  overrides: Overrides,
): WorkerPool {
  const { trustedProxies: _ofTheListener, ...config } = instance.config;
  return createWorkerPool({
    entry: new URL('./start.js', import.meta.url),
    setup: {
      config,
      masterKey: instance.masterKey,
      keySource: instance.keySource,
      checkAnswers: instance.checkAnswers,
      crashAt: overrides.crashAt ?? '',
      storage: engine.name === 'sqlite' ? (engine as SqliteEngine).share : null,
    },
    size,
    gate,
    logger: instance.logger,
    progress: instance.progress,
    failpoint: instance.failpoint,
    newPresence: () => instance.ids.uuid(),
    onLost: (presence) => void instance.untilDone(() => endInterruptedWork(instance, presence)),
    ...overrides.threads,
  });
}

/** Ends the process as a power cut would when the named point is reached. */
function crashPoint(name: string): (point: string) => void {
  if (name === '') return () => undefined;
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL');
  };
}
