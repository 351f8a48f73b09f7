import { dateOfDayNumber } from '../../../../kernel/dates.ts';
import { AppError } from '../../../../kernel/errors.ts';
import { LIMITS } from '../../../../kernel/limits.ts';
import type { Detection, ReadContext, ReadOptions, ReadWarning } from '../../analysis.ts';
import { quotedCell, said, withAddedWords } from '../../text/cell-text.ts';
import { currencyFallback } from '../../questions/currency.ts';
import { NO_DAY } from '../../cells/date-cells.ts';
import type { DecimalSeparator } from '../../cells/numbers.ts';
import { bothReadings } from '../../columns/decimal.ts';
import { AmountsByShape, outgoingCents } from '../statement-amounts.ts';
import { decodedChunks, detectEncoding, fromSpool } from '../../bytes/encoding.ts';
import { mapped, Packed, type BlockStore } from '../../packed.ts';
import { refuseTooLarge, refuseTooManyAccounts, refuseTooManyRecords } from '../../size-limits.ts';
import { qifDates } from './qif-dates.ts';
import type { QifDates } from './qif-dates.ts';
import { fieldOf, qifRecords } from './qif-records.ts';
import type { QifAccount, QifField, QifRecord } from './qif-records.ts';
import { cutFields, entryDraft, latestDayOf, refuse, skip } from '../statement-fields.ts';
import type { EntryDraft } from '../statement-fields.ts';
import { BalanceEntries } from '../balance-entries.ts';
import type { Statement, StatementFile } from '../statement.ts';

const TYPES: Readonly<Record<string, readonly [type: string | null, subtype: string | null]>> = {
  Bank: ['depository', 'checking'],
  CCard: ['credit', 'credit card'],
  Cash: ['other', 'cash'],
  'Oth A': ['other', null],
  'Oth L': ['loan', null],
};

/**
 * Reads a QIF file (36.14.2). Throws an AppError for other files and for files with a part missing; an unreadable entry
 * carries its reason. With an ambiguous `date_format` the entries follow its first candidate.
 */
export function readQif(bytes: Uint8Array, options: ReadOptions, context: ReadContext): StatementFile {
  refuseTooLarge(bytes);
  const { source: whole, confidence, evidence, candidates } = detectEncoding(bytes, options.encoding);
  const source = fromSpool(whole, context);
  const reading = decide(qifRecords(decodedChunks(source)), options, context);
  const { statements, unbalanced } = read(qifRecords(decodedChunks(source)), reading, context.store);
  return {
    format: 'qif',
    encoding: { value: source.label, confidence, evidence, candidates },
    date_format: reading.dates.detection,
    decimal_separator: reading.decimal,
    bank_id_namespace: null,
    statements,
    warnings: unbalanced.length === 0 ? [] : [splitWarning(unbalanced)],
  };
}

/** The first pass: how dates and amounts of the file are written. */
function decide(records: Iterable<QifRecord>, options: ReadOptions, context: ReadContext): QifReading {
  const amounts = new AmountsByShape(
    options.decimal_separator,
    'say whether there is a point or a comma before the cents',
  );
  const { code: currency } = currencyFallback(options, context, null);
  let undecided: { line: number; raw: string } | undefined;
  const dated = new Packed<{ line: number; date: string; amount: string; account: number }>(context.store);
  const accounts = new Map<string, number>();
  let count = 0;
  for (const { line, account, fields } of records) {
    refuseTooManyRecords(++count);
    const date = fieldOf(fields, 'D');
    const amount = account ? amountText(fields) : '';
    const key = account ? `${account.name}\n${account.kind}` : '';
    if (!accounts.has(key)) accounts.set(key, accounts.size);
    if (date !== '') dated.push({ line, date, amount, account: accounts.get(key) ?? 0 });
    if (amounts.isOpen(amount, currency)) undecided ??= { line, raw: amount };
    if (account)
      for (const [code, value] of fields) if (code === 'T' || code === 'U' || code === '$') amounts.note(value);
  }
  const evidence = mapped(dated, ({ line, date, amount, account }) => ({
    line,
    date,
    account,
    cents: outgoingCents(amounts.read(amount, currency)) ?? Number.NaN,
  }));
  const dates = qifDates(evidence, options, context);
  const open = undecided && amounts.isOpen(undecided.raw, currency) ? undecided : undefined;
  if (open) amounts.assume('.');
  return {
    amounts,
    currency,
    latestDay: latestDayOf(context),
    dates,
    decimal: decimalOf(options.decimal_separator, open),
  };
}

function decimalOf(
  given: DecimalSeparator | undefined,
  open: { readonly line: number; readonly raw: string } | undefined,
): Detection | undefined {
  if (given !== undefined) return { value: given, confidence: 'given', evidence: ['parameter'], candidates: [] };
  return open && { value: '.', confidence: 'ambiguous', evidence: ['grouping'], candidates: bothReadings(open) };
}

interface OpenStatement {
  readonly account: QifAccount;
  readonly entries: Packed<EntryDraft>;
  readonly balances: BalanceEntries;
}

