import { leavesOf, type StoredAction, type StoredCondition } from '../../engines/rules/definition.ts';
import { replacedInActions, replacedInCondition } from '../../engines/rules/stored-references.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { toRuleFields } from './rule-record.ts';
import { selectRules, updateRuleRow, type RuleRow } from './rules.queries.ts';
import { ruleReferences } from './stored-references.ts';

/**
 * How many rules refer to the category, tag, series or counterparty with this UUID (contract 40.7). Enabled or not,
 * expired or not: all of them count.
 */
export async function countRulesNaming(tx: ReadTx, id: string): Promise<number> {
  return (await rulesNaming(tx, id)).length;
}

/** Makes every rule that names `from` name `to`, and records each. Answers how many there were. */
export async function retargetRules(tx: WriteTx, from: string, to: string): Promise<number> {
  const rules = await rulesNaming(tx, from);
  for (const rule of rules) await change(tx, rule, replaced(rule, from, to), true);
  return rules.length;
}

/**
 * Takes an account or a household member that is erased out of every rule, and records each. A rule with a leaf that
 * is left without a value equals no row there and is disabled (contract 40.7).
 */
export async function forgetInRules(tx: WriteTx, id: string, { revertible }: { revertible: boolean }): Promise<void> {
  for (const rule of await rulesNaming(tx, id)) {
    const columns = replaced(rule, id, null);
    const isLeftEmpty = emptyLeavesOf(columns.condition) > emptyLeavesOf(rule.condition);
    await change(tx, rule, isLeftEmpty ? { ...columns, is_enabled: 0 } : columns, revertible);
  }
}

type Named = Pick<RuleRow, 'condition' | 'actions'>;

function replaced(rule: Named, from: string, to: string | null): Named {
  return {
    condition: JSON.stringify(replacedInCondition(conditionOf(rule), { from, to })),
    actions: JSON.stringify(replacedInActions(actionsOf(rule), { from, to })),
  };
}

async function change(tx: WriteTx, rule: RuleRow, columns: Partial<RuleRow>, revertible: boolean): Promise<void> {
  const fields = difference(toRuleFields(rule), toRuleFields({ ...rule, ...columns }));
  if (!fields) return;
  await updateRuleRow(tx, rule.id, { ...columns, updated_at: tx.now });
  tx.journal.record({
    entityType: 'rule',
    entityId: rule.id,
    entityShortId: rule.short_id,
    operation: 'update',
    ...fields,
    revertible,
  });
}

async function rulesNaming(tx: ReadTx, id: string): Promise<RuleRow[]> {
  return (await selectRules(tx)).filter((rule) => {
    if (!rule.condition.includes(id) && !rule.actions.includes(id)) return false;
    return ruleReferences(conditionOf(rule), actionsOf(rule)).some((reference) => reference.id === id);
  });
}

function conditionOf({ condition }: Pick<RuleRow, 'condition'>): StoredCondition {
  return JSON.parse(condition) as StoredCondition;
}

function actionsOf({ actions }: Pick<RuleRow, 'actions'>): readonly StoredAction[] {
  return JSON.parse(actions) as readonly StoredAction[];
}

function emptyLeavesOf(condition: string): number {
  return [...leavesOf(JSON.parse(condition) as StoredCondition)].filter(({ value }) => value === null).length;
}
