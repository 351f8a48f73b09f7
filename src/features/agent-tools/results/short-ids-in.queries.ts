import { sql } from 'kysely';

import type { Schema } from '../../../db/schema.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { WriteTx } from '../../../journal/write.ts';
import { isUuid } from '../../../kernel/ids.ts';

type Tables = keyof Schema | readonly (keyof Schema)[];

/** Who acts, apart from members: they have short ids everywhere. */
const ACTORS = ['api_keys', 'workflows', 'rules', 'connections'] as const;
/** The tables that the ids of a result can be of, by the names of its fields. Free-form values have any names. */
const TABLES_OF = new Map(
  Object.entries<Tables>({
    // Of what is only named, such as {id, name}.
    id: ['series', 'counterparties', 'categories', ...ACTORS],
    actor_id: ACTORS,
    author_id: ACTORS,
    creator_id: ACTORS,
    bound_to: ['series', 'counterparties'],
    comment_id: 'comments',
    transaction_id: 'transactions',
    sample_transaction_id: 'transactions',
    primary_transaction_id: 'transactions',
    dependent_transaction_id: 'transactions',
    account_id: 'accounts',
    primary_account_id: 'accounts',
    dependent_account_id: 'accounts',
    mirror_account_id: 'accounts',
    connection_id: 'connections',
    category_id: 'categories',
    from_category_id: 'categories',
    to_category_id: 'categories',
    parent_id: 'categories',
    series_id: 'series',
    counterparty_id: 'counterparties',
    canonical_counterparty_id: 'counterparties',
    rule_id: 'rules',
    change_set_id: 'change_sets',
    reverts_change_set_id: 'change_sets',
    reverted_by_change_set_id: 'change_sets',
    reverted_change_set_id: 'change_sets',
    revert_change_set_id: 'change_sets',
    import_id: 'imports',
    previous_import_id: 'imports',
    sync_log_id: 'sync_logs',
    account_link_id: 'account_links',
    proposal_id: 'proposals',
    workflow_id: 'workflows',
    workflow_run_id: 'workflow_runs',
    run_id: 'workflow_runs',
    // Of what needs attention.
    subject_id: ['connections', 'accounts', 'workflows'],
  }),
);

/** The short ids of all records that a result names by UUID. */
export async function shortIdsIn(tx: ReadTx | WriteTx, result: object): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map<keyof Schema, Set<string>>();
  collect(result, wanted);
  const found = new Map(Object.values(result).flatMap(ofChanges));
  for (const [table, ids] of wanted) {
    const { rows } = await sql<{ id: string; short_id: string }>`select id, short_id from ${sql.table(table)}
      where ${tx.portable.inList(sql.ref('id'), [...ids])}`.execute(tx.q);
    for (const { id, short_id: shortId } of rows) found.set(id, shortId);
  }
  // The change set of this very write is stored after its result is known.
  if ('journal' in tx && !tx.journal.isEmpty()) found.set(tx.journal.changeSetId, tx.journal.changeSet().short_id);
  return found;
}

/** What is only planned, or no longer stored, is in no table, but its change has both ids. */
function ofChanges(list: unknown): [string, string][] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: { entity_id?: unknown; entity_short_id?: unknown } | null): [string, string][] => {
    const { entity_id: id, entity_short_id: shortId } = one ?? {};
    return typeof id === 'string' && typeof shortId === 'string' ? [[id, shortId]] : [];
  });
}

function collect(value: unknown, wanted: Map<keyof Schema, Set<string>>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, wanted);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (name === 'id' && 'short_id' in value) continue;
    collect(held, wanted);
    const tables = TABLES_OF.get(name.replace(/_ids$/, '_id')) ?? [];
    const ids = [held].flat().filter((id): id is string => typeof id === 'string' && isUuid(id));
    for (const table of [tables].flat()) {
      for (const id of ids) wanted.set(table, (wanted.get(table) ?? new Set()).add(id));
    }
  }
}
