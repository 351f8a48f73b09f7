import { sql, type RawBuilder } from 'kysely';

import type { CarriedUndone, CarryingSet, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { fieldOfLock } from './facet-facts.ts';
import { loadFacets, locksOf } from './facets.queries.ts';
import { writeFacets } from './write-facets.ts';

const AT_ONCE = 2_000;

export interface CreatedRow {
  id: string;
  short_id: string;
  locks: string;
  has_comment: 0 | 1 | boolean;
  is_redelivered: 0 | 1 | boolean;
}

/**
 * Takes out the rows that an import created. A row stays when somebody decided something about it, commented on it,
 * or a later import changed it; what rules and syncs did does not count (contract 10.13.3). A deleted row is out.
 */
export async function undoCreatedRows(tx: WriteTx, set: CarryingSet): Promise<CarriedUndone> {
  if (set.importId === null) return { undoneCount: 0, left: [] };
  const left: { entityId: string; entityShortId: string; obstacle: Obstacle }[] = [];
  let undoneCount = 0;
  let after = '';
  for (;;) {
    const rows = await selectCreated(tx, set.id, sql`t.created_change_set_id = ${set.id} and t.id > ${after}`);
    const last = rows.at(-1);
    if (!last) return { undoneCount, left };
    after = last.id;
    const removed: string[] = [];
    for (const row of rows) {
      const obstacle = createdObstacle(row, row.locks === '[]' ? [] : [...locksOf(row.locks)]);
      if (obstacle) left.push({ entityId: row.id, entityShortId: row.short_id, obstacle });
      else removed.push(row.id);
    }
    const facets = await loadFacets(tx, removed);
    undoneCount += await writeFacets(
      tx,
      [...facets.values()].map((before) => ({
        before,
        after: { ...before, deletedAt: tx.now, deletedCause: 'revert' as const },
      })),
    );
  }
}

/** Live rows that a set created, with what somebody did to them since. */
export async function selectCreated(
  tx: WriteTx,
  changeSetId: string,
  which: RawBuilder<unknown>,
): Promise<CreatedRow[]> {
  const { rows } = await sql<CreatedRow>`
    select t.id, t.short_id, t.locks,
      exists (select 1 from comments k where k.transaction_id = t.id and k.deleted_at is null
        and k.author_type <> 'system') as has_comment,
      exists (select 1 from changes c join change_sets s on s.id = c.change_set_id
        where c.transaction_id = t.id and s.source = 'import' and s.id <> ${changeSetId}
          and c.rule_id is null and c.reverted_by_change_set_id is null) as is_redelivered
    from transactions t
    where ${which} and t.deleted_at is null
    order by t.id limit ${sql.lit(AT_ONCE)}`.execute(tx.q);
  return rows;
}

/** `decided`: facets that somebody other than the set decided, by their locks. */
export function createdObstacle(row: CreatedRow, decided: readonly string[]): Obstacle | null {
  const told = (fields: readonly string[], message: string): Obstacle => ({ reason: 'changed_since', fields, message });
  const fields = decided.map(fieldOfLock);
  if (fields.length > 0) return told(fields, `Decided by hand since: ${fields.join(', ')}.`);
  if (row.has_comment) return told(['comment'], 'Somebody commented on it since.');
  if (row.is_redelivered) return told([], 'A later import changed it.');
  return null;
}
