import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { OperatorError } from '../kernel/errors.ts';

/** The start stops with this. */
export class BootError extends OperatorError {}

export const DATABASE_FILE = 'homeledger.sqlite';

/** Makes the data directory when missing, mode 0700. @throws BootError when it cannot be written. */
export function prepareDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
    chmodSync(path, 0o700);
  } catch {
    throw new BootError(
      `The data directory ${path} cannot be made or written. Set HOMELEDGER_DATA_DIR to one that can.`,
    );
  }
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, DATABASE_FILE);
}
