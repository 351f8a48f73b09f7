import { z } from 'zod';

import { AnyId, Id, Instant, Provider, QueryInstant, page, queryInteger } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  ConnectionAttention,
  SyncLog,
  SyncLogDetail,
  SyncLogStatus,
  SyncTriggerName,
  exampleAttention,
  exampleSyncLog,
} from './sync-record.contract.ts';

const group = 'sync';
const read = { group, method: 'GET', scope: 'read_only', status: 200, effect: 'read', weight: 'light' } as const;
const ask = {
  group,
  method: 'POST',
  scope: 'full_access',
  status: 202,
  effect: 'background',
  weight: 'light',
  bodyOptional: true,
} as const;

const RequestedSync = z
  .object({
    connection_id: Id,
    sync_log_id: Id.nullable(),
    status: z.enum(['started', 'queued', 'already_running', 'skipped']),
    reason: z
      .enum(['sync_running', 'no_free_slot', 'paused', 'pending_reauth', 'error', 'csv', 'provider_not_configured'])
      .nullable(),
  })
  .meta({
    id: 'RequestedSync',
    description:
      '`queued`: it starts automatically, after the running sync or when a slot is free. `already_running`: a sync is ' +
      'running and another is waiting, or one is waiting for a slot; nothing was added. `skipped`: it will not run',
  });

const exampleStarted: z.output<typeof RequestedSync> = {
  connection_id: exampleSyncLog.connection_id,
  sync_log_id: exampleSyncLog.id,
  status: 'started',
  reason: null,
};

export const triggerSync = defineOperation({
  ...ask,
  name: 'triggerSync',
  path: '/api/v1/sync',
  summary: 'Sync one connection, or all active ones',
  description:
    'The response does not wait for a bank. Without `connection_id`, connections that are paused, broken or not ' +
    'configured are skipped; a connection that you name is synced even if it is paused or broken.',
  body: z.strictObject({ connection_id: z.string().nullable().optional() }),
  response: z
    .object({ status: z.literal('accepted'), syncs: z.array(RequestedSync).meta({ description: 'Oldest first' }) })
    .meta({ id: 'RequestedSyncs' }),
  errors: ['INVALID_PARAMETER', 'VALIDATION_ERROR', 'CONNECTION_DISCONNECTED'],
  cli: { command: 'sync run' },
  example: { body: {}, response: { status: 'accepted', syncs: [exampleStarted] } },
});

export const syncConnection = defineOperation({
  ...ask,
  name: 'syncConnection',
  path: '/api/v1/connections/{id}/sync',
  summary: 'Sync a connection',
  description:
    'The response does not wait for the bank; the sync log has the outcome. Paused and broken connections sync too.',
  params: z.object({ id: AnyId }),
  body: z.strictObject({
    full: z
      .boolean()
      .default(false)
      .meta({ description: 'Read everything again from the beginning. This creates no duplicates' }),
  }),
  response: RequestedSync,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'CONNECTION_DISCONNECTED'],
  cli: { command: 'sync connection' },
  example: { params: { id: 'c9KfT2xA' }, body: { full: false }, response: exampleStarted },
});

const filters = {
  connection_id: AnyId.optional(),
  provider: Provider.optional(),
  status: SyncLogStatus.optional(),
  trigger: SyncTriggerName.optional(),
  from: QueryInstant.optional().meta({ description: 'Started at or after' }),
  to: QueryInstant.optional().meta({ description: 'Started before' }),
};

export const listSyncLogs = defineOperation({
  ...read,
  name: 'listSyncLogs',
  path: '/api/v1/sync/logs',
  summary: 'List syncs, newest first',
  query: z.object({
    ...filters,
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
    cursor: z.string().optional(),
  }),
  response: page('sync_logs', SyncLog)
    .extend({ total: z.int().meta({ description: 'How many match the filters' }) })
    .meta({ id: 'SyncLogPage' }),
  errors: ['INVALID_PARAMETER', 'INVALID_CURSOR'],
  etag: true,
  cli: { command: 'sync logs' },
  example: {
    query: { status: 'success' },
    response: { sync_logs: [exampleSyncLog], next_cursor: '', has_more: false, limit: 50, total: 1 },
  },
});

export const getSyncLog = defineOperation({
  ...read,
  name: 'getSyncLog',
  path: '/api/v1/sync/logs/{id}',
  summary: 'Get a sync with its accounts and warnings',
  params: z.object({ id: AnyId }),
  response: SyncLogDetail,
  errors: ['NOT_FOUND'],
  etag: true,
  cli: { command: 'sync log' },
  example: {
    params: { id: 'Sl9Dk3Pa' },
    response: {
      ...exampleSyncLog,
      accounts: [
        {
          account_id: '0198c2a0-9999-7000-8000-000000000001',
          account_name: 'Plaid Checking',
          iso_currency_code: 'USD',
          added_count: 12,
          modified_count: 2,
          removed_count: 0,
          unchanged_count: 0,
          skipped_count: 0,
          balance_reported: true,
          balance_check: { status: 'agrees', difference: null, since: null },
        },
      ],
      warnings: [],
      provider_error: null,
      is_full: false,
      change_set_id: '0198c2a0-8000-7000-8000-000000000011',
    },
  },
});

const rate = z
  .number()
  .nullable()
  .meta({ description: 'Percentage of finished syncs, one decimal; null if there are none' });

