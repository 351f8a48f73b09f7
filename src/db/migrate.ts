import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { sha256Hex } from '../kernel/crypto.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Instant } from '../kernel/dates.ts';
import type { Engine, EngineConnection } from './engine.ts';
import { migrations as known } from './migrations/index.ts';
import { isUnavailable } from './unavailable.ts';

/** One step of the schema, forward only. `statements` run on both engines, then those of the current one. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  sqlite?: readonly string[];
  postgres?: readonly string[];
}

interface MigrateOptions {
  engine: Engine;
  now: () => Instant;
  /** The embedded database's file, and where its copy before a migration goes; absent on a server database. */
  file?: string;
  backups?: string;
  migrations?: readonly Migration[];
  /** Names the rules of a ledger that this one breaks. A migration may break none that was kept before it. */
  findBroken?: (connection: EngineConnection) => Promise<readonly string[]>;
  /** Does everything, and then rolls it back. */
  isRehearsal?: boolean;
  /** Called between steps; crash tests stop the process here. */
  failpoint?: (point: string) => void;
}

export interface MigrationResult {
  from: number;
  to: number;
  snapshot: string | null;
}

/** Stops the start; the message is for the operator. */
export class MigrationError extends OperatorError {}

const TYPES = {
  sqlite: {
    text: 'text',
    int: 'integer',
    money: 'integer',
    blob: 'blob',
    strict: 'strict',
    without_rowid: ', without rowid',
    generated: 'virtual',
    trigram_column: '',
  },
  postgres: {
    text: 'text collate "C"',
    int: 'bigint',
    money: 'bigint',
    blob: 'bytea',
    strict: '',
    without_rowid: '',
    generated: 'stored',
    trigram_column: `, trigrams text[] collate "C" not null default '{}'`,
  },
} as const;

const LEDGER = `create table if not exists schema_migrations (
  version {int} primary key, name {text} not null, checksum {text} not null, applied_at {text} not null) {strict}`;

