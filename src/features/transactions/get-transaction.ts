import { sql } from 'kysely';

import { notFound } from '../../kernel/errors.ts';
import { isShortId, isUuid } from '../../kernel/ids.ts';
import { handleRead, JsonText } from '../handler.ts';
import { parseFields, recordJson, RECORD_JOINS } from './record.ts';
import { getTransaction as operation } from './transactions.contract.ts';

export const getTransaction = handleRead(operation, async ({ tx }, { params, query }) => {
  const fields = parseFields(query.fields);
  const column = isUuid(params.id) ? 't.id' : isShortId(params.id) ? 't.short_id' : undefined;
  if (column === undefined) throw notFound('The transaction was');
  const live = query.include_deleted ? sql`` : sql`and t.deleted_at is null`;
  const { rows } = await sql<{ json: string }>`select ${recordJson(tx, fields)} as json
    from transactions t ${sql.raw(RECORD_JOINS)} where ${sql.ref(column)} = ${params.id} ${live}`.execute(tx.q);
  if (!rows[0]) throw notFound('The transaction was');
  return new JsonText(rows[0].json);
});
