import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterAll, describe, expect, onTestFinished } from 'vitest';

import { createApp, type App, type Overrides } from '../../src/app.ts';
import { makeKey, type KeyToMake } from '../../src/features/api-keys/index.ts';
import { write, type WriteTx } from '../../src/journal/write.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { createLogger } from '../../src/kernel/logger.ts';
import { embeddedInstallations, serverInstallations } from './databases/installations.ts';
import { wrongTotals } from './databases/totals-of-rows.ts';
import { fixedClock } from './fixed-clock.ts';

export type TestClock = ReturnType<typeof fixedClock>;

export interface TestAppOptions extends Pick<
  Overrides,
  | 'demoLink'
  | 'isQuiet'
  | 'random'
  | 'resolveHost'
  | 'workers'
  | 'threads'
  | 'checkAnswers'
  | 'passwordHashing'
  | 'extraProviders'
  | 'standInModel'
  | 'pause'
> {
  /** Environment variables, over those of every test app; `undefined` takes one away. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Stands at TEST_START until the test moves it. */
  clock?: TestClock;
  /** Folder of a built dashboard; a made-up one unless given. */
  dashboard?: string;
  /** Set by a test that provokes a failure of ours; otherwise such log lines are printed. */
  expectsFailures?: boolean;
}

export interface RequestOptions {
  /** The full key unless given; null sends none. */
  key?: string | null;
  /** A string or bytes go out as they are, anything else as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** The peer's address, 127.0.0.1 by default. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body when it is JSON, else undefined. Untyped, because a test may look at any field. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface MadeKey {
  id: string;
  short_id: string;
  key: string;
}

export interface TestApp {
  app: App;
  clock: TestClock;
  /** A key with full access, and one that may only read. */
  key: string;
  readOnlyKey: string;
  /** What the app was configured with, for a second process on the same data. */
  env: Readonly<Record<string, string>>;
  /** Everything logged so far, one JSON text per line, after redaction. */
  logs: readonly string[];
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** A key made as `homeledger keys create` makes it. */
  newKey(wanted?: Partial<KeyToMake>): Promise<MadeKey>;
  /** A journaled write as a server command makes it. */
  write<T>(action: string, fn: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** Another app on the same data, with the same keys; this one may be running or closed. */
  again(options?: TestAppOptions): Promise<TestApp>;
  close(): Promise<void>;
}

export interface TestDatabase {
  name: 'SQLite' | 'PostgreSQL';
  /** A fresh, empty installation; what the test leaves open is closed and removed at its end. */
  open: (options?: TestAppOptions) => Promise<TestApp>;
}

export const TEST_START = '2026-04-26T06:00:00.000Z';
const FIRST_START = '2026-04-26T05:59:59.999Z';
const CLI = { type: 'system', id: null, userId: null, name: 'cli' } as const;
const PLENTY = '1000000';
/** The least that argon2id can cost. */
const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 };
/** A shell and a script: enough for tests of how pages are served, without building the real ones. */
const STAND_IN_DASHBOARD = join(import.meta.dirname, 'dashboard');

/** Runs a block of tests once per database engine, or on those that have what it is about. */
export function forEachDatabase(
  suite: (database: TestDatabase) => void,
  names: readonly TestDatabase['name'][] = ['SQLite', 'PostgreSQL'],
): void {
  for (const name of names) {
    describe(name, () => {
      const leftOpen = new Set<() => Promise<void>>();
      afterAll(async () => {
        for (const close of leftOpen) await close();
      });
      const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
        const place = await (isUsual(options) ? installations[name].prepared() : installations[name].bare());
        const opened = new Set<TestApp>();
        const cleanUp = async (): Promise<void> => {
          leftOpen.delete(cleanUp);
          const wrong = await wrongTotalsOf(opened);
          for (const one of opened) await one.close();
          await place.remove();
          // An app is let go of between two turns of the event loop, which tests of SQLite never come to otherwise.
          await setImmediate();
          expect(wrong).toEqual([]);
        };
        if (!atEndOfTest(cleanUp)) leftOpen.add(cleanUp);
        return start(place.env, options, opened, place.made);
      };
      suite({ name, open });
    });
  }
}

/** After every test, whatever it wrote. Where it broke or closed the database, there is nothing to ask. */
async function wrongTotalsOf(opened: Iterable<TestApp>): Promise<string[]> {
  const last = [...opened].at(-1);
  return last === undefined ? [] : wrongTotals(last.app.instance.database).catch(() => []);
}

/** False outside a running test, as in `beforeAll`. */
function atEndOfTest(fn: () => Promise<void>): boolean {
  try {
    onTestFinished(fn);
    return true;
  } catch {
    return false;
  }
}

interface Keys {
  key: string;
  readOnlyKey: string;
}

const installations = { SQLite: embeddedInstallations(firstStart), PostgreSQL: serverInstallations(firstStart) };

/** Settings that a first start leaves no trace of. */
const SERVING = /^(PORT|API_RATE_LIMIT_\w+|CORS_ORIGINS|TRUST_PROXY|HOMELEDGER_BASE_URL|LOG_\w+)$/;

