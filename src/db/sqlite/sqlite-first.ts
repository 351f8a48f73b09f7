import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { StorageError } from '../storage-trouble.ts';
import { troubleIn } from './sqlite-watch.ts';

const BUSY_MS = 5_000;
const READ_ONLY = 8;

/**
 * Whose tables a database file has, without changing a byte of it; undefined if only a writer can tell.
 * @throws StorageError when it is not a database, or is damaged
 */
export function inspectSqlite(path: string): 'none' | 'own' | 'foreign' | undefined {
  return withWords(path, () => {
    const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    try {
      const tables = database.prepare(`select name from sqlite_schema where name not like 'sqlite%'`).all();
      if (tables.length === 0) return 'none';
      return tables.some(({ name }) => name === 'schema_migrations') ? 'own' : 'foreign';
    } catch (error) {
      // A start that was killed while it created the file left a journal, which only a writer can roll back.
      if (primaryCode(error) === READ_ONLY) return undefined;
      throw error;
    } finally {
      database.close();
    }
  });
}

/** Turns what the first opening of a file throws into an error that a start can explain. */
export function withWords<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = (error as { errcode?: unknown }).errcode;
    const trouble = typeof code === 'number' ? troubleIn(code, dirname(path), true) : null;
    throw trouble === null ? error : new StorageError(trouble, basename(path), '', error);
  }
}

function primaryCode(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}
