import {
  isEmptyCondition,
  leavesOf,
  type StoredAction,
  type StoredCondition,
  type StoredLeaf,
  type StoredNode,
} from '../../engines/rules/definition.ts';
import type { Reference } from '../../journal/undo-rows.ts';

type Named = Pick<Reference, 'table' | 'nullWhileStanding'>;

const CATEGORY: Named = { table: 'categories' };
const TAG: Named = { table: 'tags' };
const SERIES: Named = { table: 'series' };
const COUNTERPARTY: Named = { table: 'counterparties', nullWhileStanding: 'canonical_counterparty_id' };

const NAMED_BY_FIELD: Readonly<Record<string, Named>> = {
  category: CATEGORY,
  tags: TAG,
  series: SERIES,
  counterparty: COUNTERPARTY,
  account_id: { table: 'accounts', nullWhileStanding: 'deleted_at' },
  user_id: { table: 'users' },
};
const NAMED_BY_ACTION: Readonly<Record<string, Named>> = {
  category_id: CATEGORY,
  tag_id: TAG,
  series_id: SERIES,
  counterparty_id: COUNTERPARTY,
};
const NAMING: ReadonlySet<string> = new Set(['eq', 'neq', 'in', 'not_in', 'contains', 'not_contains']);

/** Every record that a stored rule names by its UUID. */
export function ruleReferences(
  condition: StoredCondition | undefined,
  actions: readonly StoredAction[] | undefined,
): Reference[] {
  const found: Reference[] = [];
  for (const leaf of condition === undefined ? [] : leavesOf(condition)) {
    const named = namedBy(leaf);
    if (!named) continue;
    for (const id of [leaf.value].flat()) if (typeof id === 'string') found.push({ field: 'condition', ...named, id });
  }
  for (const action of actions ?? []) {
    for (const [key, id] of Object.entries(action)) {
      const named = NAMED_BY_ACTION[key];
      if (named && typeof id === 'string') found.push({ field: 'actions', ...named, id });
    }
  }
  return found;
}

/** What the values of a leaf name; undefined where they are values of their own. */
function namedBy({ field, op }: StoredLeaf): Named | undefined {
  // `category contains` and its like look at the slug's text, and name no category.
  const isText = field === 'category' && (op === 'contains' || op === 'not_contains');
  return NAMING.has(op) && !isText ? NAMED_BY_FIELD[field] : undefined;
}

/** What takes the place of the record with this id where a rule names it; null when nothing does. */
type Replacement = Readonly<{ from: string; to: string | null }>;

/** The condition with one record in the place of another. Values of a list that become equal are kept once. */
export function replacedInCondition(condition: StoredCondition, by: Replacement): StoredCondition {
  return isEmptyCondition(condition) ? condition : replacedInNode(condition, by);
}

function replacedInNode(node: StoredNode, by: Replacement): StoredNode {
  if ('and' in node) return { and: node.and.map((child) => replacedInNode(child, by)) };
  if ('or' in node) return { or: node.or.map((child) => replacedInNode(child, by)) };
  if ('not' in node) return { not: replacedInNode(node.not, by) };
  return namedBy(node) ? replacedInLeaf(node, by) : node;
}

/** A leaf that is left without a value has the value null (contract 40.7). */
function replacedInLeaf(leaf: StoredLeaf, { from, to }: Replacement): StoredLeaf {
  const { value } = leaf;
  if (!Array.isArray(value)) return value === from ? { ...leaf, value: to } : leaf;
  if (!value.includes(from)) return leaf;
  const left = new Set(value.flatMap((one) => (one === from ? (to ?? []) : [one])));
  return { ...leaf, value: left.size === 0 ? null : [...left] };
}

/** The actions with one record in the place of another. */
export function replacedInActions(actions: readonly StoredAction[], { from, to }: Replacement): StoredAction[] {
  return actions.map((action) => {
    const key = Object.entries(action).find(([name, value]) => name in NAMED_BY_ACTION && value === from)?.[0];
    return key === undefined || to === null ? action : { ...action, [key]: to };
  });
}
