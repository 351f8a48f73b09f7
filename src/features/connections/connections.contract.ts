import { z } from 'zod';

import {
  AnyId,
  ConnectionStatus,
  Id,
  Instant,
  Provider,
  QueryBoolean,
  name,
  queryList,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LinkSession, exampleLinkSession } from '../providers/providers.contract.ts';
import { ConnectionAttention, SyncLog, exampleAttention, exampleSyncLog } from '../sync/sync-record.contract.ts';
import { createConnection } from './connection-create.contract.ts';
import { Connection, exampleConnection } from './connection-record.contract.ts';

const byId = { group: 'connections', params: z.object({ id: AnyId }), weight: 'light' } as const;
const read = { ...byId, scope: 'read_only', effect: 'read', status: 200 } as const;
const write = { ...byId, scope: 'full_access', effect: 'write', status: 200, response: Connection } as const;
const params = { id: 'c9KfT2xA' };

export const listConnections = defineOperation({
  group: 'connections',
  name: 'listConnections',
  method: 'GET',
  path: '/api/v1/connections',
  scope: 'read_only',
  summary: 'List connections',
  description: 'Oldest first.',
  query: z.object({
    user_id: AnyId.optional().meta({ description: 'Only this household member’s connections' }),
    provider: queryList(Provider).optional(),
    status: queryList(ConnectionStatus).optional(),
    include_disconnected: QueryBoolean.default(false).meta({
      description: 'Include disconnected connections; `status=disconnected` does so too',
    }),
  }),
  response: z.array(Connection),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'connections list' },
  example: { response: [exampleConnection] },
});

export const getConnection = defineOperation({
  ...read,
  name: 'getConnection',
  method: 'GET',
  path: '/api/v1/connections/{id}',
  summary: 'Get a connection',
  description: 'Also finds disconnected connections.',
  response: Connection,
  errors: ['NOT_FOUND'],
  etag: true,
  beside: [
    'user_name',
    'last_sync_at',
    'next_sync_at',
    'account_count',
    'consecutive_failures',
    'last_error_at',
    'new_accounts_available',
  ],
  cli: { command: 'connections get' },
  example: { params, response: exampleConnection },
});

const ConnectionState = Connection.extend({
  last_attempted_sync_at: Instant.nullable().meta({
    description: 'When the newest sync started, whatever its outcome',
  }),
  last_sync_log: SyncLog.nullable(),
  running_sync_log_id: Id.nullable(),
  sync_queued: z.boolean().meta({ description: 'A sync is waiting to start' }),
  attention: z.array(ConnectionAttention),
}).meta({ id: 'ConnectionState' });

export const getConnectionStatus = defineOperation({
  ...read,
  name: 'getConnectionStatus',
  method: 'GET',
  path: '/api/v1/connections/{id}/status',
  summary: 'Get a connection with its newest sync and what needs attention',
  response: ConnectionState,
  errors: ['NOT_FOUND'],
  cli: { command: 'connections status' },
  example: {
    params,
    response: {
      ...exampleConnection,
      last_attempted_sync_at: exampleSyncLog.started_at,
      last_sync_log: exampleSyncLog,
      running_sync_log_id: null,
      sync_queued: false,
      attention: [exampleAttention],
    },
  },
});

const { syncIntervalSecondsMin: min, syncIntervalSecondsMax: max } = LIMITS;

export const updateConnection = defineOperation({
  ...write,
  name: 'updateConnection',
  method: 'PATCH',
  path: '/api/v1/connections/{id}',
  summary: 'Change how often a connection syncs, or the name of a csv connection',
  body: z.strictObject({
    sync_interval_seconds: z
      .int()
      .min(min)
      .max(max)
      .nullable()
      .optional()
      .meta({ description: 'null: the household’s interval. Not for csv' }),
    institution_name: name().optional().meta({ description: 'Only for csv' }),
  }),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'CONNECTION_DISCONNECTED'],
  cli: { command: 'connections set-interval' },
  example: {
    params,
    body: { sync_interval_seconds: 3_600 },
    response: { ...exampleConnection, sync_interval_seconds: 3_600 },
  },
});

export const pauseConnection = defineOperation({
  ...write,
  name: 'pauseConnection',
  method: 'POST',
  path: '/api/v1/connections/{id}/paused',
  summary: 'Pause or resume a connection',
  description: 'A paused connection syncs only when someone asks for a sync of that connection.',
  body: z.strictObject({ paused: z.boolean() }),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'CONNECTION_DISCONNECTED'],
  cli: { command: 'connections pause' },
  example: { params, body: { paused: true }, response: { ...exampleConnection, paused: true, next_sync_at: null } },
});

export const deleteConnection = defineOperation({
  ...byId,
  name: 'deleteConnection',
  method: 'DELETE',
  path: '/api/v1/connections/{id}',
  scope: 'full_access',
  summary: 'Disconnect a bank',
  description:
    'Revokes access at the provider and erases the stored credentials. Accounts and transactions are kept, and ' +
    'continue if the bank is linked again. A connection that is already disconnected is not found unless ' +
    '`delete_transactions` is true.',
  query: z.object({
    delete_transactions: QueryBoolean.default(false).meta({
      description:
        'Also delete the transactions that came through it. For a bank, those that a file or a person added too are ' +
        'kept. Reverting the change set restores the rest',
    }),
  }),
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'INVALID_PARAMETER'],
  effect: 'background',
  weight: ({ query }) => (query.delete_transactions ? 'heavy' : 'light'),
  cli: { command: 'connections disconnect', confirm: true },
  example: { params, response: null },
});

export const reauthenticateConnection = defineOperation({
  ...byId,
  name: 'reauthenticateConnection',
  method: 'POST',
  path: '/api/v1/connections/{id}/reauth',
  scope: 'full_access',
  summary: 'Get what the bank’s window needs to sign in again',
  description: 'Open the window with this, then call reauth-complete. This call changes nothing.',
  response: LinkSession,
  status: 200,
  errors: ['NOT_FOUND', 'CONNECTION_DISCONNECTED', 'PROVIDER_NOT_CONFIGURED', 'CONFLICT', 'PROVIDER_ERROR'],
  effect: 'background',
  noStore: true,
  secretFields: ['link_token'],
  cli: { command: 'connections reauth' },
  example: { params, response: exampleLinkSession },
});

export const completeReauthentication = defineOperation({
  ...write,
  name: 'completeReauthentication',
  method: 'POST',
  path: '/api/v1/connections/{id}/reauth-complete',
  summary: 'Report that someone has signed in again',
  description:
    'The connection becomes active, and a sync starts. If the login still does not work, that sync sets the status ' +
    'back to `pending_reauth`.',
  errors: ['NOT_FOUND', 'CONNECTION_DISCONNECTED'],
  cli: { command: 'connections reauth-complete' },
  example: { params, response: exampleConnection },
});

export const operations = [
  listConnections,
  createConnection,
  getConnection,
  getConnectionStatus,
  updateConnection,
  pauseConnection,
  deleteConnection,
  reauthenticateConnection,
  completeReauthentication,
];
