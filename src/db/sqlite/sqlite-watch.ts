import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { StorageError, type Trouble } from '../storage-trouble.ts';
import { orUnavailable } from '../unavailable.ts';
import { displaced, displacedDatabase, identifyFiles, type Displaced, type OpenedFiles } from './sqlite-files.ts';

/** What all threads of a process know about their database: the files it was opened from, and trouble with them. */
export interface SharedWatch {
  opened: OpenedFiles;
  met: SharedArrayBuffer;
}

/** Where a transaction stood when something was thrown. */
export type Step = 'reading' | 'writing' | 'committing';

/** Keeps an embedded database from reading files that are gone, and from writing to a damaged one. */
export interface SqliteWatch {
  shared: SharedWatch;
  /** @throws StorageError when the database file is no longer in place */
  beforeRead(): void;
  /** @throws StorageError when a file is no longer in place, or the database is known to be damaged */
  beforeWrite(): void;
  /** @throws StorageError when the files disappeared during the commit */
  afterCommit(): void;
  /** Turns what the driver threw into the error for the caller, and remembers what it says about the disk. */
  explain(error: unknown, step: Step): unknown;
  noteDamage(cause: unknown): void;
  /** Meets a full or read-only disk before a write does. */
  foresee(): Promise<void>;
  /** What keeps the database from being used; `onTrouble` is called when that has changed since the last look. */
  look(): Trouble | null;
}

/** Called with a trouble when it is first met, and with null when it is over. */
export type OnTrouble = (trouble: Trouble | null, cause?: unknown) => void;

const [CORRUPT, NOT_A_DATABASE, FULL, READ_ONLY, IO_ERROR, CANNOT_OPEN] = [11, 26, 13, 8, 10, 14];
/** I/O errors of reading: read, short read, and what the file system itself calls corrupt. */
const UNREADABLE: readonly unknown[] = [266, 522, 8_202, 8_458];
const UNCERTAIN = 'This may or may not have been written. Send it again with the same Idempotency-Key, or check first.';
const UNCHANGED = 'Nothing was changed.';
const PASSING = ['full', 'read_only', 'failing', 'unopened'] as const;
type Passing = (typeof PASSING)[number];
/** Indexes of the shared numbers. */
const [DAMAGED, PASSING_NOW] = [0, 1];

/** Watches the files at a path from now on, or together with the thread that passes its `share`. */
export function watchSqlite(path: string, onTrouble: OnTrouble, share?: SharedWatch): SqliteWatch {
  const file = basename(path);
  const opened = share?.opened ?? identifyFiles(path);
  if (!opened) throw new StorageError('missing', file, '');
  const shared = { opened, met: share?.met ?? new SharedArrayBuffer(8) };
  const met = createMetTroubles(shared.met, onTrouble);
  // Only the thread that opened the database first reports: the others would report the same.
  const see = share === undefined ? onChange(onTrouble) : (found: Displaced | null) => found;
  const noteSize = createShrinkWatch(path, met.noteDamage);
  const probe = createDiskProbe(dirname(path));
  const recover = oneAtATime(async () => {
    if ((await probe()) === null) met.notePassing(null);
  });

  return {
    shared,
    beforeRead() {
      const found = see(displacedDatabase(path, opened));
      if (found) throw new StorageError(found, file, '');
    },
    beforeWrite() {
      const found = see(displaced(path, opened)) ?? (met.isDamaged() ? 'damaged' : null);
      if (found) throw new StorageError(found, file, UNCHANGED);
    },
    afterCommit() {
      const found = see(displaced(path, opened));
      if (found) throw new StorageError(found, file, UNCERTAIN);
      if (met.passing() !== null) met.notePassing(null);
    },
    explain(error, step) {
      const code = (error as { errcode?: unknown } | null)?.errcode;
      if (typeof code !== 'number') return orUnavailable(error);
      const trouble = see(displacedDatabase(path, opened)) ?? troubleIn(code, dirname(path), step !== 'reading');
      if (trouble === null) return orUnavailable(error);
      if (trouble === 'damaged') met.noteDamage(error);
      if (isPassing(trouble)) met.notePassing(trouble, error);
      // A commit that found no room is rolled back as a whole.
      const isCertain = step !== 'committing' || trouble === 'full';
      return new StorageError(trouble, file, step === 'reading' ? '' : isCertain ? UNCHANGED : UNCERTAIN, error);
    },
    noteDamage: met.noteDamage,
    async foresee() {
      if (met.passing() !== null || (hasRoom(dirname(path)) && !isReadOnly(dirname(path)))) return;
      const trouble = await probe();
      if (trouble !== null) met.notePassing(trouble);
    },
    look() {
      const found = see(displaced(path, opened));
      if (!found) noteSize();
      if (met.passing() !== null) void recover();
      return found ?? (met.isDamaged() ? 'damaged' : met.passing());
    },
  };
}

