import { effectLine } from './actions.ts';
import type { Catalog } from './catalog.ts';
import type { ActionType, StoredCondition, StoredLeaf, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import { Pass, type Evaluation, type Hit, type RunOptions, type WantedComment } from './evaluate.ts';
import { compileLeaf, type CompileContext, type CompiledRule } from './compile.ts';
import type { SkipReason } from './apply-actions.ts';
import { getField } from './fields.ts';
import type { Json } from './json.ts';
import { renderValue } from './render.ts';
import type { RuleRow } from './row.ts';
import type { RuleSet } from './rule-set.ts';
import type { Subject } from './subject.ts';

/** What an action did. `not_run`: its rule did not match or was not reached. */
type ActionResult = 'changes' | 'no_change' | 'overridden' | 'not_run' | SkipReason;

interface RuleExplanation {
  readonly ruleId: string;
  /** Null if an earlier rule stopped the run. */
  readonly matches: boolean | null;
  /** Its actions in one line. */
  readonly effect: string;
  readonly actions: readonly { readonly action: number; readonly type: ActionType; readonly result: ActionResult }[];
  readonly trace: Trace | null;
}

export interface Explanation {
  /** Every rule of the set, in order. */
  readonly rules: readonly RuleExplanation[];
  /** As from `evaluateRow`, without the comments that were added before. */
  readonly evaluation: Evaluation;
}

interface ExplainOptions extends RunOptions {
  /** Whether the rule added the comment to this row before, even if it was deleted since (contract 40.6). */
  readonly hadComment: (comment: WantedComment) => boolean;
}

/** Runs rules over one row and explains every step (contract 40.8.8). */
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

/** The result of a condition, node by node (contract 40.8.8). Every node is evaluated. */
export type Trace =
  | { readonly path: string; readonly kind: 'all'; readonly result: boolean; readonly children: readonly Trace[] }
  | {
      readonly path: string;
      readonly kind: 'and' | 'or' | 'not';
      readonly result: boolean;
      readonly children: readonly Trace[];
    }
  | {
      readonly path: string;
      readonly kind: 'leaf';
      readonly field: string;
      readonly op: string;
      readonly expected: Json;
      readonly actual: Json;
      readonly result: boolean;
    };

function traceCondition(
  condition: StoredCondition,
  subject: Subject,
  catalog: Catalog,
  context: CompileContext,
): Trace {
  const path = 'condition';
  if (isEmptyCondition(condition)) return { path, kind: 'all', result: true, children: [] };
  return traceNode(condition, path, subject, catalog, context);
}

function traceNode(node: StoredNode, path: string, subject: Subject, catalog: Catalog, context: CompileContext): Trace {
  const trace = (child: StoredNode, at: string): Trace => traceNode(child, at, subject, catalog, context);
  if ('and' in node) {
    const children = node.and.map((child, index) => trace(child, `${path}.and[${index}]`));
    return { path, kind: 'and', result: children.every(({ result }) => result), children };
  }
  if ('or' in node) {
    const children = node.or.map((child, index) => trace(child, `${path}.or[${index}]`));
    return { path, kind: 'or', result: children.some(({ result }) => result), children };
  }
  if ('not' in node) {
    const child = trace(node.not, `${path}.not`);
    return { path, kind: 'not', result: !child.result, children: [child] };
  }
  return {
    path,
    kind: 'leaf',
    field: node.field,
    op: node.op,
    expected: expectedOf(node, catalog),
    actual: getField(node).show(subject, catalog),
    result: compileLeaf(node, context).test(subject),
  };
}

function expectedOf(leaf: StoredLeaf, catalog: Catalog): Json {
  const { min, max, tolerance } = leaf;
  if (min !== undefined && max !== undefined) return { min, max };
  const value = renderValue(leaf, catalog);
  return tolerance === undefined ? value : { value, tolerance };
}
