import { validationError } from '../../kernel/errors.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { changeConfig, getConfigKey, toEntry } from './config-entry.ts';
import { CONFIG_KEYS } from './config-keys.ts';
import * as contract from './config.contract.ts';
import { findStored, selectStored } from './config.queries.ts';

export const listConfig = handleRead(contract.listConfig, async ({ tx }) => {
  const stored = await selectStored(tx);
  return CONFIG_KEYS.map((known) => toEntry(known, stored.get(known.key) ?? null));
});

export const getConfigEntry = handleRead(contract.getConfigEntry, async ({ tx }, { params }) => {
  const known = getConfigKey(params.key);
  return toEntry(known, await findStored(tx, known.key));
});

export const setConfigEntry = handleWrite(
  contract.setConfigEntry,
  'setting.update',
  async ({ tx }, { params, body }) => {
    const known = getConfigKey(params.key);
    const value = known.read(body.value);
    if (value === undefined) throw validationError('value', `This value is not allowed. ${known.description}`);
    await changeConfig(tx, known.key, value);
    tx.journal.summarise(`Changed the setting ${known.key}`);
    return toEntry(known, value);
  },
);

export const resetConfigEntry = handleWrite(contract.resetConfigEntry, 'setting.update', async ({ tx }, { params }) => {
  const known = getConfigKey(params.key);
  await changeConfig(tx, known.key, null);
  tx.journal.summarise(`Reset the setting ${known.key} to its default`);
  return null;
});
