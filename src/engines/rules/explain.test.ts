import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyTree, row } from '../../../test/harness/rules/random-rules.ts';
import { CATALOG, ROW, ruleOf } from '../../../test/harness/rules/sample-rules.ts';
import { renderChanges } from './changes.ts';
import type { Rule } from './definition.ts';
import { disagreements, winnerOf } from './disagree.ts';
import { evaluateRow, matchingRules, type WantedComment } from './evaluate.ts';
import { explainRow, type Explanation, type Trace } from './explain.ts';
import type { FIELDS } from './fields.ts';
import type { RuleRow } from './row.ts';
import { compileRules } from './rule-set.ts';

function explain(
  list: Rule[],
  of: RuleRow = ROW,
  hadComment: (comment: WantedComment) => boolean = () => false,
): Explanation {
  return explainRow(compileRules(list, CATALOG), of, CATALOG, { hadComment });
}

function nodes(trace: Trace): Trace[] {
  return trace.kind === 'leaf' ? [trace] : [trace, ...trace.children.flatMap(nodes)];
}

describe('explain', () => {
  test('the root of a trace shows whether the rule matches, and every node is in it', () => {
    fc.assert(
      fc.property(anyTree, row, (node, of) => {
        const rule = ruleOf(node);
        const [found] = explain([rule], of).rules;
        expect(found?.matches).toBe(matchingRules(compileRules([rule], CATALOG), of).length > 0);
        expect(found?.trace?.result).toBe(found?.matches);
        const objects = JSON.stringify(node).match(/"(and|or|not|field)":/g) ?? [];
        expect(nodes(found?.trace as Trace)).toHaveLength(objects.length);
      }),
      { numRuns: 500 },
    );
  });

  test('shows what was expected and what the row has, as a client writes it', () => {
    const condition = {
      and: [
        { field: 'amount', op: 'approx', value: 10, tolerance: 1 },
        { not: { field: 'category', op: 'in', value: ['food', 'salary'] } },
        { field: 'user_id', op: 'eq', value: 'u' },
        { field: 'day_of_month', op: 'between', min: 1, max: 2 },
        { field: 'tags', op: 'exists' },
      ],
    };
    const of = { ...ROW, categoryId: 'id-food', userId: 'id-u', tags: new Set(['b', 'a']) };
    const trace = explain([ruleOf(condition)], of).rules[0]?.trace;
    expect(nodes(trace as Trace)).toMatchObject([
      { path: 'condition', kind: 'and', result: false },
      { path: 'condition.and[0]', expected: { value: '10.00', tolerance: '1.00' }, actual: '10.50', result: true },
      { path: 'condition.and[1]', kind: 'not', result: false },
      { path: 'condition.and[1].not', expected: ['food', 'salary'], actual: 'food', result: true },
      { path: 'condition.and[2]', expected: 'u', actual: 'u', result: true },
      { path: 'condition.and[3]', expected: { min: 1, max: 2 }, actual: 28, result: false },
      { path: 'condition.and[4]', expected: null, actual: ['a', 'b'], result: true },
    ]);
    expect(explain([ruleOf({})]).rules[0]?.trace).toEqual({
      path: 'condition',
      kind: 'all',
      result: true,
      children: [],
    });
  });

  test('shows the value of every field, and that the field equals it', () => {
    const of: RuleRow = {
      ...ROW,
      merchantName: 'Corner',
      amountCents: -1050,
      pending: true,
      paymentChannel: 'in_store',
      providerCategoryPrimary: 'FOOD',
      providerCategoryDetailed: 'FOOD_COFFEE',
      userId: 'id-u',
      userName: 'Ana',
      date: '2024-12-31',
      categoryId: 'id-salary',
      tags: new Set(['b', 'a']),
      seriesId: 'id-s',
      counterpartyId: 'id-c',
      metadata: new Map([['k', null]]),
    };
    const expected: Record<keyof typeof FIELDS | 'metadata.k' | 'metadata.l', unknown> = {
      name: 'CORNER CAFE 0423',
      merchant_name: 'Corner',
      amount: '-10.50',
      amount_abs: '10.50',
      iso_currency_code: 'EUR',
      pending: true,
      provider: 'csv',
      payment_channel: 'in_store',
      provider_category_primary: 'FOOD',
      provider_category_detailed: 'FOOD_COFFEE',
      category: 'salary',
      category_kind: 'income',
      account_id: 'id-acc',
      account_name: 'Joint',
      account_type: 'depository',
      user_id: 'u',
      user_name: 'Ana',
      tags: ['a', 'b'],
      series: 'id-s',
      in_series: true,
      counterparty: 'id-c',
      has_counterparty: true,
      day_of_month: 31,
      month: 12,
      day_of_week: 2,
      day_of_year: 366,
      date: '2024-12-31',
      'metadata.k': null,
      'metadata.l': null,
    };
    const leaf = (condition: Record<string, unknown>, row: RuleRow): unknown =>
      explain([ruleOf(condition)], row).rules[0]?.trace;
    for (const [field, actual] of Object.entries(expected)) {
      const isSingle = field !== 'tags' && !field.startsWith('metadata.');
      const condition = isSingle ? { field, op: 'eq', value: actual } : { field, op: 'not_exists' };
      expect(leaf(condition, of)).toMatchObject({ field, actual, result: isSingle || field === 'metadata.l' });
    }
    for (const field of ['merchant_name', 'payment_channel', 'category', 'category_kind', 'user_id', 'series']) {
      expect(leaf({ field, op: 'exists' }, ROW)).toMatchObject({ field, actual: null, result: false });
    }
  });

  test('reports what every action did', () => {
    const first = ruleOf({}, [
      { type: 'set_category', category_slug: 'food' },
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'add_tag', tag_slug: 'b' },
      { type: 'assign_series', series_id: 's' },
      { type: 'add_comment', content: 'new' },
      { type: 'add_comment', content: 'old' },
    ]);
    const second = ruleOf({}, [{ type: 'set_category', category_slug: 'salary' }], { stop: true });
    const third = ruleOf({});
    const other = ruleOf({ field: 'pending', op: 'eq', value: true });
    const of = { ...ROW, tags: new Set(['a']), locks: new Set(['series']) };
    const found = explain([first, second, third, { ...other, priority: 0 }], of, ({ content }) => content === 'old');
    expect(found.rules.map(({ matches, actions }) => [matches, ...actions.map(({ result }) => result)])).toEqual([
      [false, 'not_run'],
      [true, 'overridden', 'no_change', 'changes', 'locked', 'changes', 'no_change'],
      [true, 'changes'],
      [null, 'not_run'],
    ]);
    expect(found.rules[3]?.trace).toBeNull();
    expect(found.rules[1]?.effect).toBe(
      'set category food; add tag a; add tag b; assign series S; add comment "new"; add comment "old"',
    );
    expect(renderChanges(found.evaluation.changes, found.evaluation.comments, CATALOG)).toEqual([
      { field: 'category', before: null, after: 'salary' },
      { field: 'category_source', before: null, after: 'rule' },
      { field: 'tag:b', before: null, after: true },
      { field: 'comment', before: null, after: 'new' },
    ]);
  });

  test('changes show series, metadata and flag, and records that do not exist yet without an id', () => {
    const actions = [
      { type: 'assign_counterparty', counterparty_id: 'c' },
      { type: 'flag' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: null },
      { type: 'remove_metadata', metadata_key: 'l' },
    ];
    const rule = ruleOf({}, actions);
    const planned: Rule = {
      ...rule,
      actions: [...rule.actions, { type: 'assign_series', series_id: 'new:series:gym' }],
    };
    const catalog = { ...CATALOG, series: new Map([['new:series:gym', 'Gym']]) };
    const of = { ...ROW, counterpartyId: 'id-d', metadata: new Map([['l', 1]]) };
    const { changes } = evaluateRow(compileRules([planned], catalog), of);
    expect(renderChanges(changes, [], catalog)).toEqual([
      { field: 'series', before: null, after: { id: null, name: 'Gym' } },
      { field: 'counterparty', before: { id: 'id-d', name: 'D' }, after: { id: 'id-c', name: 'C' } },
      { field: 'metadata.k', before: null, after: { value: null } },
      { field: 'metadata.l', before: { value: 1 }, after: null },
      { field: 'flagged', before: false, after: true },
    ]);
  });
});

