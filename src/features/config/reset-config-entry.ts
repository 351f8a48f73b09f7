import { handleWrite } from '../handler.ts';
import { changeConfig, getConfigKey } from './config-entry.ts';
import { resetConfigEntry as operation } from './config.contract.ts';

export const resetConfigEntry = handleWrite(operation, 'setting.update', async ({ tx }, { params }) => {
  const known = getConfigKey(params.key);
  await changeConfig(tx, known.key, null);
  tx.journal.summarise(`Reset the setting ${known.key} to its default`);
  return null;
});
