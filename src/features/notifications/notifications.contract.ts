import { z } from 'zod';

import { AnyId, Id, Instant, ShortId, oneOf, queryInteger, queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { operations as channels, Status } from './notification-channels.contract.ts';
import { EVENTS } from './notification-events.contract.ts';

const SENT_EVENTS = [...EVENTS, 'test'] as const;
const SentEvent = oneOf(SENT_EVENTS).meta({ id: 'SentNotificationEvent' });

export const NotificationDelivery = z
  .object({
    id: Id.meta({ description: 'The same for all attempts, and sent with each' }),
    short_id: ShortId,
    channel_id: Id.meta({ description: 'The channel may have been deleted since' }),
    event: SentEvent,
    subject_id: Id.nullable().meta({
      description: 'UUID of the report, sync log, import, connection, run or proposal',
    }),
    status: Status,
    attempts: z.int(),
    next_attempt_at: Instant.nullable(),
    status_code: z.int().nullable().meta({ description: 'Status of the last answer' }),
    detail: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    created_at: Instant,
    finished_at: Instant.nullable(),
  })
  .meta({ id: 'NotificationDelivery' });

export const NotificationSettings = z
  .object({
    allow_private_networks: z.boolean().meta({
      description: 'Whether addresses on this machine and in the home network are allowed',
    }),
    delivery_retention_days: z.int(),
  })
  .meta({ id: 'NotificationSettings' });

const exampleDelivery = {
  id: '0199e400-0000-7000-8000-00000000ab02',
  short_id: 'De1Iv3rY',
  channel_id: '0199e400-0000-7000-8000-00000000ab01',
  event: 'sync.failed',
  subject_id: '0199e400-0000-7000-8000-00000000ab03',
  status: 'failed',
  attempts: 6,
  next_attempt_at: null,
  status_code: 503,
  detail: 'The server answered 503.',
  created_at: '2026-03-06T07:30:00.000Z',
  finished_at: '2026-03-06T10:06:10.000Z',
} as const;
const exampleSettings = { allow_private_networks: false, delivery_retention_days: 30 };

const admin = {
  group: 'notifications',
  scope: 'full_access',
  adminOnly: true,
  weight: 'light',
  noStore: true,
} as const;

export const listNotificationDeliveries = defineOperation({
  ...admin,
  name: 'listNotificationDeliveries',
  method: 'GET',
  path: '/api/v1/notification-deliveries',
  summary: 'List messages and their outcome, newest first',
  query: z.object({
    channel_id: AnyId.optional(),
    status: queryList(Status).optional(),
    event: queryList(SentEvent).optional(),
    limit: queryInteger(1, LIMITS.pageMax).default(LIMITS.pageDefault),
  }),
  response: z.array(NotificationDelivery),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  cli: { command: 'notifications deliveries' },
  example: { response: [exampleDelivery] },
});

export const retryNotificationDelivery = defineOperation({
  ...admin,
  name: 'retryNotificationDelivery',
  method: 'POST',
  path: '/api/v1/notification-deliveries/{id}/retry',
  summary: 'Send a failed message again',
  params: z.object({ id: AnyId }),
  response: NotificationDelivery,
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  unjournaled: true,
  cli: { command: 'notifications retry' },
  example: {
    params: { id: 'De1Iv3rY' },
    response: {
      ...exampleDelivery,
      status: 'pending',
      attempts: 0,
      next_attempt_at: '2026-03-06T12:00:00.000Z',
      finished_at: null,
    },
  },
});

const settings = { ...admin, path: '/api/v1/settings/notifications', response: NotificationSettings } as const;

export const getNotificationSettings = defineOperation({
  ...settings,
  name: 'getNotificationSettings',
  method: 'GET',
  summary: 'Get the notification settings',
  status: 200,
  errors: [],
  etag: true,
  effect: 'read',
  cli: { command: 'notifications settings' },
  example: { response: exampleSettings },
});

const changeSettings = {
  ...settings,
  body: z.strictObject({
    allow_private_networks: z.boolean().optional(),
    delivery_retention_days: z
      .int('must be a whole number from 1 to 365')
      .min(1, 'must be a whole number from 1 to 365')
      .max(LIMITS.notificationRetentionDays, 'must be a whole number from 1 to 365')
      .optional(),
  }),
  status: 200,
  errors: ['VALIDATION_ERROR'],
  effect: 'write',
  example: { body: { allow_private_networks: true }, response: { ...exampleSettings, allow_private_networks: true } },
} as const;

export const replaceNotificationSettings = defineOperation({
  ...changeSettings,
  name: 'replaceNotificationSettings',
  method: 'PUT',
  summary: 'Change the notification settings',
  description: 'Fields that are left out keep their values. Link-local and cloud metadata addresses are never allowed.',
});

export const updateNotificationSettings = defineOperation({
  ...changeSettings,
  name: 'updateNotificationSettings',
  method: 'PATCH',
  summary: 'Change the notification settings, just as PUT does',
});

export const operations = [
  ...channels,
  listNotificationDeliveries,
  retryNotificationDelivery,
  getNotificationSettings,
  replaceNotificationSettings,
  updateNotificationSettings,
];
