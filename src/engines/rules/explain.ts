import type { Catalog } from './catalog.ts';
import type { ActionType } from './definition.ts';
import { effectLine } from './effect-line.ts';
import { Pass, type Evaluation, type Hit, type RunOptions, type WantedComment } from './evaluate.ts';
import type { CompiledRule } from './compile.ts';
import type { SkipReason } from './apply-actions.ts';
import type { RuleRow } from './row.ts';
import type { RuleSet } from './rule-set.ts';
import { traceCondition, type Trace } from './trace.ts';

/** What became of an action; `not_run`: the rule did not match or was not reached. */
export type ActionResult = 'changes' | 'no_change' | 'overridden' | 'not_run' | SkipReason;

export interface RuleExplanation {
  readonly ruleId: string;
  /** Null: not reached, an earlier rule stopped. */
  readonly matches: boolean | null;
  /** Its actions in one line. */
  readonly effect: string;
  readonly actions: readonly { readonly action: number; readonly type: ActionType; readonly result: ActionResult }[];
  readonly trace: Trace | null;
}

export interface Explanation {
  /** Every rule of the set, in order. */
  readonly rules: readonly RuleExplanation[];
  /** As evaluateRow() gives it, but for comments that stand there already. */
  readonly evaluation: Evaluation;
}

export interface ExplainOptions extends RunOptions {
  /** True when the comment was added to this row before, also when it was deleted since (contract 40.6). */
  readonly hadComment: (comment: WantedComment) => boolean;
}

/** A pass over one row with everything said that can be said about it (contract 40.8.8). */
export function explainRow(set: RuleSet, row: RuleRow, catalog: Catalog, options: ExplainOptions): Explanation {
  const subject = set.subjectOf(row);
  const pass = new Pass(subject, options);
  const traces: (Trace | null)[] = [];
  let isStopped = false;
  for (const [index, compiled] of set.rules.entries()) {
    const trace = isStopped ? null : traceCondition(compiled.rule.condition, subject, catalog, set.context);
    traces.push(trace);
    if (trace?.result !== true) continue;
    pass.runMatching(index, compiled);
    isStopped = compiled.rule.stop;
  }
  const result = pass.result();
  const evaluation = { ...result, comments: result.comments.filter((comment) => !options.hadComment(comment)) };
  const hits = new Map(evaluation.hits.map((hit) => [hit.index, hit]));
  const rules = set.rules.map((compiled, index): RuleExplanation => {
    const trace = traces[index] ?? null;
    return {
      ruleId: compiled.rule.id,
      matches: trace?.result ?? null,
      effect: effectLine(compiled.rule.actions, catalog),
      actions: compiled.rule.actions.map(({ type }, action) => ({
        action,
        type,
        result: resultOf(compiled, action, hits.get(index), pass, evaluation),
      })),
      trace,
    };
  });
  return { rules, evaluation };
}

function resultOf(
  { rule, effects }: CompiledRule,
  action: number,
  hit: Hit | undefined,
  pass: Pass,
  { changes, comments }: Evaluation,
): ActionResult {
  if (hit === undefined) return 'not_run';
  const skipped = hit.skipped.find((one) => one.action === action);
  if (skipped !== undefined) return skipped.reason;
  const facet = effects[action]?.facet ?? null;
  if (facet === null) {
    const isAdded = comments.some((comment) => comment.ruleId === rule.id && comment.action === action);
    return isAdded ? 'changes' : 'no_change';
  }
  if (pass.writers.get(facet)?.ruleId !== rule.id) return 'overridden';
  return changes.some((change) => change.facet === facet) ? 'changes' : 'no_change';
}
