import type { FeeMode, SignConvention } from './analysis.ts';
import { amountsUnder } from './amounts.ts';
import type { AmountMode } from './amounts.ts';
import type { DateOrder } from './date-cells.ts';
import { NO_DAY } from './date-cells.ts';
import { KIND, PROBLEM } from './fact-shape.ts';
import type { Facts } from './fact-shape.ts';
import { decides, proveGroups } from './file-proof.ts';
import type { ReadRows } from './file-proof.ts';
import type { DecimalSeparator } from './numbers.ts';
import { PENDING } from './status-words.ts';

/** One complete way of reading the file. */
export interface Reading {
  readonly order: DateOrder;
  readonly decimal: DecimalSeparator;
  readonly sign: SignConvention;
  readonly feeMode: FeeMode;
}

/** What is still open: every value of a dimension that the content does not exclude. */
export interface OpenReadings {
  readonly orders: readonly DateOrder[];
  readonly decimals: readonly DecimalSeparator[];
  readonly signs: readonly SignConvention[];
  readonly feeModes: readonly FeeMode[];
}

export interface ReadingContext {
  readonly facts: Facts;
  readonly mode: AmountMode;
  /** Orders in the sequence of `facts.days`. */
  readonly orders: readonly DateOrder[];
  readonly mayOwe: boolean;
  /** Last day that a row may have: 31 days after today. */
  readonly latestDay: number;
}

/** Rows, days and amounts of the file under one reading. */
export function readUnder(context: ReadingContext, reading: Reading): ReadRows {
  const { facts } = context;
  const orderIndex = Math.max(0, context.orders.indexOf(reading.order));
  const decimalIndex = Math.max(
    0,
    facts.amounts.findIndex((amounts) => amounts.decimal === reading.decimal),
  );
  const days = facts.days[orderIndex] as Int32Array;
  const numbers = facts.amounts[decimalIndex] as Facts['amounts'][number];
  const amounts = amountsUnder(facts, numbers, context.mode, reading);
  const counted = new Uint8Array(facts.count);
  for (let row = 0; row < facts.count; row++) {
    const day = days[row] as number;
    const isReadable =
      facts.kinds[row] === KIND.row &&
      facts.problems[row] === PROBLEM.none &&
      numbers.problem[row] === PROBLEM.none &&
      day !== NO_DAY &&
      day >= 0 &&
      day <= context.latestDay &&
      !Number.isNaN(amounts[row]) &&
      facts.currencyIds[row] !== -2;
    counted[row] = isReadable && facts.statuses[row] !== PENDING ? 1 : 0;
  }
  return { facts, counted, days, amounts, balances: numbers.balance, decimalIndex };
}

/** Every combination of the open dimensions. */
export function combinations(open: OpenReadings): Reading[] {
  const out: Reading[] = [];
  for (const order of open.orders)
    for (const decimal of open.decimals)
      for (const sign of open.signs) for (const feeMode of open.feeModes) out.push({ order, decimal, sign, feeMode });
  return out;
}

/** The readings under which all stated balances chain. */
export function provingReadings(context: ReadingContext, readings: readonly Reading[]): Reading[] {
  return readings.filter((reading) => {
    const read = readUnder(context, reading);
    if (context.orders.length > 1 || context.facts.amounts.length > 1) if (hasUnreadable(context, read)) return false;
    return decides(proveGroups(read, context.mayOwe));
  });
}

/** A reading that cannot read rows which others can is not proved by the rows that are left. */
function hasUnreadable(context: ReadingContext, read: ReadRows): boolean {
  const { facts } = context;
  for (let row = 0; row < facts.count; row++) {
    if (
      facts.kinds[row] === KIND.row &&
      facts.problems[row] === PROBLEM.none &&
      read.counted[row] === 0 &&
      facts.statuses[row] !== PENDING
    )
      return true;
  }
  return false;
}
