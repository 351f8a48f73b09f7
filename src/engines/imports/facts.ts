import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { collapsed, detached, normalisedText } from './cell-text.ts';
import { currencyOf } from './currency.ts';
import { NO_DAY } from './date-cells.ts';
import type { DateOrder } from './date-cells.ts';
import { monthOf } from './month-names.ts';
import { NumberCell } from './numbers.ts';
import type { DecimalSeparator } from './numbers.ts';
import type { RecordReader } from './records.ts';
import { hasSurplus, openRecords, repeatsHeader } from './table.ts';
import type { Table } from './table.ts';
import { IGNORED, IN, PENDING, UNKNOWN_STATUS, isOpeningText, statusOf, textDirection, typeDirection } from './words.ts';
import type { DirectionWords } from './words.ts';

/** What a record is; anything but ROW is skipped. */
export const KIND = { row: 0, repeatedHeader: 1, opening: 2, notARow: 3, ignored: 4 } as const;

/** Reasons that make a row invalid; the index is stored per row. */
export const PROBLEMS = [
  '',
  'AMOUNT_MISSING',
  'AMOUNT_INVALID',
  'AMOUNT_PRECISION',
  'AMOUNT_OUT_OF_RANGE',
  'FIELD_COUNT',
  'DATE_MISSING',
  'DATE_INVALID',
  'DATE_OUT_OF_RANGE',
  'DIRECTION_UNKNOWN',
  'CURRENCY_INVALID',
] as const;
export const PROBLEM = { none: 0, amountMissing: 1, amountInvalid: 2, precision: 3, range: 4, fieldCount: 5, dateMissing: 6, dateInvalid: 7, dateRange: 8, direction: 9, currency: 10 } as const;

const SURPLUS = 1;
const DATE_EMPTY = 2;
const DATE_DIGIT = 4;
const AMOUNT_DIGIT = 8;
const SHORT = 16;
const DATED = 32;
const NOTE = 64;

export const NO_CURRENCY = -1;
export const BAD_CURRENCY = -2;

/** Which columns are read how, in one pass over the file. */
export interface FactPlan {
  readonly table: Table;
  readonly capacity: number;
  readonly date: number;
  readonly authorizedDate: number;
  /** Readers of the date column, one per order that is still possible. */
  readonly readers: readonly { readonly order: DateOrder; read(cell: string): number }[];
  readonly readAuthorized: ((cell: string) => number) | null;
  readonly decimals: readonly DecimalSeparator[];
  readonly amount: number;
  readonly debit: number;
  readonly credit: number;
  readonly fee: number;
  readonly balance: number;
  readonly direction: number;
  readonly directionWords: DirectionWords | null;
  /** True when every number states its direction by a suffix such as DR. */
  readonly isStated: boolean;
  readonly currency: number;
  readonly currencyInHeader: string | null;
  readonly status: number;
  readonly isWiseStatus: boolean;
  /** COMPLETED is posted, PENDING pending, everything else ignored. */
  readonly isRevolutStatus: boolean;
  readonly ignoredWhenFilled: number;
  readonly moneyInType: string | null;
  readonly account: readonly number[];
  readonly description: readonly number[];
  readonly type: number;
  readonly wantsWords: boolean;
  readonly isCreditAccount: boolean;
}

/** The numbers of the file under one decimal separator; NaN where a cell has none. */
export interface AmountFacts {
  readonly decimal: DecimalSeparator;
  readonly amount: Float64Array;
  readonly debit: Float64Array;
  readonly credit: Float64Array;
  readonly fee: Float64Array;
  readonly balance: Float64Array;
  readonly problem: Uint8Array;
}

export interface OpeningFact {
  readonly account: number;
  readonly currency: number;
  readonly balances: readonly number[];
}

