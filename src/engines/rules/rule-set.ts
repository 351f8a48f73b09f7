import type { Catalog } from './catalog.ts';
import { entryOf } from './actions.ts';
import { compileRule, type CompileContext, type CompiledRule } from './compile.ts';
import { compareRules, leavesOf, type Rule } from './definition.ts';
import { getField, type IndexedText } from './fields.ts';
import { indexLiterals, type IndexedLiteral } from './literal-index.ts';
import { CompiledPatterns } from './patterns.ts';
import { requiredLiterals } from './requirements.ts';
import type { RowPart, RuleRow } from './row.ts';
import { RowMemory, Subject, type LiteralSearch } from './subject.ts';

/** Rules compiled once for a run, in the order of execution. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  readonly context: CompileContext;
  subjectOf(row: RuleRow): Subject;
  /** The rules that can match the row; no other rule does. Valid until the next call. */
  candidates(subject: Subject): Candidates;
}

/** One bit for each rule of a set. */
export type Candidates = Uint32Array;

/**
 * Compiles rules for a run over many rows (contract 40.10). With `preselect: false`, every rule is evaluated on every
 * row, with the same result.
 */
export function compileRules(
  rules: readonly Rule[],
  catalog: Pick<Catalog, 'categories' | 'tags'>,
  { preselect = true }: { readonly preselect?: boolean } = {},
): RuleSet {
  const context: CompileContext = { catalog, patterns: new CompiledPatterns() };
  const compiled = [...rules].sort(compareRules).map((rule) => compileRule(rule, context));
  const { name, merchant, always } = preselect ? preselection(compiled) : everything(compiled);
  const memory = new RowMemory(name, merchant);
  const bits = new Uint32Array(always.length);
  return {
    rules: compiled,
    context,
    subjectOf: (row) => new Subject(row, memory),
    candidates(subject) {
      bits.set(always);
      for (const rule of subject.name.hits) setBit(bits, rule);
      for (const rule of subject.merchant.hits) setBit(bits, rule);
      return bits;
    },
  };
}

/** The first candidate at or after `from`; -1 if there is none. */
export function nextCandidate(bits: Candidates, from: number): number {
  let word = from >>> 5;
  let left = (bits[word] ?? 0) & (-1 << (from & 31));
  while (left === 0) {
    word += 1;
    if (word >= bits.length) return -1;
    left = bits[word] ?? 0;
  }
  return (word << 5) + 31 - Math.clz32(left & -left);
}

function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] ?? 0) | (1 << (index & 31));
}

interface Preselection {
  readonly name: LiteralSearch;
  readonly merchant: LiteralSearch;
  /** Rules that no literal can exclude. */
  readonly always: Uint32Array;
}

const NO_HITS: readonly number[] = [];

function everything(rules: readonly CompiledRule[]): Preselection {
  const always = new Uint32Array(Math.ceil(rules.length / 32));
  for (const index of rules.keys()) setBit(always, index);
  return { name: () => NO_HITS, merchant: () => NO_HITS, always };
}

function preselection(rules: readonly CompiledRule[]): Preselection {
  const always = new Uint32Array(Math.ceil(rules.length / 32));
  const indexed: Record<IndexedText, IndexedLiteral[]> = { name: [], merchant: [] };
  for (const [index, { rule }] of rules.entries()) {
    const literals = requiredLiterals(rule.condition);
    if (literals === null) setBit(always, index);
    for (const { index: of, text, isWhole } of literals ?? []) indexed[of].push({ text, isWhole, rule: index });
  }
  const name = indexLiterals(indexed.name);
  const merchant = indexLiterals(indexed.merchant);
  return name === undefined || merchant === undefined ? everything(rules) : { name, merchant, always };
}

/** The parts of a row that the result of these rules can depend on. */
export function partsRead(rules: readonly Pick<Rule, 'condition' | 'actions'>[]): Set<RowPart> {
  const parts = new Set<RowPart>();
  for (const { condition, actions } of rules) {
    for (const leaf of leavesOf(condition)) for (const part of getField(leaf).parts) parts.add(part);
    for (const { type } of actions) for (const part of entryOf(type).parts) parts.add(part);
  }
  return parts;
}
