import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import type { ReferenceKind } from '../../engines/rules/fields.ts';
import { referencesIn } from '../../engines/rules/stored-references.ts';
import type { Reference } from '../../journal/undo-rows.ts';

const STORED: Readonly<Record<ReferenceKind, Pick<Reference, 'table' | 'nullWhileStanding'>>> = {
  category: { table: 'categories' },
  tag: { table: 'tags' },
  series: { table: 'series' },
  counterparty: { table: 'counterparties', nullWhileStanding: 'canonical_counterparty_id' },
  account: { table: 'accounts', nullWhileStanding: 'deleted_at' },
  user: { table: 'users' },
};

/** Every record that a stored rule names by its UUID, and where that record is stored. */
export function ruleReferences(
  condition: StoredCondition | undefined,
  actions: readonly StoredAction[] | undefined,
): Reference[] {
  return referencesIn(condition, actions).map(({ field, kind, id }) => ({ field, ...STORED[kind], id }));
}
