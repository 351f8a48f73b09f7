import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Stretches } from '../../../engines/imports/bytes/encoding.ts';
import type { BlockStore } from '../../../engines/imports/packed.ts';
import { AppError } from '../../../kernel/errors.ts';
import { freeWithAllAround } from '../../../kernel/free-bytes.ts';
import { LIMITS } from '../../../kernel/limits.ts';

const FOLDER = 'temp';
const PREFIX = 'import-';

/** Where an import puts what would fill the memory: the uploaded file, and what was read from it (36.17). */
export interface ImportSpool extends BlockStore {
  /** Takes over an upload, whose bytes are no longer the caller's. */
  take(bytes: Uint8Array): KeptUpload;
  /** Everything kept is gone. May be called twice. */
  close(): void;
}

/** An upload that a spool keeps. */
export interface KeptUpload {
  /** All of it. */
  whole: () => Uint8Array;
  /** Frees what `whole` gave, if it is kept in the file, and reads stretches of it from now on. */
  letGo: () => Stretches;
}

/**
 * A spool that is a file once there is much to keep. The file loses its name as soon as it is open, so that nobody else
 * can read it and the system frees it even if the process is killed.
 */
export function createSpool(dataDir: string, id: string): ImportSpool {
  return new Spool(join(dataDir, FOLDER), `${PREFIX}${id}`);
}

/** Removes the names that a process left that was killed just then. Files that are open stay readable. */
export async function sweepSpools(dataDir: string): Promise<void> {
  const folder = join(dataDir, FOLDER);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.startsWith(PREFIX)) await rm(join(folder, name), { force: true });
}

class Spool implements ImportSpool {
  readonly #folder: string;
  readonly #name: string;
  #file: number | null = null;
  #inMemory = 0;
  #length = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  keep(block: Uint8Array): () => Uint8Array {
    if (this.#fitsInMemory(block)) return inMemory(block);
    return this.#fromFile(this.#append(block), block.length);
  }

  take(bytes: Uint8Array): KeptUpload {
    if (this.#fitsInMemory(bytes)) return { whole: () => bytes, letGo: () => bytes };
    const { length } = bytes;
    const at = this.#append(bytes);
    let held: Uint8Array | null = bytes;
    let scratch = Buffer.alloc(0);
    const subarray = (from: number, to: number): Uint8Array => {
      const size = Math.max(0, Math.min(to, length) - from);
      if (size > scratch.length) scratch = Buffer.allocUnsafeSlow(size);
      return this.#read(at + from, scratch.subarray(0, size));
    };
    return {
      whole: () => (held ??= this.#read(at, Buffer.allocUnsafeSlow(length))),
      letGo: () => {
        // What came in a form is a part of its body.
        if (held) freeWithAllAround(held);
        held = null;
        return { subarray };
      },
    };
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #fitsInMemory({ length }: Uint8Array): boolean {
    if (this.#inMemory + length > LIMITS.importSpooledAboveBytes) return false;
    this.#inMemory += length;
    return true;
  }

  /** What it returns holds no reference to the block. */
  #fromFile(at: number, length: number): () => Uint8Array {
    return () => this.#read(at, Buffer.allocUnsafeSlow(length));
  }

  /** Returns where the block begins in the file. */
  #append(block: Uint8Array): number {
    const at = this.#length;
    const { length } = block;
    try {
      this.#file ??= this.#open();
      for (let done = 0; done < length;) done += writeSync(this.#file, block, done, length - done, at + done);
    } catch (error) {
      throw spoolError(error);
    }
    this.#length += length;
    return at;
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, this.#name);
    const file = openSync(path, 'wx+', 0o600);
    rmSync(path, { force: true });
    return file;
  }

  /** Fills the block from a place of the file. */
  #read(at: number, block: Buffer): Uint8Array {
    if (this.#file === null) throw new Error('The spool of an import is closed.');
    const { length } = block;
    try {
      for (let done = 0; done < length;) {
        const read = readSync(this.#file, block, done, length - done, at + done);
        if (read === 0) throw new Error('The spool of an import is cut off.');
        done += read;
      }
    } catch (error) {
      throw spoolError(error);
    }
    return block;
  }
}

function inMemory(block: Uint8Array): () => Uint8Array {
  return () => block;
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** What the operator can do something about; anything else is our bug. */
function spoolError(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return error;
  const message = FULL.has(code)
    ? 'The disk of the data directory is full. Free some space there, then send the file again.'
    : `The file could not be kept in the data directory (${code}). Check that directory and its disk, then send the file again.`;
  return new AppError('UNAVAILABLE', message, { headers: { 'retry-after': '5' } });
}
