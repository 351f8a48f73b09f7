import { leavesOf, type StoredAction, type StoredCondition } from '../../engines/rules/definition.ts';
import type { Reference } from '../../journal/undo-rows.ts';

const TABLE_OF_FIELD: Readonly<Record<string, Reference['table']>> = {
  category: 'categories',
  tags: 'tags',
  series: 'series',
  counterparty: 'counterparties',
  account_id: 'accounts',
  user_id: 'users',
};
const NAMING: ReadonlySet<string> = new Set(['eq', 'neq', 'in', 'not_in', 'contains', 'not_contains']);

/** Every record that a stored rule names by its UUID. */
export function ruleReferences(
  condition: StoredCondition | undefined,
  actions: readonly StoredAction[] | undefined,
): Reference[] {
  const found: Reference[] = [];
  for (const { field, op, value } of condition === undefined ? [] : leavesOf(condition)) {
    const table = TABLE_OF_FIELD[field];
    // `category contains` and its like look at the slug's text, and name no category.
    const isText = field === 'category' && (op === 'contains' || op === 'not_contains');
    if (table === undefined || !NAMING.has(op) || isText) continue;
    for (const id of [value].flat()) if (typeof id === 'string') found.push({ field: 'condition', table, id });
  }
  for (const action of actions ?? []) {
    if ('category_id' in action) found.push({ field: 'actions', table: 'categories', id: action.category_id });
    if ('tag_id' in action) found.push({ field: 'actions', table: 'tags', id: action.tag_id });
    if ('series_id' in action) found.push({ field: 'actions', table: 'series', id: action.series_id });
    if ('counterparty_id' in action) {
      found.push({ field: 'actions', table: 'counterparties', id: action.counterparty_id });
    }
  }
  return found;
}
