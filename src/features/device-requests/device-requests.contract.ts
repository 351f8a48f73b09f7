import { z } from 'zod';

import {
  Actor,
  AnyId,
  ErrorEnvelope,
  Id,
  Instant,
  InstantInput,
  ShortId,
  clearableText,
  name,
  text,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { KeyOwner, KeyScope } from '../api-keys/api-keys.contract.ts';

export const DeviceRequest = z
  .object({
    id: Id,
    short_id: ShortId,
    user_code: z.string().meta({ description: 'What the device shows' }),
    client_name: z.string().meta({ description: 'What the device calls itself; not verified' }),
    requested_scope: KeyScope,
    scope: KeyScope.nullable().meta({ description: 'What was granted; null until approved' }),
    status: z.enum(['pending', 'approved', 'denied', 'consumed', 'expired']),
    client_address: z.string(),
    created_at: Instant,
    expires_at: Instant,
    decided_at: Instant.nullable(),
    decided_by: Actor.nullable(),
  })
  .meta({ id: 'DeviceRequest' });

const StartedDeviceCode = z
  .object({
    device_code: z.string().meta({ description: 'Send it with each poll; keep it secret' }),
    user_code: z.string().meta({ description: 'Show it to the person who approves the request' }),
    verification_url: z.string().meta({ format: 'uri', description: 'Where a person approves the request' }),
    verification_url_complete: z
      .string()
      .meta({ format: 'uri', description: 'The same, with the user code filled in' }),
    expires_in: z.int().meta({ description: 'Seconds until the request expires' }),
    interval: z.int().meta({ description: 'Seconds between two polls' }),
  })
  .meta({ id: 'StartedDeviceCode' });

const PollAnswer = z
  .object({
    status: z.enum(['authorization_pending', 'approved']),
    token: z.string().optional().meta({ description: 'The API key, once, if approved' }),
  })
  .meta({ id: 'DeviceCodePoll' });
const PollError = ErrorEnvelope.extend({
  status: z
    .enum(['consumed', 'expired', 'denied'])
    .optional()
    .meta({ description: 'How the request ended; stop polling' }),
}).meta({ id: 'DeviceCodePollError' });

const exampleRequest = {
  id: '01981f70-02bb-7d10-8c55-90ab33d2e4f1',
  short_id: 'Zr81mQx4',
  user_code: 'KTQR-7H2M',
  client_name: 'laptop',
  requested_scope: 'read_only',
  scope: null,
  status: 'pending',
  client_address: '192.168.1.20',
  created_at: '2026-03-01T09:30:00.000Z',
  expires_at: '2026-03-01T09:40:00.000Z',
  decided_at: null,
  decided_by: null,
};
const decided = { decided_at: '2026-03-01T09:31:00.000Z', decided_by: { type: 'user', id: 'uB4x90Lm', name: 'Ana' } };
const group = 'device-requests';
const params = z.object({ user_code: AnyId });

export const startDeviceCode = defineOperation({
  name: 'startDeviceCode',
  group,
  method: 'POST',
  path: '/api/v1/auth/device-code',
  scope: 'none',
  openBucket: 'device_start',
  summary: 'Ask for an API key, which someone approves in a browser',
  body: z.strictObject({
    client_name: name(LIMITS.clientNameChars).default('Unnamed device'),
    scope: KeyScope.default('read_only').meta({ description: 'What the device asks for; whoever approves it decides' }),
  }),
  bodyOptional: true,
  response: StartedDeviceCode,
  status: 201,
  errors: ['INVALID_BODY', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  secretFields: ['device_code'],
  cli: { command: 'auth login' },
  example: {
    body: { client_name: 'laptop' },
    response: {
      device_code: 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDMyIGJ5dGVzLiE',
      user_code: 'KTQR-7H2M',
      verification_url: 'https://home.example/auth/device',
      verification_url_complete: 'https://home.example/auth/device?code=KTQR-7H2M',
      expires_in: 600,
      interval: 5,
    },
  },
});

export const pollDeviceCode = defineOperation({
  name: 'pollDeviceCode',
  group,
  method: 'POST',
  path: '/api/v1/auth/device-code/poll',
  scope: 'none',
  openBucket: 'none',
  refusal: 'INVALID_DEVICE_CODE',
  summary: 'Ask whether a device request has been approved, and collect its API key',
  description: 'Wait `interval` seconds between two polls. Only one response contains the key.',
  body: z.strictObject({
    device_code: text(LIMITS.jsonBodyBytes).refine((code) => code.trim() !== '', 'must not be blank'),
  }),
  response: PollAnswer,
  status: 200,
  answers: { 400: PollError },
  errors: [
    'INVALID_BODY',
    'VALIDATION_ERROR',
    'EXPIRED',
    'DENIED',
    'CONSUMED',
    'INVALID_DEVICE_CODE',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
  ],
  effect: 'background',
  weight: 'light',
  noStore: true,
  secretFields: ['token'],
  example: {
    body: { device_code: 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDMyIGJ5dGVzLiE' },
    response: { status: 'approved', token: 'hl_JAanpjzMqQ0f3Vw8uT2yZ7cR5nK1xB6dG9hL4sP0eMa' },
  },
});

export const listDeviceRequests = defineOperation({
  name: 'listDeviceRequests',
  group,
  method: 'GET',
  path: '/api/v1/auth/device-requests',
  scope: 'full_access',
  adminOnly: true,
  summary: 'List the device requests that are waiting for a decision, newest first',
  response: z.array(DeviceRequest),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'devices list' },
  example: { response: [exampleRequest] },
});

export const getDeviceRequest = defineOperation({
  name: 'getDeviceRequest',
  group,
  method: 'GET',
  path: '/api/v1/auth/device-requests/{user_code}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Get one device request',
  description: 'Takes the user code, in any case and with or without the hyphen, or an id.',
  params,
  response: DeviceRequest,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'devices get' },
  example: { params: { user_code: 'KTQR-7H2M' }, response: exampleRequest },
});

export const approveDeviceRequest = defineOperation({
  name: 'approveDeviceRequest',
  group,
  method: 'POST',
  path: '/api/v1/auth/device-requests/{user_code}/approve',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Approve a device request',
  description: 'The key is created when the device collects it.',
  params,
  body: z.strictObject({
    scope: KeyScope,
    name: name().optional().meta({ description: 'Name of the key; by default "Device: " and the name of the device' }),
    user_id: KeyOwner.optional().meta({
      description: 'Household member the key belongs to; null for the household. By default, the caller',
    }),
    expires_at: InstantInput.nullable().default(null).meta({ description: 'When the key expires' }),
    actor_type: z.enum(['user', 'agent'], 'must be user or agent').optional().meta({
      description: 'By default user; with the scope propose agent, which is the only one that it allows',
    }),
    actor_name: clearableText(LIMITS.nameChars)
      .optional()
      .meta({ description: 'By default, the name of the device for an agent' }),
  }),
  response: DeviceRequest,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'EXPIRED', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'devices approve', confirm: true },
  example: {
    params: { user_code: 'KTQR-7H2M' },
    body: { scope: 'read_only' },
    response: { ...exampleRequest, ...decided, scope: 'read_only', status: 'approved' },
  },
});

export const denyDeviceRequest = defineOperation({
  name: 'denyDeviceRequest',
  group,
  method: 'POST',
  path: '/api/v1/auth/device-requests/{user_code}/deny',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Deny a device request, even an approved one whose key has not been collected',
  params,
  response: DeviceRequest,
  status: 200,
  errors: ['EXPIRED', 'NOT_FOUND', 'CONFLICT'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'devices deny' },
  example: {
    params: { user_code: 'KTQR-7H2M' },
    response: { ...exampleRequest, ...decided, status: 'denied' },
  },
});

export const operations = [
  startDeviceCode,
  pollDeviceCode,
  listDeviceRequests,
  getDeviceRequest,
  approveDeviceRequest,
  denyDeviceRequest,
];
