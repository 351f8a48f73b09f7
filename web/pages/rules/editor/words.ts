import {
  FIELD_SHAPES,
  METADATA,
  operatorsOf,
  type FieldName,
  type FieldShape,
  type Operator,
} from '../../../../src/engines/rules/language.ts';
import { LANGUAGE } from '../../../lib/language.ts';

/** What a field is called, and under which heading it stands in the list of fields. */
const FIELDS: Readonly<Record<FieldName, readonly [group: string, name: string]>> = {
  name: ['Text', 'Text'],
  merchant_name: ['Text', 'Merchant'],
  amount: ['Amount', 'Amount (in is negative)'],
  amount_abs: ['Amount', 'Amount without sign'],
  iso_currency_code: ['Amount', 'Currency'],
  category: ['Filed under', 'Category'],
  category_kind: ['Filed under', 'Kind of category'],
  tags: ['Filed under', 'Tags'],
  counterparty: ['Filed under', 'Counterparty'],
  has_counterparty: ['Filed under', 'Has a counterparty'],
  series: ['Filed under', 'Series'],
  in_series: ['Filed under', 'Is in a series'],
  account_id: ['Account and member', 'Account'],
  account_name: ['Account and member', 'Name of the account'],
  account_type: ['Account and member', 'Type of the account'],
  user_id: ['Account and member', 'Member'],
  user_name: ['Account and member', 'Name of the member'],
  date: ['Date', 'Date'],
  day_of_month: ['Date', 'Day of the month'],
  day_of_week: ['Date', 'Day of the week'],
  month: ['Date', 'Month'],
  day_of_year: ['Date', 'Day of the year'],
  pending: ['From the source', 'Pending'],
  payment_channel: ['From the source', 'Paid'],
  provider: ['From the source', 'Source'],
  provider_category_primary: ['From the source', 'Category of the bank'],
  provider_category_detailed: ['From the source', 'Category of the bank, in detail'],
};

const NAMES = Object.keys(FIELDS) as FieldName[];

/** The fields in the order of the list, under their headings. */
export const FIELD_GROUPS: readonly { title: string; fields: readonly { name: FieldName; label: string }[] }[] = [
  ...Map.groupBy(NAMES, (name) => FIELDS[name][0]),
].map(([title, names]) => ({ title, fields: names.map((name) => ({ name, label: FIELDS[name][1] })) }));

export function shapeOf(field: string): FieldShape | undefined {
  if (field.startsWith(METADATA)) return { kind: 'metadata' };
  return (FIELD_SHAPES as Readonly<Record<string, FieldShape>>)[field];
}

/** The operators of a field; none of a field that there is not. */
export function operatorsFor(field: string): readonly Operator[] {
  const shape = shapeOf(field);
  return shape ? operatorsOf(shape) : [];
}

const OPERATORS: Readonly<Record<Operator, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  matches: 'matches the pattern',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  approx: 'is about',
  exists: 'has a value',
  not_exists: 'is empty',
};

const OF_DATES: Partial<Record<Operator, string>> = {
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
};
const OF_TAGS: Partial<Record<Operator, string>> = {
  contains: 'have',
  not_contains: 'do not have',
  in: 'have one of',
  not_in: 'have none of',
  exists: 'there are some',
  not_exists: 'there are none',
};

export function operatorInWords(op: Operator, field: string): string {
  const kind = shapeOf(field)?.kind;
  const own = kind === 'date' ? OF_DATES[op] : kind === 'tags' ? OF_TAGS[op] : undefined;
  return own ?? OPERATORS[op] ?? op;
}

const CHOICES: Readonly<Record<string, string>> = {
  plaid: 'Plaid',
  teller: 'Teller',
  csv: 'a file or by hand',
  online: 'online',
  in_store: 'in a shop',
  other: 'in another way',
  income: 'income',
  expense: 'expense',
  transfer: 'transfer',
};

export function choiceInWords(choice: string): string {
  return CHOICES[choice] ?? choice;
}

/** A Sunday, so that days of the week count from 0 as the API does. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;
const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(LANGUAGE, { month: 'long', timeZone: 'UTC' });

/** The names of the values of a part of the date, where they have names. */
export function namesOf(field: string): readonly string[] | undefined {
  if (field === 'day_of_week') return Array.from({ length: 7 }, (_, day) => weekday.format(SUNDAY + day * DAY_MS));
  if (field === 'month') return Array.from({ length: 12 }, (_, at) => month.format(Date.UTC(2023, at, 1)));
  return undefined;
}

/** "between 1 and 31 days", for what is about as far away. */
export function unitOf(field: string): string {
  return field === 'month' ? 'months' : 'days';
}
