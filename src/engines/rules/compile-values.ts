import { fold } from '../../kernel/fold.ts';
import type { Cents } from '../../kernel/money.ts';
import { toCents, type StoredLeaf } from './definition.ts';
import type { Field } from './fields.ts';
import { isOrdered, type Operator } from './language.ts';
import { positiveOf, valuesOf } from './operators.ts';
import { analysePattern } from './pattern-literals.ts';
import type { CompiledPatterns } from './patterns.ts';
import type { Subject } from './subject.ts';

export type Test = (subject: Subject) => boolean;

/** A test and roughly what it costs, so that the cheap ones come first. */
export interface CompiledTest {
  readonly test: Test;
  readonly cost: number;
}

/** A text with its fold. */
interface FoldedText {
  readonly text: string;
  readonly folded: string;
}

interface TextTest {
  readonly test: (value: FoldedText) => boolean;
  readonly cost: number;
}

/**
 * The test of a positive operator on text. A blank text means that the field is empty: only `eq ""` is true for it.
 * With `seesBlank`, for metadata, a blank text is a value like any other.
 */
export function compileText(
  op: Operator,
  leaf: StoredLeaf,
  patterns: CompiledPatterns,
  { seesBlank = false }: { seesBlank?: boolean } = {},
): TextTest {
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

function compilePattern(source: string, patterns: CompiledPatterns, seesBlank: boolean): TextTest {
  const literals = analysePattern(source)?.literals ?? null;
  return {
    cost: literals === null ? 60 : 20,
    test: ({ text, folded }) => {
      if (folded === '' && !seesBlank) return false;
      if (literals !== null && !literals.some((literal) => folded.includes(literal))) return false;
      return patterns.matches(source, text);
    },
  };
}

/** Money: integer hundredths on both sides. */
export function compileMoney(op: Operator, leaf: StoredLeaf, read: (subject: Subject) => Cents): CompiledTest {
  if (op !== 'approx') return compileOrdered(op, leaf, read, (value) => toCents(value as string));
  const [value, tolerance] = [toCents(leaf.value as string), toCents(leaf.tolerance as string)];
  return { test: (subject) => Math.abs(read(subject) - value) <= tolerance, cost: 1 };
}

/** Parts of the date. */
export function compileInteger(
  op: Operator,
  leaf: StoredLeaf,
  { read, cycle }: Pick<Extract<Field, { kind: 'integer' }>, 'read' | 'cycle'>,
): CompiledTest {
  if (op !== 'approx') return compileOrdered(op, leaf, read, Number);
  const [wanted, tolerance] = [Number(leaf.value), Number(leaf.tolerance)];
  return {
    // A day that a short month or year lacks counts as its last day. Distances wrap around.
    test: (subject) => {
      const length = cycle(subject);
      const distance = Math.abs(Math.min(wanted, length) - read(subject));
      return Math.min(distance, length - distance) <= tolerance;
    },
    cost: 2,
  };
}

/** Values with an order; calendar dates compare like their texts. */
export function compileOrdered<T extends number | string>(
  op: Operator,
  leaf: StoredLeaf,
  read: (subject: Subject) => T,
  convert: (value: unknown) => T,
): CompiledTest {
  const compare = compileComparison(op, leaf, convert);
  return { test: (subject) => compare(read(subject)), cost: 1 };
}

function compileComparison<T extends number | string>(
  op: Operator,
  leaf: StoredLeaf,
  convert: (value: unknown) => T,
): (actual: T) => boolean {
  if (op === 'between') {
    const [min, max] = [convert(leaf.min), convert(leaf.max)];
    return (actual) => actual >= min && actual <= max;
  }
  const [value, ...more] = valuesOf(leaf).map(convert);
  if (value === undefined) return () => false;
  if (op === 'gt') return (actual) => actual > value;
  if (op === 'gte') return (actual) => actual >= value;
  if (op === 'lt') return (actual) => actual < value;
  if (op === 'lte') return (actual) => actual <= value;
  if (more.length === 0) return (actual) => actual === value;
  const all = new Set([value, ...more]);
  return (actual) => all.has(actual);
}

const METADATA_COST = 5;
const METADATA_PATTERN_COST = 60;
const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** `metadata.<key>`: if the key is absent, every operator but `not_exists` is false (contract 40.2.3). */
export function compileMetadata(
  leaf: StoredLeaf,
  read: (subject: Subject) => unknown,
  patterns: CompiledPatterns,
): CompiledTest {
  if (leaf.op === 'exists') return { test: (subject) => read(subject) !== undefined, cost: 1 };
  if (leaf.op === 'not_exists') return { test: (subject) => read(subject) === undefined, cost: 1 };
  const op = positiveOf(leaf.op);
  const isNegated = op !== leaf.op;
  const test = compileMetadataValue(op, leaf, patterns);
  return {
    test: (subject) => {
      const value = read(subject);
      return value !== undefined && test(value, subject) !== isNegated;
    },
    cost: op === 'matches' ? METADATA_PATTERN_COST : METADATA_COST,
  };
}

type ValueTest = (value: unknown, subject: Subject) => boolean;

function compileMetadataValue(op: Operator, leaf: StoredLeaf, patterns: CompiledPatterns): ValueTest {
  if (op === 'eq' || op === 'in') return compileEquality(leaf, patterns);
  if (!isOrdered(op)) {
    const { test } = compileText(op, leaf, patterns, { seesBlank: true });
    return (value, subject) => test(subject.entry(typeof value === 'string' ? value : JSON.stringify(value)));
  }
  const compare = compileComparison(op, leaf, Number);
  return (value) => {
    if (typeof value === 'number') return compare(value);
    return typeof value === 'string' && DECIMAL.test(value) && compare(Number(value));
  };
}

/** Equal and of the same JSON type; strings are compared by their folds. */
function compileEquality(leaf: StoredLeaf, patterns: CompiledPatterns): ValueTest {
  const values = valuesOf(leaf);
  const others: ReadonlySet<unknown> = new Set(values.filter((value) => typeof value !== 'string'));
  const texts = values.filter((value) => typeof value === 'string');
  const { test } = compileText('in', { ...leaf, value: texts }, patterns);
  return (value, subject) => (typeof value === 'string' ? test(subject.entry(value)) : others.has(value));
}