/** Facts about every record behind the header, in file order, kept in typed arrays only. */
export interface Facts {
  readonly count: number;
  readonly lines: Int32Array;
  readonly kinds: Uint8Array;
  readonly statuses: Uint8Array;
  /** Problems that do not depend on the reading; the amount's own stand in `amounts`. */
  readonly problems: Uint8Array;
  /** Days per order, as in the plan's readers. */
  readonly days: readonly Int32Array[];
  readonly authorizedDays: Int32Array | null;
  readonly amounts: readonly AmountFacts[];
  readonly directions: Uint8Array;
  /** IN where the bank's type word overrules the sign; empty when no profile says so. */
  readonly overrides: Uint8Array;
  readonly currencyIds: Int16Array;
  readonly accountIds: Uint16Array;
  readonly currencies: readonly string[];
  readonly accounts: readonly string[];
  readonly typeWords: Uint8Array;
  readonly textWords: Uint8Array;
  readonly openings: readonly OpeningFact[];
  readonly unknownStatusLines: readonly number[];
  readonly unbalancedLines: readonly number[];
}

const NOTHING = new Float64Array(0);

/** Reads the mapped columns of the whole file once. */
export function readFacts(plan: FactPlan): Facts {
  const { table, capacity } = plan;
  const reader = openRecords(table);
  const lines = new Int32Array(capacity);
  const kinds = new Uint8Array(capacity);
  const flags = new Uint8Array(capacity);
  const statuses = new Uint8Array(capacity);
  const problems = new Uint8Array(capacity);
  const directions = new Uint8Array(plan.directionWords || plan.isStated ? capacity : 0);
  const overrides = new Uint8Array(plan.moneyInType === null ? 0 : capacity);
  const currencyIds = new Int16Array(capacity);
  const accountIds = new Uint16Array(plan.account.length > 0 ? capacity : 0);
  const typeWords = new Uint8Array(plan.wantsWords && (plan.type >= 0 || plan.direction >= 0) ? capacity : 0);
  const textWords = new Uint8Array(plan.wantsWords ? capacity : 0);
  const days = plan.readers.map(() => new Int32Array(capacity));
  const authorizedDays = plan.readAuthorized ? new Int32Array(capacity) : null;
  const column = (index: number): Float64Array => (index >= 0 ? new Float64Array(capacity) : NOTHING);
  const amounts = plan.decimals.map((decimal) => ({
    decimal,
    amount: column(plan.amount),
    debit: column(plan.debit),
    credit: column(plan.credit),
    fee: column(plan.fee),
    balance: column(plan.balance),
    problem: new Uint8Array(capacity),
  }));
  const words = new WordCaches(plan);
  const number = new NumberCell();
  const openings: OpeningFact[] = [];
  const unknownStatusLines: number[] = [];
  let count = 0;
  let lastDated = -1;
  while (count < capacity && reader.next()) {
    if (reader.isBlank()) continue;
    const row = count++;
    lines[row] = reader.line;
    if (repeatsHeader(reader, table)) {
      kinds[row] = KIND.repeatedHeader;
      continue;
    }
    let flag = 0;
    if (reader.count > table.width && hasSurplus(reader, table.width)) flag |= SURPLUS;
    if (reader.count * 2 < table.width) flag |= SHORT;
    const dateCell = reader.cell(plan.date);
    if (dateCell === '') flag |= DATE_EMPTY;
    else if (hasDigit(dateCell)) flag |= DATE_DIGIT;
    let dated = false;
    for (let i = 0; i < days.length; i++) {
      const day = dateCell === '' ? NO_DAY : (plan.readers[i] as FactPlan['readers'][number]).read(dateCell);
      (days[i] as Int32Array)[row] = day;
      if (day !== NO_DAY) dated = true;
    }
    if (dated) {
      flag |= DATED;
      lastDated = row;
    } else if ((flag & DATE_DIGIT) !== 0 && beginsWithWord(dateCell)) {
      flag |= NOTE;
    }
    if (authorizedDays && plan.readAuthorized) {
      const cell = reader.cell(plan.authorizedDate);
      authorizedDays[row] = cell === '' ? NO_DAY : plan.readAuthorized(cell);
    }
    let symbol: string | undefined;
    let hasAmountText = false;
    for (const facts of amounts) {
      const outcome = readAmounts(plan, reader, number, facts, row);
      symbol ??= outcome.symbol;
      hasAmountText ||= outcome.hasText;
      if (plan.isStated && outcome.direction !== 0) directions[row] = outcome.direction;
    }
    if (hasAmountText) flag |= AMOUNT_DIGIT;
    flags[row] = flag;
    if (plan.directionWords) directions[row] = plan.directionWords.get(words.folded(reader.cell(plan.direction))) ?? 0;
    currencyIds[row] = words.currency(plan.currency < 0 ? '' : reader.cell(plan.currency), symbol);
    if (plan.account.length > 0) accountIds[row] = words.account(accountValue(reader, plan.account));
    if (plan.moneyInType !== null && words.folded(reader.cell(plan.type)) === plan.moneyInType) overrides[row] = IN;
    if (plan.status >= 0 || plan.ignoredWhenFilled >= 0) {
      const status = words.status(plan.status < 0 ? '' : reader.cell(plan.status));
      statuses[row] = plan.ignoredWhenFilled >= 0 && !reader.isEmpty(plan.ignoredWhenFilled) ? IGNORED : status;
      if (status === UNKNOWN_STATUS && dated && unknownStatusLines.length < 20) unknownStatusLines.push(reader.line);
    }
    if (plan.wantsWords) {
      if (typeWords.length > 0) typeWords[row] = words.type(reader.cell(plan.type >= 0 ? plan.type : plan.direction));
      textWords[row] = textDirection(describe(reader, plan.description));
    }
    if (plan.balance >= 0 && !hasAmountText && isOpening(plan, reader, amounts, row, flag)) {
      kinds[row] = KIND.opening;
      openings.push({ account: accountIds[row] ?? 0, currency: currencyIds[row] as number, balances: amounts.map((facts) => facts.balance[row] as number) });
    }
  }
  classify(kinds, flags, statuses, problems, count, lastDated);
  return {
    count,
    lines: lines.subarray(0, count),
    kinds,
    statuses,
    problems,
    days,
    authorizedDays,
    amounts,
    directions,
    overrides,
    currencyIds,
    accountIds,
    currencies: words.currencies,
    accounts: words.accounts,
    typeWords,
    textWords,
    openings,
    unknownStatusLines,
    unbalancedLines: reader.unbalancedLines,
  };
}

