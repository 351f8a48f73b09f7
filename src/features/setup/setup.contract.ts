import { z } from 'zod';

import { Email, Instant, UserRef, name, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ApiKey } from '../api-keys/api-keys.contract.ts';
import { NewPassword, Remember, SessionAnswer } from '../auth/auth.contract.ts';
import { LoginMethod, User } from '../users/users.contract.ts';

const Token = text(LIMITS.jsonBodyBytes);

/** A setting as it is sent; the registry of settings judges it (20.13). */
const Setting = text(LIMITS.configValueChars).optional();

/** What the first person of a household says about it (contract 20.7). */
export const NewHousehold = z
  .strictObject({
    token: Token,
    user_id: z.string().optional(),
    name: name().optional(),
    email: Email,
    password: NewPassword,
    create_api_key: z.boolean().default(false),
    api_key_name: name().default('First key'),
    household_name: Setting,
    default_currency: Setting,
    timezone: Setting,
  })
  .superRefine((sent, context) => {
    if ((sent.user_id === undefined) === (sent.name === undefined)) {
      const message = sent.name === undefined ? 'is required without user_id' : 'must not be sent with user_id';
      context.addIssue({ code: 'custom', path: ['name'], message });
    }
  });

const exampleUser = {
  id: '01981f72-1fa0-7e44-9d2b-5b1c7e60a913',
  short_id: 'uB4x90Lm',
  name: 'Ana',
  kind: 'admin' as const,
  email: 'ana@home.example',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};
const exampleLogin = {
  id: '01981f73-9c55-7f81-8a0e-12c4d97b3e66',
  short_id: 'L0gin4Xy',
  user_id: 'uB4x90Lm',
  kind: 'password' as const,
  identifier: 'ana@home.example',
  last_used_at: '2026-03-01T09:30:00.000Z',
  created_at: '2026-03-01T09:30:00.000Z',
  role: 'admin' as const,
  has_password: true,
  setup_token_expires_at: null,
};
const EXAMPLE_TOKEN = 'kZ0rXb5c9yq1Qm3mF0n7Wl2d8sT4vJ6hEoAuPiYgRxC';
const group = 'setup';
const invitation = z.object({ token: z.string() });

export const getSetup = defineOperation({
  name: 'getSetup',
  group,
  method: 'GET',
  path: '/auth/setup',
  scope: 'none',
  session: 'optional',
  summary: 'Get whether the household still needs to be set up, and which members could do it',
  query: z.object({ token: z.string().optional() }),
  response: z.object({
    first_run: z.boolean(),
    setup_token: z
      .string()
      .nullable()
      .meta({ description: 'Only for a browser on the server’s own machine, if no one else can reach the server' }),
    members: z
      .array(z.object({ user_id: UserRef, name: z.string() }))
      .nullable()
      .meta({ description: 'Members without a login; null without a valid token' }),
  }),
  status: 200,
  errors: ['RATE_LIMITED'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: { response: { first_run: true, setup_token: null, members: null } },
});

export const completeSetup = defineOperation({
  name: 'completeSetup',
  group,
  method: 'POST',
  path: '/auth/setup',
  scope: 'none',
  session: 'optional',
  summary: 'Set up the household with its first admin, and sign them in',
  body: NewHousehold,
  bodyLast: true,
  response: z.object({
    user: User,
    login: LoginMethod,
    api_key: ApiKey.extend({ key: z.string() }).nullable().meta({ description: 'Shown only once' }),
    encryption: z.object({
      source: z.enum(['env', 'file', 'key_file']),
      key_file: z.string().nullable().meta({ description: 'Keep a copy of this file in a safe place' }),
    }),
  }),
  status: 201,
  errors: [
    'ALREADY_SET_UP',
    'INVALID_SETUP_TOKEN',
    'VALIDATION_ERROR',
    'INVALID_PARAMETER',
    'LOGIN_EXISTS',
    'IDENTIFIER_TAKEN',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: {
    body: { token: EXAMPLE_TOKEN, name: 'Ana', email: 'ana@home.example', password: 'correct horse battery' },
    response: {
      user: exampleUser,
      login: exampleLogin,
      api_key: null,
      encryption: { source: 'key_file', key_file: '/var/lib/homeledger/encryption.key' },
    },
  },
});

export const getInvitation = defineOperation({
  name: 'getInvitation',
  group,
  method: 'GET',
  path: '/auth/invitations/{token}',
  scope: 'none',
  session: 'optional',
  summary: 'Get what a setup link is for; it stays valid',
  params: invitation,
  response: z.object({
    identifier: z.string(),
    user_name: z.string(),
    household_name: z.string(),
    invited_by: z.string(),
    purpose: z.enum(['invitation', 'reset']),
    expires_at: Instant,
  }),
  status: 200,
  errors: ['INVALID_SETUP_TOKEN', 'RATE_LIMITED'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: {
    params: { token: EXAMPLE_TOKEN },
    response: {
      identifier: 'ben@home.example',
      user_name: 'Ben',
      household_name: 'Household',
      invited_by: 'Ana',
      purpose: 'invitation',
      expires_at: '2026-03-08T09:30:00.000Z',
    },
  },
});

export const acceptInvitation = defineOperation({
  name: 'acceptInvitation',
  group,
  method: 'POST',
  path: '/auth/invitations/{token}',
  scope: 'none',
  session: 'optional',
  summary: 'Set the password of a login with its setup link, and sign in',
  params: invitation,
  body: z.strictObject({ password: NewPassword, remember: Remember }),
  bodyLast: true,
  response: SessionAnswer,
  status: 200,
  errors: ['INVALID_SETUP_TOKEN', 'VALIDATION_ERROR', 'RATE_LIMITED', 'UNAVAILABLE'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: {
    params: { token: EXAMPLE_TOKEN },
    body: { password: 'correct horse battery' },
    response: {
      authenticated: true,
      first_run: false,
      login: exampleLogin,
      user: exampleUser,
      scope: 'full_access',
      expires_at: '2026-03-02T09:30:00.000Z',
      idle_expires_at: '2026-03-01T13:30:00.000Z',
    },
  },
});

export const operations = [getSetup, completeSetup, getInvitation, acceptInvitation];
