import type { WriteTx } from '../../journal/write.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { makeWanted } from './make-wanted.ts';
import { readDefinitions, type Definition } from './read-definition.ts';
import { loadCatalog, loadReferences } from './rule-catalog.ts';
import type { RuleUpdate } from './rule-record.contract.ts';
import { toRuleRecord, type RuleRecord } from './rule-record.ts';
import { findHits, findRule } from './rules.queries.ts';
import { updateRule as operation } from './rules.contract.ts';
import { changeRule } from './save-rule.ts';

export const updateRule = handleWrite(operation, 'rule.update', ({ tx }, { params, body }) =>
  applyUpdate(tx, params.id, body as RuleUpdate),
);

/** PATCH and PUT alike: absent fields stay. @throws NOT_FOUND, VALIDATION_ERROR, INVALID_PARAMETER */
export async function applyUpdate(tx: WriteTx, anyId: string, body: RuleUpdate): Promise<RuleRecord> {
  const row = await findRule(tx, anyId);
  if (!row) throw notFound('The rule was');
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const previous: Definition = {
    condition: JSON.parse(row.condition) as Definition['condition'],
    actions: JSON.parse(row.actions) as Definition['actions'],
  };
  const definition = reader.readParts(body, '', previous);
  reader.refuseProblems();
  const ids = await makeWanted(tx, reader.wanted);
  const changed = await changeRule(tx, row, body, definition, ids);
  tx.journal.summarise(`Changed the rule ${changed.name}`);
  return toRuleRecord(changed, await findHits(tx, row.id), await loadCatalog(tx));
}
