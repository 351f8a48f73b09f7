import { AppError } from '../kernel/errors.ts';

/** Why a database cannot be used. */
export type Trouble = keyof typeof TEXTS;

/** Any client can see these texts, so they contain the name of the file but not its path. */
const TEXTS = {
  missing: {
    problem: 'The database file {file} is no longer in the data directory.',
    remedy:
      'Put that file back together with the files beside it (-wal, -shm), or put a backup there and restart Homeledger.',
  },
  replaced: {
    problem: '{file} was replaced by another file while Homeledger was running.',
    remedy: 'Put the old file back, or restart Homeledger to use the new one.',
  },
  log_lost: {
    problem: 'A file beside {file} (-wal or -shm) was removed or replaced while Homeledger was running.',
    remedy: 'Restart Homeledger. Nothing is lost: everything is in the database, and both files are created again.',
  },
  damaged: {
    problem: 'The database file {file} is damaged, so Homeledger no longer writes to it.',
    remedy:
      'Stop Homeledger, move {file} and the files beside it (-wal, -shm) away, put your newest backup in its place, and start again. Copies made before upgrades are in the folder backups of the data directory.',
  },
  full: {
    problem: 'The disk of the database is full.',
    remedy: 'Free some space, then send this again.',
  },
  read_only: {
    problem: 'The disk of the database is read-only.',
    remedy: 'Make the data directory writable again. If the system made it read-only, check the disk first.',
  },
  failing: {
    problem: 'The disk of the database reports errors.',
    remedy: 'Check the disk and the system log, and copy the data directory elsewhere.',
  },
  unopened: {
    problem: 'The database file {file} cannot be opened.',
    remedy: 'Check the permissions of the data directory, and how many files a process may open.',
  },
} as const;

/** What is wrong, in one sentence. */
export function troubleText(trouble: Trouble, file: string): string {
  return TEXTS[trouble].problem.replaceAll('{file}', file);
}

/** What to do about it. */
export function remedyText(trouble: Trouble, file: string): string {
  return TEXTS[trouble].remedy.replaceAll('{file}', file);
}

/**
 * 503 because of a known trouble with the files. `outcome` says what became of the change. At a start, `trouble` lets the
 * message say more than a response may.
 */
export class StorageError extends AppError {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, file: string, outcome: string, cause?: unknown) {
    const words = [troubleText(trouble, file), outcome, remedyText(trouble, file)].filter((text) => text !== '');
    super('UNAVAILABLE', words.join(' '), { headers: { 'retry-after': '5' } });
    this.trouble = trouble;
    if (cause !== undefined) this.cause = cause;
  }
}