/** Whether the first start would have left the same without these options. */
function isUsual({ env = {}, clock, random }: TestAppOptions): boolean {
  return clock === undefined && random === undefined && Object.keys(env).every((name) => SERVING.test(name));
}

/** Before TEST_START, so that no id made later sorts before one made here. */
async function firstStart(place: Readonly<Record<string, string>>): Promise<Keys> {
  const app = await start(place, { clock: fixedClock(FIRST_START) }, new Set(), undefined);
  await app.close();
  return { key: app.key, readOnlyKey: app.readOnlyKey };
}

async function start(
  place: Readonly<Record<string, string>>,
  options: TestAppOptions,
  opened: Set<TestApp>,
  known: Keys | undefined,
): Promise<TestApp> {
  const env = environmentOf(place, options);
  const logs: string[] = [];
  const clock = options.clock ?? fixedClock(TEST_START);
  const app = await appOf(env, { ...options, clock }, logs);

  async function asCli<T>(action: string, fn: (tx: WriteTx) => Promise<T>): Promise<T> {
    const origin = { actor: CLI, surface: 'cli', source: 'edit', action, reason: null, requestId: null } as const;
    return (await write(app.instance.database, origin, fn)).value;
  }
  const newKey: TestApp['newKey'] = (wanted = {}) =>
    asCli('api_key.create', (tx) => makeKey(app.instance, tx, { name: 'Test', scope: 'full_access', ...wanted }));
  const keys = known ?? {
    key: (await newKey()).key,
    readOnlyKey: (await newKey({ name: 'Test, reading', scope: 'read_only' })).key,
  };
  let closed: Promise<void> | undefined;
  const testApp: TestApp = {
    app,
    clock,
    ...keys,
    env,
    logs,
    request: (method, path, request = {}) => send(app, keys.key, method, path, request),
    newKey,
    write: asCli,
    again: (others = {}) => start(place, { ...options, clock, ...others }, opened, keys),
    close: () => (closed ??= app.close()),
  };
  opened.add(testApp);
  return testApp;
}

function environmentOf(place: Readonly<Record<string, string>>, { env }: TestAppOptions): Record<string, string> {
  const settings: Record<string, string | undefined> = {
    API_RATE_LIMIT_RPM: PLENTY,
    API_RATE_LIMIT_BURST: PLENTY,
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
    ...place,
    ...env,
  };
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The service itself; what it logs is added to `logs`. */
async function appOf(
  env: Readonly<Record<string, string>>,
  options: TestAppOptions & { clock: TestClock },
  logs: string[],
): Promise<App> {
  const config = readConfig(env);
  const logger = await createLogger({
    level: config.logLevel,
    format: 'json',
    destination: { write: (line) => note(line, logs, options.expectsFailures === true) },
  });
  return createApp(config, {
    clock: options.clock,
    logger,
    workers: options.workers ?? 0,
    checkAnswers: options.checkAnswers ?? true,
    resolveHost: options.resolveHost ?? noHosts,
    passwordHashing: { cost: CHEAP, ...options.passwordHashing },
    dashboard: { folder: options.dashboard ?? STAND_IN_DASHBOARD },
    ...(options.threads === undefined ? {} : { threads: options.threads }),
    ...(options.demoLink === undefined ? {} : { demoLink: options.demoLink }),
    ...(options.isQuiet === undefined ? {} : { isQuiet: options.isQuiet }),
    ...(options.random === undefined ? {} : { random: options.random }),
    ...(options.standInModel === undefined ? {} : { standInModel: options.standInModel }),
    ...(options.pause === undefined ? {} : { pause: options.pause }),
    ...(options.extraProviders === undefined ? {} : { extraProviders: options.extraProviders }),
  });
}

/** No name has an address, so that no test asks the network. */
async function noHosts(): Promise<readonly string[]> {
  return [];
}

/** A line begins with its level, as pino writes it; reading each as JSON would take longer. */
const IS_FAILURE = /^\{"level":[56]0,/;

function note(line: string, logs: string[], expectsFailures: boolean): void {
  logs.push(line);
  if (!expectsFailures && IS_FAILURE.test(line)) process.stderr.write(line);
}

async function send(app: App, fullKey: string, method: string, path: string, options: RequestOptions): Promise<Answer> {
  const key = options.key === undefined ? fullKey : options.key;
  const headers: Record<string, string | string[]> = key === null ? {} : { 'x-api-key': key };
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  }
  const { body } = options;
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  const server = await app.http();
  const response = await server.inject({
    method,
    url: path + search(path, options.query ?? {}),
    headers,
    ...(options.from === undefined ? {} : { remoteAddress: options.from }),
    ...(body === undefined ? {} : { payload: payloadOf(body) }),
  });
  const text = response.body;
  const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
  return {
    status: response.statusCode,
    headers: response.headers as IncomingHttpHeaders,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
}

function search(path: string, query: NonNullable<RequestOptions['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  if (pairs.length === 0) return '';
  return `${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs).toString()}`;
}
