import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Identifies a file on the disk, whatever its name. */
interface FileIdentity {
  device: bigint;
  inode: bigint;
}

/** The files of an open database: itself, its log, and the index of the log. Plain data, for other threads. */
export interface OpenedFiles {
  database: FileIdentity;
  log: FileIdentity;
  logIndex: FileIdentity;
}

export type Displaced = 'missing' | 'replaced' | 'log_lost';

/** The files that were just opened at a path; null if one of them is missing. */
export function identifyFiles(path: string): OpenedFiles | null {
  const [database, log, logIndex] = [find(path), find(`${path}-wal`), find(`${path}-shm`)];
  return database && log && logIndex && { database, log, logIndex };
}

/** Whether the database file itself is still in place. That is enough for readers, which hold the rest open. */
export function displacedDatabase(path: string, opened: OpenedFiles): Displaced | null {
  const found = find(path);
  if (!found) return 'missing';
  return isSame(found, opened.database) ? null : 'replaced';
}

/** Whether all files are still in place: a commit into an unlinked log would be lost when the process ends. */
export function displaced(path: string, opened: OpenedFiles): Displaced | null {
  const isWhole = isSame(find(`${path}-wal`), opened.log) && isSame(find(`${path}-shm`), opened.logIndex);
  return displacedDatabase(path, opened) ?? (isWhole ? null : 'log_lost');
}

function isSame(found: FileIdentity | null, opened: FileIdentity): boolean {
  return found !== null && found.inode === opened.inode && found.device === opened.device;
}

/** Does not open the file: closing it again would release the locks that SQLite holds on it. */
function find(path: string): FileIdentity | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isFile() === true ? { device: found.dev, inode: found.ino } : null;
  } catch {
    return null;
  }
}

/** Errors of a volume without permissions (FAT, SMB), or of a file with another owner. */
const NOT_OURS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EROFS', 'EACCES'];

/** Creates an empty file with these permissions, or sets those of the one that is there. Whoever uses it reports what is wrong. */
export function createPrivate(path: string, mode: number): void {
  try {
    // Only what was not there is opened: closing a file in use would release the locks that SQLite holds on it.
    closeSync(openSync(path, 'wx', mode));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') keepPrivate(path, mode);
  }
}

/** Sets the permissions of a file or directory. False if they cannot be set, which is not an error. */
export function keepPrivate(path: string, mode: number, set: typeof chmodSync = chmodSync): boolean {
  try {
    set(path, mode);
    return true;
  } catch (error) {
    if (NOT_OURS.includes((error as { code?: unknown }).code)) return false;
    throw error;
  }
}
