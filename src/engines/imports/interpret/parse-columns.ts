import { LIMITS } from '../../../kernel/limits.ts';
import { beginsWithSum, isOpeningText, isSumLabel } from '../lexicon/balances.ts';
import { NO_DAY } from '../cells/date-cells.ts';
import { IGNORED, MERE_NOTE, PENDING, UNKNOWN_STATUS, behindPending } from '../lexicon/statuses.ts';
import { IN, textDirection } from '../lexicon/lexicon.ts';
import { monthOf } from '../lexicon/month-names.ts';
import { NumberCell, VOTE } from '../cells/numbers.ts';
import { hasDigit, readAmounts } from './parse-amounts.ts';
import { NEAR_DAYS, KIND, PROBLEM } from '../columns/parsed-columns.ts';
import type { ColumnPlan, OpeningBalance, ParsedAmounts, ParsedColumns } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';
import { differs, headingIn, isTransaction, namesColumns } from '../table/sections.ts';
import { FileEnd } from './file-end.ts';
import { StatedBalances } from '../proof/stated-balances.ts';
import { SumRows } from '../proof/sum-rows.ts';
import { accountValue, describe, hasSurplus, isContinuation, openRecords, repeatsHeader } from '../cells/table.ts';
import { WordCaches } from './word-caches.ts';

const SURPLUS = 1;
const DATE_EMPTY = 2;
const DATE_DIGIT = 4;
const AMOUNT_DIGIT = 8;
const SHORT = 16;
const DATED = 32;
const NOTE = 64;
/** Below the column names of a further section. */
const ELSEWHERE = 128;
/** Reads as a transaction of that section. */
const TRANSACTION = 256;
/** Has the label of a sum in place of a date, or no date and nothing but that label for a text. */
const SUM = 512;
/** A row of so many columns that fills two is no transaction. */
const WIDE = 6;

const NOTHING = new Float64Array(0);

/** Reads the mapped columns of the whole file once. */
export function parseColumns(plan: ColumnPlan): ParsedColumns {
  const { table, capacity } = plan;
  const reader = openRecords(table);
  const store = columnsFor(plan);
  const pass = new ColumnPass(plan, reader, store);
  while (pass.count < capacity && reader.next()) if (!reader.isBlank()) pass.add();
  const { count, lastDated, words } = pass;
  const openings = pass.settleOpenings();
  classify(store, count, lastDated);
  pass.settleSums();
  const { flags: _, ...columns } = store;
  return {
    ...columns,
    count,
    lines: store.lines.subarray(0, count),
    currencies: words.currencies,
    symbols: pass.symbols,
    accounts: words.accounts,
    openings,
    unknownStatusLines: pass.unknownStatusLines,
    unbalancedLines: reader.unbalancedLines,
    sectionLines: pass.sectionLines,
    hasContinuations: pass.hasContinuations,
  };
}

/** One typed array per column; those that the plan does not need are empty. */
function columnsFor(plan: ColumnPlan) {
  const { capacity } = plan;
  const column = (index: number): Float64Array => (index >= 0 ? new Float64Array(capacity) : NOTHING);
  return {
    lines: new Int32Array(capacity),
    kinds: new Uint8Array(capacity),
    flags: new Uint16Array(capacity),
    statuses: new Uint8Array(capacity),
    problems: new Uint8Array(capacity),
    directions: new Uint8Array(plan.directionWords || plan.isStated ? capacity : 0),
    overrides: new Uint8Array(plan.moneyInType === null ? 0 : capacity),
    currencyIds: new Int16Array(capacity),
    symbolIds: new Uint8Array(capacity),
    accountIds: new Uint16Array(plan.account.length > 0 ? capacity : 0),
    typeWords: new Uint8Array(plan.wantsWords && (plan.type >= 0 || plan.direction >= 0) ? capacity : 0),
    textWords: new Uint8Array(plan.wantsWords ? capacity : 0),
    days: plan.readers.map(() => new Int32Array(capacity)),
    authorizedDays: plan.readAuthorized ? new Int32Array(capacity) : null,
    otherDates: { count: 0, near: plan.readers.map(() => 0) },
    amounts: plan.decimals.map((decimal) => ({
      decimal,
      amount: column(plan.amount),
      debit: column(plan.debit),
      credit: column(plan.credit),
      fee: column(plan.fee),
      balance: column(plan.balance),
      problem: new Uint8Array(capacity),
    })),
  };
}

type ColumnArrays = ReturnType<typeof columnsFor>;

