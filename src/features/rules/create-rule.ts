import { Reply, actorOf, handleWrite } from '../handler.ts';
import { makeWanted } from './make-wanted.ts';
import { readDefinitions } from './read-definition.ts';
import { loadCatalog, loadReferences } from './rule-catalog.ts';
import { toRuleRecord } from './rule-record.ts';
import { createRule as operation } from './rules.contract.ts';
import { insertRule } from './save-rule.ts';

export const createRule = handleWrite(operation, 'rule.create', async ({ tx, principal }, { body }) => {
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const definition = reader.read(body, '');
  reader.refuseProblems();
  const ids = await makeWanted(tx, reader.wanted);
  const row = await insertRule(tx, body, definition, ids, actorOf(principal));
  tx.journal.summarise(`Created the rule ${row.name}`);
  const record = toRuleRecord(row, undefined, await loadCatalog(tx));
  return new Reply(record, { headers: { location: `/api/v1/rules/${row.id}` } });
});
