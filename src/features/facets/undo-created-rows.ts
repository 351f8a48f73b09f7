import { sql, type RawBuilder } from 'kysely';

import type { CreatedRowsUndone, CreatingSet, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { loadFacets, locksOf } from './facets.queries.ts';
import { obstacleOf } from './later-work.ts';
import { withoutReview } from './later-writes.ts';
import { writeFacets } from './write-facets.ts';

const AT_ONCE = 2_000;

export interface CreatedRow {
  id: string;
  short_id: string;
  category_id: string | null;
  locks: string;
  has_comment: 0 | 1 | boolean;
  is_redelivered: 0 | 1 | boolean;
}

/**
 * Takes out the rows that an import created. A row stays when somebody decided something about it, commented on it,
 * or a later import changed it; what rules and syncs did does not count (contract 10.13.3). A deleted row is out.
 * Forced, it takes out what people worked on too: their work stays on the deleted row.
 */
export async function undoCreatedRows(tx: WriteTx, set: CreatingSet, isForced: boolean): Promise<CreatedRowsUndone> {
  if (set.importId === null) return { undoneCount: 0, met: [] };
  const met: { entityId: string; entityShortId: string; obstacle: Obstacle }[] = [];
  let undoneCount = 0;
  let after = '';
  for (;;) {
    const rows = await selectCreated(tx, set.id, sql`t.created_change_set_id = ${set.id} and t.id > ${after}`);
    const last = rows.at(-1);
    if (!last) return { undoneCount, met };
    after = last.id;
    const obstacles = await createdObstacles(tx, set.id, rows, ({ locks }) => [...locksOf(locks)], isForced);
    const removed: string[] = [];
    for (const { id, short_id: shortId } of rows) {
      const obstacle = obstacles.get(id);
      if (obstacle) met.push({ entityId: id, entityShortId: shortId, obstacle });
      if (!obstacle || obstacle.work === 'overruled') removed.push(id);
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
    select t.id, t.short_id, t.category_id, t.locks,
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

/** What holds rows back that a set created. `locksSince` answers the facets of a row that somebody else decided. */
export async function createdObstacles(
  tx: WriteTx,
  changeSetId: string,
  rows: readonly CreatedRow[],
  locksSince: (row: CreatedRow) => readonly string[],
  isForced: boolean,
): Promise<Map<string, Obstacle>> {
  const locked = rows.flatMap((row) => {
    const locks = row.locks === '[]' ? [] : locksSince(row);
    return locks.length === 0 ? [] : [{ id: row.id, categoryId: row.category_id, locks }];
  });
  const decided = await withoutReview(tx, changeSetId, locked);
  const obstacles = new Map<string, Obstacle>();
  for (const { id, has_comment: comment, is_redelivered: redelivered } of rows) {
    const [isCommented, isRedelivered] = [Boolean(comment), Boolean(redelivered)];
    const obstacle = obstacleOf({ decided: decided.get(id) ?? [], isCommented, isRedelivered }, isForced);
    if (obstacle) obstacles.set(id, obstacle);
  }
  return obstacles;
}
