import { quotedCell } from '../text/cell-text.ts';
import { DIGIT_0, isDigit } from '../text/char-codes.ts';
import { THREE_DECIMALS, WITHOUT_MINOR_UNIT } from '../lexicon/currency.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import type { DecimalSeparator } from '../cells/numbers.ts';

/** An amount of a statement: hundredths, or the reason of 36.15.2 with a message. */
export type AmountReading =
  | { readonly cents: number; readonly reason: null }
  | { readonly cents: null; readonly reason: string; readonly message: string };

const DIGITS = 15;

/**
 * An unsigned amount of a format that fixes its decimal separator. Zeros after the second decimal are dropped;
 * other digits are refused: money is never rounded.
 */
export function readAmount(text: string, separator: '.' | ','): AmountReading {
  const cell = text.trim();
  if (cell === '') return problem('AMOUNT_MISSING', 'there is no amount');
  const at = cell.indexOf(separator);
  const whole = at < 0 ? cell : cell.slice(0, at);
  const decimals = at < 0 ? '' : cell.slice(at + 1);
  if (!isDigits(whole) || !isDigits(decimals) || whole.length + decimals.length === 0)
    return problem('AMOUNT_INVALID', 'the amount is not a number');
  const units = withoutLeading(whole);
  if (units.length > DIGITS)
    return problem('AMOUNT_OUT_OF_RANGE', 'the amount is too large; the limit is 9,999,999,999.99');
  const kept = withoutTrailing(decimals);
  if (kept.length > 2)
    return problem('AMOUNT_PRECISION', 'the amount has more than two decimals; amounts are never rounded');
  const cents = Number(units) * 100 + Number(kept.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents))
    return problem('AMOUNT_OUT_OF_RANGE', 'the amount is too large; the limit is 9,999,999,999.99');
  return { cents, reason: null };
}

function problem(reason: string, message: string): AmountReading {
  return { cents: null, reason, message };
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isDigit(code)) return false;
  }
  return true;
}

function withoutLeading(digits: string): string {
  let from = 0;
  while (from < digits.length && digits.charCodeAt(from) === DIGIT_0) from++;
  return digits.slice(from);
}

function withoutTrailing(digits: string): string {
  let to = digits.length;
  while (to > 0 && digits.charCodeAt(to - 1) === DIGIT_0) to--;
  return digits.slice(0, to);
}

/** A number in hundredths, or the reason why it is not one. */
interface ShapedAmount {
  /** In the file's own sense; null with a reason. */
  readonly cents: number | null;
  /** Stated by a suffix such as DR: 1 out, 2 in, 0 not stated. */
  readonly direction: 0 | 1 | 2;
  readonly reason: string | null;
  readonly message: string | null;
}

/**
 * Reads the amounts of formats that allow either decimal separator and forbid grouping, although some programs write
 * it. A number whose shape is clear is read by its shape; `1.500` follows the clear ones, or stays undecided.
 */
export class AmountsByShape {
  #given: DecimalSeparator | undefined;
  readonly #remedy: string;
  readonly #cell = new NumberCell();
  #points = 0;
  #commas = 0;

  /** `given` is what the caller says; `remedy` says what to do about an undecided number. */
  constructor(given: DecimalSeparator | undefined, remedy: string) {
    this.#given = given;
    this.#remedy = remedy;
  }

  /** Takes a number of the file as evidence; all of them come before the first `read`. */
  note(text: string): void {
    if (text === '' || !this.#cell.read(text)) return;
    const vote = this.#cell.vote();
    if (vote === VOTE.point) this.#points++;
    else if (vote === VOTE.comma) this.#commas++;
  }

  /** Whether a number can be read in two ways, and no other number shows which. */
  isOpen(text: string, currency: string | null): boolean {
    if (this.#points > 0 || this.#commas > 0 || text === '' || !this.#cell.read(text)) return false;
    return this.#decimal(this.#cell.vote(), currency) === null;
  }

  /** Reads everything with this separator from now on. */
  assume(separator: DecimalSeparator): void {
    this.#given = separator;
  }

  read(text: string, currency: string | null): ShapedAmount {
    const cell = this.#cell;
    if (!cell.read(text)) {
      return cell.problem === 'empty'
        ? refused('AMOUNT_MISSING', 'there is no amount')
        : refused('AMOUNT_INVALID', `${quotedCell(text)} is not an amount`);
    }
    const decimal = this.#decimal(cell.vote(), currency);
    if (decimal === null) {
      return refused(
        'AMOUNT_INVALID',
        `${quotedCell(text)} can be read in two ways, with the point or comma before the cents or between thousands; ${this.#remedy}`,
      );
    }
    const cents = cell.cents(decimal);
    if (!Number.isNaN(cents)) return { cents, direction: cell.direction, reason: null, message: null };
    if (cell.problem === 'precision') {
      return refused('AMOUNT_PRECISION', `${quotedCell(text)} has more than two decimals; amounts are never rounded`);
    }
    return cell.problem === 'range'
      ? refused('AMOUNT_OUT_OF_RANGE', `${quotedCell(text)} is too large; the limit is 9,999,999,999.99`)
      : refused('AMOUNT_INVALID', `${quotedCell(text)} is not an amount`);
  }

  #decimal(vote: number, currency: string | null): DecimalSeparator | null {
    if (this.#given !== undefined) return this.#given;
    if (vote === VOTE.point || vote === VOTE.none) return '.';
    if (vote === VOTE.comma) return ',';
    if (this.#points > 0 !== this.#commas > 0) return this.#points > 0 ? '.' : ',';
    const [decimal, other] = vote === VOTE.undecidedPoint ? (['.', ','] as const) : ([',', '.'] as const);
    if (currency === null) return null;
    return THREE_DECIMALS.has(currency) ? decimal : WITHOUT_MINOR_UNIT.has(currency) ? other : null;
  }
}

/** Our amount of a number in the bank's sense, where positive is money in. */
export function outgoingCents(amount: ShapedAmount): number | null {
  if (amount.cents === null) return null;
  if (amount.direction === 0) return amount.cents === 0 ? 0 : -amount.cents;
  const size = Math.abs(amount.cents);
  return amount.direction === 1 || size === 0 ? size : -size;
}

function refused(reason: string, message: string): ShapedAmount {
  return { cents: null, direction: 0, reason, message };
}
