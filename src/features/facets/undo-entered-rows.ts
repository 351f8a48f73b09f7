import { sql } from 'kysely';

import { isEqualJson } from '../../kernel/json.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { changesByWriter, type FacetEdit } from './write-facets.ts';
import { blankFacets, type Facets } from './facets.ts';
import { fieldOfLock } from './facet-facts.ts';
import { createdObstacles, selectCreated } from './undo-created-rows.ts';

/** What becomes of rows whose entry by hand is taken back; those deleted already are out. */
export interface EnteredUndone {
  edits: FacetEdit[];
  obstacles: Map<string, Obstacle | null>;
}

/**
 * Takes out rows that were entered by hand. One stays when somebody decided something about it since, commented on it,
 * or an import changed it (contract 10.13.3). What it named lets go of it, so that what was made for it can go as well.
 */
export async function undoEntered(
  tx: WriteTx,
  changes: readonly NetChange[],
  facets: ReadonlyMap<string, Facets>,
): Promise<EnteredUndone> {
  const done: EnteredUndone = { edits: [], obstacles: new Map() };
  const [first] = changes;
  if (!first) return done;
  const ids = changes.map(({ entityId }) => entityId);
  const live = await selectCreated(tx, first.changeSetId, tx.portable.inList(sql.ref('t.id'), ids));
  const rows = new Map(live.map((row) => [row.id, row]));
  const changeOf = new Map(changes.map((change) => [change.entityId, change]));
  const locksSince = ({ id }: { id: string }): string[] => {
    const [change, now] = [changeOf.get(id), facets.get(id)];
    return change && now ? decidedSince(change, now) : [];
  };
  const obstacles = await createdObstacles(tx, first.changeSetId, live, locksSince, false);
  for (const { entityId } of changes) {
    const [row, before, obstacle] = [rows.get(entityId), facets.get(entityId), obstacles.get(entityId)];
    if (!before) done.obstacles.set(entityId, MISSING);
    else if (!row) done.obstacles.set(entityId, null);
    else if (obstacle) done.obstacles.set(entityId, obstacle);
    else done.edits.push({ before, after: takenOut(before, tx.now) });
  }
  return done;
}

const MISSING: Obstacle = { reason: 'missing', fields: [], message: 'The transaction no longer exists.' };

/** Nobody else decided anything on it, so that all of it goes, and comes back when this is taken back. */
function takenOut({ id, shortId, attributedUserId, attributedByLinkId }: Facets, now: string): Facets {
  const row = { id, shortId, attributedUserId, attributedByLinkId };
  return { ...blankFacets, ...row, deletedAt: now, deletedCause: 'revert' };
}

/** Locks that the entry did not set, and those whose facet holds something else by now. */
function decidedSince({ after, internal }: NetChange, facets: Facets): string[] {
  const own = new Set(internal['locked'] as readonly string[] | undefined);
  const [now] = changesByWriter({ before: { ...blankFacets, id: facets.id }, after: facets });
  return [...facets.locks].filter((lock) => {
    const field = fieldOfLock(lock);
    return !own.has(lock) || !isEqualJson(now?.after[field] ?? null, after?.[field] ?? null);
  });
}
