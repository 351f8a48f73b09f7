import { existsSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

import type { App } from '../../../app.ts';
import { addRecipient, makeIdentity, sheetText, type RecoveryKey } from '../../../features/recovery-keys/index.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { instantNow } from '../../../kernel/clock.ts';
import { OperatorError } from '../../../kernel/errors.ts';

/** @throws OperatorError: a sheet that is there may be the only way into older backups */
export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} exists already. Name a file that does not.`);
}

/** The emergency sheet of a key, as text. */
export async function sheetOf({ instance }: App, key: RecoveryKey): Promise<string> {
  const [date = ''] = instantNow(instance.clock).split('T');
  return sheetText({ ...key, date, address: await instance.settings.baseUrl() });
}

/**
 * Makes a recovery key, writes its sheet to a new file, and then runs the write that adds its recipient. The sheet is
 * on the disk before anything is encrypted to it; a write that fails takes it away again.
 */
export async function withNewSheet<T>(app: App, file: string, write: (key: RecoveryKey) => Promise<T>): Promise<T> {
  const key = await makeIdentity();
  const handle = await openNew(file);
  try {
    try {
      await handle.writeFile(await sheetOf(app, key));
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await write(key);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Adds a key made here, with this command as who added it. */
export async function addMadeKey(tx: WriteTx, { recipient }: RecoveryKey): Promise<void> {
  await addRecipient(tx, { recipient, isOwn: false, by: CLI });
}

export const CLI = { type: 'system', id: null, name: 'cli' } as const;

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    refuseExisting(file);
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