/** One pass over the records: writes what each of them holds into the columns. */
class ColumnPass {
  count = 0;
  /** Last row with a readable date. */
  lastDated = -1;
  readonly words: WordCaches;
  /** What symbols of several currencies can mean; the first stands for no symbol. */
  readonly symbols: (ReadonlySet<string> | null)[] = [null];
  readonly unknownStatusLines: number[] = [];
  readonly sectionLines: number[] = [];
  readonly #plan: ColumnPlan;
  readonly #reader: RecordReader;
  readonly #store: ColumnArrays;
  readonly #number = new NumberCell();
  readonly #stated: StatedBalances;
  readonly #sums: SumRows;
  readonly #openings: OpeningBalance[] = [];
  readonly #end: FileEnd;
  #datedRows = 0;
  #continuations = 0;
  /** The column names of the further section that the reader is in. */
  #section: readonly string[] | null = null;
  /** Below a heading such as `Pending transactions`. */
  #isPendingPart: boolean;

  constructor(plan: ColumnPlan, reader: RecordReader, store: ColumnArrays) {
    this.#plan = plan;
    this.#reader = reader;
    this.#store = store;
    this.words = new WordCaches(plan);
    this.#stated = new StatedBalances(plan);
    this.#sums = new SumRows(plan.table);
    this.#end = new FileEnd(plan);
    this.#isPendingPart = plan.beginsPending;
  }

  /** True when at least half of the rows are followed by a record that only goes on with their description. */
  get hasContinuations(): boolean {
    return this.#continuations > 0 && this.#continuations * 2 >= this.#datedRows;
  }

