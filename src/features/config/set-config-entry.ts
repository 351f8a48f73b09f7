import { validationError } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { changeConfig, getConfigKey, toEntry } from './config-entry.ts';
import { setConfigEntry as operation } from './config.contract.ts';

export const setConfigEntry = handleWrite(operation, 'setting.update', async ({ tx }, { params, body }) => {
  const known = getConfigKey(params.key);
  const value = known.read(body.value);
  if (value === undefined) throw validationError('value', `The value is not valid. ${known.description}`);
  await changeConfig(tx, known.key, value);
  tx.journal.summarise(`Changed the setting ${known.key}`);
  return toEntry(known, value);
});
