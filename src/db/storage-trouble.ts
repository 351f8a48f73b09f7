import { AppError } from '../kernel/errors.ts';

/** Why a database cannot be used. The texts go to any client: they name the file, and no place on the machine. */
export type Trouble = keyof typeof TEXTS;

const TEXTS = {
  missing: [
    'The database file {file} is no longer in the data directory.',
    'Put the same file back together with the files beside it (-wal, -shm), or restart Homeledger on a backup.',
  ],
  replaced: [
    'Another file was put in the place of {file} while Homeledger was running.',
    'Put the former file back, or restart Homeledger to go on with the new one.',
  ],
  log_lost: [
    'A file beside {file} (-wal or -shm) was removed or replaced while Homeledger was running.',
    'Restart Homeledger: what was written is in the database, and both files are made anew.',
  ],
  damaged: [
    'The database file {file} is damaged, so nothing more is written to it.',
    'Stop Homeledger, move away {file} and the files beside it (-wal, -shm), put your newest backup in its place, and start again. Copies made before upgrades are in the folder backups of the data directory.',
  ],
  full: ['The disk of the database is full.', 'Free some space, then send this again.'],
  read_only: [
    'The disk of the database is read-only.',
    'Make the data directory writable again; where the system made it read-only by itself, check the disk first.',
  ],
  failing: [
    'The disk of the database reports errors.',
    'Check the disk and the log of the system; keep a copy of the data directory elsewhere.',
  ],
  unopened: [
    'The database file {file} cannot be opened.',
    'Check the rights of the data directory, and how many files a process may open.',
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

/** 503 whose cause is known, so that a start can say more about it than an answer may. */
export class StorageError extends AppError {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, file: string, outcome: string, cause?: unknown) {
    const words = [troubleText(trouble, file), outcome, remedyText(trouble, file)].filter((text) => text !== '');
    super('UNAVAILABLE', words.join(' '), { headers: { 'retry-after': '5' } });
    this.trouble = trouble;
    if (cause !== undefined) this.cause = cause;
  }
}
