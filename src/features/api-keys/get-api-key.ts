import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getApiKey as operation } from './api-keys.contract.ts';
import { findApiKey } from './api-keys.queries.ts';
import { toApiKey } from './api-keys.table.ts';

export const getApiKey = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findApiKey(tx, params.id);
  if (!row) throw notFound('The API key was');
  return toApiKey(row);
});
