import { accountNumberOf } from '../cells/account-number.ts';
import { normalisedName } from '../text/cell-text.ts';
import type { ColumnClaims } from './column-claims.ts';
import { fitsDate, isDateColumn, isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats } from './column-stats.ts';
import { foreignCurrencyAt } from './foreign-price.ts';
import { currencyInName } from '../lexicon/currency.ts';
import { namesAccountMoney, namesNet, namesRate, numberedBase } from '../lexicon/synonyms.ts';
import type { Meaning, NamedField } from '../lexicon/synonyms.ts';

/** Names that a date column may have, the best first. */
export const DATE_MEANINGS: readonly Meaning[] = ['posting_date', 'transaction_date', 'plain_date', 'value_date'];
const DATE_WORDS = new Set(['date', 'datum', 'fecha', 'data', 'dato', 'datuma', 'datetime', 'time']);

/** The date of the ledger, and beside a posting date the day of the purchase. */
export function claimDatesByName(claims: ColumnClaims): void {
  const isGiven = claims.mapping.has('date');
  const half = claims.completeRecords / 2;
  let byMeaning = DATE_MEANINGS.map((meaning) =>
    claims.best(meaning, (column) => fitsDate(column) && column.filled >= half),
  );
  if (byMeaning.every((found) => found === undefined))
    byMeaning = DATE_MEANINGS.map((meaning) => claims.best(meaning, (column) => fitsDate(column)));
  const [posting, transaction, plain, value] = byMeaning;
  if (!isGiven && !claims.isClosed('date')) {
    const date = posting ?? transaction ?? plain ?? withoutGaps(claims, value ?? anyNamedDate(claims));
    if (date !== undefined) claims.claim('date', [date], 'certain', 'header');
  }
  if (!claims.isOpen('authorized_date')) return;
  const date = claims.indexOf('date');
  const isPosting = date !== undefined && (claims.meaningsAt(date)?.has('posting_date') ?? false);
  if (transaction !== undefined && transaction !== date && isPosting)
    claims.claim('authorized_date', [transaction], 'certain', 'header');
  else if (plain !== undefined && plain !== date && posting !== undefined && posting === date)
    claims.claim('authorized_date', [plain], 'likely', 'header');
}

/** Rows without a date are left out: beside a value date with gaps, a nameless date column without gaps is the date. */
function withoutGaps(claims: ColumnClaims, date: number | undefined): number | undefined {
  const { completeRecords } = claims;
  if (date === undefined || (claims.columns[date] as ColumnStats).filled >= completeRecords) return date;
  const isWhole = (column: ColumnStats, i: number): boolean =>
    claims.isNameless(i) && isDateColumn(column) && column.filled >= completeRecords;
  return claims.firstFree(isWhole) ?? date;
}

function anyNamedDate(claims: ColumnClaims): number | undefined {
  return claims.firstFree((column, i) => isDateColumn(column) && endsWithDateWord(claims.table.headers[i] ?? ''));
}

function endsWithDateWord(name: string): boolean {
  const last = normalisedName(name)
    .split(/[\s_]+/u)
    .at(-1);
  return DATE_WORDS.has(last ?? '');
}

/** Every other field that has a column of its name, in the order of `NEEDS`. */
export function claimFieldsByName(claims: ColumnClaims): void {
  claimNetAmount(claims);
  closeAccountPaidWith(claims);
  claimOwnIban(claims);
  const other = accountOfOtherSide(claims);
  const passes = (field: NamedField, column: ColumnStats): boolean =>
    fits(claims, field, column) &&
    !(field === 'account' && isOneOfTwoSides(claims, column)) &&
    !(
      field === 'fee' &&
      claims.meaningsAt(claims.columns.indexOf(column))?.has('debit') &&
      !isCharge(claims, column)
    ) &&
    !(field === 'debit' && isCharge(claims, column)) &&
    !(field === 'account' && other !== undefined && column === claims.columns[other]) &&
    !(field === 'currency' && isOfOtherAmount(claims, column)) &&
    !isOutsideAccount(claims, field, column);
  for (const field of CLAIM_ORDER) {
    if (!claims.isOpen(field) || (field === 'amount' && isInSeveralCurrencies(claims))) continue;
    const best =
      (field === 'description' ? tellingDescription(claims) : undefined) ??
      claims.best(field, (column) => passes(field, column)) ??
      amountRegardless(claims, field);
    if (best === undefined) continue;
    const columns =
      field === 'description'
        ? withNumberedSiblings(claims, typeThatSaysMore(claims, best) ?? best)
        : [(field === 'account' ? accountNumberBeside(claims, best) : undefined) ?? best];
    claims.claim(field, columns, 'certain', 'header');
  }
  if (other !== undefined && claims.isOpen('counterparty_account') && !claims.isClaimed(other))
    claims.claim('counterparty_account', [other], 'certain', 'header');
  claimUnreadableHalf(claims);
}

