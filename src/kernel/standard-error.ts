import { write, writeSync } from 'node:fs';

import { LIMITS } from './limits.ts';

const STANDARD_ERROR = 2;
/** A pipe that is full for the moment. */
const BUSY: ReadonlySet<unknown> = new Set(['EAGAIN', 'EBUSY']);
const BUSY_MS = 100;

let waiting = '';
let isWriting = false;
let isAtExit = false;

/**
 * Sends a line of the log to standard error, without waiting for it. What cannot be written, as on a full disk, is left
 * out: a log must neither end the service nor hold it up.
 */
export function sendToStandardError(line: string): void {
  if (waiting.length + line.length > LIMITS.logWaitingChars) return;
  waiting += line;
  if (!isAtExit) process.once('exit', writeRest);
  isAtExit = true;
  if (!isWriting) writeWaiting();
}

function writeWaiting(): void {
  isWriting = waiting !== '';
  if (!isWriting) return;
  const bytes = Buffer.from(waiting);
  waiting = '';
  writeBytes(bytes);
}

function writeBytes(bytes: Buffer): void {
  write(STANDARD_ERROR, bytes, (error, written) => {
    if (error && BUSY.has(error.code)) setTimeout(writeBytes, BUSY_MS, bytes);
    else if (!error && written < bytes.length) writeBytes(bytes.subarray(written));
    else writeWaiting();
  });
}

function writeRest(): void {
  try {
    writeSync(STANDARD_ERROR, waiting);
  } catch {
    // Nobody can be told.
  }
}
