import { sql, type RawBuilder } from 'kysely';

import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ChangeSetRow } from '../../journal/journal.queries.ts';
import type { Position } from '../../kernel/cursor.ts';
import type { ChangeSetStatus as ChangeSetStatusSchema } from './change-sets.contract.ts';

/** Filters of a list of change sets; ids are UUIDs except where noted. */
export interface ChangeSetFilter {
  actorTypes?: readonly string[];
  /** Anybody but a member. */
  actorId?: string;
  /** short_id of a household member: what they wrote signed in, or with a key of theirs. */
  memberId?: string;
  surfaces?: readonly string[];
  sources?: readonly string[];
  actions?: readonly string[];
  entityTypes?: readonly string[];
  entityId?: string;
  transactionId?: string;
  importId?: string;
  syncLogId?: string;
  workflowRunId?: string;
  ruleId?: string;
  from?: string;
  /** Exclusive. */
  to?: string;
}

export type ChangeSetStatus = z.output<typeof ChangeSetStatusSchema>;

/** What became of change sets, by UUID. */
export async function selectStatuses(tx: ReadTx, ids: readonly string[]): Promise<Map<string, ChangeSetStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.q
    .selectFrom('change_sets')
    .select(['id', 'status'])
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status as ChangeSetStatus]));
}

/** Newest first. */
export async function selectChangeSets(
  tx: ReadTx,
  filter: ChangeSetFilter,
  after: Position | null,
  limit: number,
): Promise<ChangeSetRow[]> {
  const conditions = [...conditionsOf(tx, filter)];
  if (after) conditions.push(sql`(s.created_at, s.id) < (${after.key}, ${after.id})`);
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const { rows } = await sql<ChangeSetRow>`select s.* from change_sets s ${where}
    order by s.created_at desc, s.id desc limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

function* conditionsOf(tx: ReadTx, filter: ChangeSetFilter): Generator<RawBuilder<unknown>> {
  const lists = [
    ['actor_type', filter.actorTypes],
    ['surface', filter.surfaces],
    ['source', filter.sources],
    ['action', filter.actions],
  ] as const;
  for (const [column, values] of lists) if (values) yield tx.portable.inList(sql.ref(`s.${column}`), values);
  const equals = [
    ['actor_id', filter.actorId],
    ['import_id', filter.importId],
    ['sync_log_id', filter.syncLogId],
    ['workflow_run_id', filter.workflowRunId],
  ] as const;
  for (const [column, value] of equals) if (value !== undefined) yield sql`${sql.ref(`s.${column}`)} = ${value}`;
  if (filter.memberId !== undefined) {
    yield sql`(s.actor_id = ${filter.memberId} or s.actor_user_id = ${filter.memberId})`;
  }
  if (filter.from !== undefined) yield sql`s.created_at >= ${filter.from}`;
  if (filter.to !== undefined) yield sql`s.created_at < ${filter.to}`;
  if (filter.entityTypes && filter.entityId === undefined) {
    const named = filter.entityTypes.map((type) => sql`s.entity_types like ${`%"${type}"%`}`);
    yield sql`(${sql.join(named, sql` or `)})`;
  }
  if (filter.entityId !== undefined) {
    const { entityId, entityTypes: types } = filter;
    const ofTypes = types ? sql`and ${tx.portable.inList(sql.ref('entity_type'), types)}` : sql``;
    const created = sql`union select created_change_set_id from transactions where id = ${entityId}`;
    yield sql`s.id in (select change_set_id from changes where entity_id = ${entityId} ${ofTypes}
      ${!types || types.includes('transaction') ? created : sql``})`;
  }
  if (filter.transactionId !== undefined) {
    yield sql`s.id in (select change_set_id from changes where transaction_id = ${filter.transactionId}
      union select created_change_set_id from transactions where id = ${filter.transactionId}
      union ${setsOfMatches(filter.transactionId)})`;
  }
  if (filter.ruleId !== undefined) yield sql`s.rule_id = ${filter.ruleId}`;
}

/** A match has two transactions, which only the record of its first or last change names once it is gone. */
function setsOfMatches(transactionId: string): RawBuilder<unknown> {
  const named = `%"${transactionId}"%`;
  return sql`select change_set_id from changes where entity_type = 'transaction_match' and entity_id in (
    select entity_id from changes where entity_type = 'transaction_match'
      and (before like ${named} or after like ${named}))`;
}

/** Rows that name the change set which created them instead of being journaled one by one. */
export async function selectCreatedRows(
  tx: ReadTx,
  changeSetId: string,
  after: string,
  limit: number,
): Promise<{ id: string; short_id: string; deleted_cause: string | null }[]> {
  return tx.q
    .selectFrom('transactions')
    .select(['id', 'short_id', 'deleted_cause'])
    .where('created_change_set_id', '=', changeSetId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Which of these comments are deleted or do not exist. */
export async function selectDeletedComments(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from comments
    where ${tx.portable.inList(sql.ref('id'), ids)} and deleted_at is null`.execute(tx.q);
  const live = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !live.has(id)));
}

/** The UUID of an entity in the journal; the entity may no longer exist. */
export async function findJournaledId(
  tx: ReadTx,
  anyId: { id: string } | { shortId: string; entityType: string },
): Promise<string | undefined> {
  const condition =
    'id' in anyId
      ? sql`entity_id = ${anyId.id}`
      : sql`entity_type = ${anyId.entityType} and entity_short_id = ${anyId.shortId}`;
  const { rows } = await sql<{ id: string }>`select entity_id as id from changes where ${condition} limit 1`.execute(
    tx.q,
  );
  return rows[0]?.id;
}

/** The UUID of a row, by UUID or short_id. */
export async function findIdIn(
  tx: ReadTx,
  table: string,
  column: 'id' | 'short_id',
  anyId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${sql.ref(column)} = ${anyId}`.execute(tx.q);
  return rows[0]?.id;
}

/** Whether the journal has a change set of the sync with this log, or of this run. */
export async function isNamedInJournal(
  tx: ReadTx,
  column: 'sync_log_id' | 'workflow_run_id',
  id: string,
): Promise<boolean> {
  const row = await tx.q.selectFrom('change_sets').select('id').where(column, '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Whether the journal has a change set of this actor. */
export async function isJournaledActor(tx: ReadTx, actorId: string): Promise<boolean> {
  const row = await tx.q.selectFrom('change_sets').select('id').where('actor_id', '=', actorId).executeTakeFirst();
  return row !== undefined;
}

/** Whether reverting a change set would change a workflow. */
export async function changesWorkflows(tx: ReadTx, changeSetId: string): Promise<boolean> {
  const row = await tx.q
    .selectFrom('changes')
    .select('sequence')
    .where('change_set_id', '=', changeSetId)
    .where('entity_type', '=', 'workflow')
    .executeTakeFirst();
  return row !== undefined;
}
