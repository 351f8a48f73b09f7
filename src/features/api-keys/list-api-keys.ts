import { handleRead } from '../handler.ts';
import { listApiKeys as operation } from './api-keys.contract.ts';
import { selectApiKeys } from './api-keys.queries.ts';
import { toApiKey } from './api-keys.table.ts';

export const listApiKeys = handleRead(operation, async ({ tx }) => (await selectApiKeys(tx)).map(toApiKey));
