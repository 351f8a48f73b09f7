import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { NetChange } from '../../journal/undo.ts';
import type { WriteTx } from '../../journal/write.ts';
import { loadFacets } from './facets.queries.ts';
import { isRestoredByImport } from './later-work.ts';
import { writeFacets } from './write-facets.ts';

const AT_ONCE = 2_000;

/** Who else delivers a row of an import. */
export interface Elsewhere {
  /** The oldest import that lists the row; null if only a bank connection feeds it. */
  readonly ownerId: string | null;
  /** The newest one. */
  readonly newestId: string | null;
}

interface Listing {
  transaction_id: string;
  import_id: string | null;
}

/**
 * Of these rows of an import, those that another import in force lists, of another file, or that a bank connection feeds
 * (contract 36.11). A line that only repeated the file of an import that was reverted since does not count; ids say what
 * came first, also within one instant.
 */
export async function listedElsewhere(
  tx: ReadTx,
  importId: string,
  ids: readonly string[],
): Promise<Map<string, Elsewhere>> {
  const found = new Map<string, Elsewhere>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const slice = ids.slice(start, start + AT_ONCE);
    const fed = await sql<Listing>`select transaction_id, null as import_id from transaction_feeds
      where ${tx.portable.inList(sql.ref('transaction_id'), slice)}`.execute(tx.q);
    const listed = await sql<Listing>`
      select r.transaction_id, i.id as import_id
      from import_rows r join imports i on i.id = r.import_id join transactions t on t.id = r.transaction_id
      where ${tx.portable.inList(sql.ref('r.transaction_id'), slice)} and i.id <> ${importId}
        and r.outcome in ('added', 'updated', 'duplicate')
        and (i.status = 'completed' or (i.status = 'partly_reverted' and t.import_id = i.id))
        and i.file_sha256 <> (select file_sha256 from imports where id = ${importId})
        and not (coalesce(r.reason, '') = 'SAME_FILE' and exists (select 1 from imports w
          where w.file_sha256 = i.file_sha256 and w.status in ('reverted', 'partly_reverted')
          and w.id < i.id and w.revert_change_set_id > i.id))
      order by i.id`.execute(tx.q);
    for (const { transaction_id: id, import_id: lister } of [...listed.rows, ...fed.rows]) {
      const { ownerId = null, newestId = null } = found.get(id) ?? {};
      found.set(id, { ownerId: ownerId ?? lister, newestId: lister ?? newestId });
    }
  }
  return found;
}

/** Gives rows that outlive the revert of their import to the oldest import that lists them. */
export async function handOver(tx: WriteTx, kept: ReadonlyMap<string, Elsewhere>): Promise<void> {
  if (kept.size === 0) return;
  tx.journal.allowUnjournaled('transaction');
  const byOwner = Map.groupBy(kept, ([, { ownerId }]) => ownerId);
  for (const [ownerId, rows] of byOwner) {
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const ids = rows.slice(start, start + AT_ONCE).map(([id]) => id);
      await tx.q
        .updateTable('transactions')
        .set({ import_id: ownerId })
        .where(tx.portable.inList(sql.ref('id'), ids))
        .execute();
    }
  }
}

/**
 * Of the rows that an import restored or changed, those that its revert leaves alone: what a later one lists with the
 * values of today, and what it brought back and another one delivers. What people had deleted is deleted again: earlier
 * imports listed it then too.
 */
export async function deliveredByOthers(tx: WriteTx, changes: readonly NetChange[]): Promise<ReadonlySet<string>> {
  const own = changes.filter(({ source }) => source === 'import');
  const [first] = own;
  if (!first) return new Set();
  const { rows } = await sql<{ import_id: string | null }>`
    select import_id from change_sets where id = ${first.changeSetId}`.execute(tx.q);
  const importId = rows[0]?.import_id ?? null;
  if (importId === null) return new Set();
  const found = await listedElsewhere(
    tx,
    importId,
    own.map(({ entityId }) => entityId),
  );
  const kept = own.filter((change) => {
    const other = found.get(change.entityId);
    if (!other) return false;
    const isListedLater = other.newestId !== null && other.newestId > importId;
    return isListedLater || (isRestoredByImport(change) && !wasDeletedByHand(change));
  });
  await handOver(tx, new Map(kept.map(({ entityId: id }) => [id, found.get(id) as Elsewhere])));
  return new Set(kept.map(({ entityId }) => entityId));
}

/** Whether a person or agent had deleted what an import restored. */
function wasDeletedByHand({ internal }: NetChange): boolean {
  return internal['deleted_cause'] === 'person' || internal['deleted_cause'] === 'agent';
}

/** Whether rows that an import created belong to another now. */
export async function hasHandedOver(tx: ReadTx, importId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from transactions where created_change_set_id =
    (select change_set_id from imports where id = ${importId})
    and (import_id is null or import_id <> ${importId}) limit 1`.execute(tx.q);
  return rows.length > 0;
}

/** Brings back what an import lists and only reverts took out, now that its own revert is reverted (36.11). */
export async function bringBackListed(tx: WriteTx, importId: string): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ id: string; is_undone: number }>`
      select t.id, case when t.deleted_at is not null and t.deleted_cause = 'revert' then 1 else 0 end as is_undone
      from transactions t where t.id > ${after} and t.id in (select transaction_id from import_rows
        where import_id = ${importId} and outcome in ('added', 'updated', 'duplicate'))
      order by t.id limit ${sql.lit(AT_ONCE)}`.execute(tx.q);
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    const undone = rows.filter((row) => row.is_undone === 1).map(({ id }) => id);
    const facets = await loadFacets(tx, undone);
    await writeFacets(
      tx,
      [...facets.values()].map((before) => ({ before, after: { ...before, deletedAt: null, deletedCause: null } })),
    );
  }
  tx.journal.allowUnjournaled('transaction');
  await sql`update transactions set import_id = ${importId} where created_change_set_id =
    (select change_set_id from imports where id = ${importId}) and deleted_at is null`.execute(tx.q);
}
