import { quotedCell } from './cell-text.ts';
import { THREE_DECIMALS, WITHOUT_MINOR_UNIT } from './currency.ts';
import { NumberCell, VOTE } from './numbers.ts';
import type { DecimalSeparator } from './numbers.ts';

/** A number in hundredths, or the reason why it is none. */
export interface ShapedAmount {
  /** In the file's own sense; null with a reason. */
  readonly cents: number | null;
  /** Stated by a suffix such as DR: 1 out, 2 in, 0 not stated. */
  readonly direction: 0 | 1 | 2;
  readonly reason: string | null;
  readonly message: string | null;
}

/**
 * Reads the amounts of formats that allow either decimal separator and forbid grouping, which some programs write all
 * the same. A number whose shape is clear is read by its shape; `1.500` follows the clear ones, or stays undecided.
 */
export class AmountsByShape {
  readonly #given: DecimalSeparator | undefined;
  readonly #remedy: string;
  readonly #cell = new NumberCell();
  #points = 0;
  #commas = 0;

  /** `given` is what the caller says; `remedy` tells what to do about an undecided number. */
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
        `${quotedCell(text)} can have a decimal or a thousands separator; ${this.#remedy}`,
      );
    }
    const cents = cell.cents(decimal);
    if (!Number.isNaN(cents)) return { cents, direction: cell.direction, reason: null, message: null };
    if (cell.problem === 'precision') {
      return refused('AMOUNT_PRECISION', `${quotedCell(text)} has more than two decimals; amounts are never rounded`);
    }
    return cell.problem === 'range'
      ? refused('AMOUNT_OUT_OF_RANGE', `${quotedCell(text)} is beyond 9,999,999,999.99`)
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
