import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyTree, fixedTree, row, rules } from '../../../test/harness/rules/random-rules.ts';
import { CATALOG, inputOf, ROW, ruleOf } from '../../../test/harness/rules/sample-rules.ts';
import { holds } from '../../../test/harness/rules/slow-conditions.ts';
import { effectOf } from './actions.ts';
import type { FacetChange } from './changes.ts';
import { compareRules, type Rule, type StoredAction } from './definition.ts';
import { evaluateRow, matchingRules } from './evaluate.ts';
import { explainRow } from './explain.ts';
import type { RuleRow } from './row.ts';
import { compileRules, partsRead } from './rule-set.ts';

/** The row after its changes were written. */
function applied(before: RuleRow, changes: readonly FacetChange[]): RuleRow {
  const tags = new Set(before.tags);
  const metadata = new Map(before.metadata);
  const locks = new Set(before.locks);
  let after = before;
  for (const change of changes) {
    if (change.unlocks) locks.delete(change.facet);
    if (change.kind === 'category') after = { ...after, ...change.after };
    else if (change.kind === 'series') after = { ...after, seriesId: change.after };
    else if (change.kind === 'counterparty') after = { ...after, counterpartyId: change.after };
    else if (change.kind === 'flag') after = { ...after, flagged: change.after };
    else if (change.kind === 'tag') {
      if (change.after) tags.add(change.slug);
      else tags.delete(change.slug);
    } else if (change.after === undefined) metadata.delete(change.key);
    else metadata.set(change.key, change.after);
  }
  return { ...after, tags, metadata, locks };
}

/** The parts of a row that rules change and conditions read. */
const LIVE: ReadonlySet<string> = new Set(['categoryId', 'tags', 'seriesId', 'counterpartyId', 'metadata']);

