import { availableParallelism } from 'node:os';

import type { FastifyInstance } from 'fastify';

import { openLedger, type HowToOpen, type Parts } from './boot/open-ledger.ts';
import type { Engine } from './db/engine.ts';
import type { SqliteEngine } from './db/sqlite/sqlite.ts';
import { createWriteGate } from './db/write-gate.ts';
import { createSignInThrottle, purgeDead } from './features/auth/index.ts';
import type { DemoLink } from './features/demo/index.ts';
import { createLastUses } from './features/last-uses.ts';
import { createLiveSettings, createSettingsWrites } from './features/config/index.ts';
import { announceServer, findCurrentKey, isKeyOf, releaseLeases } from './features/encryption/index.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { BackgroundTask, Handler, Instance, Runnable } from './features/handler.ts';
import type { runSync as runSyncNow } from './features/sync/run/run-sync.ts';
import { createChores } from './features/sync/chores/chores.ts';
import { SyncSlots } from './features/sync/turns/sync-slots.ts';
import { RunSlots } from './features/workflow-runs/run-slots.ts';
import { systemResolver, type ResolveHost } from './features/notifications/address-guard.ts';
import { NotificationSender } from './features/notifications/notification-sender.ts';
import { loadHandler } from './features/load-handler.ts';
import { closeProviders } from './features/providers/opened-providers.ts';
import { isHeavy, runOperation, runTask, type Call, type Outcome } from './features/run-operation.ts';
import { createBackground } from './jobs/background.ts';
import { createLiveProgress } from './jobs/live-progress.ts';
import { createPeriodic } from './jobs/periodic.ts';
import { createReadingSlots } from './jobs/reading-slots.ts';
import { createUntilDone, pauseFor } from './jobs/until-done.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './jobs/worker-pool.ts';
import { systemClock, type Clock } from './kernel/clock.ts';
import { VERSION, type Config } from './kernel/config.ts';
import { OperatorError } from './kernel/errors.ts';
import { createIds } from './kernel/ids.ts';
import { LIMITS } from './kernel/limits.ts';
import { createLogger, type Logger } from './kernel/logger.ts';
import { createPasswords, type PasswordHashing } from './kernel/passwords.ts';
import { systemRandom, type Random } from './kernel/random.ts';
import type { Model, ModelChoice } from './models/model.ts';
import type { Provider } from './providers/provider.ts';
import type { Dashboard, DashboardOptions } from './surfaces/http/pages/built-dashboard.ts';
export { lookAtDatabase, makeMissingIndexes, programVersion, type SeenDatabase } from './boot/look-at-database.ts';
export { lookAtSchema, migrateAlone, rehearseMigration, systemTime } from './boot/migrate-database.ts';

export interface Overrides extends HowToOpen {
  clock?: Clock;
  random?: Random;
  logger?: Logger;
  /** Other than argon2id at its full cost, for tests. */
  passwordHashing?: Partial<PasswordHashing>;
  /** Number of threads for heavy work; 0 runs everything in this thread. */
  workers?: number;
  /** For tests of failing threads: another program, and how soon a thread counts as stuck. */
  threads?: Partial<Pick<WorkerPoolOptions, 'entry' | 'watch'>>;
  /** Check every answer against its schema. */
  checkAnswers?: boolean;
  /** Where the built dashboard is, and who is told that it has to be built first. */
  dashboard?: Omit<DashboardOptions, 'logger'>;
  /** Bank providers besides the built-in ones, for tests of the engine. */
  extraProviders?: readonly Provider[];
  /** Stands in for every model, for tests of what models do. */
  standInModel?: (choice: ModelChoice) => Model;
  /** How to wait before something is tried again, for tests that do not. */
  pause?: Instance['pause'];
  /** The addresses of hosts, for tests without a network. */
  resolveHost?: ResolveHost;
  /** The link that signs a visitor of a demo in. */
  demoLink?: DemoLink;
  /** Nothing begins by itself when the listener opens, until `begin`. */
  isQuiet?: boolean;
  /** Ends the process at a named point, for crash tests. */
  crashAt?: string;
  /** Set in worker threads: sends their progress to the main thread. */
  sendProgress?: (id: string, progress: string | null) => void;
}