/** The newest schema this program knows. */
export function programVersion(migrations: readonly Migration[] = known): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Whose tables a database has. Another program can use our table names, but has no record of our steps. */
export async function tablesFound(engine: Engine): Promise<'none' | 'own' | 'foreign'> {
  return engine.read(async (connection) => {
    const named = await query(
      connection,
      engine.name === 'sqlite'
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite%'`
        : `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    if (named.length === 0) return 'none';
    return named.some(({ name }) => name === 'schema_migrations') ? 'own' : 'foreign';
  });
}

/** The encoding of a server database in which not every text can be stored; null if this one can store every text. */
export async function narrowEncoding(engine: Engine): Promise<string | null> {
  if (engine.name === 'sqlite') return null;
  const rows = await engine.read((connection) => query(connection, 'select getdatabaseencoding() as encoding'));
  const encoding = String(rows[0]?.['encoding']);
  // SQL_ASCII stores whatever bytes it gets.
  return ['UTF8', 'SQL_ASCII'].includes(encoding) ? null : encoding;
}

export interface SchemaState {
  version: number;
  newest: number;
  pending: readonly Migration[];
}

/**
 * The schema that a database has, and the steps that it lacks.
 * @throws MigrationError on a database newer than the program, or on a changed step
 */
export async function schemaState(engine: Engine, steps: readonly Migration[] = known): Promise<SchemaState> {
  return engine.read((connection) => stateOf(engine, connection, steps));
}

async function stateOf(
  engine: Engine,
  connection: EngineConnection,
  steps: readonly Migration[],
): Promise<SchemaState> {
  const applied = await appliedSteps(engine, connection);
  const version = applied.at(-1)?.version ?? 0;
  const newest = programVersion(steps);
  if (version > newest) {
    throw new MigrationError(
      `The database has schema version ${version}, but this program supports only versions up to ${newest}. Start a newer version of Homeledger.`,
    );
  }
  for (const step of applied) {
    const own = steps.find((one) => one.version === step.version);
    if (!own || checksum(own) !== step.checksum) {
      throw new MigrationError(
        `Migration ${step.version} (${step.name}) differs from the one that was applied to this database. Start the version of Homeledger that made it.`,
      );
    }
  }
  return { version, newest, pending: steps.filter((step) => step.version > version) };
}

/**
 * Brings the schema up to the program's version: all steps in one transaction, or none.
 * @throws MigrationError on a database newer than the program, on a changed step, or when invariants break.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationResult> {
  const { engine, isRehearsal = false } = options;
  const steps = options.migrations ?? known;
  const { version: from, newest, pending } = await schemaState(engine, steps);
  if (pending.length === 0) return { from, to: from, snapshot: null };

  const snapshot = from > 0 && !isRehearsal ? await copyFirst(options, from) : null;
  try {
    await engine.write((connection) => apply(options, connection, steps));
    options.failpoint?.(`migration:${newest}:committed`);
  } catch (error) {
    if (error instanceof Rehearsed) return { from, to: newest, snapshot: null };
    // It equals the database, and a start that fails again and again would fill the disk with copies.
    if (snapshot !== null) rmSync(snapshot, { force: true });
    throw Object.assign(migrationError(error), { cause: error });
  }
  if (snapshot !== null) removeOlderCopies(options.backups as string);
  return { from, to: newest, snapshot };
}

/** Ends a rehearsal, so that its transaction is rolled back. */
class Rehearsed extends Error {}

function migrationError(error: unknown): MigrationError {
  if (isUnavailable(error)) {
    return new MigrationError(
      'The database was busy or unreachable during the migration, perhaps because another program was migrating it. Start again in a moment.',
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new MigrationError(`The migration failed, and nothing was changed: ${message}`);
}

/** Every step that is missing. Of several processes that start at the same time, one does them. */
async function apply(
  options: MigrateOptions,
  connection: EngineConnection,
  steps: readonly Migration[],
): Promise<void> {
  const { engine, findBroken } = options;
  const { version, pending } = await stateOf(engine, connection, steps);
  const [before, broken] = version > 0 ? [await invariants(connection), await findBroken?.(connection)] : [];
  for (const step of pending) await applyStep(options, connection, step);
  if (before !== undefined && pending.length > 0) {
    const after = await invariants(connection);
    const lost = before.find((line) => !after.includes(line));
    if (lost !== undefined) throw new Error(`it would have changed the ledger (${lost}).`);
    const newlyBroken = (await findBroken?.(connection))?.find((rule) => broken?.includes(rule) !== true);
    if (newlyBroken !== undefined) throw new Error(`it would have broken the ledger (${newlyBroken}).`);
  }
  if (options.isRehearsal === true) throw new Rehearsed();
}

async function applyStep(options: MigrateOptions, connection: EngineConnection, step: Migration): Promise<void> {
  const { engine } = options;
  await connection.execute(render(engine, LEDGER));
  const own = engine.name === 'sqlite' ? step.sqlite : step.postgres;
  for (const [index, statement] of [...step.statements, ...(own ?? [])].entries()) {
    await connection.execute(render(engine, statement));
    options.failpoint?.(`migration:${step.version}:${index}`);
  }
  await connection.insertMany(
    'schema_migrations',
    ['version', 'name', 'checksum', 'applied_at'],
    [[step.version, step.name, checksum(step), options.now()]],
    '',
  );
}

export function render(engine: Engine, statement: string): string {
  const types: Readonly<Record<string, string>> = TYPES[engine.name];
  const text = statement.replace(/\{(\w+)\}/g, (_whole, token: string) => {
    const type = types[token];
    if (type === undefined) throw new Error(`Unknown type {${token}} in a migration.`);
    return type;
  });
  return text;
}

/** What says whether a step was changed after it ran. */
export function checksum(step: Migration): string {
  return sha256Hex(JSON.stringify([step.version, step.name, step.statements, step.sqlite, step.postgres]));
}

async function appliedSteps(
  engine: Engine,
  connection: EngineConnection,
): Promise<{ version: number; name: string; checksum: string }[]> {
  const exists = await query(
    connection,
    engine.name === 'sqlite'
      ? `select 1 as found from sqlite_master where type = 'table' and name = 'schema_migrations'`
      : `select 1 as found from information_schema.tables
         where table_schema = current_schema() and table_name = 'schema_migrations'`,
  );
  if (exists.length === 0) return [];
  const rows = await query(connection, 'select version, name, checksum from schema_migrations order by version');
  return rows as { version: number; name: string; checksum: string }[];
}

/** What a migration must not change: the number of rows, and the sums per account and currency. */
async function invariants(connection: EngineConnection): Promise<string[]> {
  const lines: string[] = [];
  for (const table of ['users', 'accounts', 'transactions', 'comments', 'change_sets', 'changes']) {
    const [row] = await query(connection, `select count(*) as n from ${table}`);
    lines.push(`${table}: ${String(row?.['n'])} rows`);
  }
  const sums = await query(
    connection,
    `select account_id, coalesce(iso_currency_code, '') as currency, count(*) as n,
      cast(sum(amount_cents) as text) as total
     from transactions group by account_id, iso_currency_code order by account_id, currency`,
  );
  for (const row of sums) lines.push(`account ${String(row['account_id'])}: ${JSON.stringify(row)}`);
  return lines;
}

async function query(connection: EngineConnection, text: string): Promise<Record<string, unknown>[]> {
  const node = { kind: 'RawNode', sqlFragments: [text], parameters: [] } as const;
  const result = await connection.executeQuery<Record<string, unknown>>({
    query: node,
    queryId: { queryId: 'migrate' },
    sql: text,
    parameters: [],
  });
  return result.rows;
}

/** A server database needs no copy for the way back, which is the end of the transaction. */
async function copyFirst({ file, backups, ...options }: MigrateOptions, from: number): Promise<string | null> {
  if (file === undefined || backups === undefined) return null;
  return takeSnapshot({ ...options, file, backups }, from).catch((error: Error) => {
    throw new MigrationError(
      `The database could not be copied to ${backups} before the migration (${error.message}). Nothing was changed. ` +
        'Make that folder writable, with as much free space as the database takes, and start again.',
    );
  });
}

/**
 * A copy of the database at version `from`; null if another process that starts at the same time has migrated it
 * further, and so has taken that copy.
 */
async function takeSnapshot(
  { file, backups, now, failpoint }: MigrateOptions & { file: string; backups: string },
  from: number,
): Promise<string | null> {
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const [day, time] = now().slice(0, 19).replace(/[-:]/g, '').split('T');
  const target = join(backups, `homeledger-${day}-${time}${COPIED}`);
  removeAbandoned(backups, now());
  // A folder of its own: processes that start in the same second would write to one file.
  const unfinished = mkdtempSync(join(backups, UNFINISHED));
  const copy = join(unfinished, COPY);
  try {
    await copyDatabase(file, copy);
    if ((await versionOf(copy)) !== from) return null;
    renameSync(copy, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  failpoint?.('migration:snapshot');
  return target;
}

const COPIED = '-pre_migration.sqlite';
const COPIES_KEPT = 3;

/** The names begin with their time. */
function removeOlderCopies(backups: string): void {
  const copies = readdirSync(backups).filter((name) => name.startsWith('homeledger-') && name.endsWith(COPIED));
  for (const name of copies.toSorted().slice(0, -COPIES_KEPT)) rmSync(join(backups, name), { force: true });
}

const UNFINISHED = 'unfinished-';
const COPY = 'copy.sqlite';
/** A copy that nothing was written to for so long is one whose process was killed. */
const ABANDONED_MS = 600_000;

/**
 * Without this, a start that is killed again and again while it copies would fill the disk. A folder that this process
 * may not remove, such as one left by another user, stops no start.
 */
function removeAbandoned(folder: string, now: Instant): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(UNFINISHED))) {
    const path = join(folder, name);
    try {
      const written = [path, join(path, COPY)].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (Date.parse(now) - Math.max(...written) > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      continue;
    }
  }
}

const BUSY_MS = 5_000;

/** A complete copy of an embedded database, also of one that is in use. */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    database.prepare('vacuum into ?').run(copy);
  } finally {
    database.close();
  }
  chmodSync(copy, 0o600);
}

async function versionOf(copy: string): Promise<unknown> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(copy, { readOnly: true });
  try {
    return database.prepare('select max(version) as version from schema_migrations').get()?.['version'];
  } finally {
    database.close();
  }
}
