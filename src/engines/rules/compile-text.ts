import { fold } from '../../kernel/fold.ts';
import type { Operator, StoredLeaf } from './definition.ts';
import { analysePattern } from './pattern-literals.ts';
import type { Patterns } from './patterns.ts';

/** A text with its fold. */
export interface FoldedText {
  readonly text: string;
  readonly folded: string;
}

export interface TextTest {
  readonly test: (value: FoldedText) => boolean;
  readonly cost: number;
}

const POSITIVE: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  not_exists: 'exists',
};

/** The operator of which this one is the exact negation, or the operator itself. */
export function positiveOf(op: Operator): Operator {
  return POSITIVE[op] ?? op;
}

/** The values of `eq`, `in` and the like as a list; none when what they named was erased. */
export function valuesOf(leaf: StoredLeaf): readonly unknown[] {
  const { value = null } = leaf;
  return value === null ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/**
 * The test of a positive operator on text. A blank text stands for an empty field, which equals "" and nothing else;
 * `seesBlank` is for metadata, where a blank text is a value like others.
 */
export function compileTextTest(op: Operator, leaf: StoredLeaf, patterns: Patterns, seesBlank = false): TextTest {
  const literals = valuesOf(leaf).map((value) => fold(String(value)));
  const [literal = ''] = literals;
  if (op === 'contains') return { cost: 4, test: ({ folded }) => folded.includes(literal) };
  if (op === 'starts_with') return { cost: 3, test: ({ folded }) => folded.startsWith(literal) };
  if (op === 'ends_with') return { cost: 3, test: ({ folded }) => folded.endsWith(literal) };
  if (op === 'matches') return compilePattern(String(leaf.value), patterns, seesBlank);
  if (op === 'exists') return { cost: 2, test: ({ folded }) => folded !== '' };
  if (literals.length === 1) return { cost: 3, test: ({ folded }) => folded === literal };
  const all = new Set(literals);
  return { cost: 3, test: ({ folded }) => all.has(folded) };
}

function compilePattern(source: string, patterns: Patterns, seesBlank: boolean): TextTest {
  const literals = analysePattern(source)?.literals ?? null;
  return {
    cost: literals === null ? 60 : 20,
    test: ({ text, folded }) => {
      if (folded === '' && !seesBlank) return false;
      if (literals !== null && !literals.some((literal) => folded.includes(literal))) return false;
      return patterns.isFound(source, text);
    },
  };
}