export interface App {
  instance: Instance;
  /** The key file that this start created, if it did. */
  madeKeyFile: string | null;
  /** A description of the database that this start created, if it did. */
  madeDatabase: string | null;
  /** Runs an operation here or in a thread, by its weight. */
  dispatch(operation: AnyOperation, call: Call): Promise<Outcome>;
  /** Runs an operation or a task in this thread. */
  runHere(handler: Handler | BackgroundTask, call: Call, onFileRead?: () => void): Promise<Outcome>;
  /** Opens the listener and returns its address. */
  listen(): Promise<string>;
  /** Begins the regular work of an open listener, for callers that asked for quiet. */
  begin(): void;
  /** The HTTP server, for tests that do not need a socket. */
  http(): Promise<FastifyInstance>;
  /** The service will stop soon: running work finishes, and work that waits for its turn gives up. */
  drain(): void;
  close(): Promise<void>;
}

const MAX_WORKERS = 3;

/**
 * The only composition root: the server, its worker threads, server commands and every test come through here.
 * It boots in the order of contract 20.16; any failure stops the start before the listener opens.
 * @throws BootError, MigrationError
 */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const parts = await makeParts(config, overrides);
  const { gate: _ofTheDatabase, settingsWrites: writes, ...shared } = parts;
  const { clock, logger } = shared;
  const { engine, database, keys, madeKeyFile, made } = await openLedger(config, parts, overrides);
  const untilDone = createUntilDone(logger);
  const draining = new AbortController();
  const instance: Instance = {
    ...shared,
    config,
    version: VERSION,
    signInThrottle: createSignInThrottle(clock),
    database,
    settings: createLiveSettings({ config, database, clock, logger, writes }),
    ...keys,
    checkBody,
    isDraining: () => draining.signal.aborted,
    draining: draining.signal,
    ...chosenBy(overrides),
    undos: async () => (await import('./features/undos.ts')).undos,
    runTask: (task, input, caller) => dispatcher.runTask(task, input, caller),
    untilDone: (work) => untilDone.run(work),
    wakeSyncs: () => syncs.wake(),
    syncs: () => syncs,
    wakeRuns: () => runs.wake(),
    runs: () => runs,
    notifications: () => notifications,
    canWorkInThreads: () => pool?.canWork() ?? true,
  };
  const syncs = new SyncSlots(instance, runSync, createChores(instance));
  const runs = new RunSlots(instance, (operation, call) => dispatcher.dispatch(operation, call));
  const notifications = new NotificationSender(instance);
  const pool = createPool(instance, engine, parts, overrides);
  const dispatcher = createDispatcher(instance, pool);
  const server = createServer(instance, dispatcher, overrides);
  const drain = (): void => {
    draining.abort();
    pool?.drain();
  };
  return {
    instance,
    madeKeyFile,
    madeDatabase: made,
    dispatch: dispatcher.dispatch,
    runHere: (handler, call, onFileRead) => runHere(instance, handler, call, onFileRead),
    ...server,
    drain,
    async close() {
      drain();
      await server.close();
      await pool?.close();
      await dispatcher.settled();
      await server.settled();
      await untilDone.stop();
      await closeProviders(instance);
      await releaseLeases(database);
      await database.close();
    },
  };
}

/** What callers of `createApp` may replace. */
function chosenBy({ checkAnswers, sendProgress, extraProviders, standInModel, pause, resolveHost }: Overrides) {
  return {
    checkAnswers: checkAnswers ?? false,
    progress: createLiveProgress(sendProgress),
    extraProviders: extraProviders ?? [],
    standInModel: standInModel ?? null,
    pause: pause ?? pauseFor,
    resolveHost: resolveHost ?? systemResolver,
  };
}

/** Only what comes over HTTP needs it, so it is loaded when first called. */
const checkBody: Instance['checkBody'] = async (operation, sent) => {
  const { parseBody } = await import('./features/parse-input.ts');
  return parseBody(operation, sent) as never;
};