/** A charge beside an amount, without money in beside it, is a fee that balances can prove. */
function isCharge(claims: ColumnClaims, column: ColumnStats): boolean {
  const isFee = claims.meaningsAt(claims.columns.indexOf(column))?.has('fee') ?? false;
  const has = (field: NamedField): boolean => claims.mapping.has(field) || claims.best(field, () => true) !== undefined;
  return isFee && claims.mapping.has('amount') && !has('credit') && has('balance');
}

/** The source account beside the destination of a transfer. */
function isOneOfTwoSides({ table, columns }: ColumnClaims, column: ColumnStats): boolean {
  const names = table.headers.map(normalisedName);
  return names[columns.indexOf(column)] === 'source account' && names.includes('destination account');
}

/** Behind the name of a sender or receiver, a payment service names as `Account` the card or balance that paid. */
function closeAccountPaidWith(claims: ColumnClaims): void {
  const names = claims.table.headers.map(normalisedName);
  const index = names.findIndex(
    (name, i) => name === 'account' && /^name of \p{L}+\/\p{L}+$/u.test(names[i - 1] ?? ''),
  );
  if (!claims.isOpen('account') || index < 0 || claims.isClaimed(index)) return;
  if (![...(claims.columns[index]?.sampleValues ?? [])].every((cell) => /\p{L}/u.test(cell))) return;
  claims.claim('account', [index], 'certain', 'header');
  claims.release('account');
  claims.close('account');
}

/** Beside an amount in the currency of the account, other amounts and their currencies are those of the purchase. */
function isOutsideAccount(claims: ColumnClaims, field: NamedField, column: ColumnStats): boolean {
  if (field !== 'amount' && field !== 'currency' && field !== 'debit' && field !== 'credit') return false;
  const converted = convertedAmount(claims);
  const isOfPair = field === 'debit' || field === 'credit';
  if (converted >= 0 || isOfPair) return converted >= 0 && column !== claims.columns[converted];
  const { headers } = claims.table;
  const amount = claims.indexOf('amount');
  if (field === 'currency' && (amount === undefined || !namesAccountMoney(headers[amount] ?? ''))) return false;
  const isBooked = (name: string, i: number): boolean => {
    const other = claims.columns[i];
    return namesAccountMoney(name) && other !== undefined && fits(claims, field, other) && !claims.isClaimed(i);
  };
  return headers.some(isBooked) && !namesAccountMoney(headers[claims.columns.indexOf(column)] ?? '');
}

/** The amount that names its currency right behind the exchange rate, in a file whose other amounts have theirs; else -1. */
function convertedAmount(claims: ColumnClaims): number {
  const { headers } = claims.table;
  if (!headers.some((_, i) => claims.meaningsAt(i)?.has('currency'))) return -1;
  return headers.findIndex((name, i) => {
    const column = claims.columns[i];
    const isAmount = (claims.meaningsAt(i)?.has('amount') ?? false) && currencyInName(name) !== undefined;
    const isWhole = column !== undefined && isNumberColumnByName(column) && column.filled >= claims.completeRecords;
    return isAmount && isWhole && namesRate(headers[i - 1] ?? '');
  });
}

/** An `IBAN` that never changes, beside another column for the other side's, is that of the account itself. */
function claimOwnIban(claims: ColumnClaims): void {
  const index = claims.table.headers.findIndex((name) => normalisedName(name) === 'iban');
  const column = claims.columns[index];
  if (!column || !claims.isOpen('account') || claims.isClaimed(index) || claims.completeRecords < 2) return;
  const [only = ''] = column.sampleValues;
  const isSame = column.sampleValues.size === 1 && column.filled === claims.completeRecords;
  const hasOther = claims.table.headers.some(
    (_, i) => i !== index && claims.meaningsAt(i)?.has('counterparty_account'),
  );
  if (isSame && hasOther && accountNumberOf(only) !== null) claims.claim('account', [index], 'certain', 'header');
}

