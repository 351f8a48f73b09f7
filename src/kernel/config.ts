import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP, type BlockList } from 'node:net';
import { resolve } from 'node:path';

import { systemClock } from './clock.ts';
import { hasPasswordLength, parseEmail } from './credentials.ts';
import { VARIABLES, type VariableName } from './environment.ts';
import { OperatorError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { readModelVariables, type ModelVariables } from './model-variables.ts';
import { parseTrustedProxies, readBaseUrl } from './network.ts';
import { nearest } from './nearest.ts';
import { readProviders, type ProviderVariables } from './provider-variables.ts';

/** The program's semantic version. */
export const VERSION = (createRequire(import.meta.url)('../../package.json') as { version: string }).version;

/** Everything the environment decides, read once at boot (contract 20.16). */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Where backups go; null: the folder `backups` in the data directory. */
  backupDir: string | null;
  databaseUrl: string | null;
  encryptionKey: { source: 'env' | 'file'; name: string; hex: string } | null;
  keyPrefix: string;
  baseUrl: string | null;
  dashboard: boolean;
  /** Cookies do not know ports, so that a demo beside a real household or another demo has its own (20.6). */
  sessionCookie: 'homeledger_session' | `homeledger_demo_session_${number}`;
  /** With the variable that gave the password. */
  admin: { email: string; password: string; variable: string } | null;
  trustedProxies: BlockList | null;
  corsOrigins: readonly string[];
  rateRefillPerMinute: number;
  rateBurst: number;
  logLevel: 'error' | 'warn' | 'info' | 'debug';
  logFormat: 'json' | 'pretty';
  providers: ProviderVariables;
  models: ModelVariables;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** One message that lists every problem, and never contains a secret. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Settings of client commands, which a server may find in its environment. */
export const CLIENT_NAMES = ['HOMELEDGER_URL', 'HOMELEDGER_API_KEY', 'HOMELEDGER_HOST', 'HOMELEDGER_CONFIG_DIR'];
const OWN_NAMES = VARIABLES.map(({ name }): string => name).filter((name) => name.startsWith('HOMELEDGER_'));

/** The process's environment; the only place that looks at it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** @throws ConfigError naming every variable that is wrong, the values it takes, and near misses of names. */
export function readConfig(env: Environment, now = systemClock.now()): Config {
  const problems = unknownNames(env);
  const reader = createReader(env, problems);
  const { get, choice, integer, file, url } = reader;
  const host = get('HOST') ?? '127.0.0.1';
  if (isIP(host) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(host)) {
    problems.push('HOST must be an IP address or a host name.');
  }
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const prefix = get('API_KEY_PREFIX') ?? 'hl';
  if (!/^[a-z0-9]{2,8}$/.test(prefix)) problems.push('API_KEY_PREFIX must be 2 to 8 characters of a-z and 0-9.');
  const config: Config = {
    host,
    port: integer('PORT', 0, 65_535, 8080),
    dataDir: resolve(get('HOMELEDGER_DATA_DIR') ?? './data'),
    backupDir: backupDir(get('BACKUP_DIR')),
    databaseUrl: databaseUrl === undefined ? null : (get('DATABASE_URL') ?? null),
    encryptionKey: encryptionKey(get, file, problems),
    keyPrefix: prefix,
    baseUrl: baseUrl(get('HOMELEDGER_BASE_URL'), problems),
    sessionCookie: 'homeledger_session',
    dashboard: choice('HOMELEDGER_DASHBOARD', ['on', 'off'], 'on') === 'on',
    admin: unattendedAdmin(get, file, problems),
    trustedProxies: trustedProxies(get('TRUST_PROXY'), problems),
    corsOrigins: corsOrigins(get('CORS_ORIGINS'), problems),
    rateRefillPerMinute: integer('API_RATE_LIMIT_RPM', 1, 1_000_000, LIMITS.rateRefillPerMinute),
    rateBurst: integer('API_RATE_LIMIT_BURST', 1, 1_000_000, LIMITS.rateBurst),
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug'], 'info'),
    logFormat: choice('LOG_FORMAT', ['json', 'pretty'], process.stderr.isTTY ? 'pretty' : 'json'),
    providers: readProviders(reader, now),
    models: readModelVariables(reader),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function backupDir(given: string | undefined): string | null {
  return given === undefined ? null : resolve(given);
}

/** What to say about names that look like ours and are not: a server refuses them, a client command warns. */
export function unknownNames(env: Environment, meant: readonly string[] = OWN_NAMES): string[] {
  const known = [...OWN_NAMES, ...CLIENT_NAMES];
  return Object.keys(env)
    .filter((name) => name.startsWith('HOMELEDGER_') && !known.includes(name))
    .map((name) => `${name} is not a setting. Did you mean ${nearest(name, meant)}?`);
}

type Get = (name: VariableName) => string | undefined;

/** Reads variables by kind. An empty one counts as not set; a wrong one is a problem and gets its fallback. */
export interface Reader {
  get: Get;
  choice: <T extends string, F extends T | null>(name: VariableName, values: readonly T[], fallback: F) => T | F;
  integer: (name: VariableName, min: number, max: number, fallback: number) => number;
  /** The text of the file that a variable names. */
  file: Get;
  url: (name: VariableName, schemes: readonly string[]) => URL | undefined;
  /** Notes a problem, which stops the start; the message names the variable. */
  refuse: (problem: string) => void;
}

function createReader(env: Environment, problems: string[]): Reader {
  const get: Get = (name) => env[name] || undefined;
  const fail = <T>(message: string, fallback: T): T => {
    problems.push(message);
    return fallback;
  };
  return {
    get,
    choice(name, values, fallback) {
      const value = get(name);
      if (value === undefined) return fallback;
      return values.find((one) => one === value) ?? fail(`${name} must be one of ${values.join(', ')}.`, fallback);
    },
    integer(name, min, max, fallback) {
      const value = get(name);
      if (value === undefined) return fallback;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      return fail(`${name} must be a whole number from ${min} to ${max}.`, fallback);
    },
    file(name) {
      const path = get(name);
      if (path === undefined) return undefined;
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return fail(`${name}: the file cannot be read.`, undefined);
      }
    },
    url(name, schemes) {
      const value = get(name);
      if (value === undefined) return undefined;
      const parsed = URL.canParse(value) ? new URL(value) : undefined;
      if (parsed && schemes.includes(parsed.protocol)) return parsed;
      const starts = schemes.map((one) => `${one}//`).join(' or ');
      return fail(`${name} must be an address that starts with ${starts}.`, undefined);
    },
    refuse: (problem) => problems.push(problem),
  };
}

function encryptionKey(get: Get, file: Get, problems: string[]): Config['encryptionKey'] {
  const direct = get('ENCRYPTION_KEY');
  const path = get('ENCRYPTION_KEY_FILE');
  if (direct !== undefined && path !== undefined) {
    problems.push('ENCRYPTION_KEY and ENCRYPTION_KEY_FILE cannot both be set.');
    return null;
  }
  const [name, source] =
    direct === undefined ? (['ENCRYPTION_KEY_FILE', 'file'] as const) : (['ENCRYPTION_KEY', 'env'] as const);
  const text = direct ?? file('ENCRYPTION_KEY_FILE');
  if (text === undefined) return null;
  const hex = text.trim().toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    problems.push(`${name} must contain exactly 64 hexadecimal digits.`);
    return null;
  }
  return { source, name, hex };
}

function baseUrl(text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null;
  const read = readBaseUrl(text);
  if ('origin' in read) return read.origin;
  problems.push(`HOMELEDGER_BASE_URL ${read.problem}.`);
  return null;
}

function unattendedAdmin(get: Get, file: Get, problems: string[]): Config['admin'] {
  const email = get('HOMELEDGER_ADMIN_EMAIL');
  const direct = get('HOMELEDGER_ADMIN_PASSWORD');
  const path = get('HOMELEDGER_ADMIN_PASSWORD_FILE');
  if (direct !== undefined && path !== undefined) {
    problems.push('HOMELEDGER_ADMIN_PASSWORD and HOMELEDGER_ADMIN_PASSWORD_FILE cannot both be set.');
    return null;
  }
  const variable = path === undefined ? 'HOMELEDGER_ADMIN_PASSWORD' : 'HOMELEDGER_ADMIN_PASSWORD_FILE';
  const password = direct ?? file('HOMELEDGER_ADMIN_PASSWORD_FILE')?.replace(/\r?\n$/, '');
  if (email === undefined && direct === undefined && path === undefined) return null;
  if (email === undefined) problems.push(`${variable} needs HOMELEDGER_ADMIN_EMAIL.`);
  if (direct === undefined && path === undefined) {
    problems.push('HOMELEDGER_ADMIN_EMAIL needs HOMELEDGER_ADMIN_PASSWORD or HOMELEDGER_ADMIN_PASSWORD_FILE.');
  }
  const address = email === undefined ? undefined : parseEmail(email);
  if (email !== undefined && address === undefined) problems.push('HOMELEDGER_ADMIN_EMAIL must be an email address.');
  if (password !== undefined && (!hasPasswordLength(password) || password === address)) {
    problems.push(
      `${variable} must have ${LIMITS.passwordMinChars} to ${LIMITS.passwordMaxChars} characters and differ from the email.`,
    );
  }
  return address === undefined || password === undefined ? null : { email: address, password, variable };
}

function trustedProxies(text: string | undefined, problems: string[]): BlockList | null {
  if (text === undefined) return null;
  const list = parseTrustedProxies(text);
  if (!('invalid' in list)) return list;
  problems.push(
    `TRUST_PROXY must be a list of addresses, CIDR blocks, loopback and private; ${JSON.stringify(list.invalid)} is not valid.`,
  );
  return null;
}

function corsOrigins(text: string | undefined, problems: string[]): string[] {
  if (text === undefined) return [];
  const origins = text.split(',').map((part) => part.trim());
  const bad = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (bad !== undefined) {
    problems.push(
      `CORS_ORIGINS must be a list of exact origins, such as https://app.example; ${JSON.stringify(bad)} is not one.`,
    );
  }
  return origins;
}
