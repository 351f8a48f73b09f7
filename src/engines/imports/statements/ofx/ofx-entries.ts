import { dayNumber } from '../../../../kernel/dates.ts';
import { bankIdOf, quotedCell, said, withAddedWords } from '../../text/cell-text.ts';
import { currencyOf } from '../../lexicon/currency.ts';
import { outgoingCents } from '../statement-amounts.ts';
import type { AmountsByShape } from '../statement-amounts.ts';
import { readOfxDate } from './ofx-dates.ts';
import type { OfxValues } from './ofx-walk.ts';
import { cutFields, entryDraft, refuse, skip } from '../statement-fields.ts';
import type { EntryDraft } from '../statement-fields.ts';

/** A STMTTRN or STMTTRNP without its amount, which needs the whole file. */
export function ofxEntry(values: OfxValues, line: number, isPending: boolean, latestDay: number): EntryDraft {
  const entry = entryDraft(line);
  const text = (path: string): string => values.get(path) ?? '';
  const told = (path: string): string => said(text(path));
  const orNull = (path: string): string | null => values.get(path) || null;
  if (isPending) entry.status = 'pending';
  setDate(entry, text(values.has('DTPOSTED') ? 'DTPOSTED' : 'DTTRAN'), latestDay);
  entry.authorized_date = readOfxDate(text('DTUSER'))?.date ?? null;
  const currency = text('CURRENCY.CURSYM') || text('CURRENCY');
  if (currency !== '') {
    entry.iso_currency_code = currencyOf(currency) ?? null;
    if (entry.iso_currency_code === null)
      refuse(entry, 'CURRENCY_INVALID', `${quotedCell(currency)} is not a currency`);
  }
  entry.type = text('TRNTYPE').toUpperCase() || null;
  entry.bank_id = bankIdOf(text('FITID'));
  entry.check_number = bankIdOf(text('CHECKNUM'));
  entry.merchant_name = told('PAYEE.NAME') || told('PAYEE') || null;
  entry.counterparty_account = orNull('BANKACCTTO.ACCTID') ?? orNull('CCACCTTO.ACCTID');
  const name = told('NAME');
  const extended = told('EXTDNAME');
  entry.description =
    withAddedWords(extended.length > name.length ? extended : name, told('MEMO')) ||
    (entry.merchant_name ?? entry.type ?? entry.counterparty_account ?? '(no description)');
  const corrected = bankIdOf(text('CORRECTFITID'));
  if (corrected !== null) {
    const isDelete = text('CORRECTACTION').toUpperCase() === 'DELETE';
    entry.correction = { action: isDelete ? 'delete' : 'replace', bank_id: corrected };
  }
  entry.fields = cutFields(values);
  return entry;
}

/** A movement of securities: listed, never imported. */
export function ofxTrade(name: string, values: OfxValues, line: number): EntryDraft {
  const entry = entryDraft(line);
  const find = (leaf: string): string | undefined => {
    for (const [path, value] of values) if (path === leaf || path.endsWith(`.${leaf}`)) return value;
    return undefined;
  };
  entry.date = readOfxDate(find('DTTRADE') ?? '')?.date ?? null;
  entry.type = name;
  entry.bank_id = bankIdOf(find('FITID') ?? '');
  entry.description = find('MEMO') || name;
  entry.fields = cutFields(values);
  skip(entry, 'UNSUPPORTED_RECORD');
  return entry;
}

/** The amount and currency of an entry, once the whole file is known. */
export function setOfxAmount(entry: EntryDraft, text: string, amounts: AmountsByShape, currency: string | null): void {
  if (entry.outcome === 'skipped') return;
  if (entry.reason !== 'CURRENCY_INVALID') entry.iso_currency_code ??= currency;
  const amount = amounts.read(text, entry.iso_currency_code);
  entry.amount_cents = outgoingCents(amount);
  if (amount.reason !== null) refuse(entry, amount.reason, amount.message);
}

function setDate(entry: EntryDraft, text: string, latestDay: number): void {
  const read = readOfxDate(text);
  if (read === null) {
    if (text === '') refuse(entry, 'DATE_MISSING', 'the date is empty');
    else
      refuse(
        entry,
        'DATE_INVALID',
        `${quotedCell(text)} is not a date; it should begin with year, month and day, such as 20250131`,
      );
    return;
  }
  entry.date = read.date;
  entry.datetime = read.datetime;
  const day = dayNumber(read.date);
  if (day < 0 || day > latestDay)
    refuse(entry, 'DATE_OUT_OF_RANGE', `${quotedCell(text)} is before 1970 or more than 31 days in the future`);
}