/** An amount that is named as the one after fees has them in it: the fee column beside it leaves nothing to ask. */
function claimNetAmount(claims: ColumnClaims): void {
  if (!claims.isOpen('amount') || !claims.isOpen('fee')) return;
  if (claims.best('fee', (column) => fits(claims, 'fee', column)) === undefined) return;
  const net = claims.firstFree(
    (column, i) =>
      namesNet(claims.table.headers[i] ?? '') &&
      isNumberColumnByName(column) &&
      column.filled >= claims.completeRecords * 0.9,
  );
  if (net === undefined) return;
  claims.claim('amount', [net], 'certain', 'header');
  claims.close('fee');
}

/**
 * A currency beside the price of purchases abroad belongs to that price, and so does one behind another amount if the name
 * of the booked one states its currency.
 */
function isOfOtherAmount(claims: ColumnClaims, column: ColumnStats): boolean {
  const amount = claims.indexOf('amount');
  if (amount === undefined) return false;
  const index = claims.columns.indexOf(column);
  if (index === foreignCurrencyAt(claims.table.headers, amount)) return true;
  if (currencyInName(claims.table.headers[amount] ?? '') === undefined) return false;
  const before = index - 1;
  const neighbour = claims.columns[before];
  return neighbour !== undefined && !claims.isClaimed(before) && isNumberColumnByName(neighbour);
}

const BANK_CODE = /^(?:blz|bankleitzahl|bic|swift)\b/;

/**
 * An account number behind the name of the other side is the other side's if a bank code follows it (`Begünstigter`,
 * `Kontonummer`, `BLZ`), or if it is next to the name and not every row has one, as card payments have none.
 */
function accountOfOtherSide(claims: ColumnClaims): number | undefined {
  const { headers } = claims.table;
  const name = headers.findIndex((_, i) => claims.meaningsAt(i)?.has('merchant_name'));
  const isOthers = (i: number): boolean =>
    i > name &&
    claims.meaningsAt(i)?.has('account') === true &&
    (BANK_CODE.test(normalisedName(headers[i + 1] ?? '')) ||
      (i === name + 1 && (claims.columns[i]?.filled ?? 0) < claims.completeRecords));
  const found = headers.findIndex((_, i) => isOthers(i));
  return name < 0 || found < 0 ? undefined : found;
}

/** Accounts of one holder may have one name: then their numbers tell them apart. */
function accountNumberBeside(claims: ColumnClaims, index: number): number | undefined {
  const { headers } = claims.table;
  if (normalisedName(headers[index] ?? '') !== 'account name') return undefined;
  const { variety } = claims.columns[index] as ColumnStats;
  return claims.firstFree(
    (column, i) => normalisedName(headers[i] ?? '') === 'account number' && column.variety > variety,
  );
}

/** Beside money out, money in is claimed by its name even if hardly a cell reads: its rows are unreadable, not zero. */
function claimUnreadableHalf(claims: ColumnClaims): void {
  for (const [half, other] of [
    ['debit', 'credit'],
    ['credit', 'debit'],
  ] as const) {
    if (claims.mapping.get(half)?.source !== 'header' || !claims.isOpen(other) || claims.mapping.has('amount'))
      continue;
    const found = claims.best(other, ({ filled, withDigit }) => filled > 0 && withDigit === filled);
    if (found !== undefined) claims.claim(other, [found], 'likely', 'header');
  }
}

/** A text that never changes is the title of the account rather than what happened, if another column says that. */
function tellingDescription(claims: ColumnClaims): number | undefined {
  if (claims.completeRecords < 3) return undefined;
  return claims.best(
    'description',
    (column) =>
      fits(claims, 'description', column) &&
      column.sampleValues.size > 1 &&
      column.filled * 2 >= claims.completeRecords,
  );
}

const NO_DESCRIPTION = /^(?:no description|none|n\/a|null|keine beschreibung|sans description|sin descripción)$/i;

/** Beside a description that says of some rows that they have none, a column of types with more different texts. */
function typeThatSaysMore(claims: ColumnClaims, description: number): number | undefined {
  const column = claims.columns[description] as ColumnStats;
  return claims.best('type', (type) => saysMore(type, column));
}

