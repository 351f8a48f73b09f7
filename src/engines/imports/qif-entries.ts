import { dateOfDayNumber } from '../../kernel/dates.ts';
import { withAddedWords } from './added-words.ts';
import { quotedCell } from './cell-text.ts';
import { NO_DAY } from './date-cells.ts';
import { outgoingCents } from './decimal-by-shape.ts';
import type { AmountsByShape } from './decimal-by-shape.ts';
import { said } from './placeholder.ts';
import type { QifDates } from './qif-dates.ts';
import { fieldOf } from './qif-records.ts';
import type { QifField, QifRecord } from './qif-records.ts';
import { cutFields, entryDraft, refuse, skip } from './statement-fields.ts';
import type { EntryDraft } from './statement-fields.ts';

/** How the dates and amounts of a file are read, once all of it is known. */
export interface QifReading {
  readonly dates: QifDates;
  readonly amounts: AmountsByShape;
  readonly latestDay: number;
  /** Only for telling thousands from hundredths. */
  readonly currency: string | null;
}

/** T, or U where T is missing: positive = money in. */
export function amountText(fields: readonly QifField[]): string {
  return fieldOf(fields, 'T') || fieldOf(fields, 'U');
}

/** The entry of a record; records of lists and securities are skipped, and so are those without date and amount. */
export function qifEntry({ line, account, fields }: QifRecord, reading: QifReading): EntryDraft {
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
  return entry;
}

/** False when the splits of a record can be added up and do not give its amount. */
export function splitsAddUp({ fields }: QifRecord, entry: EntryDraft, reading: QifReading): boolean {
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

/** Lines that repeat, as those of splits and addresses do, are told apart by a number: `S`, `S2`, `S3`. */
function numbered(fields: readonly QifField[]): [string, string][] {
  const counts = new Map<string, number>();
  return fields.map(([code, text]) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return [count === 1 ? code : `${code}${count}`, text];
  });
}
