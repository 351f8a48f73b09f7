import type { Operator, StoredLeaf } from './definition.ts';
import type { Field } from './fields.ts';

const EQUALITY: readonly Operator[] = ['eq', 'neq', 'in', 'not_in'];
const PRESENCE: readonly Operator[] = ['exists', 'not_exists'];
const TEXTUAL: readonly Operator[] = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'];
const ORDERED: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between'];

const OPERATORS: Readonly<Record<Field['kind'], readonly Operator[]>> = {
  text: [...EQUALITY, ...TEXTUAL, ...PRESENCE],
  reference: [...EQUALITY, ...PRESENCE],
  category: [...EQUALITY, ...TEXTUAL, ...PRESENCE],
  choice: [...EQUALITY, ...PRESENCE],
  money: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  integer: ['eq', 'neq', ...ORDERED, 'approx', 'in', 'not_in'],
  date: ['eq', 'neq', ...ORDERED],
  boolean: ['eq', 'neq'],
  tags: ['contains', 'not_contains', 'in', 'not_in', ...PRESENCE],
  metadata: [...EQUALITY, ...TEXTUAL, ...ORDERED, ...PRESENCE],
};

/** The operators that a field has (contract 40.2.3). */
export function operatorsOf({ kind }: Field): readonly Operator[] {
  return OPERATORS[kind];
}

export function isTextual(op: Operator): boolean {
  return TEXTUAL.includes(op);
}

export function isOrdered(op: Operator): boolean {
  return ORDERED.includes(op);
}

export type LeafKey = 'value' | 'min' | 'max' | 'tolerance';
export const LEAF_KEYS: readonly LeafKey[] = ['value', 'min', 'max', 'tolerance'];

/** The keys that a leaf with this operator has. */
export function keysOf(op: Operator): readonly LeafKey[] {
  if (op === 'exists' || op === 'not_exists') return [];
  if (op === 'between') return ['min', 'max'];
  return op === 'approx' ? ['value', 'tolerance'] : ['value'];
}

const POSITIVE: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  not_exists: 'exists',
};

/** The operator that this one negates, or the operator itself. */
export function positiveOf(op: Operator): Operator {
  return POSITIVE[op] ?? op;
}

/** The values of `eq`, `in` and so on as a list; empty if the record that they named was erased. */
export function valuesOf({ value = null }: StoredLeaf): readonly unknown[] {
  return value === null ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value];
}
