import type { CompiledTest } from './compile-leaf.ts';
import { compileComparison } from './compile-number.ts';
import { compileTextTest, positiveOf, valuesOf } from './compile-text.ts';
import type { Operator, StoredLeaf } from './definition.ts';
import { isOrdered } from './fields.ts';
import type { Patterns } from './patterns.ts';
import type { Subject } from './subject.ts';

const COST = 5;
const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** `metadata.<key>`: on an absent key everything but `not_exists` is false (contract 40.2.3). */
export function compileMetadata(key: string, leaf: StoredLeaf, patterns: Patterns): CompiledTest {
  if (leaf.op === 'exists') return { test: ({ metadata }) => metadata.has(key), cost: 1 };
  if (leaf.op === 'not_exists') return { test: ({ metadata }) => !metadata.has(key), cost: 1 };
  const op = positiveOf(leaf.op);
  const isNegated = op !== leaf.op;
  const test = compileValue(op, leaf, patterns);
  return {
    test: (subject) => {
      const value = subject.metadata.get(key);
      return value !== undefined && test(value, subject) !== isNegated;
    },
    cost: op === 'matches' ? 60 : COST,
  };
}

type ValueTest = (value: unknown, subject: Subject) => boolean;

function compileValue(op: Operator, leaf: StoredLeaf, patterns: Patterns): ValueTest {
  if (op === 'eq' || op === 'in') return compileEquality(leaf, patterns);
  if (!isOrdered(op)) {
    const { test } = compileTextTest(op, leaf, patterns, true);
    return (value, subject) => test(subject.entry(typeof value === 'string' ? value : JSON.stringify(value)));
  }
  const compare = compileComparison(op, leaf, Number);
  return (value) => {
    if (typeof value === 'number') return compare(value);
    return typeof value === 'string' && DECIMAL.test(value) && compare(Number(value));
  };
}

/** Same JSON type and equal; strings by their fold. */
function compileEquality(leaf: StoredLeaf, patterns: Patterns): ValueTest {
  const values = valuesOf(leaf);
  const others: ReadonlySet<unknown> = new Set(values.filter((value) => typeof value !== 'string'));
  const texts = values.filter((value) => typeof value === 'string');
  const { test } = compileTextTest('in', { ...leaf, value: texts }, patterns);
  return (value, subject) => (typeof value === 'string' ? test(subject.entry(value)) : others.has(value));
}
