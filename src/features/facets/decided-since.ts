import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import type { Facets } from './facets.ts';
import { isAbout, selectLaterWrites, withoutReview } from './later-writes.ts';
import { obstacleOf, type LaterWork } from './later-work.ts';

/** Whether an import made a deleted row live again, so that taking it back takes the row out of the ledger. */
export function isBroughtBack({ source, before, after }: NetChange): boolean {
  return source === 'import' && typeof before?.['deleted_at'] === 'string' && after?.['deleted_at'] === null;
}

/**
 * Rows that an import brought back and that somebody worked on since, or a later import changed: like rows that it
 * created they are not taken out by the way (contract 36.11). What they held when they came back does not count.
 */
export async function findDecidedSince(
  tx: ReadTx,
  changes: readonly NetChange[],
  facets: ReadonlyMap<string, Facets>,
  isForced: boolean,
): Promise<Map<string, Obstacle>> {
  const found = new Map<string, Obstacle>();
  const setId = changes[0]?.changeSetId;
  if (setId === undefined) return found;
  const ids = changes.map(({ entityId }) => entityId);
  const works = await selectWorks(tx, setId, ids, facets);
  for (const id of ids) {
    const obstacle = obstacleOf(works.get(id) as LaterWork, isForced);
    if (obstacle) found.set(id, obstacle);
  }
  return found;
}

async function selectWorks(
  tx: ReadTx,
  setId: string,
  ids: readonly string[],
  facets: ReadonlyMap<string, Facets>,
): Promise<Map<string, LaterWork>> {
  const writes = Map.groupBy(await selectLaterWrites(tx, setId, ids), ({ transactionId }) => transactionId);
  const commented = new Set(await selectCommented(tx, setId, ids));
  const rows = ids.flatMap((id) => {
    const row = facets.get(id);
    const byHand = (writes.get(id) ?? []).filter(({ source }) => source !== 'import');
    const locks = [...(row?.locks ?? [])].filter((lock) => byHand.some((write) => isAbout(write, lock)));
    return row ? [{ id, categoryId: row.categoryId, locks }] : [];
  });
  const decided = await withoutReview(tx, setId, rows);
  return new Map(
    ids.map((id) => {
      const isRedelivered = (writes.get(id) ?? []).some(({ source }) => source === 'import');
      return [id, { decided: decided.get(id) ?? [], isCommented: commented.has(id), isRedelivered }];
    }),
  );
}

/** Ids are issued in order, so a comment that is younger than the set has a greater one. */
async function selectCommented(tx: ReadTx, setId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ transaction_id: string }>`
    select distinct transaction_id from comments
    where ${tx.portable.inList(sql.ref('transaction_id'), ids)} and id > ${setId}
      and deleted_at is null and author_type <> 'system'`.execute(tx.q);
  return rows.map(({ transaction_id: id }) => id);
}
