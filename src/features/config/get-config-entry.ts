import { handleRead } from '../handler.ts';
import { getConfigKey, toEntry } from './config-entry.ts';
import { getConfigEntry as operation } from './config.contract.ts';
import { findStored } from './config.queries.ts';

export const getConfigEntry = handleRead(operation, async ({ tx }, { params }) => {
  const known = getConfigKey(params.key);
  return toEntry(known, await findStored(tx, known.key));
});
