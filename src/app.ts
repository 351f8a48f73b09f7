import { availableParallelism } from 'node:os';
import { existsSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import { databaseFile, prepareDataDirectory } from './boot/data-directory.ts';
import { loadMasterKey, type MasterKey } from './boot/encryption-key.ts';
import { warnOfOtherPrefix } from './boot/key-prefix.ts';
import { seedLedger } from './boot/seed.ts';
import { createUnattendedAdmin } from './boot/unattended-admin.ts';
import type { Engine } from './db/engine.ts';
import { migrate, MigrationError, restoreSnapshot } from './db/migrate.ts';
import { openSqlite } from './db/sqlite.ts';
import { createDatabase } from './db/unit-of-work.ts';
import { createWriteGate, type SharedWriteGate, type WriteGate } from './db/write-gate.ts';
import { createKeyUses } from './features/api-keys/index.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { Instance } from './features/handler.ts';
import { loadHandler } from './features/load-handler.ts';
import { runOperation, type Call, type Outcome } from './features/run-operation.ts';
import type { WorkerSetup } from './jobs/worker-protocol.ts';
import { createLiveProgress } from './jobs/live-progress.ts';
import { createReadingSlots } from './jobs/reading-slots.ts';
import { createUntilDone } from './jobs/until-done.ts';
import { createWorkerPool, type WorkerPool } from './jobs/worker-pool.ts';
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
  /** Check every answer against its schema. */
  checkAnswers?: boolean;
  /** Ends the process at a named point, for crash tests. */
  crashAt?: string;
  /** Set in worker threads: the main thread has booted already, and owns the gate. */
  worker?: WorkerSetup;
  writeGate?: WriteGate;
  /** Set in worker threads: where they send how far they have come. */
  sendProgress?: (id: string, progress: string | null) => void;
}

