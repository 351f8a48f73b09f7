import { AppError } from '../kernel/errors.ts';

/** Why a database cannot be used. Any client can see the texts, so they contain the file name but no path. */
export type Trouble = keyof typeof TEXTS;

const TEXTS = {
  missing: [
    'The database file {file} is no longer in the data directory.',
    'Put the same file back together with the files beside it (-wal, -shm), or put a backup there and restart Homeledger.',
  ],
  replaced: [
    '{file} was replaced by another file while Homeledger was running.',
    'Put the old file back, or restart Homeledger to use the new one.',
  ],
  log_lost: [
    'A file beside {file} (-wal or -shm) was removed or replaced while Homeledger was running.',
    'Restart Homeledger. Everything written is in the database, and both files are created again.',
  ],
  damaged: [
    'The database file {file} is damaged, so Homeledger no longer writes to it.',
    'Stop Homeledger, move {file} and the files beside it (-wal, -shm) away, put your newest backup in its place, and start again. Copies made before upgrades are in the folder backups of the data directory.',
  ],
  full: ['The disk of the database is full.', 'Free some space, then send this again.'],
  read_only: [
    'The disk of the database is read-only.',
    'Make the data directory writable again. If the system made it read-only, check the disk first.',
  ],
  failing: [
    'The disk of the database reports errors.',
    'Check the disk and the system log, and copy the data directory elsewhere.',
  ],
  unopened: [
    'The database file {file} cannot be opened.',
    'Check the permissions of the data directory, and how many files a process may open.',
  ],
} as const;

/** What is wrong, in one sentence. */
export function troubleText(trouble: Trouble, file: string): string {
  return TEXTS[trouble][0].replaceAll('{file}', file);
}

/** What to do about it. */
export function remedyText(trouble: Trouble, file: string): string {
  return TEXTS[trouble][1].replaceAll('{file}', file);
}

/** 503 with a known cause, so that a start can say more about it than an answer. */
export class StorageError extends AppError {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, file: string, outcome: string, cause?: unknown) {
    const words = [troubleText(trouble, file), outcome, remedyText(trouble, file)].filter((text) => text !== '');
    super('UNAVAILABLE', words.join(' '), { headers: { 'retry-after': '5' } });
    this.trouble = trouble;
    if (cause !== undefined) this.cause = cause;
  }
}
