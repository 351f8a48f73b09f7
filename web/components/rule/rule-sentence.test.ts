import { describe, expect, test } from 'vitest';

import { inWords } from '../../lib/days.ts';
import type { RuleNames } from './rule-names.ts';
import { sentenceInText, sentenceOf } from './rule-sentence.ts';
import { cut, inText, type SayMoney } from './sentence-parts.ts';

const names: RuleNames = {
  category: (slug) => ({ kind: 'category', id: slug, text: slug === 'groceries' ? 'Groceries' : slug }),
  tag: (slug) => (slug === 'needs-review' ? 'To look at' : slug),
  account: () => 'Joint account',
  member: () => 'Ben',
  series: () => 'Films',
  counterparty: () => 'Corner Market',
};

const say: SayMoney = (amount, currency) => (currency === null ? amount : `${amount} ${currency}`);
const when = (condition: unknown): string => inText(sentenceOf({ condition, actions: [] }, names).when, say);
const leaf = (field: string, op: string, value?: unknown, more: object = {}) => ({
  field,
  op,
  ...(value === undefined ? {} : { value }),
  ...more,
});

test('a rule reads as one sentence, with names for slugs and ids', () => {
  const actions = [
    { type: 'set_category', category_id: 'x', category_slug: 'groceries' },
    { type: 'add_tag', tag_slug: 'food' },
    { type: 'remove_tag', tag_slug: 'needs-review' },
    { type: 'assign_series', series_id: 'x', series_name: 'Weekly shop' },
    { type: 'assign_counterparty', counterparty_id: 'x' },
    { type: 'set_metadata', metadata_key: 'invoice', metadata_value: null },
    { type: 'remove_metadata', metadata_key: 'old' },
    { type: 'flag' },
    { type: 'unflag' },
    { type: 'add_comment', content: 'Look\n at it' },
  ];
  expect(sentenceInText({ condition: leaf('name', 'contains', 'rewe'), actions }, names, say)).toBe(
    'When the text contains “rewe” → Groceries, tag food, remove the tag To look at, series Weekly shop, ' +
      'counterparty Corner Market, set metadata “invoice” to “null”, remove metadata “old”, flag it, remove the flag, ' +
      'comment “Look at it”',
  );
  expect(sentenceInText({ condition: {}, actions: [] }, names, say)).toBe('Every transaction → nothing yet');
  expect(sentenceInText({ condition: null, actions: [{ type: 'flag' }] }, names, say)).toBe(
    'Every transaction → flag it',
  );
});

test('what the journal keeps has ids, and reads the same', () => {
  const actions = [
    { type: 'set_category', category_id: 'groceries' },
    { type: 'add_tag', tag_id: 'food' },
    { type: 'assign_series', series_id: 'x' },
  ];
  expect(inText(sentenceOf({ condition: {}, actions }, names).what, say)).toBe('Groceries, tag food, series Films');
});

describe('conditions', () => {
  test.each<[unknown, string]>([
    [leaf('merchant_name', 'eq', 'Corner'), 'When the merchant is “Corner”'],
    [leaf('merchant_name', 'eq', ''), 'When it has no merchant'],
    [leaf('merchant_name', 'neq', ''), 'When it has a merchant'],
    [leaf('account_type', 'exists'), 'When it has a type of account'],
    [leaf('name', 'not_contains', 'a'), 'When the text does not contain “a”'],
    [leaf('name', 'in', ['a', 'b', 'c']), 'When the text is “a”, “b” or “c”'],
    [leaf('name', 'matches', '^a.*b$'), 'When the text matches the pattern “^a.*b$”'],
    [leaf('category', 'in', ['groceries', 'pets']), 'When the category is Groceries or pets'],
    [leaf('category', 'starts_with', 'food_'), 'When the short form of the category begins with “food_”'],
    [leaf('category', 'not_exists'), 'When it has no category'],
    [leaf('account_id', 'eq', 'id'), 'When the account is Joint account'],
    [leaf('account_id', 'eq', null), 'When the account is one that is gone'],
    [leaf('user_id', 'neq', 'id'), 'When the member is not Ben'],
    [leaf('series', 'eq', 'id'), 'When the series is Films'],
    [leaf('counterparty', 'eq', 'id'), 'When the counterparty is Corner Market'],
    [leaf('in_series', 'eq', false), 'When it belongs to no series'],
    [leaf('has_counterparty', 'neq', false), 'When it has a counterparty'],
    [leaf('pending', 'eq', true), 'When it is pending'],
    [leaf('provider', 'eq', 'csv'), 'When it is from a file'],
    [leaf('category_kind', 'neq', 'transfer'), 'When it is not a transfer'],
    [leaf('payment_channel', 'in', ['online', 'in_store']), 'When it is paid online or paid in a shop'],
    [leaf('tags', 'contains', 'food'), 'When it has the tag food'],
    [leaf('tags', 'not_in', ['food', 'needs-review']), 'When it does not have any tag of food or To look at'],
    [leaf('day_of_month', 'approx', 31, { tolerance: 2 }), 'When the day of the month is 31, give or take 2'],
    [leaf('month', 'eq', 3), 'When the month is March'],
    [leaf('day_of_week', 'eq', 0), 'When it is a Sunday'],
    [leaf('day_of_week', 'in', [1, 2]), 'When it is a Monday or a Tuesday'],
    [leaf('date', 'gte', '2026-03-05'), `When the date is on or after ${inWords('2026-03-05')}`],
    [
      leaf('date', 'between', undefined, { min: '2026-03-05', max: '2026-03-06' }),
      `When the date is from ${inWords('2026-03-05')} to ${inWords('2026-03-06')}`,
    ],
    [leaf('metadata.invoice', 'exists'), 'When it has metadata “invoice”'],
    [leaf('metadata.invoice', 'gt', 3), 'When the metadata “invoice” is more than 3'],
  ])('%j', (condition, words) => {
    expect(when(condition)).toBe(words);
  });
});

