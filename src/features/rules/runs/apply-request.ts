import type { ReadTx } from '../../../db/unit-of-work.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Rehearsal } from './rehearse-run.ts';
import { loadGivenRules, loadRules, type LoadedRules } from '../rule-set.ts';
import { getRuleRow } from '../rules.entity.ts';
import { isActive, toRule } from '../rules.table.ts';
import type { RunTally } from './run-tally.ts';

/** A request to run one rule over the whole ledger, or all rules if `ruleId` is null. */
export interface ApplyRequest {
  ruleId: string | null;
  overwriteManual: boolean;
  /** Only counts and samples; nothing but the job is written. */
  isDryRun: boolean;
}

/** The names of the two kinds of run in jobs, the journal and timelines. */
export function namesOf({ ruleId }: ApplyRequest) {
  return ruleId === null
    ? ({ kind: 'rules_apply_all', action: 'rules.apply_all', appliedBy: 'apply_all' } as const)
    : ({ kind: 'rules_apply', action: 'rule.apply', appliedBy: 'apply' } as const);
}

/** @throws NOT_FOUND, RULE_NOT_APPLICABLE */
export async function loadRulesOf(tx: ReadTx, { ruleId }: ApplyRequest, now: string): Promise<LoadedRules> {
  if (ruleId === null) return loadRules(tx, ['retroactive'], now);
  const row = await getRuleRow(tx, ruleId);
  const rule = toRule(row);
  if (!isActive(row, now) || !rule.triggers.includes('manual')) {
    const message = 'The rule is disabled, has expired or lacks the trigger "manual". Change the rule first.';
    throw new AppError('RULE_NOT_APPLICABLE', message);
  }
  return loadGivenRules(tx, [rule], now);
}

/** The result of a run, which is also the answer to a request that waits for it. */
export function resultOf(
  request: ApplyRequest,
  tally: RunTally,
  loaded: LoadedRules,
  changeSetId: string | null,
  samples: Rehearsal['samples'] | null = null,
): Record<string, unknown> {
  return {
    affected_count: tally.affectedCount,
    matched_count: tally.matchedCount,
    skipped_count: tally.skippedCount,
    total_scanned: tally.totalScanned,
    dry_run: samples !== null,
    change_set_id: changeSetId,
    sample_matches: samples ?? [],
    ...(request.ruleId === null ? byRule(tally, loaded) : { rule_id: request.ruleId }),
  };
}

/** What each rule that matched at least once did, in the order of the rules. */
function byRule(tally: RunTally, { rules }: LoadedRules): Record<string, unknown> {
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
