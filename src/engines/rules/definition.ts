import type { Cents } from '../../kernel/money.ts';
import { compareCodePoints } from '../../kernel/fold.ts';
import type { Json } from './json.ts';
import type { Operator } from './language.ts';

/**
 * A condition as stored (contract 40.2.5): the returned form, but every reference is a UUID. Money is a decimal string
 * with two digits; `toCents` reads it.
 */
export type StoredCondition = EmptyCondition | StoredNode;
type EmptyCondition = { readonly [key: string]: never };
export type StoredNode = AndNode | OrNode | NotNode | StoredLeaf;
interface AndNode {
  readonly and: readonly StoredNode[];
}
interface OrNode {
  readonly or: readonly StoredNode[];
}
interface NotNode {
  readonly not: StoredNode;
}

export type Scalar = string | number | boolean;

/** The operator decides which keys a leaf has. `value` is null if the record that it named was erased (40.7). */
export interface StoredLeaf {
  readonly field: string;
  readonly op: Operator;
  readonly value?: Scalar | readonly Scalar[] | null;
  readonly min?: Scalar;
  readonly max?: Scalar;
  readonly tolerance?: Scalar;
}

/** An action as stored: every reference is a UUID. */
export type StoredAction =
  | { readonly type: 'set_category'; readonly category_id: string }
  | { readonly type: 'add_tag'; readonly tag_id: string }
  | { readonly type: 'remove_tag'; readonly tag_id: string }
  | { readonly type: 'assign_series'; readonly series_id: string }
  | { readonly type: 'assign_counterparty'; readonly counterparty_id: string }
  | { readonly type: 'set_metadata'; readonly metadata_key: string; readonly metadata_value: Json }
  | { readonly type: 'remove_metadata'; readonly metadata_key: string }
  | { readonly type: 'flag' }
  | { readonly type: 'unflag' }
  | { readonly type: 'add_comment'; readonly content: string };
export type ActionType = StoredAction['type'];
export type ActionOf<T extends ActionType> = Extract<StoredAction, { readonly type: T }>;

export const TRIGGERS = ['sync', 'create', 'retroactive', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What a run needs of a stored rule. The caller, which has the clock, decides whether the rule is active. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly createdAt: string;
  readonly condition: StoredCondition;
  readonly actions: readonly StoredAction[];
  readonly triggers: readonly Trigger[];
  readonly overwriteManual: boolean;
  readonly stop: boolean;
}

type RulePlace = Pick<Rule, 'priority' | 'createdAt' | 'id'>;

/** Order of execution (40.4): `priority`, then `created_at`, then `id`. */
export function compareRules(a: RulePlace, b: RulePlace): number {
  return a.priority - b.priority || compareCodePoints(a.createdAt, b.createdAt) || compareCodePoints(a.id, b.id);
}

export function isEmptyCondition(condition: StoredCondition): condition is EmptyCondition {
  return Object.keys(condition).length === 0;
}

/** Hundredths of a money value as stored, which is `-?digits.dd`. */
export function toCents(value: Scalar): Cents {
  return Number(String(value).replace('.', ''));
}

/** All leaves, in the order given. */
export function* leavesOf(condition: StoredCondition): Generator<StoredLeaf, void, undefined> {
  if (isEmptyCondition(condition)) return;
  if ('and' in condition) for (const node of condition.and) yield* leavesOf(node);
  else if ('or' in condition) for (const node of condition.or) yield* leavesOf(node);
  else if ('not' in condition) yield* leavesOf(condition.not);
  else yield condition;
}

/** The condition with every leaf replaced by what `change` makes of it. */
export function mapLeaves(condition: StoredCondition, change: (leaf: StoredLeaf) => StoredLeaf): StoredCondition {
  const mapped = (node: StoredNode): StoredNode => {
    if ('and' in node) return { and: node.and.map(mapped) };
    if ('or' in node) return { or: node.or.map(mapped) };
    return 'not' in node ? { not: mapped(node.not) } : change(node);
  };
  return isEmptyCondition(condition) ? condition : mapped(condition);
}
