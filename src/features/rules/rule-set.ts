import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Catalog } from '../../engines/rules/catalog.ts';
import type { Trigger } from '../../engines/rules/definition.ts';
import { compileRules, type RuleSet } from '../../engines/rules/rule-set.ts';
import { loadRuleWorld, type RuleWorld } from './rule-rows.queries.ts';
import { loadCatalog } from './rule-catalog.ts';
import { selectRules } from './rules.queries.ts';
import { isActive, toRule, type StoredRule } from './rules.table.ts';

/** Rules compiled for one run, with everything they and their rows refer to: read once, at its start (40.4). */
export interface LoadedRules {
  rules: readonly StoredRule[];
  set: RuleSet;
  catalog: Catalog;
  world: RuleWorld;
  startedAt: string;
}

/** All rules that are active at this instant and have one of the triggers. */
export async function loadRules(tx: ReadTx, triggers: readonly Trigger[], now: string): Promise<LoadedRules> {
  const rows = await selectRules(tx);
  const rules = rows
    .filter((row) => isActive(row, now))
    .map(toRule)
    .filter((rule) => rule.triggers.some((trigger) => triggers.includes(trigger)));
  return compiled(tx, rules, now);
}

/** These rules alone, whatever their state. */
export async function loadGivenRules(tx: ReadTx, rules: readonly StoredRule[], now: string): Promise<LoadedRules> {
  return compiled(tx, rules, now);
}

async function compiled(tx: ReadTx, rules: readonly StoredRule[], now: string): Promise<LoadedRules> {
  const catalog = await loadCatalog(tx);
  const world = await loadRuleWorld(tx);
  return { rules, set: compileRules(rules, catalog), catalog, world, startedAt: now };
}
