import { describe, expect, test } from 'vitest';

import { CATALOG, ROW, ruleOf } from '../../../test/harness/rules/sample-rules.ts';
import type { Rule } from './definition.ts';
import type { RuleRow } from './row.ts';
import { Suggester, type Suggestion, type SuggestOptions } from './suggest.ts';

type SuggestRow = RuleRow & { readonly id: string };

let made = 0;

function chosen(merchantName: string | null, category: string | null, change: Partial<SuggestRow> = {}): SuggestRow {
  made += 1;
  const categoryId = category && `id-${category}`;
  const id = String(made).padStart(6, '0');
  return { ...ROW, id, merchantName, categoryId, categorySource: 'person', locks: new Set(['category']), ...change };
}

function open(merchantName: string | null, change: Partial<SuggestRow> = {}): SuggestRow {
  return chosen(merchantName, null, { categorySource: null, locks: new Set(), ...change });
}

function suggest(rows: SuggestRow[], options: Partial<SuggestOptions> = {}, active: Rule[] = []): Suggestion[] {
  const suggester = new Suggester(active, CATALOG, { minCount: 3, since: null, limit: 20, ...options });
  for (const row of rows) suggester.learn(row.id, row);
  for (const row of [...rows].reverse()) suggester.judge(row);
  return suggester.suggestions();
}

const CAFE = ['Corner Cafe', 'CORNER CAFÉ', 'corner cafe'];
const cafe = (): SuggestRow[] => CAFE.map((name) => chosen(name, 'food'));

describe('suggestions', () => {
  test('only a merchant with enough choices, all the same, is suggested', () => {
    const rows = [
      ...cafe(),
      ...[1, 2].map(() => chosen('Gym', 'rent')),
      ...['food', 'food', 'salary'].map((slug) => chosen('Employer', slug)),
    ];
    const [found, ...more] = suggest(rows);
    expect(more).toEqual([]);
    expect(found).toEqual({
      text: 'corner cafe',
      basis: 'merchant_name',
      categoryId: 'id-food',
      transactionCount: 3,
      lastDate: ROW.date,
      wouldChangeCount: 0,
      rule: {
        name: 'corner cafe: food',
        condition: { field: 'merchant_name', op: 'eq', value: 'corner cafe' },
        actions: [{ type: 'set_category', category_id: 'id-food' }],
      },
    });
    const created = ruleOf(found?.rule.condition as never, [{ type: 'set_category', category_slug: 'food' }]);
    expect(suggest(rows, {}, [created])).toEqual([]);
    expect(suggest(rows, {}, [ruleOf(found?.rule.condition as never)])).toHaveLength(1);
  });

  test('are spelled as in the newest row, and count what they would change', () => {
    const rows = [chosen('Corner CAFE', 'food', { date: '2026-03-01' }), ...cafe(), open('corner cafe'), open('Other')];
    rows.push(open('corner cafe', { categoryId: 'id-food', categorySource: 'rule' }));
    rows.push(open('corner cafe', { categoryId: 'id-food', categorySource: 'provider' }));
    expect(suggest(rows)).toMatchObject([
      { text: 'Corner CAFE', lastDate: '2026-03-01', transactionCount: 4, wouldChangeCount: 2 },
    ]);
  });

  test('of rows without a merchant go by the words before the first with a digit, # or *', () => {
    const named = (name: string): SuggestRow => chosen(null, 'food', { name });
    const rows = [
      ...['CITY PARKING 114', 'City  Parking #7 North', 'CITY PARKING X*9'].map(named),
      ...['ABC 1', 'ABC 2', 'ABC 3'].map(named),
    ];
    expect(suggest(rows)).toMatchObject([{ text: 'CITY PARKING', basis: 'name', transactionCount: 3 }]);
    expect(suggest(rows)[0]?.rule.condition).toEqual({ field: 'name', op: 'starts_with', value: 'CITY PARKING' });
    expect(suggest([...rows, named('City Parkings')])).toHaveLength(1);
    expect(suggest([...rows, chosen('Else', 'salary', { name: 'City Parkings' })])).toEqual([]);
  });

  test.each<[string, () => SuggestRow]>([
    ['another category', () => chosen('Corner Cafe', 'salary', { date: '2020-01-01' })],
    ['none', () => chosen('Corner Cafe', null, { date: '2020-01-01' })],
  ])('a person’s choice of %s drops the group, however old', (_, row) => {
    expect(suggest([...cafe(), row()], { since: '2026-01-01' })).toEqual([]);
  });

  test('only persons, live categories and recent rows count', () => {
    expect(suggest(cafe().map((row) => ({ ...row, categorySource: 'agent' })))).toEqual([]);
    expect(suggest([1, 2, 3].map(() => chosen('Gym', 'rent')))).toEqual([]);
    expect(suggest(cafe(), { since: '2026-02-28' })).toHaveLength(1);
    expect(suggest(cafe(), { since: '2026-03-01' })).toEqual([]);
  });

  test('are ordered by count, then by text, up to the limit', () => {
    const rows = ['b', 'a', 'a', 'b', 'c', 'c', 'c'].map((name) => chosen(name, 'food'));
    expect(suggest(rows, { minCount: 2 }).map(({ text }) => text)).toEqual(['c', 'a', 'b']);
    expect(suggest(rows, { minCount: 2, limit: 2 }).map(({ text }) => text)).toEqual(['c', 'a']);
  });

  test('a long merchant is cut in the name of the rule, not in its condition', () => {
    const long = 'ü'.repeat(300);
    const [found] = suggest([1, 2, 3].map(() => chosen(long, 'food')));
    expect([...(found?.rule.name ?? '')]).toHaveLength(200);
    expect(found?.rule.name.endsWith('…: food')).toBe(true);
    expect(found?.rule.condition).toMatchObject({ value: long });
  });
});
