import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { StoredAction, StoredCondition } from '../../engines/rules/definition.ts';
import type { ReferenceKind } from '../../engines/rules/language.ts';
import { referencesIn } from '../../engines/rules/stored-references.ts';
import type { Target } from '../../journal/columns.ts';

/** A record that a rule refers to. */
type RuleReference = Target & { field: string; value: string };

const TARGETS: Readonly<Record<ReferenceKind, Target>> = {
  category: { table: 'categories', column: 'id' },
  tag: { table: 'tags', column: 'id' },
  series: { table: 'series', column: 'id' },
  counterparty: { table: 'counterparties', column: 'id', nullWhileLive: 'canonical_counterparty_id' },
  account: { table: 'accounts', column: 'id', nullWhileLive: 'deleted_at' },
  user: { table: 'users', column: 'id' },
};

/** Every record that a stored rule refers to. */
export function ruleReferences(
  condition: StoredCondition | undefined,
  actions: readonly StoredAction[] | undefined,
): RuleReference[] {
  return referencesIn(condition, actions).map(({ field, kind, id }) => ({ field, value: id, ...TARGETS[kind] }));
}

/** The UUIDs of those records that no longer exist or were merged into others. */
export async function selectGone(tx: ReadTx, references: readonly RuleReference[]): Promise<ReadonlySet<string>> {
  const gone = new Set(references.map(({ value }) => value));
  for (const { table, nullWhileLive } of Object.values(TARGETS)) {
    const ids = references.flatMap((reference) => (reference.table === table ? [reference.value] : []));
    if (ids.length === 0) continue;
    const live = nullWhileLive === undefined ? sql`` : sql`and ${sql.ref(nullWhileLive)} is null`;
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where ${tx.portable.inList(sql.ref('id'), ids)} ${live}`.execute(tx.q);
    for (const { id } of rows) gone.delete(id);
  }
  return gone;
}
