import { z } from 'zod';

import { AnyId, Id, Instant, ShortId, clearableText, name, text } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { hasPasswordLength } from '../../kernel/credentials.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LoginMethod, User } from '../users/users.contract.ts';

/** A password to be checked: any text, because what is too long is wrong like any other (contract 20.6). */
export const Password = text(LIMITS.jsonBodyBytes);

/** A password to be set. That it is not a common one and not the identifier is for `checkPassword`. */
export const NewPassword = text(LIMITS.jsonBodyBytes)
  .refine(hasPasswordLength, `must have ${LIMITS.passwordMinChars} to ${LIMITS.passwordMaxChars} characters`)
  .meta({ minLength: LIMITS.passwordMinChars, maxLength: LIMITS.passwordMaxChars });

/** Whether a browser is to stay signed in after it is closed. */
export const Remember = z.boolean().default(false);

/** Who is signed in, and until when; all is null for a browser that is not (contract 20.6). */
export const SessionAnswer = z
  .object({
    authenticated: z.boolean(),
    first_run: z.boolean(),
    login: LoginMethod.nullable(),
    user: User.nullable(),
    scope: z.enum(['read_only', 'full_access']).nullable(),
    expires_at: Instant.nullable(),
    idle_expires_at: Instant.nullable(),
  })
  .meta({ id: 'SessionAnswer' });

const Session = z
  .object({
    id: Id,
    short_id: ShortId,
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
    created_at: Instant,
    last_seen_at: Instant,
    expires_at: Instant,
    user_agent: z.string().nullable(),
    client_address: z.string(),
  })
  .meta({ id: 'Session' });

const signedOut: z.input<typeof SessionAnswer> = {
  authenticated: false,
  first_run: false,
  login: null,
  user: null,
  scope: null,
  expires_at: null,
  idle_expires_at: null,
};
const signedIn: z.input<typeof SessionAnswer> = {
  authenticated: true,
  first_run: false,
  login: {
    id: '01981f73-9c55-7f81-8a0e-12c4d97b3e66',
    short_id: 'L0gin4Xy',
    user_id: 'uB4x90Lm',
    kind: 'password',
    identifier: 'ana@home.example',
    last_used_at: '2026-03-01T09:30:00.000Z',
    created_at: '2026-03-01T09:30:00.000Z',
    role: 'admin',
    has_password: true,
    setup_token_expires_at: null,
  },
  user: {
    id: '01981f72-1fa0-7e44-9d2b-5b1c7e60a913',
    short_id: 'uB4x90Lm',
    name: 'Ana',
    kind: 'admin',
    email: 'ana@home.example',
    created_at: '2026-03-01T09:30:00.000Z',
    updated_at: '2026-03-01T09:30:00.000Z',
  },
  scope: 'full_access',
  expires_at: '2026-03-02T09:30:00.000Z',
  idle_expires_at: '2026-03-01T13:30:00.000Z',
};
const exampleSession: z.input<typeof Session> = {
  id: '01981f71-5d0e-7a02-b1c3-77e0aa91d2c4',
  short_id: 'pQ7Lw0sE',
  current: true,
  created_at: '2026-03-01T09:30:00.000Z',
  last_seen_at: '2026-03-01T09:42:00.000Z',
  expires_at: '2026-03-31T09:30:00.000Z',
  user_agent: 'Mozilla/5.0 …',
  client_address: '192.168.1.20',
};
const common = { group: 'auth', scope: 'none', weight: 'light', noStore: true } as const;

export const getSession = defineOperation({
  ...common,
  name: 'getSession',
  method: 'GET',
  path: '/auth/session',
  session: 'optional',
  summary: 'Get who is signed in',
  response: SessionAnswer,
  status: 200,
  errors: [],
  effect: 'read',
  example: { response: signedOut },
});

export const signIn = defineOperation({
  ...common,
  name: 'signIn',
  method: 'POST',
  path: '/auth/login',
  session: 'optional',
  summary: 'Sign in',
  body: z.strictObject({ identifier: text(LIMITS.jsonBodyBytes), password: Password, remember: Remember }),
  response: SessionAnswer,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'UNAVAILABLE'],
  effect: 'background',
  example: { body: { identifier: 'ana@home.example', password: 'a long password' }, response: signedIn },
});

export const signOut = defineOperation({
  ...common,
  name: 'signOut',
  method: 'POST',
  path: '/auth/logout',
  session: 'optional',
  summary: 'Sign out',
  response: null,
  status: 204,
  errors: [],
  effect: 'background',
  example: { response: null },
});

export const PasswordChange = z.strictObject({
  current_password: Password,
  new_password: NewPassword,
  revoke_keys: z.boolean().default(false),
});

export const changePassword = defineOperation({
  ...common,
  name: 'changePassword',
  method: 'POST',
  path: '/auth/password',
  session: 'required',
  summary: 'Change your own password, which ends all your other sessions',
  body: PasswordChange,
  response: null,
  status: 204,
  errors: ['VALIDATION_ERROR', 'LOGIN_REQUIRED', 'INVALID_CREDENTIALS', 'LAST_FULL_ACCESS_KEY', 'UNAVAILABLE'],
  effect: 'background',
  example: { body: { current_password: 'a long password', new_password: 'another long password' }, response: null },
});

export const updateProfile = defineOperation({
  ...common,
  name: 'updateProfile',
  method: 'PATCH',
  path: '/auth/profile',
  session: 'required',
  summary: 'Change your own name, email address or identifier',
  body: z.strictObject({
    name: name().optional(),
    email: clearableText(LIMITS.emailChars).optional(),
    identifier: name(LIMITS.emailChars).optional(),
    current_password: Password.optional(),
  }),
  response: SessionAnswer,
  status: 200,
  errors: [
    'VALIDATION_ERROR',
    'LOGIN_REQUIRED',
    'INVALID_CREDENTIALS',
    'EMAIL_CONFLICT',
    'IDENTIFIER_TAKEN',
    'UNAVAILABLE',
  ],
  effect: 'background',
  example: { body: { name: 'Ana' }, response: signedIn },
});

export const listSessions = defineOperation({
  ...common,
  name: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  session: 'required',
  summary: 'List your own sessions, last seen first',
  response: z.array(Session),
  status: 200,
  errors: ['LOGIN_REQUIRED'],
  effect: 'read',
  example: { response: [exampleSession] },
});

export const endSession = defineOperation({
  ...common,
  name: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  session: 'required',
  summary: 'End one of your own sessions',
  params: z.object({ id: AnyId }),
  response: null,
  status: 204,
  errors: ['LOGIN_REQUIRED', 'NOT_FOUND'],
  effect: 'background',
  example: { params: { id: 'pQ7Lw0sE' }, response: null },
});

export const endOtherSessions = defineOperation({
  ...common,
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/auth/sessions',
  session: 'required',
  summary: 'End all your own sessions except this one',
  response: z.object({ ended: z.int() }),
  status: 200,
  errors: ['LOGIN_REQUIRED'],
  effect: 'background',
  example: { response: { ended: 2 } },
});

export const operations = [
  getSession,
  signIn,
  signOut,
  changePassword,
  updateProfile,
  listSessions,
  endSession,
  endOtherSessions,
];