/** The second pass: the entries of each account, in file order. */
function read(
  records: Iterable<QifRecord>,
  reading: QifReading,
  store: BlockStore | undefined,
): { statements: Statement[]; unbalanced: number[] } {
  const open = new Map<string, OpenStatement>();
  const unbalanced: number[] = [];
  const homeless: EntryDraft[] = [];
  let current: OpenStatement | null = null;
  for (const record of records) {
    const entry = qifEntry(record, reading);
    if (record.account === null || entry.reason === 'NOT_A_ROW') {
      (current?.entries ?? homeless).push(entry);
      continue;
    }
    const key = `${record.account.name}\n${record.account.kind}`;
    current = open.get(key) ?? { account: record.account, entries: new Packed(store), balances: new BalanceEntries() };
    // Records above the first account count with it.
    for (const other of homeless.splice(0)) current.entries.push(other);
    open.set(key, current);
    current.balances.note(entry.line, [fieldOf(record.fields, 'P') || fieldOf(record.fields, 'M')], entry.date);
    if (!splitsAddUp(record, entry, reading)) unbalanced.push(entry.line);
    current.entries.push(entry);
  }
  if (open.size === 0) refuseNothing(homeless.length);
  refuseTooManyAccounts(open.size);
  const nameless = [...open.values()].filter(({ account }) => account.name === '').length;
  return { statements: [...open.values()].map((one) => statementOf(one, nameless > 1)), unbalanced };
}

function statementOf({ account, entries: drafts, balances }: OpenStatement, showsKind: boolean): Statement {
  const entries = mapped(drafts, (entry) => {
    const reason = balances.reasonOf(entry.line);
    if (reason !== null) skip(entry, reason);
    return entry;
  });
  const [type, subtype] = TYPES[account.kind] ?? ([null, null] as const);
  const name = account.name || (showsKind ? account.kind : '') || null;
  return {
    account_identifier: null,
    account_label: name,
    account_name: account.name || null,
    institution_name: null,
    institution_id: null,
    mask: null,
    account_type: type,
    account_subtype: subtype,
    iso_currency_code: null,
    ...balances.balances(entries),
    available: null,
    entries,
  };
}

function refuseNothing(others: number): never {
  throw new AppError(
    'NO_ROWS',
    others > 0
      ? 'The file contains no transactions of a bank, cash, card, asset or liability account, only other records, which are not imported. Export the transactions of an account.'
      : 'The file contains no transactions. Export the transactions of an account as QIF.',
  );
}

function splitWarning(lines: readonly number[]): ReadWarning {
  return {
    code: 'SPLIT_SUM_DIFFERS',
    message:
      lines.length === 1
        ? 'The parts (splits) of 1 transaction do not add up to its amount. The amount was used.'
        : `The parts (splits) of ${lines.length} transactions do not add up to their amounts. The amounts were used.`,
    lines: lines.slice(0, LIMITS.importWarningLines),
  };
}

/** How the dates and amounts of a file are read, once all of it is known. */
interface QifReading {
  readonly dates: QifDates;
  readonly amounts: AmountsByShape;
  readonly decimal: Detection | undefined;
  readonly latestDay: number;
  /** Only for telling thousands from hundredths. */
  readonly currency: string | null;
}

/** T, or U where T is missing: positive = money in. */
function amountText(fields: readonly QifField[]): string {
  return fieldOf(fields, 'T') || fieldOf(fields, 'U');
}

/** The entry of a record; records of lists and securities are skipped, and so are those without date and amount. */
const CUT =
  'the file ends in the middle of this record, as after a broken download; if nothing is missing, add a line break after it';

function qifEntry({ line, account, fields, isCut }: QifRecord, reading: QifReading): EntryDraft {
  const entry = entryDraft(line);
  const payee = fieldOf(fields, 'P');
  const category = fieldOf(fields, 'L');
  entry.check_number = fieldOf(fields, 'N') || null;
  entry.category = category === '' || category.startsWith('[') ? null : category;
  entry.description = withAddedWords(said(payee), said(fieldOf(fields, 'M'))) || '(no description)';
  entry.fields = cutFields(numbered(fields));
  const written = fieldOf(fields, 'D');
  if (account === null) skip(entry, 'UNSUPPORTED_RECORD');
  else if (written === '' && amountText(fields) === '') skip(entry, 'NOT_A_ROW');
  setDate(entry, written, reading);
  if (account === null) return entry;
  const amount = reading.amounts.read(amountText(fields), reading.currency);
  entry.amount_cents = outgoingCents(amount);
  if (amount.reason !== null) refuse(entry, amount.reason, amount.message);
  else if (isCut) refuse(entry, 'AMOUNT_INVALID', CUT);
  return entry;
}

/** False when the splits of a record can be added up but do not give its amount. */
function splitsAddUp({ fields }: QifRecord, entry: EntryDraft, reading: QifReading): boolean {
  if (entry.amount_cents === null) return true;
  let sum = 0;
  let count = 0;
  for (const [code, text] of fields) {
    if (code !== '$') continue;
    const cents = outgoingCents(reading.amounts.read(text, reading.currency));
    if (cents === null) return false;
    sum += cents;
    count++;
  }
  return count === 0 || sum === entry.amount_cents;
}

function setDate(entry: EntryDraft, written: string, { dates, latestDay }: QifReading): void {
  const day = written === '' ? NO_DAY : dates.read(written);
  if (day === NO_DAY) {
    if (written === '') refuse(entry, 'DATE_MISSING', 'the date is empty');
    else refuse(entry, 'DATE_INVALID', `${quotedCell(written)} is not a date`);
    return;
  }
  entry.date = dateOfDayNumber(day);
  if (day < 0 || day > latestDay)
    refuse(entry, 'DATE_OUT_OF_RANGE', `${quotedCell(written)} is before 1970 or more than 31 days in the future`);
}

/** Repeated lines, such as those of splits and addresses, get a number: `S`, `S2`, `S3`. */
function numbered(fields: readonly QifField[]): [string, string][] {
  const counts = new Map<string, number>();
  return fields.map(([code, text]) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return [count === 1 ? code : `${code}${count}`, text];
  });
}
