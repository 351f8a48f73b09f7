/** What a household member is asked about a file. Field names belong in the details, never in these texts. */
export const QUESTIONS = {
  encoding:
    'The accented and other special letters in this file can be read in several ways. Choose the reading whose words look right.',
  date_format: 'The dates in this file could be day first or month first. Choose the right order.',
  decimal_separator: 'The amounts in this file could use a point or a comma before the cents. Choose the right one.',
  sign: 'The file does not show which amounts are money spent and which are money received. Choose the right reading.',
  fee_mode:
    'The file does not show whether a fee is part of the amount beside it or is charged on top. Choose the right one.',
} as const;

export const DAMAGED_LETTERS =
  'A few letters in the file are damaged and show as \ufffd. Reading the whole file another way may fix them. Choose the reading whose words look right.';
export const MIXED_DECIMALS =
  'Some amounts in the file have a point before the cents and others a comma. Choose the right one.';
export const MIXED_DATES =
  'The dates in this file have no clear order: the day, the month or the year could come first. Choose the right order.';
export const KIND_OF_ACCOUNT =
  'Read one way, the balances fit a current or savings account; read the other way, they fit a credit card. ' +
  'Choose the right reading, or the kind of account.';

const READINGS: Readonly<Record<string, string>> = {
  'sign=positive_is_out': 'amounts without a minus sign are money spent',
  'sign=positive_is_in': 'amounts without a minus sign are money received',
  'decimal_separator=,': 'there is a comma before the cents',
  'decimal_separator=.': 'there is a point before the cents',
  'fee_mode=separate': 'fees are charged on top of the amounts',
  'fee_mode=included': 'fees are part of the amounts',
  'account_type=credit': 'this is a credit card or loan account',
};

/** A choice in plain words: what it means for the file. */
export function readingInWords(parameter: string, value: string): string {
  if (parameter === 'date_format') return `dates are written as ${value}`;
  return READINGS[`${parameter}=${value}`] ?? `${parameter} is ${value}`;
}

export const CURRENCY_NEEDED =
  'The file does not say which currency its amounts are in. Choose the currency, or an account that has one.';

export function pendingLeftOut(count: number): string {
  return count === 1
    ? '1 row that the bank has not booked yet was left out. A later file will have it; you can also import it now as pending.'
    : `${count} rows that the bank has not booked yet were left out. A later file will have them; you can also import them now as pending.`;
}

/** For the details: which field takes the choice. */
export function hintFor(parameter: string, values: readonly string[]): string {
  const fits = values.length > 1 ? ` ${values.join(' and ')} ${values.length > 2 ? 'all' : 'both'} fit.` : '';
  return `Send ${parameter}${values.length === 1 ? `: ${values[0]}, or another value` : ''}.${fits}`;
}
