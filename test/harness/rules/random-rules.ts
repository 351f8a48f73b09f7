import fc from 'fast-check';

import type { Rule } from '../../../src/engines/rules/definition.ts';
import type { RuleRow } from '../../../src/engines/rules/row.ts';
import { CATEGORIES, ruleOf, TAGS, type Plain } from './sample-rules.ts';
import { TEXT_FIELDS } from './slow-conditions.ts';

const word = fc.constantFrom(
  'cafe',
  'CAFÉ',
  'Corner',
  'corner cafe',
  '0423',
  'x',
  'Straße',
  'strasse ',
  'eur',
  'joint',
);
const blankWord = fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('', '  ') });
const pattern = fc.constantFrom(
  'cafe',
  '(?i)cafe',
  '^C',
  '\\d{3,}$',
  'CO(R|X)NER',
  '(?i)(corner|x) c',
  'a|b',
  'E?R+ C*A',
);
const cents = fc.integer({ min: -2000, max: 2000 });
const money = cents.map((value) => (value % 10 === 0 ? value / 100 : (value / 100).toFixed(2)));
const free = fc.constantFrom('v', 'V', '', '7', '7.5', 'true', 7, 7.5, true, null, 'café');
const number = fc.constantFrom(7, 7.5, 8, -1);

const equality = (field: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Plain> =>
  fc.oneof(
    fc.record({ field, op: fc.constantFrom('eq', 'neq'), value }),
    fc.record({ field, op: fc.constantFrom('in', 'not_in'), value: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  );
const presence = (field: fc.Arbitrary<string>): fc.Arbitrary<Plain> =>
  fc.record({ field, op: fc.constantFrom('exists', 'not_exists') });
const textual = (field: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Plain> =>
  fc.record({ field, op: fc.constantFrom('contains', 'not_contains', 'starts_with', 'ends_with'), value });
const matching = (field: fc.Arbitrary<string>): fc.Arbitrary<Plain> =>
  fc.record({ field, op: fc.constant('matches'), value: pattern });
const ordered = (field: fc.Arbitrary<string>, value: fc.Arbitrary<string | number>): fc.Arbitrary<Plain> =>
  fc.oneof(
    fc.record({ field, op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value }),
    fc
      .tuple(field, value, value)
      .map(([name, a, b]) => ({
        field: name,
        op: 'between',
        ...(+a <= +b || a <= b ? { min: a, max: b } : { min: b, max: a }),
      }))
      .filter(({ min, max }) => (typeof min === typeof max ? true : +min <= +max)),
  );
const integer = (name: string, min: number, max: number): fc.Arbitrary<Plain> =>
  fc.oneof(
    equality(fc.constant(name), fc.integer({ min, max })),
    ordered(fc.constant(name), fc.integer({ min, max })),
    fc.record({
      field: fc.constant(name),
      op: fc.constant('approx'),
      value: fc.integer({ min, max }),
      tolerance: fc.integer({ min: 0, max: 4 }),
    }),
  );
const one = fc.constant<string>;
const fixedLeaf: fc.Arbitrary<Plain> = fc.oneof(
  equality(fc.constantFrom(...TEXT_FIELDS), blankWord),
  textual(fc.constantFrom('name', 'merchant_name'), word),
  matching(fc.constantFrom('name', 'merchant_name')),
  presence(fc.constantFrom(...TEXT_FIELDS, 'user_id', 'payment_channel')),
  equality(fc.constantFrom('amount'), money),
  ordered(
    one('amount_abs'),
    money.map((value) => String(value).replace('-', '')),
  ).filter(({ min, max }) => min === undefined || Number(min) <= Number(max)),
  fc.record({ field: one('amount'), op: one('approx'), value: money, tolerance: fc.constantFrom('0.00', 5, '10.10') }),
  fc.record({ field: one('pending'), op: fc.constantFrom('eq', 'neq'), value: fc.boolean() }),
  equality(one('provider'), fc.constantFrom('csv', 'plaid')),
  equality(one('account_id'), fc.constantFrom('acc', 'other')),
  integer('day_of_month', 1, 31),
  integer('month', 1, 12),
  integer('day_of_week', 0, 6),
  integer('day_of_year', 1, 366),
  fc.record({ field: one('date'), op: fc.constantFrom('gt', 'lte', 'eq'), value: one('2026-02-28') }),
);
const liveLeaf: fc.Arbitrary<Plain> = fc.oneof(
  equality(one('category'), fc.constantFrom(...CATEGORIES)),
  textual(one('category'), fc.constantFrom('food', 'FOOD_', 'coffee', 'x')),
  equality(one('category_kind'), fc.constantFrom('expense', 'income')),
  presence(fc.constantFrom('category', 'series', 'counterparty', 'tags', 'category_kind', 'metadata.k')),
  fc.record({ field: one('tags'), op: fc.constantFrom('contains', 'not_contains'), value: fc.constantFrom(...TAGS) }),
  fc.record({ field: one('tags'), op: fc.constantFrom('in', 'not_in'), value: fc.subarray(TAGS, { minLength: 1 }) }),
  fc.record({ field: fc.constantFrom('in_series', 'has_counterparty'), op: one('eq'), value: fc.boolean() }),
  equality(
    one('metadata.k'),
    free.filter((value) => value !== null),
  ),
  textual(one('metadata.k'), fc.constantFrom('v', '7', 'ul', 'cafe')),
  fc.record({ field: one('metadata.k'), op: one('matches'), value: fc.constantFrom('^7', 'v', '^$') }),
  ordered(one('metadata.k'), number).filter(({ min, max }) => min === undefined || Number(min) <= Number(max)),
);

function tree(leaf: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> {
  return fc.letrec<{ node: Plain }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record({ and: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('node') }),
    ),
  })).node;
}
export const fixedTree = tree(fixedLeaf);
export const anyTree = tree(fc.oneof(fixedLeaf, liveLeaf));

const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 2 });
const text = fc
  .array(fc.oneof(word, fc.constantFrom('K', 'e\u0301', '\u212aX', 'ER')), { maxLength: 4 })
  .map((list) => list.join(' '));
