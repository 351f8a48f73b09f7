import { chmodSync, statSync } from 'node:fs';

/** Which file on the disk it is, whatever its name. */
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

/** The files that were just opened at a path; null when one of them is not there. */
export function identifyFiles(path: string): OpenedFiles | null {
  const [database, log, logIndex] = [find(path), find(`${path}-wal`), find(`${path}-shm`)];
  return database && log && logIndex && { database, log, logIndex };
}

/** Whether the database itself is where it was opened: what readers need, because they hold the rest open. */
export function displacedDatabase(path: string, opened: OpenedFiles): Displaced | null {
  const found = find(path);
  if (!found) return 'missing';
  return isSame(found, opened.database) ? null : 'replaced';
}

/** Whether everything is in place: a commit into a log that has no name any more would end with the process. */
export function displaced(path: string, opened: OpenedFiles): Displaced | null {
  const isWhole = isSame(find(`${path}-wal`), opened.log) && isSame(find(`${path}-shm`), opened.logIndex);
  return displacedDatabase(path, opened) ?? (isWhole ? null : 'log_lost');
}

function isSame(found: FileIdentity | null, opened: FileIdentity): boolean {
  return found !== null && found.inode === opened.inode && found.device === opened.device;
}

/** Never by opening the file: closing it again would let go of the locks that SQLite holds on it. */
function find(path: string): FileIdentity | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isFile() === true ? { device: found.dev, inode: found.ino } : null;
  } catch {
    return null;
  }
}

/** What a volume without such rights (FAT, SMB), or a file of another owner, answers. */
const NOT_OURS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EROFS', 'EACCES'];

/** Sets the rights of a file or directory; false where they cannot be set, which stops nothing. */
export function keepPrivate(path: string, mode: number, set: typeof chmodSync = chmodSync): boolean {
  try {
    set(path, mode);
    return true;
  } catch (error) {
    if (NOT_OURS.includes((error as { code?: unknown }).code)) return false;
    throw error;
  }
}
