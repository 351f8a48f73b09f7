import { z } from 'zod';

import { AnyId, Code, Id, Instant, name, oneOf, ShortId, text } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { DELIVERY_STATUSES, EVENTS, FORMATS, PRIORITIES } from './notification-events.contract.ts';

export const Format = oneOf(FORMATS).meta({ id: 'NotificationFormat' });
export const Event = oneOf(EVENTS).meta({ id: 'NotificationEvent' });
const Priority = oneOf(PRIORITIES).meta({ id: 'NotificationPriority' });
export const Status = oneOf(DELIVERY_STATUSES).meta({ id: 'NotificationDeliveryStatus' });
export const NotificationChannel = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    format: Format,
    url_masked: z.string().meta({ description: 'Scheme and host; the rest of the address is never shown' }),
    events: z.array(Event),
    min_priority: Priority.meta({ description: 'Messages of lower priority are not sent' }),
    include_body: z.boolean().meta({ description: 'false: only titles are sent' }),
    quiet_hours_start: Code.nullable().meta({ description: 'HH:MM in the time zone of the household' }),
    quiet_hours_end: Code.nullable(),
    enabled: z.boolean(),
    has_secret: z.boolean(),
    has_token: z.boolean(),
    last_delivery: z
      .object({ status: Status, at: Instant, status_code: z.int().nullable(), detail: z.string().nullable() })
      .nullable()
      .meta({ description: 'The last attempt' }),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'NotificationChannel' });

const url = text(LIMITS.urlChars)
  .transform((value) => value.trim())
  .refine(
    isHttpUrl,
    `must be an http or https address of at most ${LIMITS.urlChars} characters, without user name, password or fragment`,
  );

function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s\p{C}]+$/iu.test(value) || value.includes('#') || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '' && !/^https?:\/\/[^/?]*@/i.test(value);
}

const events = z
  .array(Event)
  .min(1, 'must name at least one event')
  .max(LIMITS.listFilterValues, `must have at most ${LIMITS.listFilterValues} values`)
  .transform((all) => EVENTS.filter((one) => all.includes(one)));

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = describedAs(
  z
    .string()
    .nullable()
    .transform((value) => (value === null || value.trim() === '' ? null : value.trim()))
    .refine((value) => value === null || TIME.test(value), 'must be a time of day as HH:MM'),
  z.string().regex(TIME).nullable(),
).meta({ description: 'In the household’s time zone; null or "" clears it. Send both or neither' });

const secret = text(LIMITS.notificationSecretChars, LIMITS.notificationSecretMinChars).meta({
  description: 'Only for `webhook`: the key that signs requests',
});
const token = text(LIMITS.notificationTokenChars, 1)
  .refine((value) => /^[!-~]+$/.test(value), 'must be printable ASCII without spaces')
  .meta({ description: 'Only for `ntfy` and `gotify`; required for `gotify`' });

export const NewNotificationChannel = z.strictObject({
  name: name(),
  format: Format,
  url,
  events: events.default([...EVENTS]).meta({ description: 'By default all events' }),
  min_priority: Priority.default('info'),
  include_body: z.boolean().default(false),
  quiet_hours_start: time.default(null),
  quiet_hours_end: time.default(null),
  enabled: z.boolean().default(true),
  secret: secret.optional().meta({ description: 'Only for `webhook`; generated if left out' }),
  token: token.nullable().default(null),
});

export const NotificationChannelUpdate = z.strictObject({
  name: name().optional(),
  url: url.optional(),
  events: events.optional(),
  min_priority: Priority.optional(),
  include_body: z.boolean().optional(),
  quiet_hours_start: time.optional(),
  quiet_hours_end: time.optional(),
  enabled: z.boolean().optional(),
  secret: secret.optional(),
  token: token.nullable().optional(),
});

const exampleChannel = {
  id: '0199e400-0000-7000-8000-00000000ab01',
  short_id: 'Ch4nN3lA',
  name: 'Phone',
  format: 'ntfy',
  url_masked: 'https://ntfy.home.example/…',
  events: ['report.created', 'sync.failed', 'connection.reauth_required'],
  min_priority: 'warning',
  include_body: false,
  quiet_hours_start: null,
  quiet_hours_end: null,
  enabled: true,
  has_secret: false,
  has_token: true,
  last_delivery: { status: 'delivered', at: '2026-03-06T07:30:02.000Z', status_code: 200, detail: null },
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
} as const;
const exampleWebhook = {
  ...exampleChannel,
  name: 'Home Assistant',
  format: 'webhook',
  url_masked: 'https://home.example/…',
  min_priority: 'info',
  has_secret: true,
  has_token: false,
  last_delivery: null,
} as const;
const params = z.object({ id: AnyId });
const exampleParams = { id: 'Ch4nN3lA' };
const admin = {
  group: 'notifications',
  scope: 'full_access',
  adminOnly: true,
  weight: 'light',
  noStore: true,
} as const;

