import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { selectRules, updateRuleRow, type RuleRow } from './rules.queries.ts';

/**
 * Conditions and actions are stored with the UUIDs of what they name (contract 40.7), so that the id alone tells
 * which rules refer to a category, tag, series or counterparty. Enabled or not, expired or not: all of them count.
 */
export async function countRulesNaming(tx: ReadTx, id: string): Promise<number> {
  return (await rulesNaming(tx, id)).length;
}

/** Makes every rule that names `from` name `to`, and records each. Answers how many there were. */
export async function retargetRules(tx: WriteTx, from: string, to: string): Promise<number> {
  const rules = await rulesNaming(tx, from);
  for (const rule of rules) {
    const before = { condition: JSON.parse(rule.condition) as unknown, actions: JSON.parse(rule.actions) as unknown };
    const after = { condition: replaced(before.condition, from, to), actions: replaced(before.actions, from, to) };
    await updateRuleRow(tx, rule.id, {
      condition: JSON.stringify(after.condition),
      actions: JSON.stringify(after.actions),
      updated_at: tx.now,
    });
    tx.journal.record({
      entityType: 'rule',
      entityId: rule.id,
      entityShortId: rule.short_id,
      operation: 'update',
      before: differing(before, after),
      after: differing(after, before),
      revertible: true,
    });
  }
  return rules.length;
}

async function rulesNaming(tx: ReadTx, id: string): Promise<RuleRow[]> {
  const quoted = JSON.stringify(id);
  return (await selectRules(tx)).filter(
    ({ condition, actions }) => condition.includes(quoted) || actions.includes(quoted),
  );
}

/** Values of lists that become equal are kept once. */
function replaced(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, from, to));
    return value.includes(from) ? [...new Set(items)] : items;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, from, to)]));
}

function differing(of: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(of).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(from[key])),
  );
}