describe('a condition', () => {
  test('agrees with a slow implementation of the contract, and so does its negation', () => {
    fc.assert(
      fc.property(anyTree, fc.array(row, { minLength: 1, maxLength: 4 }), (node, list) => {
        const set = compileRules([ruleOf(node)], CATALOG);
        const negated = compileRules([ruleOf({ not: node })], CATALOG);
        for (const each of list) {
          const expected = holds(node, each);
          expect(matchingRules(set, each).length > 0).toBe(expected);
          expect(matchingRules(negated, each).length > 0).toBe(!expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Contract 40.5 step by step on plain copies of the row: the state in the end, and which rules matched. */
function slowPass(list: readonly Rule[], before: RuleRow, overwriteAll: boolean): { state: RuleRow; hits: string[] } {
  let state = before;
  const hits: string[] = [];
  for (const rule of [...list].sort(compareRules)) {
    if (!holds(inputOf(rule), state)) continue;
    hits.push(rule.id);
    for (const action of rule.actions) {
      const next = slowAction(action, state);
      const facet = effectOf(action, CATALOG).facet;
      const isLocked = facet !== null && state.locks.has(facet) && !rule.overwriteManual && !overwriteAll;
      const isArchived = action.type === 'set_category' && action.category_id === 'id-rent';
      if (isLocked || isArchived || isEqualState(state, next)) continue;
      state = { ...next, locks: new Set([...state.locks].filter((key) => key !== facet)) };
    }
    if (rule.stop) break;
  }
  return { state, hits };
}

function slowAction(action: StoredAction, state: RuleRow): RuleRow {
  const tags = new Set(state.tags);
  const metadata = new Map(state.metadata);
  if (action.type === 'set_category') return { ...state, categoryId: action.category_id, categorySource: 'rule' };
  if (action.type === 'add_tag') tags.add(action.tag_id.slice(3));
  if (action.type === 'remove_tag') tags.delete(action.tag_id.slice(3));
  if (action.type === 'assign_series') return { ...state, seriesId: action.series_id };
  if (action.type === 'assign_counterparty') return { ...state, counterpartyId: action.counterparty_id };
  if (action.type === 'set_metadata') metadata.set(action.metadata_key, action.metadata_value);
  if (action.type === 'remove_metadata') metadata.delete(action.metadata_key);
  const flagged = action.type === 'flag' || (state.flagged && action.type !== 'unflag');
  return { ...state, flagged, tags, metadata };
}

function isEqualState(a: RuleRow, b: RuleRow): boolean {
  return describeState(a) === describeState(b);
}

function describeState({
  categoryId,
  categorySource,
  tags,
  seriesId,
  counterpartyId,
  metadata,
  flagged,
}: RuleRow): string {
  const entries = [...metadata].sort(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify([categoryId, categorySource, [...tags].sort(), seriesId, counterpartyId, entries, flagged]);
}

describe('a pass of rules', () => {
  test('does what its steps do one after the other, and reports the difference between end and beginning', () => {
    fc.assert(
      fc.property(rules(anyTree), row, fc.boolean(), (list, of, overwriteManual) => {
        const found = evaluateRow(compileRules(list, CATALOG), of, { overwriteManual });
        const { state, hits } = slowPass(list, of, overwriteManual);
        expect(found.hits.map(({ ruleId }) => ruleId)).toEqual(hits);
        expect(describeState(applied(of, found.changes))).toBe(describeState(state));
        for (const change of found.changes) {
          const without = found.changes.filter((other) => other !== change);
          expect(isEqualState(applied(of, without), state)).toBe(false);
          expect(change.unlocks).toBe(of.locks.has(change.facet));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('gives the same result with and without pre-selection, and for any order of the rules', () => {
    fc.assert(
      fc.property(rules(anyTree), fc.array(row, { minLength: 1, maxLength: 3 }), fc.boolean(), (list, each, all) => {
        const fast = compileRules(list, CATALOG);
        const slow = compileRules([...list].reverse(), CATALOG, { preselect: false });
        expect(fast.rules.map(({ rule }) => rule)).toEqual([...list].sort(compareRules));
        for (const of of each) {
          const found = evaluateRow(fast, of, { overwriteManual: all });
          expect(found).toEqual(evaluateRow(slow, of, { overwriteManual: all }));
          expect(found.failed).toEqual([]);
          const hadComment = (): boolean => false;
          const explained = explainRow(fast, of, CATALOG, { overwriteManual: all, hadComment });
          expect(explained.evaluation).toEqual(found);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('changes nothing when its result has been applied', () => {
    const settles = (list: Rule[], of: RuleRow): void => {
      const set = compileRules(list, CATALOG);
      const after = applied(of, evaluateRow(set, of).changes);
      expect(evaluateRow(set, after).changes).toEqual([]);
    };
    fc.assert(
      fc.property(rules(anyTree), row, (list, of) => list.slice(0, 1).forEach((rule) => settles([rule], of))),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(rules(fixedTree), row, (list, of) => {
        expect(
          [...partsRead(list.map(({ condition }) => ({ condition, actions: [] })))].some((part) => LIVE.has(part)),
        ).toBe(false);
        settles(list, of);
      }),
      { numRuns: 500 },
    );
  });

  test('never changes locked facets, unless a rule or the run overwrites them', () => {
    fc.assert(
      fc.property(rules(anyTree), row, (list, of) => {
        const careful = list.map((rule) => ({ ...rule, overwriteManual: false }));
        const { changes } = evaluateRow(compileRules(careful, CATALOG), of);
        expect(changes.filter(({ facet, unlocks }) => unlocks || of.locks.has(facet))).toEqual([]);
        const forced = evaluateRow(compileRules(careful, CATALOG), of, { overwriteManual: true });
        for (const { facet, unlocks } of forced.changes) expect(unlocks).toBe(of.locks.has(facet));
      }),
      { numRuns: 500 },
    );
  });

  const evaluate = (list: Rule[], of: RuleRow = ROW): readonly FacetChange[] =>
    evaluateRow(compileRules(list, CATALOG), of).changes;
  const set = (slug: string, more: Partial<Rule> = {}, condition = {}): Rule =>
    ruleOf(condition, [{ type: 'set_category', category_slug: slug }], more);
  const tag = (type: 'add_tag' | 'remove_tag'): Rule => ruleOf({}, [{ type, tag_slug: 'a' }]);

  test('the later of two categories wins, with one change', () => {
    const [first, second] = [set('food'), set('salary')];
    const facts = { kind: 'category', ruleId: second.id, unlocks: false };
    expect(evaluate([second, first])).toMatchObject([facts]);
    expect(evaluate([set('salary'), { ...first, priority: 101 }])).toMatchObject([{ ruleId: first.id }]);
  });

  test('a rule sees what earlier ones did, and not what later ones do', () => {
    const reader = set('food', {}, { field: 'tags', op: 'contains', value: 'a' });
    const writer = tag('add_tag');
    expect(evaluate([reader, writer]).map(({ facet }) => facet)).toEqual(['tag:a']);
    expect(evaluate([{ ...reader, priority: 101 }, writer]).map(({ facet }) => facet)).toEqual(['tag:a', 'category']);
  });

  test('adding and removing a tag again is not a change; removing it last is one', () => {
    const list = [tag('add_tag'), tag('remove_tag')];
    expect(evaluate(list)).toEqual([]);
    expect(evaluate(list, { ...ROW, tags: new Set(['a']) })).toMatchObject([{ before: true, after: false }]);
  });

  test('confirming the provider’s category is a change of its source', () => {
    const of = { ...ROW, categoryId: 'id-food', categorySource: 'provider' };
    expect(evaluate([set('food')], of)).toMatchObject([{ before: { categorySource: 'provider' } }]);
    expect(evaluate([set('food')], { ...of, categorySource: 'rule' })).toEqual([]);
  });

  test('a locked facet that gets its present value keeps its lock; a new value takes it', () => {
    const rule = ruleOf({}, [{ type: 'assign_series', series_id: 's' }], { overwriteManual: true });
    const of = { ...ROW, seriesId: 'id-s', locks: new Set(['series']) };
    expect(evaluate([rule], of)).toEqual([]);
    expect(evaluate([rule], { ...of, seriesId: null })).toMatchObject([{ unlocks: true, before: null, after: 'id-s' }]);
  });

  test('reports which actions it skipped and why', () => {
    const actions = [
      { type: 'set_category', category_slug: 'rent' },
      { type: 'add_tag', tag_slug: 'a' },
      { type: 'set_metadata', metadata_key: 'k', metadata_value: 'x'.repeat(4_000) },
      { type: 'remove_metadata', metadata_key: 'old' },
    ];
    const rule = ruleOf({}, actions);
    const big = (chars: number): ReadonlyMap<string, unknown> => new Map([['l', 'x'.repeat(chars)]]);
    const skippedWith = (metadata: ReadonlyMap<string, unknown>): unknown =>
      evaluateRow(compileRules([rule], CATALOG), { ...ROW, metadata, locks: new Set(['tag:a']) }).hits[0]?.skipped;
    const always = [
      { action: 0, reason: 'archived' },
      { action: 1, reason: 'locked' },
    ];
    // {"l":"…","k":"…"} has 15 bytes around the two texts.
    expect(skippedWith(big(8_192 - 4_000 - 15))).toEqual(always);
    expect(skippedWith(big(8_192 - 4_000 - 14))).toEqual([...always, { action: 2, reason: 'limit' }]);
    expect(skippedWith(new Map([...big(4_000), ['old', 'x'.repeat(180)]]))).toEqual(always);
  });

  test('metadata: null is a value, an absent key is not', () => {
    const setNull = ruleOf({}, [{ type: 'set_metadata', metadata_key: '__proto__', metadata_value: null }]);
    const remove = ruleOf({}, [{ type: 'remove_metadata', metadata_key: '__proto__' }]);
    expect(evaluate([setNull])).toMatchObject([{ facet: 'metadata.__proto__', before: undefined, after: null }]);
    expect(evaluate([remove])).toEqual([]);
    const of = { ...ROW, metadata: new Map([['__proto__', { b: 1, a: 2 }]]) };
    const same = ruleOf({}, [{ type: 'set_metadata', metadata_key: '__proto__', metadata_value: { a: 2, b: 1 } }]);
    expect(evaluate([same], of)).toEqual([]);
  });

  test('a matching rule with stop hides later ones, even if all its actions were skipped', () => {
    const stopper = set('food', { stop: true }, { field: 'amount', op: 'gt', value: 5 });
    const list = [stopper, set('salary')];
    expect(evaluate(list)).toMatchObject([{ ruleId: stopper.id }]);
    expect(evaluate(list, { ...ROW, amountCents: 500 })).toMatchObject([{ after: { categoryId: 'id-salary' } }]);
    expect(evaluate(list, { ...ROW, locks: new Set(['category']) })).toEqual([]);
  });

  test('a rule that fails loses its own effects on the row, and no others', () => {
    const first = tag('add_tag');
    const broken = ruleOf({}, [
      { type: 'add_tag', tag_slug: 'b' },
      { type: 'remove_metadata', metadata_key: 'k' },
    ]);
    const list = [first, broken, set('food'), set('salary', {}, { field: 'tags', op: 'contains', value: 'b' })];
    const metadata = Object.assign(new Map([['k', 1]]), {
      get: () => {
        throw new Error('broken');
      },
    });
    const found = evaluateRow(compileRules(list, CATALOG), { ...ROW, metadata });
    expect(found.failed).toMatchObject([{ ruleId: broken.id }]);
    expect(found.changes).toMatchObject([{ facet: 'tag:a' }, { after: { categoryId: 'id-food' } }]);
    expect(found.hits.map(({ index }) => index)).toEqual([0, 2]);
  });

  test('matching rules add their comments, whatever else was skipped', () => {
    const rule = ruleOf({}, [{ type: 'flag' }, { type: 'add_comment', content: ' Look ' }]);
    const found = evaluateRow(compileRules([rule], CATALOG), { ...ROW, locks: new Set(['flag']) });
    expect(found.comments).toEqual([{ ruleId: rule.id, action: 1, content: 'Look' }]);
    expect(found.changes).toEqual([]);
  });
});
