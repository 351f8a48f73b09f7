import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyTree } from '../../../test/harness/rules/random-rules.ts';
import {
  CATALOG,
  readCondition,
  REFERENCES,
  ROW,
  ruleOf,
  type Plain,
} from '../../../test/harness/rules/sample-rules.ts';
import { leavesOf, type StoredCondition } from './definition.ts';
import { matchingRules } from './evaluate.ts';
import { parseCondition } from './parse-condition.ts';
import { Problems } from './problems.ts';
import { WantedRecords } from './references.ts';
import { renderCondition } from './render.ts';
import type { RuleRow } from './row.ts';
import { compileRules } from './rule-set.ts';

const LEAF = { field: 'name', op: 'contains', value: 'x' };

function paths(input: unknown): string[] {
  return readCondition(input).problems.map(({ path }) => path);
}

function nested(depth: number, inner: unknown = LEAF): unknown {
  return depth === 0 ? inner : { not: nested(depth - 1, inner) };
}

function matches(condition: Plain, change: Partial<RuleRow> = {}): boolean {
  return matchingRules(compileRules([ruleOf(condition)], CATALOG), { ...ROW, ...change }).length > 0;
}

describe('the form of a condition', () => {
  test('an absent, null or empty condition matches everything', () => {
    for (const input of [undefined, null, {}]) expect(readCondition(input)).toEqual({ condition: {}, problems: [] });
    expect(matches({})).toBe(true);
  });

  test('ten levels and 200 nodes are accepted, one more is refused', () => {
    expect(paths(nested(10))).toEqual([]);
    expect(paths(nested(11))).toEqual([`condition${'.not'.repeat(11)}`]);
    expect(paths({ and: Array.from({ length: 199 }, () => LEAF) })).toEqual([]);
    const { condition } = readCondition({ and: Array.from({ length: 199 }, () => LEAF) });
    expect([...leavesOf(condition)]).toHaveLength(199);
    expect(paths({ and: Array.from({ length: 200 }, () => LEAF) })).toEqual(['condition']);
    expect(paths(nested(100_000 / 20))).toHaveLength(1);
  });

  test.each<[unknown, string]>([
    [{ and: [LEAF], or: [LEAF] }, 'condition'],
    [{ not: LEAF, field: 'name' }, 'condition'],
    [{ and: [] }, 'condition.and'],
    [{ and: LEAF }, 'condition.and'],
    [{ or: 'x' }, 'condition.or'],
    [{ and: [{}] }, 'condition.and[0]'],
    [{ and: [LEAF, null] }, 'condition.and[1]'],
    [{ and: [LEAF, { not: { not: [] } }] }, 'condition.and[1].not.not'],
    [{ not: null }, 'condition.not'],
    [[LEAF], 'condition'],
    ['name', 'condition'],
    [{ foo: 1 }, 'condition.foo'],
    [{ and: [LEAF], foo: 1 }, 'condition.foo'],
    [{ ...LEAF, foo: 1 }, 'condition.foo'],
    [JSON.parse('{"__proto__":{"and":[]}}'), 'condition.__proto__'],
    [{ field: 'name', value: 'x' }, 'condition.op'],
    [{ op: 'eq', value: 'x' }, 'condition.field'],
    [{ field: 'toString', op: 'eq', value: 'x' }, 'condition.field'],
    [{ field: 'provider_name', op: 'eq', value: 'x' }, 'condition.field'],
    [{ field: 7, op: 'eq', value: 'x' }, 'condition.field'],
    [{ field: 'metadata.', op: 'exists' }, 'condition.field'],
    [{ field: `metadata.${'k'.repeat(129)}`, op: 'exists' }, 'condition.field'],
    [{ field: 'name', op: 'gt', value: 'x' }, 'condition.op'],
    [{ field: 'pending', op: 'exists' }, 'condition.op'],
    [{ field: 'date', op: 'in', value: ['2026-01-01'] }, 'condition.op'],
    [{ field: 'tags', op: 'eq', value: 'a' }, 'condition.op'],
    [{ field: 'name', op: 'exists', value: 'x' }, 'condition.value'],
    [{ field: 'amount', op: 'between', min: '1', max: '2', value: '1' }, 'condition.value'],
    [{ field: 'amount', op: 'between', min: '1' }, 'condition.max'],
    [{ field: 'amount', op: 'between', min: '10', max: '9' }, 'condition.min'],
    [{ field: 'month', op: 'between', min: 10, max: 9 }, 'condition.min'],
    [{ field: 'amount', op: 'approx', value: '1' }, 'condition.tolerance'],
    [{ field: 'amount', op: 'approx', value: '1', tolerance: '-1' }, 'condition.tolerance'],
    [{ field: 'month', op: 'approx', value: 1, tolerance: 184 }, 'condition.tolerance'],
    [{ field: 'name', op: 'eq', value: 7 }, 'condition.value'],
    [{ field: 'name', op: 'eq', value: null }, 'condition.value'],
    [{ field: 'name', op: 'eq', value: 'x'.repeat(513) }, 'condition.value'],
    [{ field: 'name', op: 'eq', value: 'a\0' }, 'condition.value'],
    [{ field: 'name', op: 'contains', value: ' ' }, 'condition.value'],
    [{ field: 'name', op: 'starts_with', value: '\u0301' }, 'condition.value'],
    [{ field: 'name', op: 'in', value: [] }, 'condition.value'],
    [{ field: 'name', op: 'in', value: 'x' }, 'condition.value'],
    [{ field: 'name', op: 'in', value: Array.from({ length: 501 }, () => 'x') }, 'condition.value'],
    [{ field: 'name', op: 'in', value: ['x', 7] }, 'condition.value[1]'],
    [{ field: 'name', op: 'matches', value: '' }, 'condition.value'],
    [{ field: 'name', op: 'matches', value: '(?=x)' }, 'condition.value'],
    [{ field: 'name', op: 'matches', value: '(a)\\1' }, 'condition.value'],
    [{ field: 'pending', op: 'eq', value: 'true' }, 'condition.value'],
    [{ field: 'amount', op: 'eq', value: '12.345' }, 'condition.value'],
    [{ field: 'amount', op: 'eq', value: 12.345 }, 'condition.value'],
    [{ field: 'amount', op: 'eq', value: '10000000000' }, 'condition.value'],
    [{ field: 'amount_abs', op: 'gt', value: '-0.01' }, 'condition.value'],
    [{ field: 'day_of_month', op: 'eq', value: 32 }, 'condition.value'],
    [{ field: 'day_of_month', op: 'eq', value: 1.5 }, 'condition.value'],
    [{ field: 'day_of_week', op: 'eq', value: '0' }, 'condition.value'],
    [{ field: 'date', op: 'gt', value: '2026-02-29' }, 'condition.value'],
    [{ field: 'provider', op: 'eq', value: 'bank' }, 'condition.value'],
    [{ field: 'category_kind', op: 'in', value: ['expense', 'x'] }, 'condition.value[1]'],
    [{ field: 'metadata.k', op: 'gt', value: '7' }, 'condition.value'],
    [{ field: 'metadata.k', op: 'contains', value: 7 }, 'condition.value'],
    [{ field: 'metadata.k', op: 'eq', value: {} }, 'condition.value'],
    [{ field: 'metadata.k', op: 'eq', value: Number.POSITIVE_INFINITY }, 'condition.value'],
    [{ field: 'category', op: 'eq', value: 7 }, 'condition.value'],
  ])('refuses %j with the path', (input, path) => {
    const { problems } = readCondition(input);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.code).toBe('VALIDATION_ERROR');
  });

  test.each(['category', 'tags', 'series', 'counterparty', 'account_id', 'user_id'])(
    'a reference of %s to nothing is an invalid parameter',
    (field) => {
      const { problems } = readCondition({ or: [{ field, op: 'in', value: ['nowhere'] }] });
      expect(problems).toMatchObject([{ path: 'condition.or[0].value[0]', code: 'INVALID_PARAMETER' }]);
    },
  );

  test('says what would be right, and lists at most twenty problems', () => {
    expect(readCondition({ field: 'nmae', op: 'eq', value: 'x' }).problems[0]?.message).toContain('merchant_name');
    expect(readCondition({ field: 'pending', op: 'is', value: true }).problems[0]?.message).toContain('eq, neq');
    expect(paths({ and: Array.from({ length: 60 }, () => ({ ...LEAF, value: 7 })) })).toHaveLength(20);
  });

  test('no input makes it throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.object({ key: fc.constantFrom('and', 'or', 'not', 'field', 'op', 'value') })),
        (input) => {
          readCondition(input);
        },
      ),
    );
  });
});

