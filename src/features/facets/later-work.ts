import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import { fieldOfLock } from './facet-diffs.ts';
import type { Facets } from './facets.ts';

/** Work on a row since a change set created or restored it, because of which the row must not be deleted. */
interface LaterWork {
  /** Facets that people or agents decided, by their locks. */
  decided: readonly string[];
  isCommented: boolean;
  /** Whether a later import changed the row. */
  isRedelivered: boolean;
}

/**
 * Why a revert must not delete the row (contract 10.13.3). A forced revert overrules the work of people, which stays on
 * the deleted row, but not a later import, which must be reverted first.
 */
export function obstacleOf(later: LaterWork, isForced: boolean): Obstacle | null {
  const work = workOn(later);
  if (later.isRedelivered && (isForced || !work)) {
    const message = 'A later import changed it. Revert that import first.';
    return { reason: 'changed_since', fields: [], message, ...(work ? { work: 'kept' } : {}) };
  }
  return work && { ...work, work: isForced ? 'overruled' : 'kept' };
}

function workOn({ decided, isCommented }: LaterWork): Obstacle | null {
  const fields = decided.map(fieldOfLock);
  if (fields.length > 0) {
    return { reason: 'changed_since', fields, message: `Set by hand since: ${fields.join(', ')}.` };
  }
  if (!isCommented) return null;
  return { reason: 'changed_since', fields: ['comment'], message: 'Someone has commented on it since.' };
}

/** Whether an import restored a deleted row, so that a revert deletes it again. */
export function isRestoredByImport({ source, before, after }: NetChange): boolean {
  return source === 'import' && typeof before?.['deleted_at'] === 'string' && after?.['deleted_at'] === null;
}

/**
 * Of the rows that an import restored, those that somebody has worked on since or a later import has changed. Like rows
 * that the import created, they are kept (contract 36.11). What they held when they were restored does not count.
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

/** Ids ascend, so a comment written after the change set has a greater one. */
async function selectCommented(tx: ReadTx, setId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ transaction_id: string }>`
    select distinct transaction_id from comments
    where ${tx.portable.inList(sql.ref('transaction_id'), ids)} and id > ${setId}
      and deleted_at is null and author_type <> 'system'`.execute(tx.q);
  return rows.map(({ transaction_id: id }) => id);
}

/** What people, agents and imports did to a row after a change set, unless it has been reverted. */
interface LaterWrite {
  transactionId: string;
  source: string;
  before: Fields;
  after: Fields;
  /** Facets that it locked, without those that were locked already. */
  locked: readonly string[];
  internal: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Stored {
  transaction_id: string;
  source: string;
  before: string | null;
  after: string | null;
  internal: string | null;
}

/** In the order in which they were written; without what rules and syncs did, and what has been reverted. */
async function selectLaterWrites(tx: ReadTx, setId: string, ids: readonly string[]): Promise<LaterWrite[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Stored>`
    select c.transaction_id, s.source, c.before, c.after, c.internal
    from changes c join change_sets s on s.id = c.change_set_id
    where ${tx.portable.inList(sql.ref('c.transaction_id'), ids)} and c.change_set_id > ${setId}
      and c.entity_type = 'transaction' and c.rule_id is null and c.reverted_by_change_set_id is null
      and s.source not in ('rule', 'sync', 'revert')
    order by c.change_set_id, c.sequence`.execute(tx.q);
  return rows.map(({ transaction_id: transactionId, source, before, after, internal: hidden }) => {
    const internal = parsed(hidden);
    const locked = (internal['locked'] ?? []) as readonly string[];
    return { transactionId, source, before: parsed(before), after: parsed(after), locked, internal };
  });
}

function parsed(json: string | null): Fields {
  return json === null ? {} : (JSON.parse(json) as Fields);
}

/** Whether the write changed or locked the facet with this lock. */
function isAbout({ before, after, locked }: LaterWrite, lock: string): boolean {
  const field = fieldOfLock(lock);
  return locked.includes(lock) || field in before || field in after;
}

/** Marks of a review, which a revert may lose (contract 36.11). */
const REVIEW_LOCKS: ReadonlySet<string> = new Set(['flag', 'tag:needs-review']);

/**
 * The locks that keep rows from being deleted: without marks of a review, and without a category that only confirms what
 * the file, the bank or a rule had given.
 */
export async function withoutReview(
  tx: ReadTx,
  setId: string,
  rows: readonly { id: string; categoryId: string | null; locks: readonly string[] }[],
): Promise<Map<string, readonly string[]>> {
  const isCategorized = ({ locks }: { locks: readonly string[] }): boolean => locks.includes('category');
  const ids = rows.filter(isCategorized).map(({ id }) => id);
  const writes = Map.groupBy(await selectLaterWrites(tx, setId, ids), ({ transactionId }) => transactionId);
  return new Map(
    rows.map(({ id, categoryId, locks }) => {
      const isConfirmed = locks.includes('category') && givenCategory(writes.get(id) ?? []) === categoryId;
      return [id, locks.filter((lock) => !REVIEW_LOCKS.has(lock) && !(isConfirmed && lock === 'category'))];
    }),
  );
}

/** The category before somebody last began to decide it; undefined if unknown. */
function givenCategory(writes: readonly LaterWrite[]): unknown {
  let given: unknown;
  for (const write of writes) {
    if (write.source === 'import' || !isAbout(write, 'category')) continue;
    const isFirst = given === undefined || write.locked.includes('category');
    // If only its source or its lock changed, the category is in the internal part of the change.
    if (isFirst) given = 'category_id' in write.before ? write.before['category_id'] : write.internal['category_id'];
  }
  return given;
}
