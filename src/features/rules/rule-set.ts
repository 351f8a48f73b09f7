import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Catalog } from '../../engines/rules/catalog.ts';
import type { Trigger } from '../../engines/rules/definition.ts';
import type { Wanted, WantedRecords } from '../../engines/rules/references.ts';
import type { RowPart } from '../../engines/rules/row.ts';
import { compileRules, partsRead, type RuleSet } from '../../engines/rules/rule-set.ts';
import { loadAccountsAndMembers, type AccountsAndMembers } from './rule-rows.queries.ts';
import { loadCatalog } from './rule-catalog.ts';
import { ruleReferences, selectGone } from './rule-references.queries.ts';
import { selectRules } from './rules.queries.ts';
import { isActive, toRule, type StoredRule } from './rules.table.ts';

/** Rules compiled for one run, with everything they and their rows refer to, read once at its start (40.4). */
export interface LoadedRules {
  rules: readonly StoredRule[];
  set: RuleSet;
  catalog: Catalog;
  household: AccountsAndMembers;
  /** The parts of a row that these rules depend on. */
  parts: ReadonlySet<RowPart>;
  startedAt: string;
}

/** All rules that are active now and have one of the triggers. */
export async function loadRules(tx: ReadTx, triggers: readonly Trigger[], now: string): Promise<LoadedRules> {
  const [loaded] = await loadRuleSets(tx, now, [triggers]);
  return loaded as LoadedRules;
}

/** One set per list of triggers, all read at once. */
export async function loadRuleSets(
  tx: ReadTx,
  now: string,
  wanted: readonly (readonly Trigger[])[],
): Promise<LoadedRules[]> {
  const active = await selectActiveRules(tx, now);
  const [catalog, household] = [await loadCatalog(tx), await loadAccountsAndMembers(tx)];
  return wanted.map((triggers) => {
    const rules = active.filter((rule) => rule.triggers.some((trigger) => triggers.includes(trigger)));
    return { rules, set: compileRules(rules, catalog), catalog, household, parts: partsRead(rules), startedAt: now };
  });
}

/** In the order of execution. */
export async function selectActiveRules(tx: ReadTx, now: string): Promise<StoredRule[]> {
  return (await selectRules(tx)).filter((row) => isActive(row, now)).map(toRule);
}

/** Only these rules, active or not. `wanted` has the records that a preview would create. */
export async function loadGivenRules(
  tx: ReadTx,
  rules: readonly StoredRule[],
  now: string,
  wanted?: WantedRecords,
): Promise<LoadedRules> {
  const known = await loadCatalog(tx);
  const catalog = wanted ? withWanted(known, wanted) : known;
  const household = await loadAccountsAndMembers(tx);
  return { rules, set: compileRules(rules, catalog), catalog, household, parts: partsRead(rules), startedAt: now };
}

/** The catalog as if the wanted records existed, under their placeholders. */
function withWanted(catalog: Catalog, wanted: WantedRecords): Catalog {
  const named = (kind: Wanted['kind']): [string, string][] =>
    wanted.list.flatMap((one) => (one.kind === kind ? [[one.placeholder, one.name]] : []));
  return {
    ...catalog,
    tags: new Map([...catalog.tags, ...named('tag')]),
    series: new Map([...catalog.series, ...named('series')]),
    counterparties: new Map([...catalog.counterparties, ...named('counterparty')]),
  };
}

/**
 * The rules of a run that can still act. What changes meanwhile counts from the next run (contract 40.4), but a rule
 * that was deleted no longer acts, and one that names what was since merged or deleted acts as it reads now: no run
 * brings back what a merge took away.
 */
export async function rulesStillActive(tx: ReadTx, loaded: LoadedRules): Promise<LoadedRules> {
  const stored = new Map((await selectRules(tx)).map((row) => [row.id, row]));
  const references = new Map(loaded.rules.map((rule) => [rule.id, ruleReferences(rule.condition, rule.actions)]));
  const gone = await selectGone(tx, [...references.values()].flat());
  const rules = loaded.rules.flatMap((rule): StoredRule[] => {
    const row = stored.get(rule.id);
    if (!row) return [];
    return [references.get(rule.id)?.some(({ value }) => gone.has(value)) === true ? toRule(row) : rule];
  });
  const isSame = rules.length === loaded.rules.length && rules.every((rule, index) => rule === loaded.rules[index]);
  return isSame ? loaded : loadGivenRules(tx, rules, loaded.startedAt);
}
