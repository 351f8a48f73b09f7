import type { StoredLeaf } from './definition.ts';
import type { Operator } from './language.ts';

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
