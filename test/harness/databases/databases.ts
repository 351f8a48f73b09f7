import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export interface TemporaryDirectory extends Disposable {
  path: string;
  remove(): void;
}

export interface DatabaseOptions {
  /** An ICU locale such as `en-US`, to prove that no query leans on the database's own collation. */
  icuLocale?: string;
  /** Another encoding than UTF8, such as `LATIN1`. */
  encoding?: string;
  /** The URL of another database of the server, to which nobody is connected: a copy of it instead of an empty one. */
  copyOf?: string;
}

/** A fresh database on the run's PostgreSQL server. */
export async function createPostgresDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const name = `${inject('databasePrefix')}${randomBytes(8).toString('hex')}`;
  const template = options.copyOf === undefined ? 'template0' : new URL(options.copyOf).pathname.slice(1);
  const locale = options.icuLocale === undefined ? '' : `locale_provider icu icu_locale '${options.icuLocale}'`;
  const encoding =
    options.encoding === undefined ? '' : `encoding '${options.encoding}' locale_provider libc locale 'C'`;
  await administer(`create database ${name} template ${template} ${locale} ${encoding}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

/** A fresh directory; whatever a test leaves behind goes when the run ends. */
export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(inject('temporaryRoot'), 'd-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  return { path, remove, [Symbol.dispose]: remove };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
