import { shortIdsFor } from '../../db/short-ids.ts';
import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { instantAt } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { afterQuietHours } from '../../kernel/quiet-hours.ts';
import { householdZone } from '../config/index.ts';
import { PRIORITIES, type NotificationEvent, type Priority } from './notification-events.contract.ts';
import { shorten, withoutControls } from './plain-text.ts';

export type SubjectType = 'report' | 'sync_log' | 'import' | 'connection' | 'run' | 'proposal';

/** Something that the household wants to be told. */
export interface Occurrence {
  event: NotificationEvent;
  /** The same whenever the same thing is told; its event makes it unique. */
  occurrenceId: string;
  priority: Priority;
  /** Plain text without names from banks: it is also sent through servers that others can read. */
  title: string;
  body: string | null;
  /** As a webhook gets it (contract 50.4.5). */
  data: Readonly<Record<string, string>>;
  subjectType: SubjectType | null;
  /** UUID of what it is about. */
  subjectId: string | null;
}

/**
 * Stores one delivery for each channel that wants to know, in the transaction of what happened (contract 50.4.4). The
 * sender of the process finds it after the commit, so this works in any thread. Telling the same twice tells it once.
 */
export async function raise(tx: BareWriteTx, occurrence: Occurrence): Promise<void> {
  const channels = await selectListeners(tx, occurrence);
  if (channels.length === 0) return;
  const zone = await householdZone(tx);
  const shortIds = await shortIdsFor(tx, 'notification_deliveries', channels.length);
  const told = {
    title: shorten(withoutControls(occurrence.title).replaceAll('\n', ' ').trim(), LIMITS.notificationTitleChars),
    body: occurrence.body === null ? null : shorten(withoutControls(occurrence.body), LIMITS.notificationBodyChars),
  };
  const rows = channels.map((channel, at) => [
    tx.ids.uuid(),
    shortIds[at] as string,
    channel.id,
    occurrence.event,
    `${occurrence.event}:${occurrence.occurrenceId}`,
    occurrence.subjectType,
    occurrence.subjectId,
    occurrence.priority,
    told.title,
    channel.is_body_included === 1 ? told.body : null,
    JSON.stringify(occurrence.data),
    'pending',
    sendTime(channel, occurrence.priority, zone, Date.parse(tx.now)),
    tx.now,
  ]);
  await tx.insertMany('notification_deliveries', COLUMNS, rows, 'on conflict (channel_id, occurrence_id) do nothing');
}

const COLUMNS = [
  'id',
  'short_id',
  'channel_id',
  'event',
  'occurrence_id',
  'subject_type',
  'subject_id',
  'priority',
  'title',
  'body',
  'data',
  'status',
  'next_attempt_at',
  'created_at',
] as const;

async function selectListeners(
  tx: ReadTx,
  { event, priority }: Pick<Occurrence, 'event' | 'priority'>,
): Promise<NotificationChannelsTable[]> {
  const enabled = await tx.q
    .selectFrom('notification_channels')
    .selectAll()
    .where('is_enabled', '=', 1)
    .orderBy('id')
    .execute();
  return enabled.filter((channel) => {
    const floor = PRIORITIES.indexOf(channel.min_priority as Priority);
    return (JSON.parse(channel.events) as string[]).includes(event) && PRIORITIES.indexOf(priority) >= floor;
  });
}

/** When something is sent that could be sent at `at`: what is not critical waits for the end of the quiet hours. */
export function sendTime(
  channel: Pick<NotificationChannelsTable, 'quiet_hours_start' | 'quiet_hours_end'>,
  priority: string,
  zone: string,
  at: number,
): string {
  const { quiet_hours_start: start, quiet_hours_end: end } = channel;
  if (priority === 'critical' || start === null || end === null) return instantAt(at);
  return instantAt(afterQuietHours({ start, end }, zone, at));
}

/** What waits for the end of quiet hours that are other ones now is sent when those let it. */
export async function rescheduleHeld(tx: BareWriteTx, channel: NotificationChannelsTable): Promise<void> {
  const zone = await householdZone(tx);
  await tx.q
    .updateTable('notification_deliveries')
    .set({ next_attempt_at: sendTime(channel, 'warning', zone, Date.parse(tx.now)) })
    .where('channel_id', '=', channel.id)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .where('next_attempt_at', '>', tx.now)
    .execute();
}

/** What has not been delivered yet about something that is gone will not be. */
export async function cancelDeliveriesOf(tx: BareWriteTx, subjectId: string): Promise<void> {
  await tx.q
    .updateTable('notification_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null, finished_at: tx.now })
    .where('subject_id', '=', subjectId)
    .where('status', '=', 'pending')
    .execute();
}

/** The same for a channel that is deleted or disabled. */
export async function cancelDeliveriesTo(tx: BareWriteTx, channelId: string): Promise<void> {
  await tx.q
    .updateTable('notification_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null, finished_at: tx.now })
    .where('channel_id', '=', channelId)
    .where('status', '=', 'pending')
    .execute();
}