describe('two rules', () => {
  test('disagree on a facet if they set it to different values', () => {
    const one = ruleOf({}, [
      { type: 'set_category', category_slug: 'food' },
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'add_tag', tag_slug: 'b' },
      { type: 'flag' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: { a: 1, b: 2 } },
      { type: 'set_metadata', metadata_key: 'l', metadata_value: 1 },
      { type: 'assign_series', series_id: 's' },
      { type: 'add_comment', content: 'x' },
    ]);
    const other = ruleOf({}, [
      { type: 'set_category', category_slug: 'salary' },
      { type: 'remove_tag', tag_slug: 'a' },
      { type: 'add_tag', tag_slug: 'b' },
      { type: 'unflag' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: { b: 2, a: 1 } },
      { type: 'remove_metadata', metadata_key: 'l' },
      { type: 'assign_series', series_id: 't' },
      { type: 'add_comment', content: 'y' },
    ]);
    expect(disagreements(one, other, CATALOG)).toEqual([
      { facet: 'category', thisValue: 'food', otherValue: 'salary' },
      { facet: 'tag:a', thisValue: true, otherValue: null },
      { facet: 'flagged', thisValue: true, otherValue: false },
      { facet: 'metadata.l', thisValue: { value: 1 }, otherValue: null },
      { facet: 'series', thisValue: { id: 'id-s', name: 'S' }, otherValue: { id: 'id-t', name: 'T' } },
    ]);
    expect(disagreements(one, one, CATALOG)).toEqual([]);
  });

  test('the later wins, unless the earlier stops', () => {
    const [earlier, later] = [ruleOf({}), ruleOf({})];
    expect([winnerOf(earlier, later), winnerOf(later, earlier)]).toEqual(['other', 'this']);
    const stopping = { ...earlier, stop: true };
    expect([winnerOf(stopping, later), winnerOf(later, stopping)]).toEqual(['this', 'other']);
    expect(winnerOf({ ...earlier, priority: 101 }, later)).toBe('this');
  });
});