export interface App {
  instance: Instance;
  /** The key file made by this start, if one was. */
  madeKeyFile: string | null;
  /** Runs an operation here or in a thread, by its weight. */
  dispatch(operation: AnyOperation, call: Call): Promise<Outcome>;
  /** Opens the listener; answers with the address. */
  listen(): Promise<string>;
  /** The HTTP server, for tests that need no socket. */
  http(): Promise<FastifyInstance>;
  /** The service stops soon: what runs is finished, what waits for its turn gives up. */
  drain(): void;
  close(): Promise<void>;
}

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
  const onPoint = crashPoint(overrides.crashAt ?? '');
  const isWorker = overrides.worker !== undefined;
  if (!isWorker) prepareDataDirectory(config.dataDir);

  const sharedGate: SharedWriteGate = createWriteGate();
  const file = config.databaseUrl === null ? databaseFile(config.dataDir) : undefined;
  const engine = await openEngine(config, overrides.writeGate ?? sharedGate, isWorker, logger);
  let isDraining = false;
  const database = createDatabase({
    engine,
    clock,
    ids,
    onHookError: (error) => logger.error({ err: error }, 'Work after a commit failed.'),
  });
  let master: MasterKey;
  try {
    if (!isWorker) await migrateOrRestore(engine, file, () => instantNow(clock), onPoint, logger);
    master = overrides.worker
      ? { key: overrides.worker.masterKey, source: overrides.worker.keySource, madeFile: null }
      : await loadMasterKey(config, database, random, logger);
    if (!isWorker) {
      await seedLedger(database);
      await createUnattendedAdmin(config, database, random, logger);
      await warnOfOtherPrefix(config.keyPrefix, database, clock, logger);
    }
  } catch (error) {
    await database.close();
    throw error;
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
    async doWork(work, input, { principal, request, claim }) {
      const call = { input: { params: {}, query: {}, body: input }, principal, request, claim, file: null };
      await run(work.operation, call);
    },
    untilDone: (work) => untilDone.run(work),
    progress: createLiveProgress(overrides.sendProgress),
    onPoint,
  };
  const size = isWorker ? 0 : (overrides.workers ?? Math.min(MAX_WORKERS, availableParallelism() + 1));
  const pool = size > 0 ? startPool(instance, sharedGate, size, overrides.crashAt ?? '') : undefined;
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

  async function run(operation: AnyOperation, call: Call, onFileRead?: () => void): Promise<Outcome> {
    const { weight } = operation;
    const isHeavy = (typeof weight === 'function' ? weight(call.input as never) : weight) === 'heavy';
    if (pool && isHeavy) return pool.run(operation, call, onFileRead);
    const outcome = await runOperation(instance, await loadHandler(operation), call, onFileRead);
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
    dispatch,
    async http() {
      if (http) return http;
      const [{ createHttpServer }, { operations }, { openApiText }, { docsPage }] = await Promise.all([
        import('./surfaces/http/server.ts'),
        import('./contract/registry.ts'),
        import('./surfaces/http/openapi.ts'),
        import('./surfaces/http/docs-page.ts'),
      ]);
      http = await createHttpServer({
        instance,
        operations,
        dispatch,
        openapi: openApiText,
        docsPage,
        onKeyUsed: (keyId) => keyUses.note(keyId),
      });
      return http;
    },
    async listen() {
      const server = await app.http();
      const [{ failInterruptedImports }, { failInterruptedJobs }] = await Promise.all([
        import('./features/imports/import-turn.ts'),
        import('./features/jobs/job-turn.ts'),
      ]);
      await failInterruptedImports(instance);
      await failInterruptedJobs(instance);
      const address = await server.listen({ host: config.host, port: config.port });
      const checkInterrupted = (): void => {
        inBackground(failInterruptedImports(instance));
        inBackground(failInterruptedJobs(instance));
      };
      timers.push(setInterval(() => database.checkpoint(), CHECKPOINT_EVERY_MS));
      timers.push(setInterval(checkInterrupted, INTERRUPTED_EVERY_MS));
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

async function openEngine(config: Config, gate: WriteGate, isWorker: boolean, logger: Logger): Promise<Engine> {
  if (config.databaseUrl !== null) {
    const { openPostgres } = await import('./db/postgres.ts');
    return openPostgres(config.databaseUrl, isWorker ? 3 : 10, (error) => {
      logger.warn({ code: (error as { code?: string }).code }, 'A database connection broke.');
    });
  }
  return openSqlite({
    path: databaseFile(config.dataDir),
    gate,
    readers: isWorker ? 1 : 2,
    writerCacheKiB: isWorker ? 8_192 : 4_096,
    readerCacheKiB: 8_192,
    onLogError: (error) => logger.warn({ err: error }, 'The write-ahead log could not be copied.'),
  });
}

async function migrateOrRestore(
  engine: Engine,
  file: string | undefined,
  now: () => string,
  onPoint: (point: string) => void,
  logger: Logger,
): Promise<void> {
  try {
    const result = await migrate({ engine, now, onPoint, ...(file === undefined ? {} : { file }) });
    if (result.to !== result.from) logger.info(`The schema is now at version ${result.to}.`);
  } catch (error) {
    if (
      error instanceof MigrationError &&
      error.snapshot !== null &&
      file !== undefined &&
      existsSync(error.snapshot)
    ) {
      await engine.close();
      restoreSnapshot(file, error.snapshot);
    }
    throw error;
  }
}

function startPool(instance: Instance, gate: SharedWriteGate, size: number, crashAt: string): WorkerPool {
  const { trustedProxies: _ofTheListener, ...config } = instance.config;
  return createWorkerPool({
    entry: new URL('./start.js', import.meta.url),
    setup: {
      config,
      masterKey: instance.masterKey,
      keySource: instance.keySource,
      checkAnswers: instance.checkAnswers,
      crashAt,
    },
    size,
    gate,
    logger: instance.logger,
    progress: instance.progress,
    onPoint: instance.onPoint,
  });
}

/** Ends the process as a power cut would when the named point is reached. */
function crashPoint(name: string): (point: string) => void {
  if (name === '') return () => undefined;
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL');
  };
}
