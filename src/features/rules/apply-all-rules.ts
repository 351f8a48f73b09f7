import { handleBackground } from '../handler.ts';
import { answerApply } from './apply-answer.ts';
import { applyAllRules as operation } from './rule-runs.contract.ts';
import { loadRules, type LoadedRules } from './rule-set.ts';
import type { RunTally } from './run-tally.ts';

export const applyAllRules = handleBackground(operation, async (context, { body }) => {
  const reply = await answerApply(context, {
    kind: 'rules_apply_all',
    action: 'rules.apply_all',
    appliedBy: 'apply_all',
    ruleId: null,
    overwriteManual: body.overwrite_manual,
    isDryRun: body.dry_run,
    load: (tx, now) => loadRules(tx, ['retroactive'], now),
    describe,
  });
  return reply as never;
});

/** What each rule did that matched at least once, in the order of the rules. */
function describe(tally: RunTally, { rules }: LoadedRules): Record<string, unknown> {
  const matched = rules.flatMap((rule) => {
    const count = tally.byRule.get(rule.id);
    return count && count.matched > 0 ? [{ rule, count }] : [];
  });
  return {
    rules_applied: Object.fromEntries(matched.map(({ rule, count }) => [rule.id, count.matched])),
    rules: matched.map(({ rule, count }) => ({
      rule_id: rule.id,
      short_id: rule.shortId,
      name: rule.name,
      matched_count: count.matched,
      affected_count: count.affected,
    })),
    total_affected: tally.affectedCount,
  };
}