describe('amounts say which way the money goes', () => {
  test.each<[string, unknown, string]>([
    ['gt', '100.00', 'more than 100.00 goes out'],
    ['gte', 5, 'at least 5.00 goes out'],
    ['lt', '100.00', 'less than 100.00 goes out, or money comes in'],
    ['lte', '-100.00', 'at least 100.00 comes in'],
    ['gt', '-100.00', 'less than 100.00 comes in, or money goes out'],
    ['gt', '0.00', 'money goes out'],
    ['lt', 0, 'money comes in'],
    ['eq', '-12.5', '12.50 comes in'],
    ['neq', '12.50', 'the amount is not 12.50 out'],
    ['in', ['5.00', '-6.00'], 'the amount is 5.00 out or 6.00 in'],
  ])('%s %s', (op, value, words) => {
    expect(when(leaf('amount', op, value))).toBe(`When ${words}`);
  });
  test('between two amounts', () => {
    const between = (min: string, max: string): string => when({ field: 'amount', op: 'between', min, max });
    expect(between('10.00', '20.00')).toBe('When 10.00 to 20.00 goes out');
    expect(between('-20.00', '-10.00')).toBe('When 10.00 to 20.00 comes in');
    expect(between('-20.00', '10.00')).toBe('When the amount is from 20.00 in to 10.00 out');
  });
  test('without a direction, and near an amount', () => {
    expect(when(leaf('amount_abs', 'lt', '20.00'))).toBe('When the amount, in or out, is less than 20.00');
    const near = { value: '9.99', tolerance: '1.00' };
    expect(when({ field: 'amount', op: 'approx', ...near })).toBe('When the amount is 9.99 out, give or take 1.00');
  });
  test('in the currency that stands beside them', () => {
    const euro = leaf('iso_currency_code', 'eq', 'EUR');
    expect(when({ and: [euro, leaf('amount', 'gt', '5.00')] })).toBe('When more than 5.00 EUR goes out');
    expect(when({ or: [euro, leaf('amount', 'gt', '5.00')] })).toBe(
      'When the currency is “EUR” or more than 5.00 goes out',
    );
    expect(when(euro)).toBe('When the currency is “EUR”');
  });
});

describe('groups', () => {
  const text = (value: string) => leaf('name', 'contains', value);
  test('within groups are in brackets, and what is tested alike is said once', () => {
    const pending = leaf('pending', 'eq', true);
    expect(when({ and: [text('a'), { or: [pending, leaf('amount', 'gt', 0)] }] })).toBe(
      'When the text contains “a” and (it is pending or money goes out)',
    );
    expect(when({ or: [text('a'), pending, text('b')] })).toBe('When the text contains “a” or “b” or it is pending');
    expect(when({ and: [text('a'), text('b')] })).toBe('When the text contains “a” and the text contains “b”');
    expect(when({ and: [{ or: [text('a')] }] })).toBe('When the text contains “a”');
  });
  test('that are negated say so, and only an exact opposite is said as one', () => {
    expect(when({ not: text('a') })).toBe('When the text does not contain “a”');
    expect(when({ not: { not: text('a') } })).toBe('When the text contains “a”');
    expect(when({ not: leaf('tags', 'contains', 'food') })).toBe('When it does not have the tag food');
    expect(when({ not: leaf('name', 'starts_with', 'a') })).toBe('When it is not so that the text begins with “a”');
    expect(when({ not: leaf('metadata.k', 'eq', 'a') })).toBe('When it is not so that the metadata “k” is “a”');
    expect(when({ not: { and: [text('a'), leaf('pending', 'eq', false)] } })).toBe(
      'When it is not so that (the text contains “a” and it is no longer pending)',
    );
  });
});

test('a long sentence is cut, within a long text too', () => {
  const many = sentenceOf(
    {
      condition: leaf(
        'name',
        'in',
        Array.from({ length: 200 }, (_, at) => `shop ${at}`),
      ),
      actions: [],
    },
    names,
  );
  const short = cut(many.when, 60);
  expect(short && inText(short, say)).toBe('When the text is “shop 0”, “shop 1”, “shop 2”, “shop 3”, …');
  expect(cut(many.when, 10_000)).toBeUndefined();
  const long = sentenceOf({ condition: leaf('name', 'contains', 'x'.repeat(500)), actions: [] }, names);
  expect(inText(cut(long.when, 60) ?? [], say)).toBe(`When the text contains “${'x'.repeat(37)}”…`);
});
