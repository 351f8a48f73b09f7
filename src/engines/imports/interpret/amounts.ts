import type { FeeMode, SignConvention } from '../analysis.ts';
import { IN, OUT } from '../lexicon/lexicon.ts';
import type { AmountMode } from '../questions/amount-mode.ts';
import { KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ParsedAmounts, ParsedColumns } from '../columns/parsed-columns.ts';

/** The part of an interpretation that amounts depend on. */
export interface AmountReading {
  readonly sign: SignConvention;
  readonly feeMode: FeeMode;
}

/** The amounts of all rows in our sign (positive = out) under one interpretation; NaN where the row has none. */
export function amountsUnder(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  mode: AmountMode,
  interpretation: AmountReading,
): Float64Array {
  const out = new Float64Array(parsed.count);
  const flip = interpretation.sign === 'positive_is_out' ? 1 : -1;
  if (mode === 'pair') {
    const debitSign = normalSign(parsed, amounts, amounts.debit, interpretation.sign).sign;
    const creditSign = isSignedCredit(parsed, amounts)
      ? 1
      : normalSign(parsed, amounts, amounts.credit, interpretation.sign).sign;
    for (let row = 0; row < parsed.count; row++) {
      const debit = amounts.debit.length > 0 ? (amounts.debit[row] as number) : Number.NaN;
      const credit = amounts.credit.length > 0 ? (amounts.credit[row] as number) : Number.NaN;
      out[row] =
        Number.isNaN(debit) && Number.isNaN(credit)
          ? Number.NaN
          : (Number.isNaN(debit) ? 0 : debit * debitSign) - (Number.isNaN(credit) ? 0 : credit * creditSign);
    }
  } else if (mode === 'direction') {
    for (let row = 0; row < parsed.count; row++) {
      const direction = parsed.directions[row];
      const value = Math.abs(amounts.amount[row] as number);
      out[row] = direction === OUT ? value : direction === IN ? -value : Number.NaN;
    }
  } else {
    for (let row = 0; row < parsed.count; row++) out[row] = (amounts.amount[row] as number) * flip;
  }
  for (let row = 0; row < parsed.overrides.length && row < parsed.count; row++) {
    if (parsed.overrides[row] === IN) out[row] = -Math.abs(out[row] as number);
  }
  if (amounts.fee.length > 0) addFees(out, parsed, amounts, interpretation.feeMode);
  for (let row = 0; row < parsed.count; row++) if (out[row] === 0) out[row] = 0;
  return out;
}

/** Adds what was charged on top; a row that moves nothing but a fee has it in both modes. */
function addFees(out: Float64Array, parsed: ParsedColumns, amounts: ParsedAmounts, feeMode: FeeMode): void {
  const { positive, negative } = signCounts(parsed, amounts, amounts.fee);
  // Among fees of both signs, the rarer sign is a fee given back.
  const sign = positive > 0 && negative > 0 ? (positive > negative ? 1 : -1) : 0;
  for (let row = 0; row < parsed.count; row++) {
    const fee = amounts.fee[row] as number;
    const charged = sign === 0 ? Math.abs(fee) : fee * sign;
    if (isLoneFee(amounts, row)) out[row] = charged;
    else if (feeMode === 'separate') out[row] = (out[row] as number) + charged;
  }
}

/** True for a row with a fee and neither money out nor in, in a file with columns for those. */
export function isLoneFee({ debit, credit, fee }: ParsedAmounts, row: number): boolean {
  const isEmpty = (column: Float64Array): boolean => column.length === 0 || Number.isNaN(column[row]);
  const isPair = debit.length > 0 || credit.length > 0;
  return isPair && fee.length > 0 && fee[row] !== 0 && isEmpty(debit) && isEmpty(credit);
}

/** A lone column of money in that holds both signs is a signed column: its negative amounts are money out. */
export function isSignedCredit(parsed: ParsedColumns, amounts: ParsedAmounts): boolean {
  if (amounts.debit.length > 0) return false;
  const { positive, negative } = signCounts(parsed, amounts, amounts.credit);
  return positive > 0 && negative > 0;
}

/** The sign that ordinary numbers of a debit or credit column have; the rarer sign marks reversals. */
export function normalSign(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  column: Float64Array,
  tieBreak: SignConvention,
): { sign: 1 | -1; isTied: boolean } {
  const { positive, negative } = signCounts(parsed, amounts, column);
  if (positive === negative)
    return { sign: positive > 0 && tieBreak === 'positive_is_in' ? -1 : 1, isTied: positive > 0 };
  return { sign: positive > negative ? 1 : -1, isTied: false };
}

function signCounts(
  parsed: ParsedColumns,
  amounts: ParsedAmounts,
  column: Float64Array,
): { positive: number; negative: number } {
  let positive = 0;
  let negative = 0;
  for (let row = 0; row < column.length && row < parsed.count; row++) {
    if (parsed.kinds[row] !== KIND.row || parsed.problems[row] !== PROBLEM.none) continue;
    if (amounts.problem[row] !== PROBLEM.none) continue;
    const value = column[row] as number;
    if (value > 0) positive++;
    else if (value < 0) negative++;
  }
  return { positive, negative };
}
