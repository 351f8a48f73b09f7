import { dayNumber } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { AnalysedRow } from '../analysis.ts';

/** Counts of one account of the file. */
class AccountTally {
  rows = 0;
  first: string | null = null;
  last: string | null = null;
  readonly currencies = new Map<string | null, number>();

  currency(): string | null {
    return mostFrequent(this.currencies);
  }
}

/** One pass over the rows of a statement file: what its answers and warnings need to know of them. */
export class StatementTally {
  total = 0;
  rows = 0;
  invalid = 0;
  pending = 0;
  ignored = 0;
  first: string | null = null;
  last: string | null = null;
  statesCurrency = false;
  /** Absolute amounts of the rows, and their lines, to find unusual ones. */
  readonly sizes: number[] = [];
  readonly sizeLines: number[] = [];
  readonly currencies = new Map<string | null, number>();
  readonly accounts = new Map<string | null, AccountTally>();
  readonly problems: AnalysedRow[] = [];
  readonly futureLines: number[] = [];
  readonly skippedPendingLines: number[] = [];
  readonly otherCurrencyLines: number[] = [];
  readonly #today: number;
  readonly accountCurrency: string | null;

  constructor(today: number, accountCurrency: string | null) {
    this.#today = today;
    this.accountCurrency = accountCurrency;
  }

  add(row: AnalysedRow, isIgnored: boolean, statedCurrency: string | null): void {
    this.total++;
    let account = this.accounts.get(row.account_value);
    if (!account) this.accounts.set(row.account_value, (account = new AccountTally()));
    if (row.pending && row.outcome !== 'invalid') this.pending++;
    if (isIgnored) this.ignored++;
    if (row.reason === 'PENDING') note(this.skippedPendingLines, row.line);
    if (row.outcome === 'invalid') {
      this.invalid++;
      if (this.problems.length < LIMITS.importProblemsListed) this.problems.push(row);
    }
    if (row.outcome !== 'row') return;
    const date = row.date as string;
    this.rows++;
    account.rows++;
    this.sizes.push(Math.abs(row.amount_cents as number));
    this.sizeLines.push(row.line);
    count(this.currencies, row.iso_currency_code);
    count(account.currencies, row.iso_currency_code);
    if (statedCurrency !== null) this.statesCurrency = true;
    for (const seen of [this, account]) {
      if (seen.first === null || date < seen.first) seen.first = date;
      if (seen.last === null || date > seen.last) seen.last = date;
    }
    if (dayNumber(date) > this.#today) note(this.futureLines, row.line);
    const own = this.accountCurrency;
    if (own !== null && row.iso_currency_code !== null && row.iso_currency_code !== own)
      note(this.otherCurrencyLines, row.line);
  }

  mainCurrency(): string | null {
    return mostFrequent(this.currencies);
  }
}

function note(lines: number[], line: number): void {
  if (lines.length < LIMITS.importWarningLines && lines.at(-1) !== line) lines.push(line);
}

function count(times: Map<string | null, number>, code: string | null): void {
  times.set(code, (times.get(code) ?? 0) + 1);
}

function mostFrequent(times: ReadonlyMap<string | null, number>): string | null {
  let best: string | null = null;
  let most = 0;
  for (const [code, n] of times) if (n > most) [best, most] = [code, n];
  return best;
}
