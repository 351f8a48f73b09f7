import { sql, type RawBuilder, type Selectable } from 'kysely';

import type { SyncLogsTable } from '../../../db/schema-sync.ts';
import { idColumn } from '../../../db/short-ids.ts';
import type { ReadTx } from '../../../db/unit-of-work.ts';
import type { Position } from '../../../kernel/cursor.ts';

export type SyncLogRow = Selectable<SyncLogsTable>;

/** Filters of lists and statistics; the connection is a UUID. */
export interface SyncLogFilter {
  connectionId?: string | undefined;
  provider?: string | undefined;
  status?: string | undefined;
  trigger?: string | undefined;
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  finishedFrom?: string | undefined;
}

export async function findSyncLog(tx: ReadTx, anyId: string): Promise<SyncLogRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('sync_logs').selectAll().where(column, '=', anyId).executeTakeFirst();
}

/** Newest first, after a position. */
export async function selectSyncLogs(
  tx: ReadTx,
  filter: SyncLogFilter,
  after: Position | null,
  limit: number,
): Promise<SyncLogRow[]> {
  const older = after ? [sql<boolean>`(started_at, id) < (${after.key}, ${after.id})`] : [];
  const { rows } = await sql<SyncLogRow>`select * from sync_logs ${where([...conditionsOf(filter), ...older])}
    order by started_at desc, id desc limit ${sql.lit(limit)}`.execute(tx.q);
  return rows;
}

export async function countSyncLogs(tx: ReadTx, filter: SyncLogFilter): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from sync_logs
    ${where(conditionsOf(filter))}`.execute(tx.q);
  return Number(rows[0]?.n ?? 0);
}

const STATISTICS = {
  total_syncs: sql`count(*)`,
  success_count: sql`count(*) filter (where status = 'success')`,
  error_count: sql`count(*) filter (where status = 'error')`,
  in_progress_count: sql`count(*) filter (where status = 'in_progress')`,
  warning_count: sql`count(*) filter (where warning_count > 0)`,
  duration_ms: sql`sum(duration_ms) filter (where status <> 'in_progress')`,
  total_added: sql`sum(added_count)`,
  total_modified: sql`sum(modified_count)`,
  total_removed: sql`sum(removed_count)`,
  total_unchanged: sql`sum(unchanged_count)`,
  total_skipped: sql`sum(skipped_count)`,
};

export type SyncStatistics = Record<keyof typeof STATISTICS, number>;

export async function countOutcomes(tx: ReadTx, filter: SyncLogFilter): Promise<SyncStatistics> {
  const columns = Object.entries(STATISTICS).map(([name, value]) => sql`${value} as ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, number | string | null>>`select ${sql.join(columns)} from sync_logs
    ${where(conditionsOf(filter))}`.execute(tx.q);
  const entries = Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value ?? 0)]);
  return Object.fromEntries(entries) as SyncStatistics;
}

/** The newest log of each of these connections, of any status. */
export async function selectNewestLogs(tx: ReadTx, connectionIds: readonly string[]): Promise<SyncLogRow[]> {
  if (connectionIds.length === 0) return [];
  const { rows } = await sql<SyncLogRow>`select l.* from connections c join sync_logs l on l.id = (
      select id from sync_logs where connection_id = c.id order by started_at desc, id desc limit 1)
    where ${tx.portable.inList(sql.ref('c.id'), connectionIds)}`.execute(tx.q);
  return rows;
}

/** Which of these rules still exist. */
export async function selectExistingRules(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const list = tx.portable.inList(sql.ref('id'), ids);
  const rows = await tx.q.selectFrom('rules').select('id').where(list).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The sync that ended last, of a provider or of any. */
export async function findLastFinished(tx: ReadTx, provider?: string): Promise<SyncLogRow | undefined> {
  let query = tx.q.selectFrom('sync_logs').selectAll().where('finished_at', 'is not', null);
  if (provider !== undefined) query = query.where('provider', '=', provider);
  return query.orderBy('finished_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
}

function conditionsOf({ connectionId, provider, status, trigger, ...times }: SyncLogFilter): RawBuilder<boolean>[] {
  const equal = { connection_id: connectionId, provider, status, trigger };
  return [
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
    ),
    ...(times.from === undefined ? [] : [sql<boolean>`started_at >= ${times.from}`]),
    ...(times.to === undefined ? [] : [sql<boolean>`started_at < ${times.to}`]),
    ...(times.finishedFrom === undefined ? [] : [sql<boolean>`finished_at >= ${times.finishedFrom}`]),
  ];
}

function where(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}
