import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { OperatorError } from '../../kernel/errors.ts';

/** The file of the encryption key in the data directory; during a rotation, it has a second line with the new key. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'encryption.key');
}

/** Where replaced keys are kept, the newest first: older backups need them. */
function previousOf(file: string): string {
  return `${file}.previous`;
}

/** The key in a text of 64 hexadecimal digits; undefined if it is anything else. */
export function parseKey(text: string): Uint8Array | undefined {
  const digits = text.trim();
  return /^[0-9a-f]{64}$/i.test(digits) ? new Uint8Array(Buffer.from(digits, 'hex')) : undefined;
}

/** The keys in the file, none if it does not exist. @throws OperatorError if it contains anything else */
export function readKeys(file: string): Uint8Array[] {
  if (!existsSync(file)) return [];
  const lines = readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const keys = lines.map(parseKey);
  if (keys.length === 0 || keys.length > 2 || keys.includes(undefined)) {
    throw new OperatorError(`${file} must contain exactly 64 hexadecimal digits.`);
  }
  return keys.filter((key) => key !== undefined);
}

/** @throws OperatorError, as for a folder that a container made because it was told to mount a file that was not there */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new OperatorError(
      `${file} cannot be read. It must be a file with the encryption key that this user may read.`,
    );
  }
}

/** Whether group or others may read the file, as far as its volume keeps such rights. */
export function isReadableByOthers(file: string): boolean {
  return (statSync(file).mode & 0o077) !== 0;
}

/** Replaces the file. It is complete and on the disk before anything depends on it. */
export function writeKeys(file: string, keys: readonly Uint8Array[]): void {
  writeDurably(file, keys.map(lineOf).join(''));
}

/** Adds keys that are no longer in use to the file of replaced keys. */
export function keepPrevious(file: string, keys: readonly Uint8Array[]): void {
  const previous = previousOf(file);
  const known = existsSync(previous) ? readFileSync(previous, 'utf8') : '';
  const lines = keys.map(lineOf).filter((line) => !known.includes(line));
  if (lines.length > 0) writeDurably(previous, lines.join('') + known);
}

/** Every key in the data directory, also those that are no longer in use: older copies need them. */
export function keysAtHand(dataDir: string): Uint8Array[] {
  const file = keyFileIn(dataDir);
  return [file, previousOf(file)]
    .filter((path) => existsSync(path))
    .flatMap((path) => readText(path).split('\n').map(parseKey))
    .filter((key) => key !== undefined);
}

function lineOf(key: Uint8Array): string {
  return `${Buffer.from(key).toString('hex')}\n`;
}

function writeDurably(file: string, text: string): void {
  const part = `${file}.part`;
  const handle = openSync(part, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, file);
  syncDirectory(dirname(file));
}

/** Makes the new name durable; some systems cannot open a directory for that. */
function syncDirectory(path: string): void {
  try {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The content is on the disk already.
  }
}
