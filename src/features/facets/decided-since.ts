import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange, Obstacle } from '../../journal/undo.ts';
import { fieldOfLock } from './facet-facts.ts';
import type { Facets } from './facets.ts';

/** What people, agents and imports did to a row after a change set, and what of it stands. */
interface LaterWrite {
  transaction_id: string;
  source: string;
  before: string | null;
  after: string | null;
  internal: string | null;
}

/** Whether an import made a deleted row live again, so that taking it back takes the row out of the ledger. */
export function isBroughtBack({ source, before, after }: NetChange): boolean {
  return source === 'import' && typeof before?.['deleted_at'] === 'string' && after?.['deleted_at'] === null;
}

/**
 * Rows that an import brought back and that somebody decided something about since, or commented on, or a later
 * import changed: like rows that it created they are not taken out by the way (contract 36.11). What they held when
 * they came back does not count.
 */
export async function findDecidedSince(
  tx: ReadTx,
  changes: readonly NetChange[],
  facets: ReadonlyMap<string, Facets>,
): Promise<Map<string, Obstacle>> {
  const found = new Map<string, Obstacle>();
  const setId = changes[0]?.changeSetId;
  if (setId === undefined) return found;
  const ids = changes.map(({ entityId }) => entityId);
  for (const write of await selectLaterWrites(tx, setId, ids)) {
    const fields = fieldsOf(write, facets.get(write.transaction_id)?.locks ?? new Set());
    if (fields === null || found.has(write.transaction_id)) continue;
    const message = fields.length > 0 ? `Decided by hand since: ${fields.join(', ')}.` : 'A later import changed it.';
    found.set(write.transaction_id, { reason: 'changed_since', fields, message });
  }
  for (const id of await selectCommented(tx, setId, ids)) {
    if (found.has(id)) continue;
    found.set(id, { reason: 'changed_since', fields: ['comment'], message: 'Somebody commented on it since.' });
  }
  return found;
}

/** Fields that the write decided and that are locked now; none for an import, null for a write that is no matter. */
function fieldsOf({ source, before, after, internal }: LaterWrite, locks: ReadonlySet<string>): string[] | null {
  if (source === 'import') return [];
  const written = { ...parsed(before), ...parsed(after) };
  const { locked = [] } = parsed(internal) as { locked?: readonly string[] };
  const decided = [...locks].filter((lock) => locked.includes(lock) || fieldOfLock(lock) in written);
  const fields = decided.map(fieldOfLock);
  return fields.length > 0 ? fields : null;
}

function parsed(json: string | null): object {
  return json === null ? {} : (JSON.parse(json) as object);
}

async function selectLaterWrites(tx: ReadTx, setId: string, ids: readonly string[]): Promise<LaterWrite[]> {
  const { rows } = await sql<LaterWrite>`
    select c.transaction_id, s.source, c.before, c.after, c.internal from changes c join change_sets s on s.id = c.change_set_id
    where ${tx.portable.inList(sql.ref('c.transaction_id'), ids)} and c.change_set_id > ${setId}
      and c.entity_type = 'transaction' and c.rule_id is null and c.reverted_by_change_set_id is null
      and s.source not in ('rule', 'sync', 'revert')
    order by c.change_set_id, c.sequence`.execute(tx.q);
  return rows;
}

/** Ids are issued in order, so a comment that is younger than the set has a greater one. */
async function selectCommented(tx: ReadTx, setId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ transaction_id: string }>`
    select distinct transaction_id from comments
    where ${tx.portable.inList(sql.ref('transaction_id'), ids)} and id > ${setId}
      and deleted_at is null and author_type <> 'system'`.execute(tx.q);
  return rows.map(({ transaction_id: id }) => id);
}
