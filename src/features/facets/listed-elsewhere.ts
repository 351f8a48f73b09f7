import { sql, type RawBuilder } from 'kysely';

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

/** The outcomes of the rows that an import lists (36.1). */
export const LISTING = sql.raw(`('added', 'updated', 'duplicate')`);

/**
 * Whether the import `i`, with its row `r`, lists the transaction `t` in force: of another file than `otherThan`, if that
 * is given. A line that only repeated the file of an import that was reverted since does not count; ids say what came
 * first, also within one instant.
 */
export function inForceOf(otherThan: string | null): RawBuilder<boolean> {
  const isOtherFile =
    otherThan === null
      ? sql``
      : sql`and i.id <> ${otherThan} and i.file_sha256 <> (select file_sha256 from imports where id = ${otherThan})`;
  return sql<boolean>`((i.status = 'completed' or (i.status = 'partly_reverted' and t.import_id = i.id)) ${isOtherFile}
    and not (coalesce(r.reason, '') = 'SAME_FILE' and exists (select 1 from imports w
      where w.file_sha256 = i.file_sha256 and w.status in ('reverted', 'partly_reverted')
      and w.id < i.id and w.revert_change_set_id > i.id)))`;
}

/**
 * Of these rows of an import, those that another import in force lists, of another file, or that a bank connection feeds
 * (contract 36.11).
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
        and r.outcome in ${LISTING} and ${inForceOf(importId)}
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
    await giveTo(
      tx,
      ownerId,
      rows.map(([id]) => id),
    );
  }
}

async function giveTo(tx: WriteTx, ownerId: string | null, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await tx.q
      .updateTable('transactions')
      .set({ import_id: ownerId })
      .where(tx.portable.inList(sql.ref('id'), ids.slice(start, start + AT_ONCE)))
      .execute();
  }
}

/** What becomes of the rows that an import restored or changed when it is reverted. */
interface OfOthers {
  /** Those that its revert leaves alone: a later import lists them, or it brought them back and another delivers them. */
  readonly kept: ReadonlySet<string>;
  /** The others whose values come from elsewhere: a bank connection, or an import that lists them. */
  readonly valued: ReadonlySet<string>;
}

/** What people had deleted is deleted again, whoever lists it: earlier imports did then too. */
export async function deliveredByOthers(tx: WriteTx, changes: readonly NetChange[]): Promise<OfOthers> {
  const own = changes.filter(({ source }) => source === 'import');
  const [first] = own;
  if (!first) return { kept: new Set(), valued: new Set() };
  const { rows } = await sql<{ import_id: string | null }>`
    select import_id from change_sets where id = ${first.changeSetId}`.execute(tx.q);
  const importId = rows[0]?.import_id ?? null;
  if (importId === null) return { kept: new Set(), valued: new Set() };
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
  return {
    kept: new Set(kept.map(({ entityId }) => entityId)),
    valued: new Set(await selectOfBanks(tx, [...found.keys()])),
  };
}

/** Of these rows, those that a bank's file created or a bank connection feeds, and not a hand. */
async function selectOfBanks(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const { rows } = await sql<{ id: string }>`select t.id from transactions t
      left join change_sets s on s.id = t.created_change_set_id
      where ${tx.portable.inList(sql.ref('t.id'), ids.slice(start, start + AT_ONCE))}
        and (s.import_id is not null or exists (select 1 from transaction_feeds f where f.transaction_id = t.id))`.execute(
      tx.q,
    );
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

/** Whether a person or agent had deleted what an import restored. */
function wasDeletedByHand({ internal }: NetChange): boolean {
  return internal['deleted_cause'] === 'person' || internal['deleted_cause'] === 'agent';
}

/** Whether any row that an import lists is live. */
export async function listsLiveRows(tx: ReadTx, importId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from import_rows r join transactions t on t.id = r.transaction_id
    where r.import_id = ${importId} and r.outcome in ${LISTING} and t.deleted_at is null limit 1`.execute(tx.q);
  return rows.length > 0;
}

/**
 * Brings back what an import lists and only reverts took out, now that its own revert is reverted (36.11). Nobody else
 * lists those rows now, so they belong to it; what it brought back itself keeps the import that created it.
 */
export async function bringBackListed(tx: WriteTx, importId: string): Promise<void> {
  tx.journal.allowUnjournaled('transaction');
  for (let after = ''; ;) {
    const { rows } = await sql<{ id: string; is_undone: number; is_known: number }>`
      select t.id, case when t.deleted_at is not null and t.deleted_cause = 'revert' then 1 else 0 end as is_undone,
        case when exists (select 1 from import_rows r where r.transaction_id = t.id and r.import_id = ${importId}
          and r.outcome = 'duplicate') then 1 else 0 end as is_known
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
    const known = rows.filter((row) => row.is_undone === 1 && row.is_known === 1);
    await giveTo(
      tx,
      importId,
      known.map(({ id }) => id),
    );
  }
  await sql`update transactions set import_id = ${importId} where created_change_set_id =
    (select change_set_id from imports where id = ${importId}) and deleted_at is null`.execute(tx.q);
}
