import { isDigit } from '../text/char-codes.ts';
import { isOtherDigit } from '../text/digits.ts';
import { PROBLEM } from '../columns/parsed-columns.ts';
import type { ParsedAmounts, ColumnPlan } from '../columns/parsed-columns.ts';
import type { NumberCell } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import type { RecordReader } from '../cells/records.ts';

const outcome: {
  symbol: string | undefined;
  currencies: ReadonlySet<string> | undefined;
  hasText: boolean;
  direction: number;
} = { symbol: undefined, currencies: undefined, hasText: false, direction: 0 };
const NOTHING_READ = { ...outcome };

/** Parses the number columns of a record under one decimal separator; the next call reuses the answer. */
export function readAmounts(
  plan: ColumnPlan,
  reader: RecordReader,
  number: NumberCell,
  parsed: ParsedAmounts,
  row: number,
): typeof outcome {
  Object.assign(outcome, NOTHING_READ);
  let problem: number = PROBLEM.none;
  if (plan.amount >= 0) {
    const cell = reader.cell(plan.amount);
    const value = cents(number, cell, parsed.decimal);
    parsed.amount[row] = value;
    if (Number.isNaN(value)) problem = problemOf(number);
    outcome.direction = number.direction;
    if (number.problem !== 'empty') noteAmount(number, cell);
  }
  const isPair = plan.debit >= 0 || plan.credit >= 0;
  if (isPair) {
    let pairProblem: number = PROBLEM.amountMissing;
    for (const [index, target] of [
      [plan.debit, parsed.debit],
      [plan.credit, parsed.credit],
    ] as const) {
      if (index < 0) continue;
      const cell = reader.cell(index);
      const value = cents(number, cell, parsed.decimal);
      target[row] = value;
      if (!Number.isNaN(value)) {
        if (pairProblem === PROBLEM.amountMissing) pairProblem = PROBLEM.none;
      } else if (number.problem === 'precision' || number.problem === 'range') {
        pairProblem = problemOf(number);
      } else if (hasDigit(cell)) {
        // Beside a zero, an amount that cannot be read is not no amount.
        pairProblem = PROBLEM.amountInvalid;
      }
      if (number.problem !== 'empty') noteAmount(number, cell);
    }
    problem = pairProblem;
  }
  if (plan.fee >= 0) {
    const value = cents(number, reader.cell(plan.fee), parsed.decimal);
    const tax = plan.tax < 0 ? 0 : cents(number, reader.cell(plan.tax), parsed.decimal);
    parsed.fee[row] = (Number.isNaN(value) ? 0 : value) + (Number.isNaN(tax) ? 0 : tax);
    if (isPair && problem === PROBLEM.amountMissing && parsed.fee[row] !== 0) {
      problem = PROBLEM.none;
      outcome.hasText = true;
    }
    if (number.problem === 'precision' && problem === PROBLEM.none) problem = PROBLEM.precision;
  }
  if (plan.balance >= 0) {
    const value = cents(number, reader.cell(plan.balance), parsed.decimal);
    parsed.balance[row] = number.direction === 1 ? -Math.abs(value) : value;
    if (number.problem === 'precision' && problem === PROBLEM.none) problem = PROBLEM.precision;
  }
  parsed.problem[row] = problem;
  return outcome;
}

function noteAmount(number: NumberCell, cell: string): void {
  outcome.symbol ??= number.currency;
  outcome.currencies ??= number.currencies;
  if (!outcome.hasText) outcome.hasText = hasDigit(cell);
}

function cents(number: NumberCell, cell: string, decimal: DecimalSeparator): number {
  return number.read(cell) ? number.cents(decimal) : Number.NaN;
}

function problemOf(number: NumberCell): number {
  if (number.problem === 'empty') return PROBLEM.amountMissing;
  if (number.problem === 'precision') return PROBLEM.precision;
  return number.problem === 'range' ? PROBLEM.range : PROBLEM.amountInvalid;
}

/** True when the cell holds a digit. */
export function hasDigit(cell: string): boolean {
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i);
    if (isDigit(code) || isOtherDigit(code)) return true;
  }
  return false;
}
