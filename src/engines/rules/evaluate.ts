import { applyActions, type SkippedAction, type WrittenFacet } from './apply-actions.ts';
import { differences, type FacetChange } from './changes.ts';
import type { CompiledRule } from './compile.ts';
import type { FacetKey, RuleRow } from './row.ts';
import { nextCandidate, type RuleSet } from './rule-set.ts';
import type { Subject } from './subject.ts';

export interface RunOptions {
  /** Treats every rule of the run as if it had `overwrite_manual`. */
  readonly overwriteManual?: boolean;
  /** Treats none of them so: no rule overwrites what a person says while entering a row. */
  readonly keepLocked?: boolean;
}

/** A rule whose condition was true for the row. */
export interface Hit {
  /** Its index in the set. */
  readonly index: number;
  readonly ruleId: string;
  readonly skipped: readonly SkippedAction[];
}

/** A comment that a matching rule adds, unless the caller finds that it was added before (contract 40.6). */
export interface WantedComment {
  readonly ruleId: string;
  readonly action: number;
  readonly content: string;
}

/** A rule that failed on the row. The result has none of its effects. */
interface RuleFailure {
  readonly ruleId: string;
  readonly error: unknown;
}

/** The result of running rules over one row (contract 40.5). */
export interface Evaluation {
  readonly hits: readonly Hit[];
  /** One for each facet whose value changed. */
  readonly changes: readonly FacetChange[];
  readonly comments: readonly WantedComment[];
  readonly failed: readonly RuleFailure[];
}

const NOTHING: Evaluation = { hits: [], changes: [], comments: [], failed: [] };

/** Runs a set of rules over a row. Each rule sees what the earlier ones did. */
export function evaluateRow(set: RuleSet, row: RuleRow, options: RunOptions = {}): Evaluation {
  const subject = set.subjectOf(row);
  const candidates = set.candidates(subject);
  let pass: Pass | undefined;
  for (let index = nextCandidate(candidates, 0); index !== -1; index = nextCandidate(candidates, index + 1)) {
    const compiled = set.rules[index];
    if (compiled === undefined) break;
    try {
      if (!compiled.test(subject)) continue;
      pass ??= new Pass(subject, options);
      pass.runMatching(index, compiled);
    } catch (error) {
      pass ??= new Pass(subject, options);
      pass.failed.push({ ruleId: compiled.rule.id, error });
      continue;
    }
    if (compiled.rule.stop) break;
  }
  return pass === undefined ? NOTHING : pass.result();
}

const NONE: readonly number[] = [];

/**
 * The indexes of the rules that match the row, each evaluated alone. With `required`, there are none unless the rule
 * with that index matches.
 */
export function matchingRules(set: RuleSet, row: RuleRow, required?: number): readonly number[] {
  const subject = set.subjectOf(row);
  const candidates = set.candidates(subject);
  if (required !== undefined) {
    if (nextCandidate(candidates, required) !== required) return NONE;
    if (set.rules[required]?.test(subject) !== true) return NONE;
  }
  const found: number[] = [];
  for (let index = nextCandidate(candidates, 0); index !== -1; index = nextCandidate(candidates, index + 1)) {
    if (set.rules[index]?.test(subject) === true) found.push(index);
  }
  return found;
}

/** The rules that have matched a row so far, and which rule wrote which facet. */
export class Pass {
  readonly hits: Hit[] = [];
  readonly failed: RuleFailure[] = [];
  readonly comments: WantedComment[] = [];
  /** By facet, the action that wrote it last. */
  readonly writers = new Map<FacetKey, WrittenFacet>();
  readonly #subject: Subject;
  readonly #options: RunOptions;

  constructor(subject: Subject, options: RunOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  /** Runs the actions of a matching rule: all of them, or none if one fails. */
  runMatching(index: number, compiled: CompiledRule): void {
    const { id: ruleId, overwriteManual } = compiled.rule;
    const state = this.#subject.snapshot();
    try {
      const { overwriteManual: always = false, keepLocked = false } = this.#options;
      const mayOverwrite = !keepLocked && (overwriteManual || always);
      const { written, skipped } = applyActions(compiled, this.#subject, mayOverwrite);
      for (const one of written) this.writers.set(one.effect.facet, one);
      this.hits.push({ index, ruleId, skipped });
    } catch (error) {
      this.#subject.restore(state);
      throw error;
    }
    for (const [action, effect] of compiled.effects.entries()) {
      if (effect.kind === 'comment') this.comments.push({ ruleId, action, content: effect.content });
    }
  }

  result(): Evaluation {
    const { hits, comments, failed } = this;
    return { hits, changes: differences(this.#subject, this.writers), comments, failed };
  }
}
