import { applyActions, type SkippedAction, type WrittenFacet } from './apply-actions.ts';
import { differences, type FacetChange } from './changes.ts';
import type { CompiledRule } from './compile.ts';
import type { FacetKey, RuleRow } from './row.ts';
import { nextCandidate, type RuleSet } from './rule-set.ts';
import type { Subject } from './subject.ts';

export interface RunOptions {
  /** As if every rule of the run had it. */
  readonly overwriteManual?: boolean;
  /** As if none had: what somebody says while entering a row stands against every rule. */
  readonly keepLocked?: boolean;
}

/** A rule whose condition was true for the row. */
export interface Hit {
  /** Its number in the set. */
  readonly index: number;
  readonly ruleId: string;
  readonly skipped: readonly SkippedAction[];
}

/** A comment that a matching rule wants; whether it stands there already is the caller's to know (contract 40.6). */
export interface WantedComment {
  readonly ruleId: string;
  readonly action: number;
  readonly content: string;
}

/** A rule that failed on the row: none of its effects is in the result. */
export interface RuleFailure {
  readonly ruleId: string;
  readonly error: unknown;
}

/** What a pass of rules over one row comes to (contract 40.5): the end against the beginning. */
export interface Evaluation {
  readonly hits: readonly Hit[];
  /** One for each facet that differs in the end. */
  readonly changes: readonly FacetChange[];
  readonly comments: readonly WantedComment[];
  readonly failed: readonly RuleFailure[];
}

const NOTHING: Evaluation = { hits: [], changes: [], comments: [], failed: [] };

/** Runs a set of rules over a row, each on what the earlier ones made of it. */
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
 * Numbers of the rules that match the row as it stands, each evaluated alone. With `required`, none of them where the
 * rule of that number does not match.
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

/** The rules that have matched a row so far, and who wrote what. */
export class Pass {
  readonly hits: Hit[] = [];
  readonly failed: RuleFailure[] = [];
  readonly comments: WantedComment[] = [];
  /** The last writer of every facet that was written. */
  readonly writers = new Map<FacetKey, WrittenFacet>();
  readonly #subject: Subject;
  readonly #options: RunOptions;

  constructor(subject: Subject, options: RunOptions) {
    this.#subject = subject;
    this.#options = options;
  }

  /** Runs the actions of a rule whose condition is true: all of them, or none when one fails. */
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
