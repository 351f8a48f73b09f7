import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseCondition } from '../../src/engines/rules/parse-condition.ts';
import { Problems } from '../../src/engines/rules/problems.ts';
import { WantedRecords } from '../../src/engines/rules/references.ts';
import { RULE_LIMITS } from '../../src/engines/rules/rule-limits.ts';
import { FIELD_SHAPES } from '../../src/engines/rules/language.ts';
import { isComplete, NEW_TEST, withField, withOperator } from '../../web/pages/rules/editor/tests.ts';
import {
  add,
  beyondLimits,
  canUnwrap,
  countOf,
  find,
  fromJson,
  groupOf,
  leafOf,
  leavesOf,
  move,
  negate,
  orderOf,
  remove,
  setKind,
  setTest,
  toJson,
  unwrap,
  wrap,
  type Test,
  type Tree,
} from '../../web/pages/rules/editor/tree.ts';
import { operatorsFor, shapeOf } from '../../web/pages/rules/editor/words.ts';

/** What the server says of it; every record exists. */
function problemsOf(json: unknown): string[] {
  const problems = new Problems();
  const any = (text: string): string => text;
  const references = {
    category: any,
    tag: any,
    series: any,
    seriesByName: any,
    counterparty: any,
    counterpartyByName: any,
    account: any,
    user: any,
    isArchived: () => false,
  };
  parseCondition(json, 'condition', { references, wanted: new WantedRecords(), problems });
  return problems.list.map(({ path, message }) => `${path}: ${message}`);
}

/** Fills in a row as a person would. */
function filled(asked: Test): Test {
  const shape = shapeOf(asked.field);
  const field = asked.field === 'metadata.' ? 'metadata.k' : asked.field;
  const isText = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'].includes(asked.op);
  const value = isText ? 'rewe' : valueOf(shape);
  const given = (key: 'value' | 'min' | 'max' | 'tolerance', one: unknown) => (key in asked ? { [key]: one } : {});
  const number = shape?.kind === 'metadata' && 'gt gte lt lte'.split(' ').includes(asked.op) ? 1 : value;
  return {
    field,
    op: asked.op,
    ...given('value', asked.op === 'in' || asked.op === 'not_in' ? [value] : number),
    ...given('min', shape?.kind === 'metadata' ? 1 : value),
    ...given('max', shape?.kind === 'metadata' ? 1 : value),
    ...given('tolerance', shape?.kind === 'money' ? '1.00' : 1),
  };
}

function valueOf(shape: ReturnType<typeof shapeOf>): unknown {
  switch (shape?.kind) {
    case 'money':
      return '12.50';
    case 'integer':
      return shape.max;
    case 'date':
      return '2026-02-28';
    case 'boolean':
      return false;
    case 'choice':
      return shape.choices[0];
    case 'category':
    case 'metadata':
    case 'reference':
    case 'tags':
    case 'text':
    case undefined:
      break;
  }
  return 'x';
}

const FIELDS = [...Object.keys(FIELD_SHAPES), 'metadata.'];

interface Step {
  what: number;
  node: number;
  choice: number;
}

const steps = fc.array(fc.record({ what: fc.nat(9), node: fc.nat(), choice: fc.nat() }), { maxLength: 60 });

/** One click, as the page allows it: what goes beyond the limits is refused, and the tree stays. */
function edited(tree: Tree, { what, node, choice }: Step): Tree {
  const ids = orderOf(tree);
  const id = ids[node % Math.max(1, ids.length)] ?? '';
  const at = find(tree, id);
  const into = at?.kind === 'leaf' ? undefined : at?.id;
  const next = ((): Tree => {
    switch (what) {
      case 0:
        return add(tree, leafOf(NEW_TEST), into);
      case 1:
        return add(tree, { ...groupOf(leafOf(NEW_TEST)), kind: 'or' }, into);
      case 2:
        return remove(tree, id);
      case 3:
        return wrap(tree, id);
      case 4:
        return negate(tree, id);
      case 5:
        return setKind(tree, id, choice % 2 === 0 ? 'and' : 'or');
      case 6:
        return move(tree, id, choice % 2 === 0 ? 1 : -1) ?? tree;
      case 7:
        return canUnwrap(tree, id) ? unwrap(tree, id) : tree;
      default: {
        if (at?.kind !== 'leaf') return tree;
        const field = withField(at, FIELDS[choice % FIELDS.length] ?? 'name');
        const operators = operatorsFor(field.field);
        const op = operators[choice % operators.length];
        return setTest(tree, id, what === 8 || op === undefined ? testOf(field) : withOperator(testOf(field), op));
      }
    }
  })();
  return beyondLimits(next) === undefined ? next : tree;
}

function testOf({ field, op, value, min, max, tolerance }: Test): Test {
  return { field, op, ...JSON.parse(JSON.stringify({ value, min, max, tolerance })) };
}

test('whatever is clicked, the server takes the tree once its rows are filled in', () => {
  fc.assert(
    fc.property(steps, (clicks) => {
      let tree: Tree = null;
      for (const click of clicks) tree = edited(tree, click);
      for (const leaf of leavesOf(tree)) tree = setTest(tree, leaf.id, filled(testOf(leaf)));
      expect(problemsOf(toJson(tree))).toEqual([]);
      expect(leavesOf(tree).every(isComplete)).toBe(true);
    }),
  );
});

