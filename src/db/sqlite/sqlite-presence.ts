import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { createPrivate } from './sqlite-files.ts';

/** Who is running on a data directory: each has a file with an SQLite lock, so that its death releases the lock. */
export interface FilePresence {
  enter(name: string): void;
  has(name: string): boolean;
  leave(): void;
}

const FILE = /^running-[0-9a-f-]{36}\.lock$/;

export function createFilePresence(directory: string): FilePresence {
  let own: { name: string; lock: DatabaseSync } | undefined;
  const fileOf = (name: string): string => join(directory, `running-${name}.lock`);

  return {
    enter(name) {
      for (const file of readdirSync(directory)) if (FILE.test(file)) removeIfFree(join(directory, file));
      const path = fileOf(name);
      for (;;) {
        // Before SQLite would make it: a file has these rights from the first moment.
        createPrivate(path, 0o600);
        const lock = new DatabaseSync(path, { timeout: 0 });
        if (tryLock(lock) && existsSync(path)) {
          own = { name, lock };
          return;
        }
        // Another process removed the file before it was locked.
        lock.close();
      }
    },
    has: (name) => own?.name === name || (existsSync(fileOf(name)) && !removeIfFree(fileOf(name))),
    leave() {
      if (!own) return;
      own.lock.close();
      rmSync(fileOf(own.name), { force: true });
      own = undefined;
    },
  };
}

/** Removes the file of a dead process. The lock is held meanwhile, so that nobody else can take it. */
function removeIfFree(path: string): boolean {
  const probe = new DatabaseSync(path, { timeout: 0 });
  try {
    if (!tryLock(probe)) return false;
    rmSync(path, { force: true });
    return true;
  } finally {
    probe.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

const SQLITE_BUSY = 5;
