import { sql, type Selectable } from 'kysely';

import type { ChangeSetsTable, ChangesTable } from '../db/schema.ts';
import { idColumn } from '../db/short-ids.ts';
import type { BareWriteTx, ReadTx } from '../db/unit-of-work.ts';
import type { EntityType } from './entities.ts';
import type { JournaledChange } from './undo.ts';

export type ChangeSetRow = Selectable<ChangeSetsTable>;

export async function findChangeSet(tx: ReadTx, anyId: string): Promise<ChangeSetRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('change_sets').selectAll().where(column, '=', anyId).executeTakeFirst();
}

/** Changes of a set after a sequence, ascending. */
export async function selectChanges(
  tx: ReadTx,
  changeSetId: string,
  after: number,
  limit: number,
): Promise<JournaledChange[]> {
  const rows = await tx.q
    .selectFrom('changes')
    .selectAll()
    .where('change_set_id', '=', changeSetId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(toChange);
}

/** Changes of a set that can still be reverted, before a sequence, the last first. */
export async function selectChangesInForce(
  tx: ReadTx,
  changeSetId: string,
  before: number,
  limit: number,
): Promise<JournaledChange[]> {
  const rows = await inForce(tx, changeSetId, before).orderBy('sequence', 'desc').limit(limit).execute();
  return rows.map(toChange);
}

/** Such changes before `first`, of entities that have another one between `first` and `before`. */
export async function selectEarlierInForce(
  tx: ReadTx,
  changeSetId: string,
  first: number,
  before: number,
): Promise<JournaledChange[]> {
  const rows = await inForce(tx, changeSetId, first)
    .where(
      // A list made once: per row, an engine might walk through all later changes.
      sql<boolean>`(entity_type, entity_id) in (select later.entity_type, later.entity_id from changes as later
        where later.change_set_id = ${changeSetId} and later.sequence >= ${first} and later.sequence < ${before}
          and later.is_revertible = 1 and later.reverted_by_change_set_id is null)`,
    )
    .execute();
  return rows.map(toChange);
}

function inForce(tx: ReadTx, changeSetId: string, before: number) {
  return tx.q
    .selectFrom('changes')
    .selectAll()
    .where('change_set_id', '=', changeSetId)
    .where('sequence', '<', before)
    .where('is_revertible', '=', 1)
    .where('reverted_by_change_set_id', 'is', null);
}

export async function selectNotRevertible(tx: ReadTx, changeSetId: string, limit: number): Promise<JournaledChange[]> {
  const rows = await tx.q
    .selectFrom('changes')
    .selectAll()
    .where('change_set_id', '=', changeSetId)
    .where('is_revertible', '=', 0)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(toChange);
}

export function toChange(row: ChangesTable): JournaledChange {
  return {
    changeSetId: row.change_set_id,
    sequence: row.sequence,
    entityType: row.entity_type as EntityType,
    entityId: row.entity_id,
    entityShortId: row.entity_short_id,
    operation: row.operation,
    before: parsed(row.before),
    after: parsed(row.after),
    internal: parsed(row.internal),
    transactionId: row.transaction_id,
    source: row.source,
    ruleId: row.rule_id,
    appliedBy: row.applied_by,
    isRevertible: row.is_revertible === 1,
    revertedByChangeSetId: row.reverted_by_change_set_id,
  };
}

function parsed(json: string | null): Record<string, unknown> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
}

/** How many changes of each kind a set has. */
export interface ChangeTally {
  /** Revertible changes, and how many of these are reverted now. */
  revertible: number;
  reverted: number;
  notRevertible: number;
  created: number;
  /** The sequence of the last change; 0 for none. */
  last: number;
}

export async function tallyChanges(tx: ReadTx, changeSetId: string): Promise<ChangeTally> {
  const { rows } = await sql<ChangeTally>`
    select coalesce(sum(is_revertible), 0) as revertible,
      coalesce(sum(case when is_revertible = 1 and reverted_by_change_set_id is not null then 1 else 0 end), 0) as reverted,
      coalesce(sum(1 - is_revertible), 0) as "notRevertible",
      coalesce(sum(case when operation = 'create' then 1 else 0 end), 0) as created,
      coalesce(max(sequence), 0) as last
    from changes where change_set_id = ${changeSetId}`.execute(tx.q);
  const row = rows[0] as ChangeTally;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Number(value)]),
  ) as unknown as ChangeTally;
}

