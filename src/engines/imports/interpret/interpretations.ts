import type { FeeMode, SignConvention } from '../analysis.ts';
import { amountsUnder } from './amounts.ts';
import type { AmountMode } from '../questions/amount-mode.ts';
import type { DateOrder } from '../cells/date-cells.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import { KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ParsedColumns } from '../columns/parsed-columns.ts';
import { decides, proveGroups } from '../proof/file-proof.ts';
import type { GroupProof, ReadRows } from '../proof/file-proof.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';
import { PENDING } from '../lexicon/statuses.ts';

/** One complete way to read the file. */
export interface Interpretation {
  readonly order: DateOrder;
  readonly decimal: DecimalSeparator;
  readonly sign: SignConvention;
  readonly feeMode: FeeMode;
}

/** What is still open: every value of a dimension that the content does not exclude. */
export interface OpenDimensions {
  readonly orders: readonly DateOrder[];
  readonly decimals: readonly DecimalSeparator[];
  readonly signs: readonly SignConvention[];
  readonly feeModes: readonly FeeMode[];
}

export interface InterpretationContext {
  readonly parsed: ParsedColumns;
  readonly mode: AmountMode;
  /** Orders in the sequence of `parsed.days`. */
  readonly orders: readonly DateOrder[];
  readonly mayOwe: boolean;
  /** Whether the file says which amounts are money out, whatever the sign of its balances. */
  readonly isWayStated: boolean;
  /** Last day that a row may have: 31 days after today. */
  readonly latestDay: number;
}

/** Rows, days and amounts of the file under one interpretation. */
export function readUnder(context: InterpretationContext, interpretation: Interpretation): ReadRows {
  const { parsed } = context;
  const orderIndex = Math.max(0, context.orders.indexOf(interpretation.order));
  const decimalIndex = Math.max(
    0,
    parsed.amounts.findIndex((amounts) => amounts.decimal === interpretation.decimal),
  );
  const days = parsed.days[orderIndex] as Int32Array;
  const numbers = parsed.amounts[decimalIndex] as ParsedColumns['amounts'][number];
  const amounts = amountsUnder(parsed, numbers, context.mode, interpretation);
  const counted = new Uint8Array(parsed.count);
  for (let row = 0; row < parsed.count; row++) {
    const day = days[row] as number;
    const isReadable =
      parsed.kinds[row] === KIND.row &&
      parsed.problems[row] === PROBLEM.none &&
      numbers.problem[row] === PROBLEM.none &&
      day !== NO_DAY &&
      day >= 0 &&
      day <= context.latestDay &&
      !Number.isNaN(amounts[row]) &&
      parsed.currencyIds[row] !== -2;
    counted[row] = isReadable && parsed.statuses[row] !== PENDING ? 1 : 0;
  }
  return { parsed, counted, days, amounts, balances: numbers.balance, decimalIndex };
}

/** Every combination of the open dimensions. */
export function combinations(open: OpenDimensions): Interpretation[] {
  const out: Interpretation[] = [];
  for (const order of open.orders)
    for (const decimal of open.decimals)
      for (const sign of open.signs) for (const feeMode of open.feeModes) out.push({ order, decimal, sign, feeMode });
  return out;
}

/** The interpretations under which all stated balances chain. */
export function provingInterpretations(
  context: InterpretationContext,
  readings: readonly Interpretation[],
  suffices: (groups: readonly GroupProof[]) => boolean = decides,
): Interpretation[] {
  return readings.filter((interpretation) => {
    const read = readUnder(context, interpretation);
    if (context.orders.length > 1 || context.parsed.amounts.length > 1) if (hasUnreadable(context, read)) return false;
    return suffices(proveGroups(read, context.mayOwe, context.isWayStated));
  });
}

/** Rows that are left do not prove an interpretation which cannot read rows that others can. */
function hasUnreadable(context: InterpretationContext, read: ReadRows): boolean {
  const { parsed } = context;
  for (let row = 0; row < parsed.count; row++) {
    if (
      parsed.kinds[row] === KIND.row &&
      parsed.problems[row] === PROBLEM.none &&
      read.counted[row] === 0 &&
      parsed.statuses[row] !== PENDING
    )
      return true;
  }
  return false;
}