interface MetTroubles {
  isDamaged: () => boolean;
  passing: () => Passing | null;
  noteDamage: (cause: unknown) => void;
  notePassing: (trouble: Passing | null, cause?: unknown) => void;
}

/** Trouble that any thread has met, in numbers that all of them share; whoever changes one reports it. */
function createMetTroubles(shared: SharedArrayBuffer, onTrouble: OnTrouble): MetTroubles {
  const met = new Int32Array(shared);
  return {
    isDamaged: () => Atomics.load(met, DAMAGED) === 1,
    passing: () => PASSING[Atomics.load(met, PASSING_NOW) - 1] ?? null,
    noteDamage(cause) {
      if (Atomics.exchange(met, DAMAGED, 1) === 0) onTrouble('damaged', cause);
    },
    notePassing(trouble, cause) {
      const number = trouble === null ? 0 : PASSING.indexOf(trouble) + 1;
      if (Atomics.exchange(met, PASSING_NOW, number) !== number) onTrouble(trouble, cause);
    },
  };
}

/** Returns what it is given, and reports it when it has changed. */
function onChange(onTrouble: OnTrouble): (found: Displaced | null) => Displaced | null {
  let last: Displaced | null = null;
  return (found) => {
    if (found !== last) {
      last = found;
      onTrouble(found);
    }
    return found;
  };
}

/** A database file never shrinks; if it does, another was copied over it. */
function createShrinkWatch(path: string, onShrunk: (cause: Error) => void): () => void {
  let largest = 0;
  return () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? largest;
    if (size < largest) onShrunk(new Error(`The file shrank from ${largest} to ${size} bytes.`));
    largest = Math.max(largest, size);
  };
}

/** Does nothing while it is already being done. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isWorking = false;
  return async () => {
    if (isWorking) return;
    isWorking = true;
    await work().finally(() => {
      isWorking = false;
    });
  };
}

const PROBE_BYTES = 65_536;

/** What keeps a small file from being written to the disk; null if nothing does, so that a passing problem is over. */
function createDiskProbe(directory: string): () => Promise<Passing | null> {
  async function write(place: string): Promise<void> {
    const handle = await open(place, 'w', 0o600);
    try {
      await handle.write(new Uint8Array(PROBE_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return async () => {
    const place = join(directory, 'disk-probe.tmp');
    try {
      await write(place);
      return null;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EROFS') return 'read_only';
      return code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'failing';
    } finally {
      await rm(place, { force: true }).catch(() => undefined);
    }
  };
}

/** Asked of the disk at every probe of readiness, so it writes nothing. */
function hasRoom(directory: string): boolean {
  try {
    const { bavail, bfree, bsize } = statfsSync(directory);
    // What is kept for the administrator is room for a service that runs as one.
    return (process.getuid?.() === 0 ? bfree : bavail) * bsize >= PROBE_BYTES;
  } catch {
    return true;
  }
}

/** What an SQLite error code says about the disk of a directory; null when it is about something else. */
export function troubleIn(code: number, directory: string, isWrite: boolean): Trouble | null {
  const primary = code & 0xff;
  if (primary === CORRUPT || primary === NOT_A_DATABASE || UNREADABLE.includes(code)) return 'damaged';
  if (primary === FULL) return 'full';
  // A reading connection refuses writes with the same code, and that is our mistake.
  if (primary === READ_ONLY && isWrite) return 'read_only';
  if (primary === IO_ERROR) return isReadOnly(directory) ? 'read_only' : 'failing';
  return primary === CANNOT_OPEN ? 'unopened' : null;
}

function isPassing(trouble: Trouble): trouble is Passing {
  return PASSING.some((one) => one === trouble);
}

function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'EROFS';
  }
}