/** Last step of 36.5.4: what is a row, and what is only a note between the rows. */
function classify(kinds: Uint8Array, flags: Uint8Array, statuses: Uint8Array, problems: Uint8Array, count: number, lastDated: number): void {
  for (let row = 0; row < count; row++) {
    if (kinds[row] !== KIND.row) continue;
    const flag = flags[row] as number;
    const isDateless = (flag & DATE_DIGIT) === 0 || (flag & NOTE) !== 0;
    if (isDateless && ((flag & AMOUNT_DIGIT) === 0 || (flag & SHORT) !== 0 || row > lastDated)) {
      kinds[row] = KIND.notARow;
    } else if (statuses[row] === IGNORED) {
      kinds[row] = KIND.ignored;
    } else if ((flag & SURPLUS) !== 0) {
      problems[row] = PROBLEM.fieldCount;
    } else if ((flag & DATED) === 0) {
      problems[row] = (flag & DATE_EMPTY) !== 0 ? PROBLEM.dateMissing : PROBLEM.dateInvalid;
    }
  }
}

function isOpening(plan: FactPlan, reader: RecordReader, amounts: readonly AmountFacts[], row: number, flag: number): boolean {
  if ((flag & DATED) === 0 && (flag & DATE_EMPTY) === 0) return false;
  if (!amounts.some((facts) => !Number.isNaN(facts.balance[row] as number))) return false;
  for (const index of [plan.amount, plan.debit, plan.credit]) if (index >= 0 && !reader.isEmpty(index)) return false;
  for (let i = 0; i < plan.table.width; i++) if (isOpeningText(reader.cell(i))) return true;
  return false;
}

const outcome: { symbol: string | undefined; hasText: boolean; direction: number } = { symbol: undefined, hasText: false, direction: 0 };