export const listNotificationChannels = defineOperation({
  ...admin,
  name: 'listNotificationChannels',
  method: 'GET',
  path: '/api/v1/notification-channels',
  summary: 'List notification channels by name',
  response: z.array(NotificationChannel),
  status: 200,
  errors: [],
  effect: 'read',
  cli: { command: 'notifications list' },
  example: { response: [exampleChannel] },
});

export const getNotificationChannel = defineOperation({
  ...admin,
  name: 'getNotificationChannel',
  method: 'GET',
  path: '/api/v1/notification-channels/{id}',
  summary: 'Get a notification channel',
  params,
  response: NotificationChannel,
  status: 200,
  errors: ['NOT_FOUND'],
  etag: true,
  beside: ['last_delivery'],
  effect: 'read',
  cli: { command: 'notifications get' },
  example: { params: exampleParams, response: exampleChannel },
});

export const createNotificationChannel = defineOperation({
  ...admin,
  name: 'createNotificationChannel',
  method: 'POST',
  path: '/api/v1/notification-channels',
  summary: 'Create a notification channel',
  description: [
    'For `webhook`, the response contains the signing secret, which is never shown again. `url` is the address of the',
    'webhook, of an ntfy topic, or of a Gotify server. A private address needs the setting `allow_private_networks`.',
  ].join(' '),
  body: NewNotificationChannel,
  response: NotificationChannel.extend({
    secret: z.string().nullish().meta({ description: 'Only for `webhook`; shown only once' }),
  }).meta({ id: 'NewNotificationChannelAnswer' }),
  status: 201,
  errors: ['VALIDATION_ERROR'],
  effect: 'write',
  secretFields: ['secret'],
  cli: { command: 'notifications create' },
  example: {
    body: { name: 'Home Assistant', format: 'webhook', url: 'https://home.example/api/webhook/homeledger' },
    response: { ...exampleWebhook, secret: 'Qm3y0HcJ5sW8dT1vLk9bXr4nAe7gZp2uFo6iCw5hYxD' },
  },
});

export const updateNotificationChannel = defineOperation({
  ...admin,
  name: 'updateNotificationChannel',
  method: 'PATCH',
  path: '/api/v1/notification-channels/{id}',
  summary: 'Change a notification channel',
  description: 'Fields that are left out keep their values. Disabling the channel cancels undelivered messages.',
  params,
  body: NotificationChannelUpdate,
  response: NotificationChannel,
  status: 200,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  effect: 'write',
  cli: { command: 'notifications update' },
  example: {
    params: exampleParams,
    body: { quiet_hours_start: '22:00', quiet_hours_end: '07:00' },
    response: { ...exampleChannel, quiet_hours_start: '22:00', quiet_hours_end: '07:00' },
  },
});

export const deleteNotificationChannel = defineOperation({
  ...admin,
  name: 'deleteNotificationChannel',
  method: 'DELETE',
  path: '/api/v1/notification-channels/{id}',
  summary: 'Delete a notification channel',
  description: 'Undelivered messages are cancelled.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND'],
  effect: 'write',
  cli: { command: 'notifications delete', confirm: true },
  example: { params: exampleParams, response: null },
});

export const rotateNotificationSecret = defineOperation({
  ...admin,
  name: 'rotateNotificationSecret',
  method: 'POST',
  path: '/api/v1/notification-channels/{id}/rotate-secret',
  summary: 'Replace the signing secret of a webhook',
  description: 'Every request from now on is signed with the new secret, which is never shown again.',
  params,
  response: z.object({ secret: z.string().nullable() }).meta({ id: 'NotificationSecret' }),
  status: 200,
  errors: ['NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  secretFields: ['secret'],
  cli: { command: 'notifications rotate-secret' },
  example: { params: exampleParams, response: { secret: 'Qm3y0HcJ5sW8dT1vLk9bXr4nAe7gZp2uFo6iCw5hYxD' } },
});

export const testNotificationChannel = defineOperation({
  ...admin,
  name: 'testNotificationChannel',
  method: 'POST',
  path: '/api/v1/notification-channels/{id}/test',
  summary: 'Send a test message now',
  description: 'Makes one attempt, even if the channel is disabled or does not accept such messages.',
  params,
  response: z
    .object({
      ok: z.boolean(),
      status_code: z.int().nullable(),
      detail: z.string().nullable(),
      duration_ms: z.int(),
      delivery_id: Id,
    })
    .meta({ id: 'NotificationTest' }),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'background',
  cli: { command: 'notifications test' },
  example: {
    params: exampleParams,
    response: {
      ok: true,
      status_code: 200,
      detail: null,
      duration_ms: 84,
      delivery_id: '0199e400-0000-7000-8000-00000000ab02',
    },
  },
});

export const operations = [
  listNotificationChannels,
  getNotificationChannel,
  createNotificationChannel,
  updateNotificationChannel,
  deleteNotificationChannel,
  rotateNotificationSecret,
  testNotificationChannel,
];
