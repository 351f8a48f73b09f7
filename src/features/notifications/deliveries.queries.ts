import { sql, type Selectable } from 'kysely';
import type { z } from 'zod';

import type { NotificationDeliveriesTable } from '../../db/schema-agents.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { OldRows } from '../old-rows.ts';
import type { NotificationDelivery } from './notifications.contract.ts';

export type DeliveryRow = Selectable<NotificationDeliveriesTable>;

type DeliveryRecord = z.output<typeof NotificationDelivery>;

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    channel_id: row.channel_id,
    event: row.event as DeliveryRecord['event'],
    subject_id: row.subject_id,
    status: row.status as DeliveryRecord['status'],
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at,
    status_code: row.status_code,
    detail: row.detail,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

export async function findDelivery(tx: ReadTx, anyId: string): Promise<DeliveryRow | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  return tx.q.selectFrom('notification_deliveries').selectAll().where(column, '=', anyId).executeTakeFirst();
}

interface DeliveryFilter {
  channelId: string | undefined;
  statuses: readonly string[] | undefined;
  events: readonly string[] | undefined;
  limit: number;
}

/** Newest first. */
export async function selectDeliveries(
  tx: ReadTx,
  { channelId, statuses, events, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  let deliveries = tx.q.selectFrom('notification_deliveries').selectAll();
  if (channelId !== undefined) deliveries = deliveries.where('channel_id', '=', channelId);
  if (statuses) deliveries = deliveries.where('status', 'in', [...statuses]);
  if (events) deliveries = deliveries.where('event', 'in', [...events]);
  return deliveries.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export interface LastAttempt extends Pick<DeliveryRow, 'channel_id' | 'status' | 'status_code' | 'detail'> {
  attempted_at: string;
}

/** What was tried last on each channel, or on one. */
export async function selectLastAttempts(tx: ReadTx, channelId?: string): Promise<ReadonlyMap<string, LastAttempt>> {
  const { rows } = await sql<LastAttempt>`
    select channel_id, status, status_code, detail, attempted_at from (
      select channel_id, status, status_code, detail, attempted_at,
        row_number() over (partition by channel_id order by attempted_at desc, id desc) as position
      from notification_deliveries where attempted_at is not null and claimed_by is null
        ${channelId === undefined ? sql`` : sql`and channel_id = ${channelId}`}) as attempts
    where position = 1`.execute(tx.q);
  return new Map(rows.map((row) => [row.channel_id, row]));
}

/** Answers whether deliveries to this channel are known, although the channel may be gone. */
export async function isChannelKnown(tx: ReadTx, channelId: string): Promise<boolean> {
  const row = await tx.q
    .selectFrom('notification_deliveries')
    .select('id')
    .where('channel_id', '=', channelId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export function finishedBefore(instant: string): OldRows {
  return {
    table: 'notification_deliveries',
    key: ['id'],
    isOld: sql`finished_at < ${instant} and status <> 'pending'`,
  };
}
