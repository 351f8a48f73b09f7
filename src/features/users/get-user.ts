import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { getUser as operation } from './users.contract.ts';
import { findUser } from './users.queries.ts';
import { toUser } from './users.table.ts';

export const getUser = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findUser(tx, params.id);
  if (!row) throw notFound('The household member was');
  return toUser(row);
});