const FACETS = ['category', 'series', 'counterparty', 'flag', 'metadata.k', ...TAGS.map((slug) => `tag:${slug}`)];
export const row: fc.Arbitrary<RuleRow> = fc.record({
  name: text,
  merchantName: orNull(text),
  amountCents: cents,
  isoCurrencyCode: orNull(fc.constantFrom('EUR', 'USD')),
  pending: fc.boolean(),
  provider: fc.constantFrom('csv', 'plaid', 'teller'),
  paymentChannel: orNull(fc.constantFrom('online', 'other')),
  providerCategoryPrimary: fc.constant(null),
  providerCategoryDetailed: fc.constant(null),
  accountId: fc.constantFrom('id-acc', 'id-other'),
  accountName: orNull(word),
  accountType: fc.constant('depository'),
  userId: orNull(fc.constant('id-u')),
  userName: orNull(word),
  date: fc.constantFrom(
    '2026-02-28',
    '2024-02-29',
    '2026-12-31',
    '2026-01-01',
    '2024-12-31',
    '2026-03-30',
    '2026-04-12',
  ),
  categoryId: orNull(fc.constantFrom(...CATEGORIES.map((slug) => `id-${slug}`))),
  categorySource: fc.constantFrom(null, 'provider', 'person', 'rule'),
  tags: fc.subarray(TAGS).map((list) => new Set(list)),
  seriesId: orNull(fc.constant('id-s')),
  counterpartyId: orNull(fc.constant('id-c')),
  metadata: orNull(free).chain((value) => fc.constantFrom(new Map(), new Map([['k', value]]))),
  flagged: fc.boolean(),
  locks: fc.subarray(FACETS).map((list) => new Set(list)),
});

const tagAction = fc.record({ type: fc.constantFrom('add_tag', 'remove_tag'), tag_slug: fc.constantFrom(...TAGS) });
export const plainActions = fc.uniqueArray(
  fc.oneof(
    fc.record({ type: one('set_category'), category_slug: fc.constantFrom(...CATEGORIES) }),
    tagAction,
    fc.record({ type: one('assign_series'), series_id: fc.constantFrom('s', 't') }),
    fc.record({ type: one('assign_counterparty'), counterparty_id: fc.constantFrom('c', 'd') }),
    fc.record({ type: one('set_metadata'), metadata_key: fc.constantFrom('k', 'l'), metadata_value: free }),
    fc.record({ type: one('remove_metadata'), metadata_key: fc.constantFrom('k', 'l') }),
    fc.record({ type: fc.constantFrom('flag', 'unflag') }),
    fc.record({ type: one('add_comment'), content: word.map((content) => content.trim()) }),
  ),
  { minLength: 1, maxLength: 4, selector: facetOfPlain },
);

function facetOfPlain(action: Plain): string {
  const type = String(action['type']);
  if (type.endsWith('_tag')) return `tag:${String(action['tag_slug'])}`;
  if (type.endsWith('_metadata')) return `metadata.${String(action['metadata_key'])}`;
  return type.endsWith('flag') ? 'flag' : type.slice(type.indexOf('_') + 1);
}

export function rules(condition: fc.Arbitrary<Plain>): fc.Arbitrary<Rule[]> {
  const more = fc.record({
    priority: fc.integer({ min: 0, max: 2 }),
    overwriteManual: fc.boolean(),
    stop: fc.boolean(),
  });
  return fc.array(
    fc.tuple(condition, plainActions, more).map(([node, list, rest]) => ruleOf(node, list, rest)),
    { maxLength: 6 },
  );
}
