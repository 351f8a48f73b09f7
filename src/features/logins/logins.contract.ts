import { z } from 'zod';

import { AnyId, Email, Instant } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LoginMethod, Role } from '../users/users.contract.ts';

const SetupToken = z.object({
  setup_token: z
    .string()
    .nullable()
    .meta({ description: 'Shown only once; null when an Idempotency-Key repeats the request' }),
  setup_url: z.string().nullable().meta({ description: 'Where the member sets a password; it contains the token' }),
  setup_token_expires_at: Instant,
});

const Identifier = Email.meta({ description: 'The email address to sign in with; nothing is ever sent to it' });

const exampleLogin = {
  id: '01981f73-9c55-7f81-8a0e-12c4d97b3e66',
  short_id: 'L0gin4Xy',
  user_id: 'uB4x90Lm',
  kind: 'password',
  identifier: 'ana@home.example',
  last_used_at: null,
  created_at: '2026-03-01T09:30:00.000Z',
  role: 'viewer',
  has_password: false,
  setup_token_expires_at: '2026-03-08T09:30:00.000Z',
};
const exampleToken = {
  setup_token: 'kZ0rXb5c9yq1Qm3mF0n7Wl2d8sT4vJ6hEoAuPiYgRxC',
  setup_url: 'https://home.example/invite/kZ0rXb5c9yq1Qm3mF0n7Wl2d8sT4vJ6hEoAuPiYgRxC',
};
const secretFields = ['setup_token', 'setup_url'];
const group = 'logins';
const ofMember = z.object({ user_id: AnyId });
const params = z.object({ user_id: AnyId, login_id: AnyId });
const exampleParams = { user_id: 'uB4x90Lm', login_id: 'L0gin4Xy' };
const path = '/api/v1/users/{user_id}/login/{login_id}';

export const listLogins = defineOperation({
  name: 'listLogins',
  group,
  method: 'GET',
  path: '/api/v1/users/{user_id}/login',
  scope: 'full_access',
  adminOnly: true,
  summary: 'List the login of a household member: one or none',
  params: ofMember,
  response: z.array(LoginMethod),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'logins list' },
  example: { params: { user_id: 'uB4x90Lm' }, response: [exampleLogin] },
});

export const createLogin = defineOperation({
  name: 'createLogin',
  group,
  method: 'POST',
  path: '/api/v1/users/{user_id}/login',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Let a household member sign in',
  description:
    'The login has no password yet. Send `setup_url` to the member, who sets one there within seven days. It is shown only once.',
  params: ofMember,
  body: z.strictObject({
    identifier: Identifier,
    role: Role.default('viewer'),
    kind: z.literal('password', 'must be password').default('password'),
  }),
  response: LoginMethod.extend(SetupToken.shape).meta({ id: 'NewLoginMethod' }),
  status: 201,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'LOGIN_EXISTS', 'IDENTIFIER_TAKEN'],
  effect: 'write',
  weight: 'light',
  noStore: true,
  secretFields,
  cli: { command: 'logins create' },
  example: {
    params: { user_id: 'uB4x90Lm' },
    body: { identifier: 'ana@home.example' },
    response: { ...exampleLogin, ...exampleToken },
  },
});

export const updateLogin = defineOperation({
  name: 'updateLogin',
  group,
  method: 'PATCH',
  path,
  scope: 'full_access',
  adminOnly: true,
  summary: 'Change the role or the email address of a login',
  description:
    'Effective on the next request. A lower role revokes the member’s API keys with full access; a higher one voids a pending setup link.',
  params,
  body: z.strictObject({ role: Role.optional(), identifier: Identifier.optional() }),
  response: LoginMethod,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'LAST_ADMIN', 'LAST_FULL_ACCESS_KEY', 'IDENTIFIER_TAKEN'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'logins update' },
  example: {
    params: exampleParams,
    body: { role: 'editor' },
    response: { ...exampleLogin, role: 'editor', setup_token_expires_at: null },
  },
});

export const deleteLogin = defineOperation({
  name: 'deleteLogin',
  group,
  method: 'DELETE',
  path,
  scope: 'full_access',
  adminOnly: true,
  summary: 'Delete a login, its sessions and the member’s API keys',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'LAST_FULL_ACCESS_KEY'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'logins delete', confirm: true },
  example: { params: exampleParams, response: null },
});

export const regenerateSetupToken = defineOperation({
  name: 'regenerateSetupToken',
  group,
  method: 'POST',
  path: `${path}/regenerate-token`,
  scope: 'full_access',
  adminOnly: true,
  summary: 'Create a new setup link, which replaces the previous one',
  description:
    'Valid for seven days, or for 24 hours if the login already has a password. That password works until the link is used.',
  params,
  response: SetupToken.meta({ id: 'NewSetupToken' }),
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  noStore: true,
  secretFields,
  cli: { command: 'logins regenerate-token' },
  example: {
    params: exampleParams,
    response: { ...exampleToken, setup_token_expires_at: '2026-03-08T09:30:00.000Z' },
  },
});

export const operations = [listLogins, createLogin, updateLogin, deleteLogin, regenerateSetupToken];