function readAmounts(plan: FactPlan, reader: RecordReader, number: NumberCell, facts: AmountFacts, row: number): typeof outcome {
  outcome.symbol = undefined;
  outcome.hasText = false;
  outcome.direction = 0;
  let problem: number = PROBLEM.none;
  if (plan.amount >= 0) {
    const cell = reader.cell(plan.amount);
    const value = cents(number, cell, facts.decimal);
    facts.amount[row] = value;
    if (Number.isNaN(value)) problem = problemOf(number);
    outcome.direction = number.direction;
    if (number.problem !== 'empty') noteAmount(number, cell);
  }
  if (plan.debit >= 0 || plan.credit >= 0) {
    let pairProblem: number = PROBLEM.amountMissing;
    for (const [index, target] of [
      [plan.debit, facts.debit],
      [plan.credit, facts.credit],
    ] as const) {
      if (index < 0) continue;
      const cell = reader.cell(index);
      const value = cents(number, cell, facts.decimal);
      target[row] = value;
      if (!Number.isNaN(value)) {
        if (pairProblem === PROBLEM.amountMissing) pairProblem = PROBLEM.none;
      } else if (number.problem === 'precision' || number.problem === 'range') {
        pairProblem = problemOf(number);
      }
      if (number.problem !== 'empty') noteAmount(number, cell);
    }
    problem = pairProblem;
  }
  if (plan.fee >= 0) {
    const value = cents(number, reader.cell(plan.fee), facts.decimal);
    facts.fee[row] = Number.isNaN(value) ? 0 : value;
    if (number.problem === 'precision' && problem === PROBLEM.none) problem = PROBLEM.precision;
  }
  if (plan.balance >= 0) {
    const value = cents(number, reader.cell(plan.balance), facts.decimal);
    facts.balance[row] = number.direction === 1 ? -Math.abs(value) : value;
    if (number.problem === 'precision' && problem === PROBLEM.none) problem = PROBLEM.precision;
  }
  facts.problem[row] = problem;
  return outcome;
}

function noteAmount(number: NumberCell, cell: string): void {
  outcome.symbol ??= number.currency;
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

function hasDigit(cell: string): boolean {
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}

/** True for text such as `Balance on 31.12.2024` in a date column: a note, not a misspelt date. */
function beginsWithWord(cell: string): boolean {
  const word = /^\p{L}{4,}/u.exec(cell.trimStart().slice(0, 40))?.[0];
  return word !== undefined && monthOf(word) === 0;
}

/** The value of the account columns: their cells joined by one space. */
export function accountValue(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return reader.cell(columns[0] as number);
  return columns.map((index) => collapsed(reader.cell(index))).filter((text) => text !== '').join(' ');
}

/** The description columns joined by one space, empty and repeated parts left out. */
export function describe(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return collapsed(reader.cell(columns[0] as number));
  const parts: string[] = [];
  for (const index of columns) {
    const part = collapsed(reader.cell(index));
    if (part !== '' && !parts.includes(part)) parts.push(part);
  }
  return parts.join(' ');
}

/** Answers that repeat from row to row, worked out once per distinct cell. */
class WordCaches {
  readonly currencies: string[] = [];
  readonly accounts: string[] = [];
  readonly #plan: FactPlan;
  readonly #currencyIds = new Map<string, number>();
  readonly #cellIds = new Map<string, number>();
  readonly #accountIds = new Map<string, number>();
  readonly #statuses = new Map<string, number>();
  readonly #types = new Map<string, number>();
  readonly #folded = new Map<string, string>();

  constructor(plan: FactPlan) {
    this.#plan = plan;
  }

  currency(cell: string, symbol: string | undefined): number {
    if (cell === '') {
      const code = this.#plan.currencyInHeader ?? symbol;
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
        `The account column has more than ${LIMITS.importAccounts} different values. If it is not the account of the row, send column_mapping {"account": null}.`,
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
    if (this.#plan.isRevolutStatus && cell !== '' && status !== PENDING && this.folded(cell) !== 'completed') status = IGNORED;
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
