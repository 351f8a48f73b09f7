import { isOpeningText } from './lexicon-balances.ts';
import { collapsed } from './cell-text.ts';
import { NO_DAY } from './date-cells.ts';
import { IGNORED, PENDING, UNKNOWN_STATUS } from './lexicon-statuses.ts';
import { IN, textDirection } from './lexicon.ts';
import { monthOf } from './month-names.ts';
import { NumberCell, VOTE } from './numbers.ts';
import { hasDigit, readAmounts } from './parse-amounts.ts';
import { KIND, PROBLEM } from './parsed-columns.ts';
import type { ColumnPlan, OpeningBalance, ParsedAmounts, ParsedColumns } from './parsed-columns.ts';
import type { RecordReader } from './records.ts';
import { StatedBalances, isSumRow } from './stated-balances.ts';
import { describe, hasSurplus, isContinuation, openRecords, repeatsHeader } from './table.ts';
import { WordCaches } from './word-caches.ts';

const SURPLUS = 1;
const DATE_EMPTY = 2;
const DATE_DIGIT = 4;
const AMOUNT_DIGIT = 8;
const SHORT = 16;
const DATED = 32;
const NOTE = 64;

const NOTHING = new Float64Array(0);

/** Reads the mapped columns of the whole file once. */
export function parseColumns(plan: ColumnPlan): ParsedColumns {
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
  const openings: OpeningBalance[] = [];
  const unknownStatusLines: number[] = [];
  let count = 0;
  let lastDated = -1;
  let datedRows = 0;
  let continuations = 0;
  const stated = new StatedBalances(plan);
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
      const day = dateCell === '' ? NO_DAY : (plan.readers[i] as ColumnPlan['readers'][number]).read(dateCell);
      (days[i] as Int32Array)[row] = day;
      if (day !== NO_DAY) dated = true;
    }
    const isAbove = table.headerLine === null && datedRows === 0;
    if (dated) {
      flag |= DATED;
      lastDated = row;
      datedRows++;
    } else if ((flag & DATE_DIGIT) !== 0 && (isAbove || beginsWithWord(dateCell) || isSum(number, dateCell))) {
      flag |= NOTE;
    }
    if (authorizedDays && plan.readAuthorized) {
      const cell = reader.cell(plan.authorizedDate);
      authorizedDays[row] = cell === '' ? NO_DAY : plan.readAuthorized(cell);
    }
    let symbol: string | undefined;
    let hasAmountText = false;
    for (const parsed of amounts) {
      const outcome = readAmounts(plan, reader, number, parsed, row);
      symbol ??= outcome.symbol;
      hasAmountText ||= outcome.hasText;
      if (plan.isStated) directions[row] = outcome.direction || directions[row] || plan.unmarked;
    }
    if (hasAmountText) flag |= AMOUNT_DIGIT;
    flags[row] = flag;
    if (lastDated === row - 1 && isContinuation(reader, plan.description)) continuations++;
    if (plan.directionWords) directions[row] = plan.directionWords.get(words.folded(reader.cell(plan.direction))) ?? 0;
    currencyIds[row] = words.currency(plan.currency < 0 ? '' : reader.cell(plan.currency), symbol);
    if (plan.account.length > 0) accountIds[row] = words.account(accountValue(reader, plan.account));
    if (plan.moneyInType !== null && words.folded(reader.cell(plan.type)) === plan.moneyInType) overrides[row] = IN;
    if (plan.status >= 0 || plan.ignoredWhenFilled >= 0) {
      const status = words.status(plan.status < 0 ? '' : reader.cell(plan.status));
      statuses[row] = plan.ignoredWhenFilled >= 0 && !reader.isEmpty(plan.ignoredWhenFilled) ? IGNORED : status;
      if (status === UNKNOWN_STATUS && dated && unknownStatusLines.length < 20) unknownStatusLines.push(reader.line);
    }
    if (plan.status < 0 && !dated && (flag & (DATE_EMPTY | DATE_DIGIT)) === 0 && words.status(dateCell) === PENDING)
      statuses[row] = PENDING;
    if (plan.wantsWords) {
      if (typeWords.length > 0)
        typeWords[row] = words.type(reader.cell(plan.direction)) || words.type(reader.cell(plan.type));
      textWords[row] = textDirection(describe(reader, plan.description));
    }
    if (plan.balance >= 0 && !hasAmountText && isOpening(plan, reader, amounts, row, flag)) {
      kinds[row] = KIND.opening;
      openings.push({
        account: accountIds[row] ?? 0,
        currency: currencyIds[row],
        balances: amounts.map((parsed) => parsed.balance[row] as number),
      });
    } else if (dated || (flag & DATE_EMPTY) !== 0) {
      if (stated.note(reader, amounts, row, hasAmountText, dated)) kinds[row] = KIND.notARow;
    }
  }
  const firstDays = days[0] ?? new Int32Array(capacity).fill(NO_DAY);
  openings.push(...stated.settle({ count, kinds, days: firstDays, directions, currencyIds, accountIds, amounts }));
  classify(kinds, flags, statuses, problems, count, lastDated);
  if (isSumRow(plan, amounts, kinds, lastDated)) kinds[lastDated] = KIND.notARow;
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
    hasContinuations: continuations > 0 && continuations * 2 >= datedRows,
  };
}

/** Last step of 36.5.4: what is a row, and what is only a note between the rows. */
function classify(
  kinds: Uint8Array,
  flags: Uint8Array,
  statuses: Uint8Array,
  problems: Uint8Array,
  count: number,
  lastDated: number,
): void {
  for (let row = 0; row < count; row++) {
    if (kinds[row] !== KIND.row) continue;
    const flag = flags[row] as number;
    const isDateless = (flag & DATE_DIGIT) === 0 || (flag & NOTE) !== 0;
    const isClassed =
      (flag & AMOUNT_DIGIT) !== 0 && (flag & SHORT) === 0 && (statuses[row] === PENDING || statuses[row] === IGNORED);
    if (isDateless && !isClassed && ((flag & AMOUNT_DIGIT) === 0 || (flag & SHORT) !== 0 || row > lastDated)) {
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

/** True for text such as `Balance on 31.12.2024` in a date column: a note, not a misspelt date. */
function beginsWithWord(cell: string): boolean {
  const word = /^\p{L}{4,}/u.exec(cell.trimStart().slice(0, 40))?.[0];
  return word !== undefined && monthOf(word) === 0;
}

/** The value of the account columns: their cells joined by one space, stray quotes around them removed. */
export function accountValue(reader: RecordReader, columns: readonly number[]): string {
  if (columns.length === 1) return withoutQuotes(reader.cell(columns[0] as number));
  return columns
    .map((index) => withoutQuotes(collapsed(reader.cell(index))))
    .filter((text) => text !== '')
    .join(' ');
}

function withoutQuotes(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isQuote(text.charCodeAt(from))) from++;
  while (to > from && isQuote(text.charCodeAt(to - 1))) to--;
  return to - from === text.length ? text : text.slice(from, to).trim();
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}
