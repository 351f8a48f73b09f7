import { dateOfDayNumber, parseInstant } from '../../../kernel/dates.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { AnalysedRow } from '../analysis.ts';
import { bankIdOf, collapsed, quotedCell, said } from '../text/cell-text.ts';
import { APOSTROPHE } from '../text/char-codes.ts';
import type { RowColumns } from './chosen-interpretation.ts';
import { NO_DAY, asOf } from '../cells/date-cells.ts';
import { currencyAt, OUTCOME, PROBLEM, PROBLEMS, SKIP_REASONS } from '../columns/parsed-columns.ts';
import type { RecordReader } from '../cells/records.ts';
import { PENDING } from '../lexicon/statuses.ts';
import type { Field } from '../lexicon/synonyms.ts';
import { accountValue, describe, isContinuation, openRecords } from '../cells/table.ts';

const COMPACT_TIME = /^\s*\d{8}[t ]?(\d{2})(\d{2})(\d{2})/i;
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?\s?(am|pm)?\s?(z|utc|gmt|[+-]\d{2}:?\d{2})?/i;

/** Every record of the file in file order, read again from the bytes. */
export function* readRows(final: RowColumns): Generator<AnalysedRow, void, undefined> {
  const source = new RowSource(final);
  const { parsed } = final;
  const reader = openRecords(final.plan.table);
  let held: AnalysedRow | null = null;
  for (let row = 0; row < parsed.count && reader.next();) {
    if (reader.isBlank()) continue;
    if (held !== null && isContinuation(reader, final.plan.description)) {
      const more = describe(reader, final.plan.description);
      yield { ...held, description: more === '' ? held.description : `${held.description} ${more}` };
      held = null;
    } else if (held !== null) {
      yield held;
      held = null;
    }
    const outcome = final.outcomes[row] as number;
    if (outcome === OUTCOME.row && parsed.hasContinuations) held = source.row(reader, row);
    else yield outcome === OUTCOME.row ? source.row(reader, row) : source.other(reader, row, outcome);
    row++;
  }
  if (held !== null) yield held;
}

/** The first invalid records, at most `limit`. */
export function firstProblems(final: RowColumns, limit: number): AnalysedRow[] {
  const source = new RowSource(final);
  const out: AnalysedRow[] = [];
  const last = final.outcomes.lastIndexOf(OUTCOME.invalid);
  if (last < 0) return out;
  const reader = openRecords(final.plan.table);
  for (let row = 0; row <= last && out.length < limit && reader.next();) {
    if (reader.isBlank()) continue;
    if (final.outcomes[row] === OUTCOME.invalid) out.push(source.other(reader, row, OUTCOME.invalid));
    row++;
  }
  return out;
}

class RowSource {
  readonly #final: RowColumns;
  readonly #width: number;
  readonly #merchant: number;
  readonly #payee: number;
  readonly #payer: number;
  readonly #category: number;
  readonly #type: number;
  readonly #bankId: number;
  readonly #check: number;
  readonly #counterparty: number;
  readonly #tags: number;
  readonly #notes: number;
  readonly #time: number;
  readonly #authorized: number;
  #lastDay = NO_DAY;
  #lastDate = '';

  constructor(final: RowColumns) {
    this.#final = final;
    this.#width = final.plan.table.width;
    const column = (field: Field): number => final.mapping.get(field)?.columns[0] ?? -1;
    this.#merchant = column('merchant_name');
    this.#payee = column('payee');
    this.#payer = column('payer');
    this.#category = column('category');
    this.#type = column('type');
    this.#bankId = column('bank_id');
    this.#check = column('check_number');
    this.#counterparty = column('counterparty_account');
    this.#tags = column('tags');
    this.#notes = column('notes');
    this.#time = column('time');
    this.#authorized = column('authorized_date');
  }

