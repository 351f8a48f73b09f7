import { AppError } from '../../../kernel/errors.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { detached, normalisedText } from '../text/cell-text.ts';
import { currencyOf } from '../lexicon/currency.ts';
import { BAD_CURRENCY, NO_CURRENCY, UNKNOWN_CURRENCY } from '../columns/parsed-columns.ts';
import type { ColumnPlan } from '../columns/parsed-columns.ts';
import { IGNORED, PENDING, statusOf } from '../lexicon/statuses.ts';
import { typeDirection } from '../lexicon/lexicon.ts';

/** Answers that repeat from row to row, computed once per distinct cell. */
export class WordCaches {
  readonly currencies: string[] = [];
  readonly accounts: string[] = [];
  readonly #plan: ColumnPlan;
  readonly #currencyIds = new Map<string, number>();
  readonly #cellIds = new Map<string, number>();
  readonly #accountIds = new Map<string, number>();
  readonly #statuses = new Map<string, number>();
  readonly #types = new Map<string, number>();
  readonly #folded = new Map<string, string>();

  constructor(plan: ColumnPlan) {
    this.#plan = plan;
  }

  /** The number of a row's currency. A symbol that several currencies share allows no other (36.5.9). */
  currency(cell: string, symbol: string | undefined, shared: ReadonlySet<string> | undefined): number {
    if (cell === '') {
      const { currencyInHeader, fallbackCurrency } = this.#plan;
      const code = currencyInHeader ?? symbol;
      const assumed = code ?? fallbackCurrency;
      if (shared && symbol === undefined && assumed !== null && !shared.has(assumed)) return UNKNOWN_CURRENCY;
      return code === undefined ? NO_CURRENCY : this.#currencyId(code);
    }
    const known = this.#cellIds.get(cell);
    if (known !== undefined) return known;
    const code = currencyOf(cell);
    const id = code === undefined ? BAD_CURRENCY : this.#currencyId(code);
    if (this.#cellIds.size < 1_000) this.#cellIds.set(detached(cell), id);
    return id;
  }

  account(value: string): number {
    const known = this.#accountIds.get(value);
    if (known !== undefined) return known;
    const id = this.accounts.length;
    if (id >= LIMITS.importAccounts) {
      throw new AppError(
        'INVALID_FILE',
        `The column of accounts has more than ${LIMITS.importAccounts} different values, so it is probably not the account. Choose another column for the account, or none.`,
      );
    }
    const copy = detached(value);
    this.accounts.push(copy);
    this.#accountIds.set(copy, id);
    return id;
  }

  status(cell: string): number {
    const known = this.#statuses.get(cell);
    if (known !== undefined) return known;
    let status = statusOf(cell, this.#plan.isWiseStatus);
    if (this.#plan.isRevolutStatus && cell !== '' && status !== PENDING && this.folded(cell) !== 'completed')
      status = IGNORED;
    if (this.#statuses.size < 1_000) this.#statuses.set(detached(cell), status);
    return status;
  }

  type(cell: string): number {
    const known = this.#types.get(cell);
    if (known !== undefined) return known;
    const direction = typeDirection(cell, this.#plan.isCreditAccount);
    if (this.#types.size < 1_000) this.#types.set(detached(cell), direction);
    return direction;
  }

  folded(cell: string): string {
    const known = this.#folded.get(cell);
    if (known !== undefined) return known;
    const folded = normalisedText(cell);
    if (this.#folded.size < 1_000) this.#folded.set(detached(cell), folded);
    return folded;
  }

  #currencyId(code: string): number {
    const known = this.#currencyIds.get(code);
    if (known !== undefined) return known;
    const id = this.currencies.length;
    this.currencies.push(code);
    this.#currencyIds.set(code, id);
    return id;
  }
}