async function makeParts(config: Config, overrides: Overrides): Promise<Parts> {
  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom();
  const logger = overrides.logger ?? (await createLogger({ level: config.logLevel, format: config.logFormat }));
  const failpoint = killAt(overrides.crashAt ?? '');
  const passwords = createPasswords(random, overrides.passwordHashing);
  const settingsWrites = createSettingsWrites(overrides.worker?.settingsWrites);
  const ids = createIds(clock, random);
  return { clock, random, logger, passwords, ids, gate: createWriteGate(), settingsWrites, failpoint };
}

/** Ends the process as a power cut would when the named point is reached. */
function killAt(name: string): (point: string) => void {
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL');
  };
}

interface Dispatcher {
  /** @throws UNAVAILABLE when too many uploads are being read already */
  dispatch: (operation: AnyOperation, call: Call) => Promise<Outcome>;
  run: (target: Runnable, call: Call, onFileRead?: () => void) => Promise<Outcome>;
  runTask: Instance['runTask'];
  /** Resolves when the work that continues after answers is done. */
  settled: () => Promise<void>;
}

function createDispatcher(instance: Instance, pool: WorkerPool | undefined): Dispatcher {
  const uploads = createReadingSlots(LIMITS.importsReadAtOnce);
  const background = createBackground(instance.logger);

  async function run(target: Runnable, call: Call, onFileRead?: () => void): Promise<Outcome> {
    if (pool && (call.unread !== null || isHeavy(target, call))) return pool.run(target, call, onFileRead);
    const outcome = await runHere(instance, await loadHandler(target), call, onFileRead);
    if (outcome.continuation) background.add(outcome.continuation());
    return outcome;
  }

  return {
    run,
    async runTask(task, input, { principal, request, claim }) {
      const call = { input: { params: {}, query: {}, body: input }, principal, request, claim };
      await run(task, { ...call, file: null, unread: null });
    },
    async dispatch(operation, call) {
      const hasFile = operation.upload !== undefined && (call.unread !== null || call.file !== null);
      if (!hasFile) return run(operation, call);
      const leave = uploads.enter();
      return run(operation, call, leave).finally(leave);
    },
    settled: background.settled,
  };
}

async function runHere(
  instance: Instance,
  handler: Handler | BackgroundTask,
  call: Call,
  onFileRead?: () => void,
): Promise<Outcome> {
  if (!('operation' in handler)) return runTask(instance, handler, call);
  if (call.unread === null) return runOperation(instance, handler, call, onFileRead);
  const { readUnread } = await import('./surfaces/http/body/read-body.ts');
  const read = await readUnread(handler.operation, call);
  // Others may hold this call for as long as the work goes on.
  call.unread.bytes = undefined;
  return runOperation(instance, handler, read, onFileRead);
}

interface Server {
  http: () => Promise<FastifyInstance>;
  listen: () => Promise<string>;
  begin: () => void;
  close: () => Promise<void>;
  /** Resolves when background work is done. */
  settled: () => Promise<void>;
}

/** The listener, and the periodic work while it is open. */
function createServer(instance: Instance, { dispatch }: Dispatcher, overrides: Overrides): Server {
  const { config } = instance;
  const lastUses = createLastUses(instance);
  const background = createBackground(instance.logger);
  const periodic = createPeriodic(instance.database, background, {
    endInterrupted: () => endInterruptedWork(instance),
    purge: () => purgeDead(instance),
    lookAtDashboard: () => dashboard?.state(),
  });
  const loops = createLoops(instance);
  let server: Promise<FastifyInstance> | undefined;
  let dashboard: Dashboard | undefined;

  async function start(): Promise<FastifyInstance> {
    const [{ createHttpServer }, { createDashboard }, registry, { openApiText }] = await Promise.all([
      import('./surfaces/http/server.ts'),
      import('./surfaces/http/pages/built-dashboard.ts'),
      import('./contract/registry.ts'),
      import('./surfaces/http/openapi/openapi.ts'),
    ]);
    dashboard = createDashboard({ ...overrides.dashboard, logger: instance.logger });
    return createHttpServer({
      instance,
      operations: registry.operations,
      unlistedOperations: [...registry.browserOperations, ...registry.linkPageOperations],
      dispatch,
      dashboard,
      demoLink: overrides.demoLink,
      openapi: openApiText,
      onUsed: lastUses.note,
    });
  }

  const http = (): Promise<FastifyInstance> => (server ??= start());
  const begin = (): void => [periodic, loops].forEach((work) => work.start());

  return {
    http,
    begin,
    async listen() {
      const listener = await http();
      await beginServing(instance);
      const address = await listener.listen({ host: config.host, port: config.port });
      if (overrides.isQuiet !== true) begin();
      return address;
    },
    async close() {
      periodic.stop();
      await loops.stop();
      dashboard?.close();
      const listener = await server?.catch(() => undefined);
      await listener?.close();
    },
    async settled() {
      await background.settled();
      await lastUses.settled();
    },
  };
}

