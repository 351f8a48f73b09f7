import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { loadCatalog } from './rule-catalog.ts';
import { toRuleRecord } from './rule-record.ts';
import { getRule as operation } from './rules.contract.ts';
import { findHits, findRule } from './rules.queries.ts';

export const getRule = handleRead(operation, async ({ tx }, { params }) => {
  const row = await findRule(tx, params.id);
  if (!row) throw notFound('The rule was');
  return toRuleRecord(row, await findHits(tx, row.id), await loadCatalog(tx));
});