/** True for a column of texts beside one that says of some rows that they have no description. */
export function saysMore(type: ColumnStats, { sampleValues, variety }: ColumnStats): boolean {
  const isLacking = [...sampleValues].some((cell) => NO_DESCRIPTION.test(cell.trim()));
  return isLacking && type.letters > 0 && type.variety > variety;
}

/** Amounts in two currencies under one name, such as `Valor (US$)` and `Valor (R$)`: only a person knows which. */
export function isInSeveralCurrencies(claims: ColumnClaims): boolean {
  const { headers } = claims.table;
  const first = claims.best('amount', (column) => fits(claims, 'amount', column));
  if (first === undefined) return false;
  const rank = claims.meaningsAt(first)?.get('amount');
  const known = currencyInName(headers[first] ?? '');
  return headers.some((name, i) => {
    const own = claims.meaningsAt(i)?.get('amount');
    if (own === undefined || claims.isClaimed(i) || !fits(claims, 'amount', claims.columns[i] as ColumnStats))
      return false;
    const other = currencyInName(name);
    return (
      known !== undefined &&
      other !== known &&
      (other !== undefined || /\p{Sc}/u.test(name) || (own === rank && !name.includes('(')))
    );
  });
}

/** An amount is needed: a column of that name is taken when at least half of it reads. */
function amountRegardless(claims: ColumnClaims, field: NamedField): number | undefined {
  if (field !== 'amount' || claims.mapping.has('debit') || claims.mapping.has('credit')) return undefined;
  if (claims.best('debit', (column) => fits(claims, 'debit', column)) !== undefined) return undefined;
  return claims.best('amount', (column) => column.numbers * 2 >= column.filled);
}

/** `Text 1`, `Text 2`, …: all of them are the description. */
function withNumberedSiblings(claims: ColumnClaims, index: number): number[] {
  const { headers } = claims.table;
  const base = numberedBase(headers[index] ?? '');
  if (base === undefined) return [index];
  const siblings = headers.flatMap((name, i) => (numberedBase(name) === base && !claims.isClaimed(i) ? [i] : []));
  return siblings.length > 1 ? siblings : [index];
}

/** Whether a column named as a field holds what the field needs. */
function fits({ completeRecords }: ColumnClaims, field: NamedField, column: ColumnStats): boolean {
  return NEEDS[field](column, completeRecords);
}

/** What a column named as a field must hold to be claimed by it, in the order in which fields claim. */
const NEEDS: Readonly<Record<NamedField, (column: ColumnStats, completeRecords: number) => boolean>> = {
  amount: isNumberColumnByName,
  debit: isNumberColumnOrEmpty,
  credit: isNumberColumnOrEmpty,
  balance: (column) => isNumberColumnByName(column) && (column.sampleValues.size > 1 || column.filled < 3),
  direction: (column) => column.words !== null && column.filled > 0 && column.letters * 2 >= column.filled,
  currency: (column) => column.currencies > 0 && column.currencies >= column.filled * 0.9,
  description: (column) => column.letters > 0 && [...column.sampleValues].some((cell) => /\p{L}/u.test(cell)),
  merchant_name: isName,
  payee: isFilled,
  payer: isFilled,
  category: isFilled,
  type: isFilled,
  status: isFilled,
  bank_id: (column, completeRecords) =>
    column.filled >= completeRecords * 0.9 &&
    column.repeatedIds === 0 &&
    column.ids !== undefined &&
    (column.withDigit >= column.filled * 0.9 || [...column.sampleValues].some((id) => id.length > 64)),
  fee: isNumberColumnOrEmpty,
  account: isFilled,
  counterparty_account: isFilled,
  check_number: isFilled,
  tags: isFilled,
  notes: isFilled,
  time: isFilled,
};

const CLAIM_ORDER = Object.keys(NEEDS) as NamedField[];

function isFilled({ filled }: ColumnStats): boolean {
  return filled > 0;
}

/** Nordic banks call the columns of both account numbers sender and recipient. */
function isName({ filled, sampleValues }: ColumnStats): boolean {
  return filled > 0 && ![...sampleValues].every((cell) => accountNumberOf(cell) !== null);
}

function isNumberColumnOrEmpty(column: ColumnStats): boolean {
  return column.filled === column.dashes || isNumberColumnByName(column);
}
