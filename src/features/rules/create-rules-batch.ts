import type { Actor, WriteTx } from '../../journal/write.ts';
import { Reply, actorOf, handleWrite } from '../handler.ts';
import { makeWanted } from './make-wanted.ts';
import { readDefinitions } from './read-definition.ts';
import { loadCatalog, loadReferences } from './rule-catalog.ts';
import type { NewRule } from './rule-record.contract.ts';
import { toRuleRecord, type RuleRecord } from './rule-record.ts';
import { createRulesBatch as operation } from './rules.contract.ts';
import { insertRule } from './save-rule.ts';

export const createRulesBatch = handleWrite(
  operation,
  'rules.batch_create',
  async ({ tx, principal }, { body: { rules, dry_run: isDryRun } }) => {
    const actor = actorOf(principal);
    if (!isDryRun) return { rules: await createAll(tx, rules, actor) };
    const made = await tx.rehearse(() => createAll(tx, rules, actor));
    const unsaved = { id: null, short_id: null, created_at: null, updated_at: null };
    return new Reply({ dry_run: true as const, rules: made.map((rule) => ({ ...rule, ...unsaved })) }, { status: 200 });
  },
);

/** In the order sent, so that equal priorities run in it. */
async function createAll(tx: WriteTx, rules: readonly NewRule[], actor: Actor): Promise<RuleRecord[]> {
  const { references } = await loadReferences(tx);
  const reader = readDefinitions(references);
  const definitions = rules.map((rule, index) => ({ rule, definition: reader.read(rule, `rules[${index}].`) }));
  reader.refuseProblems();
  const ids = await makeWanted(tx, reader.wanted);
  const rows = [];
  for (const { rule, definition } of definitions) rows.push(await insertRule(tx, rule, definition, ids, actor));
  tx.journal.summarise(`Created ${rows.length} rule${rows.length === 1 ? '' : 's'}`);
  const catalog = await loadCatalog(tx);
  return rows.map((row) => toRuleRecord(row, undefined, catalog));
}
