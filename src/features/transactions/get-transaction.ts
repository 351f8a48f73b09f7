import { notFound } from '../../kernel/errors.ts';
import { handleRead, JsonText } from '../handler.ts';
import { parseFields } from './fields.ts';
import { selectRecord } from './record.queries.ts';
import { getTransaction as operation } from './transactions.contract.ts';

export const getTransaction = handleRead(operation, async ({ tx }, { params, query }) => {
  const fields = parseFields(query.fields);
  const json = await selectRecord(tx, params.id, fields, { includeDeleted: query.include_deleted });
  if (json === undefined) throw notFound('The transaction was');
  return new JsonText(json);
});
