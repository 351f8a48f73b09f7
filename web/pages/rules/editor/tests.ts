import { isList, isTextual, keysOf, METADATA, type Operator } from '../../../../src/engines/rules/language.ts';
import type { Leaf, Test } from './tree.ts';
import { operatorsFor, shapeOf } from './words.ts';

/** A row as it is added: what most rules begin with. */
export const NEW_TEST: Test = { field: 'name', op: 'contains', value: '' };

const FIRST_CHOICE: Partial<Record<string, Operator>> = { text: 'contains', tags: 'contains', money: 'gte' };

/** The row with another field: it keeps what fits the new one. */
export function withField(test: Test, field: string): Test {
  const shape = shapeOf(field);
  const operators = operatorsFor(field);
  const isSameKind = JSON.stringify(shape) === JSON.stringify(shapeOf(test.field));
  if (isSameKind && operators.includes(test.op)) return { ...test, field };
  const op = FIRST_CHOICE[shape?.kind ?? ''] ?? operators[0] ?? test.op;
  if (shape?.kind === 'boolean') return { field, op, value: true };
  return withOperator({ field, op }, op);
}

/** The row with another operator: values that both take stay. */
export function withOperator(test: Test, op: Operator): Test {
  const { field } = test;
  const keys = keysOf(op);
  const isNowText = shapeOf(field)?.kind === 'category' && isTextual(op) !== isTextual(test.op);
  const known = isNowText ? undefined : (firstOf(test.value) ?? test.min);
  if (isList(op)) return { field, op, value: Array.isArray(test.value) && !isNowText ? test.value : listOf(known) };
  const values = {
    value: known ?? '',
    min: test.min ?? known ?? '',
    max: test.max ?? '',
    tolerance: test.tolerance ?? '',
  };
  return { field, op, ...Object.fromEntries(keys.map((key) => [key, values[key]])) };
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : value;
}

function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null || value === '' ? [] : [value];
}

/** Whether a row says everything that it has to; whether that is right, the server says. */
export function isComplete(test: Leaf | Test): boolean {
  if (test.field === METADATA) return false;
  return keysOf(test.op).every((key) => {
    const value = test[key];
    if (Array.isArray(value)) return value.length > 0;
    if (value === '') return mayBeEmpty(test);
    return typeof value !== 'string' || !isTextual(test.op) || value.trim() !== '';
  });
}

/** "is" without text finds what is empty. */
function mayBeEmpty({ field, op }: Leaf | Test): boolean {
  const kind = shapeOf(field)?.kind;
  return (op === 'eq' || op === 'neq') && (kind === 'text' || kind === 'metadata');
}
