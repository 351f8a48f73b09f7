import { z } from 'zod';

import { AnyId, Id, Instant, queryInteger, ShortId } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

const EventProvider = z.enum(['plaid', 'teller'], 'must be plaid or teller').meta({ id: 'WebhookProvider' });
const EventType = z
  .enum([
    'sync_available',
    'connection_error',
    'pending_expiration',
    'new_accounts',
    'login_repaired',
    'access_revoked',
    'account_revoked',
    'test',
    'unknown',
  ])
  .meta({ id: 'WebhookEventType' });
const EventStatus = z.enum(['received', 'processed', 'error']).meta({ id: 'WebhookEventStatus' });

/** A notice from a provider (30.14). Its payload is not kept. */
export const WebhookEvent = z
  .object({
    id: Id,
    short_id: ShortId,
    provider: EventProvider,
    event_type: EventType,
    connection_id: Id.nullable(),
    institution_name: z.string().nullable(),
    raw_payload_hash: z.string().meta({ description: 'SHA-256 of the body, in lower-case hex' }),
    status: EventStatus,
    error_message: z.string().nullable(),
    delivery_count: z.int().meta({ description: 'How many times it was delivered' }),
    sync_log_id: Id.nullable().meta({ description: 'The sync that fetched what it announced' }),
    processed_at: Instant.nullable(),
    created_at: Instant,
  })
  .meta({ id: 'WebhookEvent' });

const WebhookEventList = z
  .object({
    webhook_events: z.array(WebhookEvent),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    total_pages: z.int(),
  })
  .meta({ id: 'WebhookEventList' });

const Replay = z
  .object({
    webhook_event_id: Id,
    connection_id: Id.nullable(),
    triggered: z.boolean().meta({ description: 'A sync was started, or is already waiting or running' }),
    message: z.string(),
  })
  .meta({ id: 'WebhookReplay' });

const exampleEvent = {
  id: '0198c2aa-0000-7000-8000-000000000020',
  short_id: 'Wh2Ks8Lm',
  provider: 'plaid' as const,
  event_type: 'sync_available' as const,
  connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
  institution_name: 'First Platypus Bank',
  raw_payload_hash: '8ae95e5cd24e481594b8f26e99cfc7270a78b10fc30b968ba96ee62ac5dc5d9d',
  status: 'processed' as const,
  error_message: null,
  delivery_count: 1,
  sync_log_id: '0198c2a0-8000-7000-8000-000000000010',
  processed_at: '2026-03-02T06:00:04.130Z',
  created_at: '2026-03-02T06:00:00.900Z',
};
const group = 'webhooks';

export const listWebhookEvents = defineOperation({
  name: 'listWebhookEvents',
  group,
  method: 'GET',
  path: '/api/v1/webhook-events',
  scope: 'full_access',
  summary: 'List webhook events from bank providers, newest first',
  query: z.object({
    provider: EventProvider.optional(),
    status: EventStatus.optional(),
    event_type: EventType.optional(),
    connection_id: AnyId.optional(),
    page: queryInteger(1, 1_000_000).default(1),
    limit: queryInteger(1, LIMITS.webhookEventPageMax).default(LIMITS.pageDefault),
  }),
  response: WebhookEventList,
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'webhook-events list' },
  example: {
    query: { provider: 'plaid' },
    response: { webhook_events: [exampleEvent], total: 1, page: 1, page_size: 50, total_pages: 1 },
  },
});

export const replayWebhookEvent = defineOperation({
  name: 'replayWebhookEvent',
  group,
  method: 'POST',
  path: '/api/v1/webhook-events/{id}/replay',
  scope: 'full_access',
  summary: 'Ask for a sync of the connection that an event is about',
  description: 'The response does not wait for the sync. The event itself does not change.',
  params: z.object({ id: AnyId }),
  response: Replay,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'webhook-events replay' },
  example: {
    params: { id: 'Wh2Ks8Lm' },
    response: {
      webhook_event_id: '0198c2aa-0000-7000-8000-000000000020',
      connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
      triggered: true,
      message: 'A sync was requested.',
    },
  },
});

export const operations = [listWebhookEvents, replayWebhookEvent];