/** What loops find to do loads a lot of code, which would delay what is asked right after a start. */
const AFTER_FIRST_ANSWERS_MS = 500;

/** Syncs, runs and notifications that are due. */
function createLoops(instance: Instance): { start: () => void; stop: () => Promise<void> } {
  const loops = [instance.syncs(), instance.runs(), instance.notifications()];
  let starting: NodeJS.Timeout | undefined;
  return {
    start() {
      starting = setTimeout(() => loops.forEach((loop) => loop.start()), AFTER_FIRST_ANSWERS_MS).unref();
    },
    async stop() {
      clearTimeout(starting);
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Keeps exclusive commands away, and fails what a process that died left behind. */
async function beginServing(instance: Instance): Promise<void> {
  await announceServer(instance.database, async (tx) => {
    const current = await findCurrentKey(tx);
    if (current && isKeyOf(instance.masterKey, current)) return;
    throw new OperatorError('The encryption key was replaced while the server was starting. Start the server again.');
  });
  await endInterruptedWork(instance);
  const { endLostTurns } = await import('./features/sync/turns/end-turn.ts');
  await endLostTurns(instance, { all: instance.database.engineName === 'sqlite' });
  await instance.runs().recover();
}

/** Loaded with the first sync. */
const runSync: typeof runSyncNow = async (...given) => {
  const { runSync: run } = await import('./features/sync/run/run-sync.ts');
  return run(...given);
};

/** Fails imports and jobs whose worker is gone; `gone` is the presence of a thread that has just died. */
async function endInterruptedWork(instance: Instance, gone?: string): Promise<void> {
  const [{ failInterruptedImports }, { failInterruptedJobs }] = await Promise.all([
    import('./features/imports/doors/import-turn.ts'),
    import('./features/jobs/job-turn.ts'),
  ]);
  await failInterruptedImports(instance, gone);
  await failInterruptedJobs(instance, gone);
}

/** undefined in a worker thread, which has no threads of its own, and where threads are switched off. */
function createPool(
  instance: Instance,
  engine: Engine,
  { gate, settingsWrites }: Parts,
  overrides: Overrides,
): WorkerPool | undefined {
  if (overrides.worker) return undefined;
  const size = overrides.workers ?? Math.min(MAX_WORKERS, availableParallelism() + 1);
  if (size === 0) return undefined;
  const { trustedProxies: _ofTheListener, ...config } = instance.config;
  const { masterKey, keySource, keyFile, numberKey } = instance;
  return createWorkerPool({
    entry: new URL('./start.js', import.meta.url),
    setup: {
      config,
      keys: { masterKey, keySource, keyFile, numberKey },
      settingsWrites: settingsWrites.shared,
      checkAnswers: instance.checkAnswers,
      crashAt: overrides.crashAt ?? '',
      storage: engine.name === 'sqlite' ? (engine as SqliteEngine).share : null,
    },
    size,
    gate,
    logger: instance.logger,
    progress: instance.progress,
    newPresence: () => instance.ids.uuid(),
    onLost: (presence) => void instance.untilDone(() => endInterruptedWork(instance, presence)),
    ...overrides.threads,
  });
}
