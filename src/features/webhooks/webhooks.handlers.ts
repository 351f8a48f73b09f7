import type { z } from 'zod';

import { notFound, unknownId } from '../../kernel/errors.ts';
import { connections, findConnectionOf } from '../connections/index.ts';
import { handleRead, handleWrite } from '../handler.ts';
import { configuredProviders } from '../providers/index.ts';
import { requestSync } from '../sync/index.ts';
import * as contract from './webhooks.contract.ts';
import { countEvents, findEvent, selectEvents, type EventRow } from './webhooks.queries.ts';

export const listWebhookEvents = handleRead(contract.listWebhookEvents, async ({ tx }, { query }) => {
  const { provider, status, event_type: eventType, page, limit } = query;
  const connection = query.connection_id === undefined ? undefined : await connections.find(tx, query.connection_id);
  if (query.connection_id !== undefined && !connection) {
    throw unknownId('connection_id', 'connection', query.connection_id);
  }
  const filter = { provider, status, eventType, connectionId: connection?.id };
  const total = await countEvents(tx, filter);
  return {
    webhook_events: (await selectEvents(tx, filter, { page, limit })).map(toEvent),
    total,
    page,
    page_size: limit,
    total_pages: Math.ceil(total / limit),
  };
});

export const replayWebhookEvent = handleWrite(
  contract.replayWebhookEvent,
  'webhook_event.replay',
  async ({ tx, instance }, { params }) => {
    const event = await findEvent(tx, params.id);
    if (!event) throw notFound('webhook event');
    const answer = { webhook_event_id: event.id, connection_id: event.connection_id };
    const connection = await findConnectionOf(tx, event.connection_id);
    if (!connection) return { ...answer, triggered: false, message: 'This event does not belong to a connection.' };
    if (connection.status === 'disconnected') {
      return { ...answer, triggered: false, message: 'The connection was disconnected.' };
    }
    if (!(await configuredProviders(tx, instance)).includes(connection.provider)) {
      return { ...answer, triggered: false, message: 'The provider of this connection is not set up.' };
    }
    const isNew = await requestSync(tx, connection.id, { trigger: 'manual' });
    tx.afterCommit(() => instance.wakeSyncs());
    const message = isNew ? 'A sync was requested.' : 'A sync of this connection is already waiting.';
    return { ...answer, triggered: true, message };
  },
);

type EventRecord = z.output<typeof contract.WebhookEvent>;

function toEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    provider: row.provider as EventRecord['provider'],
    event_type: row.event_type as EventRecord['event_type'],
    connection_id: row.connection_id,
    institution_name: row.institution_name,
    raw_payload_hash: row.raw_payload_hash,
    status: row.status as EventRecord['status'],
    error_message: row.error_message,
    delivery_count: row.delivery_count,
    sync_log_id: row.sync_log_id,
    processed_at: row.processed_at,
    created_at: row.created_at,
  };
}
