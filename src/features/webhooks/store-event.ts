import type { ConnectionsTable } from '../../db/schema.ts';
import { shortIdFor } from '../../db/short-ids.ts';
import { instantAfter } from '../../kernel/dates.ts';
import type { WriteTx } from '../../journal/write.ts';
import type { WebhookEvent } from '../../providers/webhook.ts';
import type { Instance } from '../handler.ts';
import { applyWebhook, type Applied } from './apply-webhook.ts';
import { noteReceived } from './counters.ts';
import { fetchAgainLater } from './fetch-again-later.ts';
import { findConnectionByAccounts, findConnectionByItem, findLatest, type EventRow } from './webhooks.queries.ts';

export interface Received {
  provider: string;
  /** SHA-256 of the body, in hex. */
  hash: string;
  event: WebhookEvent;
}

export interface Receipt {
  status: 'ok';
  duplicate?: true;
}

/** Stores an event with what it does to its connection, or counts a duplicate (contract 30.13). */
export async function storeEvent(tx: WriteTx, instance: Instance, received: Received): Promise<Receipt> {
  const { provider, hash, event } = received;
  await noteReceived(tx, provider);
  const first = await findLatest(tx, provider, hash);
  const endOfWindow = first && instantAfter(first.created_at, event.duplicateWindowMs);
  if (first && endOfWindow !== undefined && tx.now < endOfWindow) {
    await countDuplicate(tx, first);
    await fetchAgainLater(tx, first, endOfWindow);
    return { status: 'ok', duplicate: true };
  }
  const connection = await findConnection(tx, received);
  const row = await insertEvent(tx, received, connection);
  const applied = await applyWebhook(tx, instance, { event, connection });
  await endEvent(tx, row, applied);
  return { status: 'ok' };
}

async function findConnection(tx: WriteTx, { provider, event }: Received): Promise<ConnectionsTable | undefined> {
  if (event.itemId !== null) return findConnectionByItem(tx, provider, event.itemId);
  return event.accountIds.length > 0 ? findConnectionByAccounts(tx, provider, event.accountIds) : undefined;
}

async function insertEvent(
  tx: WriteTx,
  { provider, hash, event }: Received,
  connection: ConnectionsTable | undefined,
): Promise<{ id: string }> {
  const row = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'webhook_events'),
    provider,
    event_type: event.type,
    connection_id: connection?.id ?? null,
    institution_name: connection?.institution_name ?? null,
    raw_payload_hash: hash,
    status: 'received',
    error_message: null,
    sync_log_id: null,
    processed_at: null,
    created_at: tx.now,
  };
  await tx.q.insertInto('webhook_events').values(row).execute();
  return row;
}

async function endEvent(tx: WriteTx, { id }: { id: string }, applied: Applied): Promise<void> {
  if (applied.status === 'received') return;
  await tx.q
    .updateTable('webhook_events')
    .set({ status: applied.status, error_message: applied.error ?? null, processed_at: tx.now })
    .where('id', '=', id)
    .execute();
}

async function countDuplicate(tx: WriteTx, { id, delivery_count: count }: EventRow): Promise<void> {
  await tx.q
    .updateTable('webhook_events')
    .set({ delivery_count: count + 1 })
    .where('id', '=', id)
    .execute();
}
