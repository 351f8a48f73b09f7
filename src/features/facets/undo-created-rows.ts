import { sql, type RawBuilder } from 'kysely';

import type { CreatedRowsUndone, CreatingSet, NetChange, Obstacle } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { isEqualJson } from '../../kernel/json.ts';
import { fieldOfLock } from './facet-diffs.ts';
import { loadFacets, locksOf } from './facets.queries.ts';
import { blankFacets, type Facets } from './facets.ts';
import { handOver, listedElsewhere } from './listed-elsewhere.ts';
import { obstacleOf, withoutReview } from './later-work.ts';
import { changesByWriter, writeFacets, type FacetEdit } from './write-facets.ts';

const AT_ONCE = 2_000;

interface CreatedRow {
  id: string;
  short_id: string;
  category_id: string | null;
  locks: string;
  has_comment: 0 | 1 | boolean;
  is_redelivered: 0 | 1 | boolean;
}

/**
 * Deletes the rows that an import created or that came over to it, except those that somebody has decided something about
 * or commented on; what rules and syncs did does not count (contract 10.13.3). What another import in force lists, or a
 * bank feeds, goes over to that (36.11). If forced, also rows that people have worked on: their work stays on the row.
 */
export async function undoCreatedRows(tx: WriteTx, set: CreatingSet, isForced: boolean): Promise<CreatedRowsUndone> {
  const { importId } = set;
  if (importId === null) return { undoneCount: 0, keptCount: 0, met: [] };
  const met: { entityId: string; entityShortId: string; obstacle: Obstacle }[] = [];
  let undoneCount = 0;
  let keptCount = 0;
  let after = '';
  for (;;) {
    const page = await selectCreated(tx, set.id, sql`${belongsTo(set.id, importId)} and t.id > ${after}`);
    const last = page.at(-1);
    if (!last) return { undoneCount, keptCount, met };
    after = last.id;
    const kept = await listedElsewhere(
      tx,
      importId,
      page.map(({ id }) => id),
    );
    await handOver(tx, kept);
    keptCount += kept.size;
    const rows = page.filter(({ id }) => !kept.has(id));
    const obstacles = await createdObstacles(tx, rows, {
      changeSetId: set.id,
      locksSince: ({ locks }) => [...locksOf(locks)],
      isForced,
    });
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

/** Rows of an import: those that it created, unless they went over to another, and those that came over to it. */
function belongsTo(changeSetId: string, importId: string): RawBuilder<unknown> {
  return sql`t.import_id = ${importId} and (t.created_change_set_id = ${changeSetId}
    or exists (select 1 from import_rows r where r.import_id = ${importId} and r.transaction_id = t.id))`;
}

/** Live rows that a change set created, with what people and imports did to them since. */
async function selectCreated(tx: WriteTx, changeSetId: string, which: RawBuilder<unknown>): Promise<CreatedRow[]> {
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

interface Undoing {
  changeSetId: string;
  /** The facets of a row that somebody has decided since. */
  locksSince: (row: CreatedRow) => readonly string[];
  isForced: boolean;
}

/** Why rows that a change set created are kept. */
async function createdObstacles(
  tx: WriteTx,
  rows: readonly CreatedRow[],
  { changeSetId, locksSince, isForced }: Undoing,
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

/** What to do with rows whose creation by hand is reverted; null for one that is already deleted. */
interface EnteredUndone {
  edits: FacetEdit[];
  obstacles: Map<string, Obstacle | null>;
}

/**
 * Deletes rows that were created by hand, except those that somebody has decided something about or commented on since,
 * or an import has changed (contract 10.13.3). Their references are cleared, so that what was created for them can be
 * deleted too.
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
  const obstacles = await createdObstacles(tx, live, { changeSetId: first.changeSetId, locksSince, isForced: false });
  for (const { entityId } of changes) {
    const [row, before, obstacle] = [rows.get(entityId), facets.get(entityId), obstacles.get(entityId)];
    if (!before) done.obstacles.set(entityId, MISSING);
    else if (!row) done.obstacles.set(entityId, null);
    else if (obstacle) done.obstacles.set(entityId, obstacle);
    else done.edits.push({ before, after: deletedRow(before, tx.now) });
  }
  return done;
}

const MISSING: Obstacle = { reason: 'missing', fields: [], message: 'The transaction no longer exists.' };

/** Clears every facet: nobody else has decided any, and reverting the revert restores them all. */
function deletedRow({ id, shortId, attributedUserId, attributedByLinkId }: Facets, now: string): Facets {
  const row = { id, shortId, attributedUserId, attributedByLinkId };
  return { ...blankFacets, ...row, deletedAt: now, deletedCause: 'revert' };
}

/** Locks that the creation did not set, and those whose facet has changed since. */
function decidedSince({ after, internal }: NetChange, facets: Facets): string[] {
  const own = new Set(internal['locked'] as readonly string[] | undefined);
  const [now] = changesByWriter({ before: { ...blankFacets, id: facets.id }, after: facets });
  return [...facets.locks].filter((lock) => {
    const field = fieldOfLock(lock);
    return !own.has(lock) || !isEqualJson(now?.after[field] ?? null, after?.[field] ?? null);
  });
}
