import { AppError, validationError } from '../../kernel/errors.ts';
import type { WriteTx } from '../../journal/write.ts';
import { handleRead, handleWrite, type Instance } from '../handler.ts';
import { rescheduleAll } from '../sync/index.ts';
import { changeConfig, getConfigKey, toEntry } from './config-entry.ts';
import { CONFIG_KEYS } from './config-keys.ts';
import * as contract from './config.contract.ts';
import type { ConfigName } from './config-keys.ts';
import { findStored, selectStored } from './config.queries.ts';

export const listConfig = handleRead(contract.listConfig, async ({ tx, instance }) => {
  const stored = await selectStored(tx);
  return CONFIG_KEYS.map((known) => toEntry(known, stored.get(known.key) ?? null, instance.config));
});

export const getConfigEntry = handleRead(contract.getConfigEntry, async ({ tx, instance }, { params }) => {
  const known = getConfigKey(params.key);
  return toEntry(known, await findStored(tx, known.key), instance.config);
});

export const setConfigEntry = handleWrite(
  contract.setConfigEntry,
  'setting.update',
  async ({ tx, instance }, { params, body }) => {
    const known = getConfigKey(params.key);
    const value = known.read(body.value);
    if (value === undefined) throw validationError('value', `This value is not allowed. ${known.description}`);
    if (known.fromEnvironment && known.fromEnvironment(instance.config) !== null) {
      const message = `An environment variable sets ${known.key}. Change or remove the variable and restart the server.`;
      throw new AppError('SETTING_FROM_ENV', message);
    }
    await changeConfig(tx, known.key, value);
    await applySetting(tx, instance, known.key);
    tx.journal.summarise(`Changed the setting ${known.key}`);
    return toEntry(known, value, instance.config);
  },
);

export const resetConfigEntry = handleWrite(
  contract.resetConfigEntry,
  'setting.update',
  async ({ tx, instance }, { params }) => {
    const known = getConfigKey(params.key);
    if ((known.fromEnvironment?.(instance.config) ?? null) !== null) return null;
    await changeConfig(tx, known.key, null);
    await applySetting(tx, instance, known.key);
    tx.journal.summarise(`Reset the setting ${known.key} to its default`);
    return null;
  },
);

/** Applies a new value at once. */
async function applySetting(tx: WriteTx, instance: Instance, key: ConfigName): Promise<void> {
  if (key === 'sync_interval_minutes') await rescheduleAll(tx, instance);
}
