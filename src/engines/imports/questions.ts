/** What is asked of a household member about a file. Names of fields stand in the details, never in these. */
export const QUESTIONS = {
  encoding:
    'Letters beyond A to Z can be read in several ways in this file. Choose the reading whose words look right.',
  date_format: 'Every date reads as day first and as month first, and nothing in the file tells which. Choose one.',
  decimal_separator:
    'Nothing in the file tells whether a point or a comma stands before the cents of its amounts. Choose one.',
  sign: 'The file does not tell which amounts are money spent and which are money received. Choose the right reading.',
  fee_mode: 'The file does not tell whether a fee is part of the amount beside it or comes on top of it. Choose one.',
} as const;

export const DAMAGED_LETTERS =
  'A few letters of the file are damaged and can only be shown as \ufffd, unless all its letters are to be read in another way. Choose the reading whose words look right.';
export const MIXED_DECIMALS =
  'Some amounts of the file have a point before their cents and others a comma. Choose the one that is right.';
export const MIXED_DATES = 'The dates of the file are written in more than one order. Choose the one that is right.';
export const KIND_OF_ACCOUNT =
  'The balances fit a current or savings account if the amounts are read one way, and a credit card if they are read ' +
  'the other way. Choose the reading, or the kind of account.';

const READINGS: Readonly<Record<string, string>> = {
  'sign=positive_is_out': 'amounts without a minus are money spent',
  'sign=positive_is_in': 'amounts without a minus are money received',
  'decimal_separator=,': 'a comma stands before the cents',
  'decimal_separator=.': 'a point stands before the cents',
  'fee_mode=separate': 'fees come on top of the amounts',
  'fee_mode=included': 'fees are part of the amounts',
};

/** A choice in plain words: what it means for the file. */
export function readingInWords(parameter: string, value: string): string {
  if (parameter === 'date_format') return `dates are written as ${value}`;
  return READINGS[`${parameter}=${value}`] ?? `${parameter} is ${value}`;
}

export const NO_CURRENCY =
  'The file does not tell in which currency its amounts are. Choose the currency, or an account that has one.';

export function pendingLeftOut(count: number): string {
  return `${count} rows that the bank has not booked yet were left out. A later file brings them; they can also be imported now as pending.`;
}

/** For the details: which field takes the choice. */
export function hintFor(parameter: string, values: readonly string[]): string {
  const fits = values.length > 1 ? ` ${values.join(' and ')} ${values.length > 2 ? 'all' : 'both'} fit.` : '';
  return `Send ${parameter}${values.length === 1 ? `: ${values[0]}, or another value` : ''}.${fits}`;
}
