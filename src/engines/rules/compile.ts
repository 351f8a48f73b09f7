import { compileLeaf, type CompileContext, type CompiledTest, type Test } from './compile-leaf.ts';
import type { Rule, StoredAction, StoredCondition, StoredNode } from './definition.ts';
import { isEmptyCondition } from './definition.ts';
import type { FacetKey } from './row.ts';

/** What an action does to its facet; a comment has none. */
export type Effect =
  | { readonly kind: 'category'; readonly facet: 'category'; readonly id: string; readonly isArchived: boolean }
  | { readonly kind: 'tag'; readonly facet: `tag:${string}`; readonly slug: string; readonly isAttached: boolean }
  | { readonly kind: 'series'; readonly facet: 'series'; readonly id: string }
  | { readonly kind: 'counterparty'; readonly facet: 'counterparty'; readonly id: string }
  | {
      readonly kind: 'metadata';
      readonly facet: `metadata.${string}`;
      readonly key: string;
      /** Undefined removes the key. */
      readonly value: unknown;
    }
  | { readonly kind: 'flag'; readonly facet: 'flag'; readonly isFlagged: boolean }
  | { readonly kind: 'comment'; readonly facet: null; readonly content: string };

export type FacetEffect = Exclude<Effect, { kind: 'comment' }>;

export interface CompiledRule {
  readonly rule: Rule;
  readonly test: Test;
  /** One for each action, in their order. */
  readonly effects: readonly Effect[];
  readonly setsMetadata: boolean;
}

export function compileRule(rule: Rule, context: CompileContext): CompiledRule {
  return {
    rule,
    test: compileCondition(rule.condition, context),
    effects: rule.actions.map((action) => effectOf(action, context.catalog)),
    setsMetadata: rule.actions.some(({ type }) => type === 'set_metadata'),
  };
}

export function compileCondition(condition: StoredCondition, context: CompileContext): Test {
  return isEmptyCondition(condition) ? () => true : compileNode(condition, context).test;
}

function compileNode(node: StoredNode, context: CompileContext): CompiledTest {
  if ('and' in node) return every(node.and.map((child) => compileNode(child, context)));
  if ('or' in node) return some(node.or.map((child) => compileNode(child, context)));
  if ('not' in node) {
    const { test, cost } = compileNode(node.not, context);
    return { test: (subject) => !test(subject), cost };
  }
  return compileLeaf(node, context);
}

/** Nothing has side effects, so the cheap tests may come first. */
function every(parts: readonly CompiledTest[]): CompiledTest {
  const { tests, cost } = cheapestFirst(parts);
  const [first, second] = tests;
  if (first === undefined || tests.length === 1) return { test: first ?? (() => true), cost };
  if (second !== undefined && tests.length === 2) return { test: (subject) => first(subject) && second(subject), cost };
  return {
    test: (subject) => {
      for (const test of tests) if (!test(subject)) return false;
      return true;
    },
    cost,
  };
}

function some(parts: readonly CompiledTest[]): CompiledTest {
  const { tests, cost } = cheapestFirst(parts);
  const [first, second] = tests;
  if (first === undefined || tests.length === 1) return { test: first ?? (() => false), cost };
  if (second !== undefined && tests.length === 2) return { test: (subject) => first(subject) || second(subject), cost };
  return {
    test: (subject) => {
      for (const test of tests) if (test(subject)) return true;
      return false;
    },
    cost,
  };
}

function cheapestFirst(parts: readonly CompiledTest[]): { tests: Test[]; cost: number } {
  const ordered = [...parts].sort((a, b) => a.cost - b.cost);
  return { tests: ordered.map(({ test }) => test), cost: ordered.reduce((sum, { cost }) => sum + cost, 0) };
}

function effectOf(action: StoredAction, catalog: CompileContext['catalog']): Effect {
  switch (action.type) {
    case 'set_category': {
      const isArchived = catalog.categories.get(action.category_id)?.isArchived ?? false;
      return { kind: 'category', facet: 'category', id: action.category_id, isArchived };
    }
    case 'add_tag':
    case 'remove_tag': {
      const slug = catalog.tags.get(action.tag_id);
      if (slug === undefined) throw new Error('A stored rule names a tag that does not exist.');
      return { kind: 'tag', facet: `tag:${slug}`, slug, isAttached: action.type === 'add_tag' };
    }
    case 'assign_series':
      return { kind: 'series', facet: 'series', id: action.series_id };
    case 'assign_counterparty':
      return { kind: 'counterparty', facet: 'counterparty', id: action.counterparty_id };
    case 'set_metadata':
    case 'remove_metadata': {
      const { metadata_key: key } = action;
      const value = action.type === 'set_metadata' ? action.metadata_value : undefined;
      return { kind: 'metadata', facet: `metadata.${key}`, key, value };
    }
    case 'flag':
    case 'unflag':
      return { kind: 'flag', facet: 'flag', isFlagged: action.type === 'flag' };
    case 'add_comment':
    default:
      return { kind: 'comment', facet: null, content: action.content };
  }
}

/** The facet of an action by its lock key, with tags by slug; null for a comment. */
export function facetOf(action: StoredAction, catalog: CompileContext['catalog']): FacetKey | null {
  return effectOf(action, catalog).facet;
}
