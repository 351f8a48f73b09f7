import { sql } from 'kysely';

import type { NotificationChannelsTable } from '../../db/schema-agents.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { MINUTE_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { householdZone } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import type { DeliveryRow } from './deliveries.queries.ts';
import { sendTime } from './raise.ts';
import type { AttemptResult } from './attempt-delivery.ts';

/** A delivery that this process may attempt now. Nobody else attempts it, or another of its channel, meanwhile. */
export interface ClaimedDelivery {
  readonly delivery: DeliveryRow;
  readonly channel: NotificationChannelsTable;
}

/** Channels with something to send, including what a process that died had claimed. */
export async function selectDueChannels(tx: ReadTx, now: string): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('notification_deliveries')
    .select('channel_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now)
    .orderBy('channel_id')
    .execute();
  return rows.map(({ channel_id: id }) => id);
}

/**
 * Claims the next due delivery of a channel in the order of events; undefined if there is none, or while another process
 * is at one of them. A claim counts as an attempt, and ends with its process.
 */
export async function claimNext(instance: Instance, channelId: string): Promise<ClaimedDelivery | undefined> {
  const { database } = instance;
  const presence = await database.presence();
  const dead: string[] = [];
  for (const holder of await database.read((tx) => selectClaimants(tx, channelId))) {
    if (holder === presence || (await database.isPresent(holder))) return undefined;
    dead.push(holder);
  }
  return bookkeep(database, async (tx) => {
    const holders = await selectClaimants(tx, channelId);
    if (holders.some((holder) => !dead.includes(holder))) return undefined;
    if (holders.length > 0) await freeClaims(tx, channelId);
    const channel = await tx.q
      .selectFrom('notification_channels')
      .selectAll()
      .where('id', '=', channelId)
      .executeTakeFirst();
    const due = await selectNextDue(tx, channelId);
    if (!channel || !due) return undefined;
    const patch = { claimed_by: presence, attempts: due.attempts + 1, attempted_at: tx.now };
    await tx.q.updateTable('notification_deliveries').set(patch).where('id', '=', due.id).execute();
    return { channel, delivery: { ...due, ...patch } };
  });
}

async function selectClaimants(tx: ReadTx, channelId: string): Promise<string[]> {
  const rows = await tx.q
    .selectFrom('notification_deliveries')
    .select('claimed_by')
    .distinct()
    .where('channel_id', '=', channelId)
    .where('claimed_by', 'is not', null)
    .execute();
  return rows.flatMap(({ claimed_by: holder }) => holder ?? []);
}

/** Whether the attempts of dead processes arrived is unknown, so they are repeated. */
async function freeClaims(tx: BareWriteTx, channelId: string): Promise<void> {
  await sql`update notification_deliveries set claimed_by = null
    where channel_id = ${channelId} and claimed_by is not null`.execute(tx.q);
}

async function selectNextDue(tx: BareWriteTx, channelId: string): Promise<DeliveryRow | undefined> {
  return tx.q
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', tx.now)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Gives a claim back whose attempt was cut off: it does not count. */
export async function giveBack({ database }: Instance, { delivery }: ClaimedDelivery): Promise<void> {
  await bookkeep(database, async (tx) => {
    await tx.q
      .updateTable('notification_deliveries')
      .set({ claimed_by: null, attempts: delivery.attempts - 1 })
      .where('id', '=', delivery.id)
      .where('claimed_by', '=', delivery.claimed_by)
      .execute();
  });
}

/** Stores what became of an attempt (contract 50.4.4). What was cancelled meanwhile stays cancelled. */
export async function settle(instance: Instance, claimed: ClaimedDelivery, result: AttemptResult): Promise<void> {
  const { delivery, channel } = claimed;
  await bookkeep(instance.database, async (tx) => {
    const outcome = await outcomeOf(tx, instance, claimed, result);
    const seen = { claimed_by: null, status_code: result.statusCode, detail: detailOf(result) };
    const mine = tx.q
      .updateTable('notification_deliveries')
      .where('id', '=', delivery.id)
      .where('claimed_by', '=', delivery.claimed_by);
    const { numUpdatedRows } = await mine
      .set({ ...seen, ...outcome })
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) await mine.set(seen).execute();
  });
  if (result.kind === 'failed') {
    const { id, event, attempts } = delivery;
    instance.logger.warn(
      { delivery_id: id, channel_id: channel.id, event, attempts, status_code: result.statusCode },
      'A notification was not delivered.',
    );
  }
}

type Outcome = Pick<DeliveryRow, 'status' | 'next_attempt_at' | 'finished_at'>;

async function outcomeOf(
  tx: BareWriteTx,
  instance: Instance,
  { delivery, channel }: ClaimedDelivery,
  result: AttemptResult,
): Promise<Outcome> {
  const over = { next_attempt_at: null, finished_at: tx.now };
  if (result.kind === 'delivered') return { status: 'delivered', ...over };
  const pauseMs = result.isFinal ? null : pauseAfter(delivery.attempts, result.retryAfterMs, chance(instance));
  if (pauseMs === null) return { status: 'failed', ...over };
  const zone = await householdZone(tx);
  const next = sendTime(channel, delivery.priority, zone, Date.parse(instantAfter(tx.now, pauseMs)));
  return { status: 'pending', next_attempt_at: next, finished_at: null };
}

const PAUSES_MS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];
/** Pauses vary by a tenth, so that messages that failed together are not repeated together. */
const VARIATION = 0.1;

/** How long to wait after so many attempts; null if there is no other. */
export function pauseAfter(attempts: number, askedMs: number | null, chance: number): number | null {
  const pause = attempts < LIMITS.notificationAttempts ? PAUSES_MS[attempts - 1] : undefined;
  if (pause === undefined) return null;
  const varied = Math.round(pause * (1 + VARIATION * (2 * chance - 1)));
  return Math.max(varied, Math.min(askedMs ?? 0, LIMITS.notificationRetryAfterMs));
}

/** From 0 to 1. */
function chance({ random }: Instance): number {
  return new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32;
}

function detailOf(result: AttemptResult): string | null {
  return result.kind === 'failed' ? result.detail.slice(0, LIMITS.notificationDetailChars) : null;
}
