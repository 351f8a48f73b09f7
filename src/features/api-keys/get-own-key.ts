import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getOwnKey as operation } from './api-keys.contract.ts';
import { findApiKey } from './api-keys.queries.ts';
import { toApiKey } from './api-keys.table.ts';

export const getOwnKey = handleRead(operation, async ({ tx, principal }) => {
  const row = principal === null ? undefined : await findApiKey(tx, principal.id);
  if (!row) throw notFound('The calling key was');
  return { ...toApiKey(row), key_prefix: row.prefix };
});
