import type { ReadTx } from '../../db/unit-of-work.ts';
import { loadGivenRules, type LoadedRules } from './rule-set.ts';
import { selectGone } from './rule-references.queries.ts';
import { selectRules } from './rules.queries.ts';
import { toRule, type StoredRule } from './rules.table.ts';
import { ruleReferences } from './stored-references.ts';

/**
 * The rules of a run as far as they can act now. What changes meanwhile counts from the next run (contract 40.4), but
 * a rule that was deleted does nothing more, and one that names what was merged or deleted since is taken as it reads
 * now: no run brings back what a merge took away.
 */
export async function standingRules(tx: ReadTx, loaded: LoadedRules): Promise<LoadedRules> {
  const stored = new Map((await selectRules(tx)).map((row) => [row.id, row]));
  const references = new Map(loaded.rules.map((rule) => [rule.id, ruleReferences(rule.condition, rule.actions)]));
  const gone = await selectGone(tx, [...references.values()].flat());
  const rules = loaded.rules.flatMap((rule): StoredRule[] => {
    const row = stored.get(rule.id);
    if (!row) return [];
    return [references.get(rule.id)?.some(({ id }) => gone.has(id)) === true ? toRule(row) : rule];
  });
  const isSame = rules.length === loaded.rules.length && rules.every((rule, index) => rule === loaded.rules[index]);
  return isSame ? loaded : loadGivenRules(tx, rules, loaded.startedAt);
}