  /** Adds the record on which the reader stands. */
  add(): void {
    const reader = this.#reader;
    const plan = this.#plan;
    const { lines, kinds, flags } = this.#store;
    const row = this.count++;
    lines[row] = reader.line;
    if (repeatsHeader(reader, plan.table)) {
      kinds[row] = KIND.repeatedHeader;
      this.#section = null;
      return;
    }
    let flag = this.#width() | this.#date(row);
    if (this.#amounts(row)) flag |= AMOUNT_DIGIT;
    if ((flag & DATED) === 0) {
      this.#enterSection();
      this.#enterPart();
    }
    if (this.#section) {
      flags[row] = flag | ELSEWHERE | (isTransaction(reader.cells(), this.#section) ? TRANSACTION : 0);
      return;
    }
    flags[row] = flag;
    if (this.lastDated === row - 1 && isContinuation(reader, plan.description)) this.#continuations++;
    this.#wordsOf(row);
    this.#status(row, flag);
    this.#kind(row, flag);
    if ((flag & DATED) !== 0 && this.#end.cuts(reader)) this.#store.problems[row] = PROBLEM.cut;
  }

  /** The openings among the records, once all of them are read. */
  settleOpenings(): OpeningBalance[] {
    const days = this.#store.days[0] ?? new Int32Array(this.#plan.capacity).fill(NO_DAY);
    return [...this.#openings, ...this.#stated.settle({ ...this.#store, count: this.count, days })];
  }

  /** Marks the sums among the rows, once it is known what else is no row. */
  settleSums(): void {
    this.#sums.settle(this.#store, this.count);
  }

  /** Notes where the column names of a further section stand, unless they are those of the file or it has none. */
  #enterSection(): void {
    if (this.#plan.table.headerLine === null) return;
    const cells = this.#reader.cells();
    if (!namesColumns(cells)) return;
    this.#section = differs(cells, this.#plan) ? cells : null;
    if (this.#section) this.sectionLines.push(this.#reader.line);
  }

  /** Notes whether the record is a heading, alone in its line, and what it says about the rows below it. */
  #enterPart(): void {
    const status = headingIn(this.#reader.cells());
    if (status !== undefined) this.#isPendingPart = status === PENDING;
  }

  #width(): number {
    const { count } = this.#reader;
    const { width } = this.#plan.table;
    return (count > width && hasSurplus(this.#reader, width) ? SURPLUS : 0) | (count * 2 < width ? SHORT : 0);
  }

  #date(row: number): number {
    const reader = this.#reader;
    const { table, date, readers, readAuthorized, authorizedDate } = this.#plan;
    const { days, authorizedDays } = this.#store;
    const cell = reader.cell(date);
    let flag = cell === '' ? DATE_EMPTY : hasDigit(cell) ? DATE_DIGIT : 0;
    for (let i = 0; i < days.length; i++) {
      const day = cell === '' ? NO_DAY : (readers[i] as ColumnPlan['readers'][number]).read(cell);
      (days[i] as Int32Array)[row] = day;
      if (day !== NO_DAY) flag |= DATED;
    }
    const isAbove = table.headerLine === null && this.#datedRows === 0;
    if ((flag & DATED) !== 0) {
      this.lastDated = row;
      this.#datedRows++;
    } else if ((flag & DATE_DIGIT) !== 0 && (isAbove || isNote(cell) || isSum(this.#number, cell))) {
      flag |= NOTE;
    }
    const isLabelled = (flag & DATE_EMPTY) === 0 ? beginsWithSum(cell) : this.#isSum();
    if ((flag & DATED) === 0 && isLabelled) flag |= SUM;
    const other = authorizedDate < 0 ? '' : reader.cell(authorizedDate);
    if (authorizedDays && readAuthorized) authorizedDays[row] = other === '' ? NO_DAY : readAuthorized(other);
    else if (other !== '' && days.length > 1 && (flag & DATED) !== 0) this.#countNear(row, other);
    return flag;
  }

  /** Whether the whole text of the record is the label of a sum, or begins with one in a wide row that is empty otherwise. */
  #isSum(): boolean {
    const reader = this.#reader;
    const { description, table } = this.#plan;
    if (description.length > 0 && isSumLabel(describe(reader, description))) return true;
    if (table.width < WIDE) return false;
    const filled = table.headers.flatMap((_, i) => (reader.isEmpty(i) ? [] : [i]));
    return filled.length === 2 && beginsWithSum(reader.cell(filled[0] as number));
  }

  /** The other date of a row is a few days away under the right order, and often months under the wrong one. */
  #countNear(row: number, other: string): void {
    const { days, otherDates } = this.#store;
    otherDates.count++;
    for (let i = 0; i < days.length; i++) {
      const day = (days[i] as Int32Array)[row] as number;
      const otherDay = (this.#plan.readers[i] as ColumnPlan['readers'][number]).read(other);
      const isNear = day !== NO_DAY && otherDay !== NO_DAY && Math.abs(day - otherDay) <= NEAR_DAYS;
      if (isNear) otherDates.near[i] = (otherDates.near[i] as number) + 1;
    }
  }

  /** Amounts and what stands beside them in their cells: directions, and the currency. True when one has a digit. */
  #amounts(row: number): boolean {
    const { isStated, unmarked, currency } = this.#plan;
    const { amounts, directions, currencyIds } = this.#store;
    let symbol: string | undefined;
    let shared = this.#plan.currenciesInHeader;
    let hasText = false;
    for (const parsed of amounts) {
      const outcome = readAmounts(this.#plan, this.#reader, this.#number, parsed, row);
      symbol ??= outcome.symbol;
      shared = outcome.currencies ?? shared;
      hasText ||= outcome.hasText;
      if (isStated) directions[row] = outcome.direction || directions[row] || unmarked;
    }
    const cell = currency < 0 ? '' : this.#reader.cell(currency);
    if (shared && cell === '' && symbol === undefined) this.#store.symbolIds[row] = this.#symbolId(shared);
    currencyIds[row] = this.words.currency(cell, symbol, shared);
    return hasText;
  }

  #symbolId(shared: ReadonlySet<string>): number {
    const known = this.symbols.indexOf(shared);
    return known >= 0 ? known : this.symbols.push(shared) - 1;
  }

  #wordsOf(row: number): void {
    const reader = this.#reader;
    const { words } = this;
    const { direction, directionWords, account, moneyInType, type, wantsWords, description, merchant } = this.#plan;
    const { directions, accountIds, overrides, typeWords, textWords } = this.#store;
    if (directionWords) directions[row] = directionWords.get(words.folded(reader.cell(direction))) ?? 0;
    if (account.length > 0) accountIds[row] = words.account(accountValue(reader, account));
    if (moneyInType !== null && words.folded(reader.cell(type)) === moneyInType) overrides[row] = IN;
    if (!wantsWords) return;
    if (typeWords.length > 0) typeWords[row] = words.type(reader.cell(direction)) || words.type(reader.cell(type));
    textWords[row] = textDirection(describe(reader, description) || (merchant < 0 ? '' : reader.cell(merchant)));
  }

  /** The status word, in its own column or in place of the date. */
  #status(row: number, flag: number): void {
    const reader = this.#reader;
    const { status, ignoredWhenFilled, effect, date } = this.#plan;
    const { statuses } = this.#store;
    const isDated = (flag & DATED) !== 0;
    if (status >= 0 || ignoredWhenFilled >= 0) {
      const word = this.words.status(status < 0 ? '' : reader.cell(status));
      statuses[row] = ignoredWhenFilled >= 0 && !isNothing(reader.cell(ignoredWhenFilled)) ? IGNORED : word;
      if (word === UNKNOWN_STATUS && isDated && this.unknownStatusLines.length < LIMITS.importWarningLines)
        this.unknownStatusLines.push(reader.line);
    }
    const cell = reader.cell(date);
    const isWord = !isDated && (flag & (DATE_EMPTY | DATE_DIGIT)) === 0;
    const isMarked = isDated ? behindPending(cell) !== null : isWord && this.words.status(cell) === PENDING;
    // The row's own word counts before that of its part.
    const isOfPart = isDated && this.#isPendingPart && (status < 0 || reader.isEmpty(status));
    if (isMarked || isOfPart) statuses[row] = PENDING;
    if (effect >= 0 && this.words.folded(reader.cell(effect)) === MERE_NOTE) statuses[row] = IGNORED;
  }

  /** Tells rows from records that only state a balance. */
  #kind(row: number, flag: number): void {
    const { kinds, accountIds, currencyIds, amounts } = this.#store;
    const hasAmount = (flag & AMOUNT_DIGIT) !== 0;
    if (this.#plan.balance >= 0 && !hasAmount && isOpening(this.#plan, this.#reader, amounts, row, flag)) {
      kinds[row] = KIND.opening;
      this.#openings.push({
        account: accountIds[row] ?? 0,
        currency: currencyIds[row] as number,
        balances: amounts.map((parsed) => parsed.balance[row] as number),
      });
    } else if ((flag & (DATED | DATE_EMPTY)) !== 0) {
      const isDated = (flag & DATED) !== 0;
      if (this.#stated.note(this.#reader, amounts, row, hasAmount, isDated)) kinds[row] = KIND.notARow;
      else if (isDated && hasAmount) this.#sums.note(this.#reader, row);
    }
  }
}

/** Last step of 36.5.4: what is a row, and what is only a note between the rows. */
function classify({ kinds, flags, statuses, problems }: ColumnArrays, count: number, lastDated: number): void {
  for (let row = 0; row < count; row++) {
    if (kinds[row] !== KIND.row) continue;
    const flag = flags[row] as number;
    if ((flag & TRANSACTION) !== 0) {
      problems[row] = PROBLEM.otherSection;
      continue;
    }
    const isDateless = (flag & DATE_DIGIT) === 0 || (flag & NOTE) !== 0;
    const isClassed =
      (flag & AMOUNT_DIGIT) !== 0 && (flag & SHORT) === 0 && (statuses[row] === PENDING || statuses[row] === IGNORED);
    const isBare = (flag & AMOUNT_DIGIT) === 0 || (flag & (SHORT | SUM)) !== 0 || row > lastDated;
    if (isDateless && !isClassed && isBare) {
      kinds[row] = KIND.notARow;
    } else if (statuses[row] === IGNORED) {
      kinds[row] = KIND.ignored;
    } else if ((flag & ELSEWHERE) !== 0) {
      problems[row] = PROBLEM.otherSection;
    } else if ((flag & SURPLUS) !== 0) {
      problems[row] = PROBLEM.fieldCount;
    } else if ((flag & DATED) === 0) {
      problems[row] = (flag & DATE_EMPTY) !== 0 ? PROBLEM.dateMissing : PROBLEM.dateInvalid;
    }
  }
}

function isOpening(
  plan: ColumnPlan,
  reader: RecordReader,
  amounts: readonly ParsedAmounts[],
  row: number,
  flag: number,
): boolean {
  if ((flag & DATED) === 0 && (flag & DATE_EMPTY) === 0) return false;
  if (!amounts.some((parsed) => !Number.isNaN(parsed.balance[row]))) return false;
  for (const index of [plan.amount, plan.debit, plan.credit]) if (index >= 0 && !reader.isEmpty(index)) return false;
  for (let i = 0; i < plan.table.width; i++) if (isOpeningText(reader.cell(i))) return true;
  return false;
}

/** True for an amount of money in a date column, as in the summary below the rows. */
function isSum(number: NumberCell, cell: string): boolean {
  if (!/\d{3}[.,]\d{2}$/.test(cell) || !number.read(cell)) return false;
  const vote = number.vote();
  return vote === VOTE.point || vote === VOTE.comma;
}

/** True for text such as `Balance on 31.12.2024` or `# 2 rows` in a date column: a note, not a misspelt date. */
function isNote(cell: string): boolean {
  if (cell.trimStart().startsWith('#')) return true;
  const word = /^\p{L}{4,}/u.exec(cell.trimStart().slice(0, 40))?.[0];
  return word !== undefined && monthOf(word) === 0;
}

function isNothing(cell: string): boolean {
  const text = cell.trim();
  return text === '' || text === '0' || text === '0.00';
}
