import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { parseFields, pickFields } from './account-fields.ts';
import { getAccount as operation } from './accounts.contract.ts';
import { findAccount } from './accounts.queries.ts';
import { toAccount } from './accounts.table.ts';

export const getAccount = handleRead(operation, async ({ tx }, { params, query }) => {
  const fields = parseFields(query.fields);
  const row = await findAccount(tx, params.id);
  if (!row) throw notFound('The account was');
  return pickFields(toAccount(row), fields);
});