describe('the stored form', () => {
  test('keeps references by id and money as text; parsing the returned form gives it again', () => {
    fc.assert(
      fc.property(anyTree, (input) => {
        const { condition, problems } = readCondition(input);
        expect(problems).toEqual([]);
        expect(readCondition(renderCondition(condition, CATALOG))).toEqual({ condition, problems: [] });
        expect(readCondition(JSON.parse(JSON.stringify(condition)))).toEqual({ condition, problems: [] });
      }),
      { numRuns: 500 },
    );
    const input = { tolerance: 1, value: 0.1, op: 'approx', field: 'amount' };
    const { condition } = readCondition(input);
    expect(JSON.stringify(condition)).toBe('{"field":"amount","op":"approx","value":"0.10","tolerance":"1.00"}');
    const user = { field: 'user_id', op: 'in', value: ['u'] };
    expect(readCondition(user).condition).toEqual({ ...user, value: ['id-u'] });
    expect(renderCondition(readCondition(user).condition, CATALOG)).toEqual(user);
  });

  test('a leaf that lost its value is accepted unchanged and matches no row', () => {
    const erased = { field: 'account_id', op: 'eq', value: null } as const;
    const previous: StoredCondition = { and: [erased, { field: 'name', op: 'exists' }] };
    expect(readCondition({ not: erased }, previous)).toEqual({ condition: { not: erased }, problems: [] });
    for (const other of [
      { ...erased, op: 'neq' },
      { ...erased, field: 'user_id' },
    ]) {
      expect(readCondition(other, previous).problems).toMatchObject([{ path: 'condition.value' }]);
    }
    const rule = { ...ruleOf({}), condition: erased };
    expect(matchingRules(compileRules([rule], CATALOG), ROW)).toEqual([]);
  });

  test('a tag that an earlier rule of the request wants can be named', () => {
    const wanted = new WantedRecords();
    const problems = new Problems();
    const placeholder = wanted.want('tag', 'new', 'rules[0].actions[0].tag_slug');
    const context = { references: REFERENCES, wanted, problems };
    const leaf = { field: 'tags', op: 'contains', value: 'new' };
    expect(parseCondition(leaf, 'rules[1].condition', context)).toEqual({ ...leaf, value: placeholder });
    expect(problems.list).toEqual([]);
  });
});