test('the tree and its JSON say the same, both ways', () => {
  fc.assert(
    fc.property(steps, (clicks) => {
      const tree = clicks.reduce(edited, null as Tree);
      const json = toJson(tree);
      const { tree: again, problems } = fromJson(json);
      expect(problems).toEqual([]);
      expect(toJson(again)).toEqual(json);
      expect(orderOf(again)).toHaveLength(orderOf(tree).length);
    }),
  );
});

test('moving loses and doubles nothing, and every place can be reached', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (clicks, choice) => {
      const tree = clicks.reduce(edited, null as Tree);
      const leaves = leavesOf(tree);
      const moved = leaves[choice % Math.max(1, leaves.length)];
      if (!moved) return;
      let now = tree;
      for (let up = move(now, moved.id, -1); up; up = move(now, moved.id, -1)) {
        now = up;
        expect(
          leavesOf(now)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(leaves.map(({ id }) => id).toSorted());
      }
      for (let down = move(now, moved.id, 1); down; down = move(now, moved.id, 1)) now = down;
      expect(
        leavesOf(now)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(leaves.map(({ id }) => id).toSorted());
      expect(orderOf(now).at(-1)).toBe(moved.id);
    }),
  );
});

test('the limits are those of the server', () => {
  let wide: Tree = groupOf(leafOf(filled(NEW_TEST)));
  while (countOf(wide) < RULE_LIMITS.nodes) wide = add(wide, leafOf(filled(NEW_TEST)));
  expect([beyondLimits(wide), problemsOf(toJson(wide))]).toEqual([undefined, []]);
  const wider = add(wide, leafOf(filled(NEW_TEST)));
  expect([beyondLimits(wider), problemsOf(toJson(wider)).length]).toEqual([expect.stringMatching(/200/), 1]);

  let deep: Tree = leafOf(filled(NEW_TEST));
  const { id } = deep;
  for (let level = 0; level < RULE_LIMITS.depth; level += 1) deep = wrap(deep, id);
  expect([beyondLimits(deep), problemsOf(toJson(deep))]).toEqual([undefined, []]);
  expect([beyondLimits(negate(deep, id)), problemsOf(toJson(negate(deep, id))).length]).toEqual([
    expect.stringMatching(/10 levels/),
    1,
  ]);
});

test('what has no form of a condition is said where it stands', () => {
  const pathsOf = (json: unknown) => fromJson(json).problems.map(({ path }) => path);
  expect(pathsOf({ and: [{ field: 'name', op: 'eq', value: 'x' }, {}] })).toEqual(['condition.and[1]']);
  expect(pathsOf({ or: [] })).toEqual(['condition.or']);
  expect(pathsOf({ not: { and: [{ field: 1, op: 'eq' }] } })).toEqual(['condition.not.and[0].field']);
  expect(pathsOf({ and: [], or: [] })).toEqual(['condition']);
  expect(pathsOf('x')).toEqual(['condition']);
  for (const json of [null, undefined, {}]) expect(fromJson(json)).toEqual({ tree: null, problems: [] });
});

test('moving goes into groups and out of them, also where they are negated', () => {
  const { tree } = fromJson({
    and: [
      { field: 'name', op: 'contains', value: 'a' },
      { not: { or: [{ field: 'name', op: 'contains', value: 'b' }] } },
    ],
  });
  const [a, b] = leavesOf(tree);
  const into = move(tree, a?.id ?? '', 1) ?? null;
  expect(toJson(into)).toEqual({
    and: [
      {
        not: {
          or: [
            { field: 'name', op: 'contains', value: 'a' },
            { field: 'name', op: 'contains', value: 'b' },
          ],
        },
      },
    ],
  });
  const out = move(tree, b?.id ?? '', -1) ?? null;
  expect(toJson(out)).toEqual({
    and: [
      { field: 'name', op: 'contains', value: 'a' },
      { field: 'name', op: 'contains', value: 'b' },
    ],
  });
});

test('what fits stays when the field or operator changes', () => {
  const text = { field: 'name', op: 'contains', value: 'rewe' } as const;
  expect(withField(text, 'merchant_name')).toEqual({ ...text, field: 'merchant_name' });
  expect(withField(text, 'amount')).toEqual({ field: 'amount', op: 'gte', value: '' });
  expect(withField(text, 'pending')).toEqual({ field: 'pending', op: 'eq', value: true });
  expect(withOperator(text, 'in')).toEqual({ field: 'name', op: 'in', value: ['rewe'] });
  expect(withOperator({ field: 'name', op: 'in', value: ['a', 'b'] }, 'eq')).toEqual({
    field: 'name',
    op: 'eq',
    value: 'a',
  });
  expect(withOperator({ field: 'amount', op: 'gte', value: '5.00' }, 'between')).toEqual({
    field: 'amount',
    op: 'between',
    min: '5.00',
    max: '',
  });
  expect(withOperator(text, 'exists')).toEqual({ field: 'name', op: 'exists' });
  expect(withOperator({ field: 'category', op: 'eq', value: 'food' }, 'starts_with')).toEqual({
    field: 'category',
    op: 'starts_with',
    value: '',
  });
});
