import { AppError, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { toRuleFields } from './rule-record.ts';
import { deleteRule as operation } from './rules.contract.ts';
import { deleteRuleRow, findHits, findRule } from './rules.queries.ts';

export const deleteRule = handleWrite(operation, 'rule.delete', async ({ tx }, { params }) => {
  const row = await findRule(tx, params.id);
  if (!row) throw notFound('The rule was');
  if (row.creator_type === 'system' && row.creator_id === null) {
    throw new AppError('SYSTEM_RULE', 'This rule came with Homeledger. Disable it instead of deleting it.');
  }
  const hits = await findHits(tx, row.id);
  await deleteRuleRow(tx, row.id);
  tx.journal.record({
    entityType: 'rule',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'delete',
    before: toRuleFields(row),
    after: null,
    internal: { hits: hits ?? null },
    revertible: true,
  });
  tx.journal.summarise(`Deleted the rule ${row.name}`);
  return null;
});
