import { valuesOf } from './compile-text.ts';
import type { CompiledTest } from './compile-leaf.ts';
import { toCents, type Operator, type StoredLeaf } from './definition.ts';
import type { Subject } from './subject.ts';

/** `amount` and `amount_abs`: integer hundredths on both sides. */
export function compileMoney(op: Operator, leaf: StoredLeaf): CompiledTest {
  const read: Reader = leaf.field === 'amount' ? ({ row }) => row.amountCents : ({ row }) => Math.abs(row.amountCents);
  if (op !== 'approx') return compileNumber(op, leaf, read, (value) => toCents(value as string));
  const [value, tolerance] = [toCents(leaf.value as string), toCents(leaf.tolerance as string)];
  return { test: (subject) => Math.abs(read(subject) - value) <= tolerance, cost: 1 };
}

/** The parts of the date. */
export function compileInteger(op: Operator, leaf: StoredLeaf): CompiledTest {
  const { read, cycle } = partOf(leaf.field);
  if (op !== 'approx') return compileNumber(op, leaf, read, Number);
  const [wanted, tolerance] = [Number(leaf.value), Number(leaf.tolerance)];
  return {
    // What a short month or year does not have falls on its last day; from there it is a circle.
    test: (subject) => {
      const length = cycle(subject);
      const distance = Math.abs(Math.min(wanted, length) - read(subject));
      return Math.min(distance, length - distance) <= tolerance;
    },
    cost: 2,
  };
}

/** Calendar dates of one form compare as their texts do. */
export function compileDate(op: Operator, leaf: StoredLeaf): CompiledTest {
  const compare = compileComparison(op, leaf, String);
  return { test: ({ row }) => compare(row.date), cost: 1 };
}

type Reader = (subject: Subject) => number;

function compileNumber(
  op: Operator,
  leaf: StoredLeaf,
  read: Reader,
  toNumber: (value: unknown) => number,
): CompiledTest {
  const compare = compileComparison(op, leaf, toNumber);
  return { test: (subject) => compare(read(subject)), cost: 1 };
}

/** The test of a positive operator on what has an order. */
export function compileComparison<T extends number | string>(
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

function partOf(field: string): { read: Reader; cycle: Reader } {
  switch (field) {
    case 'day_of_month':
      return { read: ({ day }) => day.dayOfMonth, cycle: ({ day }) => day.monthDays };
    case 'month':
      return { read: ({ day }) => day.month, cycle: () => 12 };
    case 'day_of_week':
      return { read: ({ day }) => day.dayOfWeek, cycle: () => 7 };
    default:
      return { read: ({ day }) => day.dayOfYear, cycle: ({ day }) => day.yearDays };
  }
}