export const getSyncStats = defineOperation({
  ...read,
  name: 'getSyncStats',
  path: '/api/v1/sync/stats',
  summary: 'Count syncs and the transactions they changed',
  query: z.object(filters),
  response: z
    .object({
      total_syncs: z.int(),
      success_count: z.int(),
      error_count: z.int(),
      in_progress_count: z.int(),
      warning_count: z.int().meta({ description: 'Syncs with warnings' }),
      success_rate: rate,
      avg_duration_ms: z.int().nullable(),
      total_added: z.int(),
      total_modified: z.int(),
      total_removed: z.int(),
      total_unchanged: z.int(),
      total_skipped: z.int(),
    })
    .meta({ id: 'SyncStats' }),
  errors: ['INVALID_PARAMETER'],
  etag: true,
  cli: { command: 'sync stats' },
  example: {
    query: { provider: 'plaid' },
    response: {
      total_syncs: 21,
      success_count: 19,
      error_count: 1,
      in_progress_count: 1,
      warning_count: 2,
      success_rate: 95,
      avg_duration_ms: 2_870,
      total_added: 118,
      total_modified: 24,
      total_removed: 3,
      total_unchanged: 41,
      total_skipped: 0,
    },
  },
});

const finished = z.enum(['success', 'error']).nullable();

const WebhookHealth = z
  .object({
    last_received_at: Instant.nullable(),
    rejected_count: z.int().meta({ description: 'In the last 24 hours' }),
    last_rejected_at: Instant.nullable(),
    last_rejected_reason: z
      .enum(['signature', 'clock'])
      .nullable()
      .meta({ description: 'clock: correctly signed but outside the time limits; check this server’s clock' }),
  })
  .meta({ id: 'WebhookHealth' });

export const getSyncHealth = defineOperation({
  ...read,
  name: 'getSyncHealth',
  path: '/api/v1/sync/health',
  summary: 'Get the health of syncing',
  description: 'Counts cover the last 24 hours. Having received no webhooks is not a fault.',
  response: z
    .object({
      overall_health: z.enum(['healthy', 'degraded', 'unhealthy']),
      last_sync_time: Instant.nullable(),
      last_sync_status: finished,
      recent_sync_count: z.int(),
      recent_success_count: z.int(),
      recent_error_count: z.int(),
      recent_success_rate: rate,
      running_count: z.int(),
      queued_count: z.int(),
      connection_errors: z.int().meta({ description: 'Connections in `error` or `pending_reauth`' }),
      next_sync_time: Instant.nullable(),
      scheduler: z.object({
        running: z.boolean().meta({ description: 'Whether it has looked for work in the last two minutes' }),
        interval_seconds: z.int(),
        concurrency: z.int(),
      }),
      attention: z.array(
        z
          .object({ connection_id: Id, institution_name: z.string().nullable(), ...ConnectionAttention.shape })
          .meta({ id: 'SyncAttention' }),
      ),
      webhooks: z.object({ plaid: WebhookHealth, teller: WebhookHealth }),
    })
    .meta({ id: 'SyncHealth' }),
  errors: [],
  cli: { command: 'sync health' },
  example: {
    response: {
      overall_health: 'healthy',
      last_sync_time: '2026-03-02T06:00:04.120Z',
      last_sync_status: 'success',
      recent_sync_count: 4,
      recent_success_count: 4,
      recent_error_count: 0,
      recent_success_rate: 100,
      running_count: 0,
      queued_count: 0,
      connection_errors: 0,
      next_sync_time: '2026-03-02T18:03:11.000Z',
      scheduler: { running: true, interval_seconds: 43_200, concurrency: 4 },
      attention: [
        {
          connection_id: exampleSyncLog.connection_id,
          institution_name: exampleSyncLog.institution_name,
          ...exampleAttention,
        },
      ],
      webhooks: {
        plaid: {
          last_received_at: '2026-03-02T06:00:00.900Z',
          rejected_count: 0,
          last_rejected_at: null,
          last_rejected_reason: null,
        },
        teller: { last_received_at: null, rejected_count: 0, last_rejected_at: null, last_rejected_reason: null },
      },
    },
  },
});

const ProviderHealth = z
  .object({
    provider: Provider,
    configured: z.boolean(),
    connection_count: z.int().meta({ description: 'Excludes disconnected connections' }),
    account_count: z.int(),
    status_counts: z.object({ active: z.int(), error: z.int(), pending_reauth: z.int() }),
    last_sync_status: finished,
    last_sync_time: Instant.nullable(),
    last_sync_error: z.string().nullable(),
  })
  .meta({ id: 'ProviderHealth' });

const exampleQuiet = {
  configured: false,
  connection_count: 0,
  account_count: 0,
  status_counts: { active: 0, error: 0, pending_reauth: 0 },
  last_sync_status: null,
  last_sync_time: null,
  last_sync_error: null,
};

export const getProviderHealth = defineOperation({
  ...read,
  name: 'getProviderHealth',
  path: '/api/v1/sync/health/providers',
  summary: 'Get the health of each provider',
  response: z
    .object({ providers: z.object({ plaid: ProviderHealth, teller: ProviderHealth, csv: ProviderHealth }) })
    .meta({ id: 'ProvidersHealth' }),
  errors: [],
  cli: { command: 'sync providers' },
  example: {
    response: {
      providers: {
        plaid: {
          provider: 'plaid',
          configured: true,
          connection_count: 1,
          account_count: 3,
          status_counts: { active: 1, error: 0, pending_reauth: 0 },
          last_sync_status: 'success',
          last_sync_time: '2026-03-02T06:00:04.120Z',
          last_sync_error: null,
        },
        teller: { provider: 'teller', ...exampleQuiet },
        csv: {
          provider: 'csv',
          ...exampleQuiet,
          configured: true,
          connection_count: 1,
          account_count: 2,
          status_counts: { active: 1, error: 0, pending_reauth: 0 },
        },
      },
    },
  },
});

export const operations = [
  triggerSync,
  syncConnection,
  listSyncLogs,
  getSyncLog,
  getSyncStats,
  getSyncHealth,
  getProviderHealth,
];