  row(reader: RecordReader, row: number): AnalysedRow {
    const { parsed, read, plan, days } = this.#final;
    const amount = read.amounts[row] as number;
    const date = this.#date(days[row] as number);
    const dateCell = reader.cell(plan.date);
    const when =
      dateCell.length > 10 || this.#time >= 0
        ? timeOf(dateCell, this.#time < 0 ? '' : reader.cell(this.#time), date)
        : NO_TIME;
    const merchant = this.#name(reader, this.#merchant) ?? this.#name(reader, amount >= 0 ? this.#payee : this.#payer);
    const type = this.#text(reader, this.#type);
    const counterparty = this.#text(reader, this.#counterparty);
    const description = this.#unescaped(describe(reader, plan.description), plan.description[0]);
    const balance = read.balances.length > 0 ? (read.balances[row] as number) : Number.NaN;
    const currency = parsed.currencyIds[row] as number;
    return {
      line: parsed.lines[row] as number,
      part: 1,
      outcome: 'row',
      reason: null,
      message: null,
      raw: null,
      date,
      authorized_date: this.#authorizedDate(reader),
      datetime: when.datetime,
      time: when.time,
      symbol_currencies: parsed.symbols[parsed.symbolIds[row] as number] ?? null,
      amount_cents: amount,
      iso_currency_code: currencyAt(parsed, currency, this.#final.fallbackCurrency),
      description: description === '' ? (merchant ?? type ?? counterparty ?? '(no description)') : description,
      merchant_name: merchant,
      category: this.#text(reader, this.#category),
      type,
      pending: parsed.statuses[row] === PENDING,
      balance_cents: Number.isNaN(balance) ? null : balance,
      bank_id: bankIdOf(reader.cell(this.#bankId)),
      account_value: plan.account.length > 0 ? accountValue(reader, plan.account) : null,
      check_number: this.#text(reader, this.#check),
      counterparty_account: counterparty,
      tags: this.#text(reader, this.#tags),
      notes: this.#text(reader, this.#notes),
      cells: this.#cells(reader),
      fields: null,
      correction: null,
    };
  }

  other(reader: RecordReader, row: number, outcome: number): AnalysedRow {
    const { parsed, plan } = this.#final;
    const isInvalid = outcome === OUTCOME.invalid;
    const problem = this.#final.problems[row] as number;
    const showsValues = isInvalid || outcome === OUTCOME.pending || outcome === OUTCOME.ignored;
    return {
      line: parsed.lines[row] as number,
      part: 1,
      outcome: isInvalid ? 'invalid' : 'skipped',
      reason: isInvalid ? (PROBLEMS[problem] as string) : (SKIP_REASONS[outcome] as string),
      message: isInvalid ? this.#message(reader, problem, row) : null,
      raw: reader.raw(LIMITS.importRawChars),
      date: showsValues ? dateOrNull(this.#final.days[row] ?? NO_DAY) : null,
      authorized_date: null,
      datetime: null,
      time: null,
      symbol_currencies: null,
      amount_cents: showsValues ? amountOrNull(this.#final.read.amounts[row]) : null,
      iso_currency_code: currencyAt(parsed, parsed.currencyIds[row] as number, this.#final.fallbackCurrency),
      description: describe(reader, plan.description),
      merchant_name: this.#name(reader, this.#merchant),
      category: null,
      type: null,
      pending: outcome === OUTCOME.pending,
      balance_cents: null,
      bank_id: bankIdOf(reader.cell(this.#bankId)),
      account_value: plan.account.length > 0 ? accountValue(reader, plan.account) : null,
      check_number: null,
      counterparty_account: null,
      tags: null,
      notes: null,
      cells: this.#cells(reader),
      fields: null,
      correction: null,
    };
  }

  #cells(reader: RecordReader): string[] {
    const cells: string[] = [];
    for (let i = 0; i < this.#width; i++) cells.push(reader.cell(i));
    return cells;
  }

  #date(day: number): string {
    if (day !== this.#lastDay) {
      this.#lastDay = day;
      this.#lastDate = dateOfDayNumber(day);
    }
    return this.#lastDate;
  }

  /** From its own column, or from the date's, as in `03/04/2025 as of 03/03/2025`. */
  #authorizedDate(reader: RecordReader): string | null {
    if (!this.#final.readAuthorized) return null;
    const cell = this.#authorized < 0 ? asOf(reader.cell(this.#final.plan.date)) : reader.cell(this.#authorized);
    const day = cell === '' ? NO_DAY : this.#final.readAuthorized(cell);
    return day === NO_DAY ? null : dateOrNull(day);
  }

  /** A name; null for placeholders such as NOTPROVIDED. */
  #name(reader: RecordReader, column: number): string | null {
    const name = this.#text(reader, column);
    return name === null || said(name) === '' ? null : name;
  }

  #text(reader: RecordReader, column: number): string | null {
    if (column < 0) return null;
    const text = collapsed(reader.cell(column));
    return text === '' ? null : this.#unescaped(text, column);
  }

  /** A spreadsheet-safe export puts `'` before all texts of a column, or, as our own does, before those like formulas. */
  #unescaped(text: string, column: number | undefined): string {
    if (text.charCodeAt(0) !== APOSTROPHE || text.length < 2) return text;
    if (this.#final.plan.escaped.has(column ?? -1)) return text.slice(1).trimStart();
    if (this.#final.builtIn?.unescapesText !== true) return text;
    return '=+-@\t\r'.includes(text.charAt(1)) ? text.slice(1) : text;
  }

  #sectionLine(row: number): number {
    const { lines, sectionLines } = this.#final.parsed;
    return sectionLines.findLast((line) => line < (lines[row] as number)) ?? 0;
  }

  #message(reader: RecordReader, problem: number, row: number): string {
    const { plan } = this.#final;
    const dateCell = quotedCell(reader.cell(plan.date));
    const amountColumns = [plan.amount, plan.debit, plan.credit].filter((index) => index >= 0);
    const amountCell = quotedCell(amountColumns.map((index) => reader.cell(index)).find((cell) => cell !== '') ?? '');
    switch (problem) {
      case PROBLEM.fieldCount:
        return `the row has ${reader.count} ${reader.count === 1 ? 'cell' : 'cells'}, but the file has ${this.#width} columns`;
      case PROBLEM.otherSection:
        return `the row is below the column names on line ${this.#sectionLine(row)}, which differ from those of the rest of the file`;
      case PROBLEM.cut:
        return 'the file ends in the middle of this row, as after a broken download; if nothing is missing, add a line break after it';
      case PROBLEM.dateMissing:
        return 'the date is empty';
      case PROBLEM.dateInvalid:
        return `${dateCell} is not a date`;
      case PROBLEM.dateRange:
        return `${dateCell} is before 1970 or more than 31 days in the future`;
      case PROBLEM.amountMissing:
        return 'there is no amount';
      case PROBLEM.amountInvalid:
        return `${amountCell} is not an amount`;
      case PROBLEM.precision:
        return `${amountCell} has more than two decimals; amounts are never rounded`;
      case PROBLEM.range:
        return `${amountCell} is too large; the limit is 9,999,999,999.99`;
      case PROBLEM.direction:
        return plan.isStated
          ? `${amountCell} does not say whether it is money in or out`
          : `${quotedCell(reader.cell(plan.direction))} does not say whether it is money in or out`;
      case PROBLEM.currency:
        return `${quotedCell(reader.cell(plan.currency))} is not a currency`;
      default:
        return `line ${this.#final.parsed.lines[row]} cannot be read`;
    }
  }
}

/** The path of a problem in error details: `line 17: date`. */
export function problemPath(row: AnalysedRow): string {
  const reason = row.reason ?? '';
  const what = reason.startsWith('DATE')
    ? 'date'
    : reason.startsWith('AMOUNT')
      ? 'amount'
      : reason.startsWith('DIRECTION')
        ? 'direction'
        : reason.startsWith('CURRENCY')
          ? 'currency'
          : 'fields';
  return `line ${row.line}: ${what}`;
}

function dateOrNull(day: number): string | null {
  return day > -719_162 && day < 2_932_897 ? dateOfDayNumber(day) : null;
}

function amountOrNull(amount: number | undefined): number | null {
  return amount === undefined || Number.isNaN(amount) ? null : amount;
}

const NO_TIME: { time: string | null; datetime: string | null } = { time: null, datetime: null };

/** The time of day as written, and the instant when a zone or offset is written too. */
function timeOf(dateCell: string, timeCell: string, date: string): typeof NO_TIME {
  const text = (timeCell === '' ? dateCell : timeCell).slice(0, 60);
  const isCompact = timeCell === '' && COMPACT_TIME.test(text);
  if (!text.includes(':') && !isCompact) return NO_TIME;
  const match = TIME.exec(isCompact ? text.replace(COMPACT_TIME, '$1:$2:$3') : text);
  if (!match) return NO_TIME;
  let hours = Number(match[1]);
  const half = match[4]?.toLowerCase();
  if (half === 'pm' && hours < 12) hours += 12;
  if (half === 'am' && hours === 12) hours = 0;
  if (hours > 23 || Number(match[2]) > 59) return NO_TIME;
  const time = `${String(hours).padStart(2, '0')}:${match[2]}:${match[3] ?? '00'}`;
  const zone = match[5]?.toUpperCase();
  if (zone === undefined) return { time, datetime: null };
  const offset =
    zone === 'UTC' || zone === 'GMT' || zone === 'Z'
      ? 'Z'
      : zone.includes(':')
        ? zone
        : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return { time, datetime: parseInstant(`${date}T${time}${offset}`) ?? null };
}