describe('what a leaf means', () => {
  test.each<[string, Plain, Partial<RuleRow>, boolean]>([
    ['accents and case do not matter', { field: 'name', op: 'contains', value: 'cafe' }, { name: 'Le CAFÉ' }, true],
    ['a pattern sees the text as it is', { field: 'name', op: 'matches', value: 'cafe' }, { name: 'Le CAFÉ' }, false],
    ['amounts are exact as text', { field: 'amount', op: 'eq', value: '0.10' }, { amountCents: 10 }, true],
    ['amounts are exact as number', { field: 'amount', op: 'eq', value: 0.1 }, { amountCents: 10 }, true],
    ['0.30 is in 0.1 + 0.2', { field: 'amount', op: 'approx', value: 0.1, tolerance: 0.2 }, { amountCents: 30 }, true],
    ['neq holds for an empty field', { field: 'merchant_name', op: 'neq', value: 'x' }, {}, true],
    ['eq "" asks for an empty field', { field: 'merchant_name', op: 'eq', value: '' }, {}, true],
    ['a blank text is an empty field', { field: 'merchant_name', op: 'exists' }, { merchantName: ' ' }, false],
    ['and no pattern finds it', { field: 'merchant_name', op: 'matches', value: '^' }, { merchantName: ' ' }, false],
    ['neq of metadata needs the key', { field: 'metadata.k', op: 'neq', value: 'x' }, {}, false],
    ['a JSON null exists', { field: 'metadata.k', op: 'exists' }, { metadata: new Map([['k', null]]) }, true],
    ['and is not equal', { field: 'metadata.k', op: 'neq', value: 'x' }, { metadata: new Map([['k', null]]) }, true],
    ['a number is not a text', { field: 'metadata.k', op: 'eq', value: '7' }, { metadata: new Map([['k', 7]]) }, false],
    ['a text can be a number', { field: 'metadata.k', op: 'gt', value: 6 }, { metadata: new Map([['k', '7']]) }, true],
    ['keys may hold dots', { field: 'metadata.a.b', op: 'exists' }, { metadata: new Map([['a.b', 1]]) }, true],
    [
      'objects show as JSON',
      { field: 'metadata.k', op: 'ends_with', value: ':1}' },
      { metadata: new Map([['k', { a: 1 }]]) },
      true,
    ],
    ['Christmas 1969 is a Thursday', { field: 'day_of_week', op: 'eq', value: 4 }, { date: '1969-12-25' }, true],
    ['a leap year has day 366', { field: 'day_of_year', op: 'eq', value: 366 }, { date: '2024-12-31' }, true],
    ['about 366 is it', { field: 'day_of_year', op: 'approx', value: 366, tolerance: 0 }, { date: '2024-12-31' }, true],
    ['or day 365', { field: 'day_of_year', op: 'approx', value: 366, tolerance: 0 }, { date: '2026-12-31' }, true],
    [
      'a parent is not its children',
      { field: 'category', op: 'eq', value: 'food' },
      { categoryId: 'id-food_coffee' },
      false,
    ],
    [
      'the slug can tell',
      { field: 'category', op: 'starts_with', value: 'food' },
      { categoryId: 'id-food_coffee' },
      true,
    ],
  ])('%s', (_, condition, change, expected) => {
    expect(matches(condition, change)).toBe(expected);
  });

  test.each<[number, number, string[]]>([
    [31, 2, ['2026-02-26', '2026-02-27', '2026-02-28', '2026-02-01', '2026-02-02']],
    [31, 2, ['2026-03-01', '2026-03-02', '2026-03-29', '2026-03-30', '2026-03-31']],
    [31, 0, ['2026-02-28']],
    [31, 0, ['2026-04-30']],
  ])('about day %i ± %i in one month is %j', (value, tolerance, expected) => {
    const condition = { field: 'day_of_month', op: 'approx', value, tolerance };
    const month = expected[0]?.slice(0, 8) ?? '';
    const days = Array.from(
      { length: month === '2026-02-' ? 28 : month === '2026-04-' ? 30 : 31 },
      (_, index) => month + String(index + 1).padStart(2, '0'),
    );
    expect(days.filter((date) => matches(condition, { date })).sort()).toEqual([...expected].sort());
  });
});