/** Whether a wipe has blanked changes of the set, or erased its import. */
export async function isErased(tx: ReadTx, { id, import_id: importId }: ChangeSetRow): Promise<boolean> {
  const { rows } = await sql`select 1 from changes
      where change_set_id = ${id} and before is null and after is null
    union select 1 where ${importId === null ? 0 : 1} = 1
      and not exists (select 1 from imports where id = ${importId})`.execute(tx.q);
  return rows.length > 0;
}

/** How many of the rows that an import created are its own and live, and how many a revert deleted or handed over. */
export async function tallyCreatedRows(tx: ReadTx, changeSetId: string): Promise<{ live: number; reverted: number }> {
  const { rows } = await sql<{ live: number | string; reverted: number | string }>`
    select coalesce(sum(case when t.deleted_at is null and t.import_id = s.import_id then 1 else 0 end), 0) as live,
      coalesce(sum(case when t.deleted_cause = 'revert' or t.import_id is null or t.import_id <> s.import_id
        then 1 else 0 end), 0) as reverted
    from transactions t join change_sets s on s.id = t.created_change_set_id
    where t.created_change_set_id = ${changeSetId}`.execute(tx.q);
  return rows[0] as { live: number; reverted: number };
}

export async function markReverted(
  tx: BareWriteTx,
  changeSetId: string,
  sequences: readonly number[],
  byChangeSetId: string,
): Promise<void> {
  if (sequences.length === 0) return;
  await sql`update changes set reverted_by_change_set_id = ${byChangeSetId}
    where change_set_id = ${changeSetId} and ${tx.portable.inList(sql.ref('sequence'), sequences)}`.execute(tx.q);
}

/** Puts back in force what a revert had reverted, now that the revert itself is reverted. */
export async function clearRevertMarks(tx: BareWriteTx, changeSetId: string, revertId: string): Promise<void> {
  await sql`update changes set reverted_by_change_set_id = null
    where change_set_id = ${changeSetId} and reverted_by_change_set_id = ${revertId}
      and (entity_id is null or (entity_type, entity_id) not in (
        select undo.entity_type, undo.entity_id from changes as undo
        where undo.change_set_id = ${revertId} and undo.entity_id is not null
          and undo.is_revertible = 1 and undo.reverted_by_change_set_id is null))`.execute(tx.q);
}

/** Takes out of force again what a revert had reverted, now that the revert itself is in force again. */
export async function restoreRevertMarks(tx: BareWriteTx, changeSetId: string, revertId: string): Promise<void> {
  await sql`update changes set reverted_by_change_set_id = ${revertId}
    where change_set_id = ${changeSetId} and reverted_by_change_set_id is null and is_revertible = 1
      and (entity_type, entity_id) in (
        select undo.entity_type, undo.entity_id from changes as undo
        where undo.change_set_id = ${revertId} and undo.entity_id is not null
          and undo.is_revertible = 1 and undo.reverted_by_change_set_id is null)`.execute(tx.q);
}

/** The newest revert of a set that has not been reverted itself. */
export async function findRevertInForce(
  tx: ReadTx,
  changeSetId: string,
  except: string | null,
): Promise<string | null> {
  const row = await tx.q
    .selectFrom('change_sets')
    .select('id')
    .where('reverts_change_set_id', '=', changeSetId)
    .where('status', '!=', 'reverted')
    .where('id', '!=', except ?? '')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateChangeSet(
  tx: BareWriteTx,
  id: string,
  set: Pick<ChangeSetRow, 'status' | 'reverted_by_change_set_id'>,
): Promise<void> {
  await tx.q.updateTable('change_sets').set(set).where('id', '=', id).execute();
}

/** The newest later set that changed any of these fields of an entity, or deleted it; null for none. */
export async function findLaterChange(
  tx: ReadTx,
  changeSetId: string,
  entity: { type: EntityType; id: string },
  fields: readonly string[],
): Promise<string | null> {
  const isOfComments = fields.includes('comment');
  const changes = tx.q.selectFrom('changes').select(['change_set_id', 'after', 'before', 'operation']);
  const rows = await (
    isOfComments
      ? changes
          .where('entity_type', '=', 'comment')
          .where('transaction_id', '=', entity.id)
          .where('rule_id', 'is', null)
      : changes.where('entity_type', '=', entity.type).where('entity_id', '=', entity.id)
  )
    .where('change_set_id', '>', changeSetId)
    .orderBy('change_set_id', 'desc')
    .limit(50)
    .execute();
  const found = rows.find(({ after, before, operation }) => {
    if (isOfComments || fields.length === 0 || operation === 'delete') return true;
    const touched = { ...parsed(before), ...parsed(after) };
    return fields.some((field) => field in touched);
  });
  return found?.change_set_id ?? null;
}
