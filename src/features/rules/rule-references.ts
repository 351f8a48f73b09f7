import type { ReadTx } from '../../db/unit-of-work.ts';
import { leavesOf, type StoredAction, type StoredCondition } from '../../engines/rules/definition.ts';
import { replacedInActions, replacedInCondition } from '../../engines/rules/stored-references.ts';
import type { WriteTx } from '../../journal/write.ts';
import { ruleReferences } from './rule-references.queries.ts';
import { rules } from './rules.entity.ts';
import { selectRules, type RuleRow } from './rules.queries.ts';

/**
 * How many rules refer to the category, tag, series or counterparty with this UUID (contract 40.7). Every rule counts,
 * enabled or not, expired or not.
 */
export async function countRulesNaming(tx: ReadTx, id: string, except?: ReadonlySet<string>): Promise<number> {
  return (await rulesNaming(tx, id)).filter((rule) => except?.has(rule.id) !== true).length;
}

/** Makes every rule that refers to `from` refer to `to`. Answers how many rules changed. */
export async function retargetRules(tx: WriteTx, from: string, to: string): Promise<number> {
  const naming = await rulesNaming(tx, from);
  await rules.changeMany(
    tx,
    naming.map((row) => ({ row, patch: replaced(row, from, to) })),
  );
  return naming.length;
}

/**
 * Removes an erased account or household member from every rule. A leaf that loses its last value matches no row, and
 * its rule is disabled (contract 40.7).
 */
export async function forgetInRules(tx: WriteTx, id: string, { revertible }: { revertible: boolean }): Promise<void> {
  const edits = (await rulesNaming(tx, id)).map((row) => {
    const columns = replaced(row, id, null);
    const isLeftEmpty = emptyLeavesOf(columns.condition) > emptyLeavesOf(row.condition);
    return { row, patch: isLeftEmpty ? { ...columns, is_enabled: 0 as const } : columns };
  });
  await rules.changeMany(tx, edits, { revertible });
}

type Named = Pick<RuleRow, 'condition' | 'actions'>;

function replaced(rule: Named, from: string, to: string | null): Named {
  return {
    condition: JSON.stringify(replacedInCondition(conditionOf(rule), { from, to })),
    actions: JSON.stringify(replacedInActions(actionsOf(rule), { from, to })),
  };
}

async function rulesNaming(tx: ReadTx, id: string): Promise<RuleRow[]> {
  return (await selectRules(tx)).filter((rule) => {
    if (!rule.condition.includes(id) && !rule.actions.includes(id)) return false;
    return ruleReferences(conditionOf(rule), actionsOf(rule)).some(({ value }) => value === id);
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
