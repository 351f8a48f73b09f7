import { handleRead } from '../handler.ts';
import { toEntry } from './config-entry.ts';
import { CONFIG_KEYS } from './config-keys.ts';
import { listConfig as operation } from './config.contract.ts';
import { selectStored } from './config.queries.ts';

export const listConfig = handleRead(operation, async ({ tx }) => {
  const stored = await selectStored(tx);
  return CONFIG_KEYS.map((known) => toEntry(known, stored.get(known.key) ?? null));
});
