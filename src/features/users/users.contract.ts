import { z } from 'zod';

import { AnyId, Id, Instant, ShortId, UserRef, clearableText, name } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

const UserKind = z
  .enum(['admin', 'member', 'dependent'], 'must be admin, member or dependent')
  .meta({ id: 'UserKind' });

export const User = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    kind: UserKind.meta({ description: 'Describes the person; grants no permissions' }),
    email: z.string().nullable(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'User' });

export const Role = z.enum(['admin', 'editor', 'viewer'], 'must be admin, editor or viewer').meta({ id: 'Role' });

/** How a member signs in. Neither the password nor a token is ever part of it. */
export const LoginMethod = z
  .object({
    id: Id,
    short_id: ShortId,
    user_id: UserRef,
    kind: z.literal('password'),
    identifier: z.string().meta({ description: 'Email address to sign in with' }),
    last_used_at: Instant.nullable().meta({ description: 'The last sign-in' }),
    created_at: Instant,
    role: Role,
    has_password: z.boolean().meta({ description: 'False until a setup token is used' }),
    setup_token_expires_at: Instant.nullable().meta({ description: 'null: no setup token is pending' }),
  })
  .meta({ id: 'LoginMethod' });

const Email = clearableText(LIMITS.emailChars).meta({
  description: 'Address without a display name; null or "" for none',
});

const exampleUser = {
  id: '01981f72-1fa0-7e44-9d2b-5b1c7e60a913',
  short_id: 'uB4x90Lm',
  name: 'Ana',
  kind: 'member',
  email: 'ana@home.example',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};
const group = 'users';
const params = z.object({ id: AnyId });

export const listUsers = defineOperation({
  name: 'listUsers',
  group,
  method: 'GET',
  path: '/api/v1/users',
  scope: 'read_only',
  summary: 'List household members, ordered by name',
  response: z.array(User),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'users list' },
  example: { response: [exampleUser] },
});

export const getUser = defineOperation({
  name: 'getUser',
  group,
  method: 'GET',
  path: '/api/v1/users/{id}',
  scope: 'read_only',
  summary: 'Get one household member',
  params,
  response: User,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'users get' },
  example: { params: { id: 'uB4x90Lm' }, response: exampleUser },
});

export const createUser = defineOperation({
  name: 'createUser',
  group,
  method: 'POST',
  path: '/api/v1/users',
  scope: 'full_access',
  summary: 'Add a household member',
  body: z.strictObject({ name: name(), kind: UserKind.default('member'), email: Email.default(null) }),
  response: User,
  status: 201,
  errors: ['VALIDATION_ERROR', 'EMAIL_CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'users create' },
  example: { body: { name: 'Ana', email: 'ana@home.example' }, response: exampleUser },
});

export const updateUser = defineOperation({
  name: 'updateUser',
  group,
  method: 'PATCH',
  path: '/api/v1/users/{id}',
  scope: 'full_access',
  summary: 'Change the name, kind or email address of a household member',
  params,
  body: z.strictObject({ name: name().optional(), kind: UserKind.optional(), email: Email.optional() }),
  response: User,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'EMAIL_CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'users update' },
  example: {
    params: { id: 'uB4x90Lm' },
    body: { name: 'Ana María' },
    response: { ...exampleUser, name: 'Ana María', updated_at: '2026-04-26T06:00:00.000Z' },
  },
});

export const deleteUser = defineOperation({
  name: 'deleteUser',
  group,
  method: 'DELETE',
  path: '/api/v1/users/{id}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Delete a household member who owns no connection',
  description:
    'Deletes the member’s login and revokes the member’s API keys. Accounts and transactions assigned to the member fall back to the owner of the connection.',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'USER_HAS_DEPENDENTS', 'LAST_ADMIN', 'LAST_FULL_ACCESS_KEY'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'users delete', confirm: true },
  example: { params: { id: 'uB4x90Lm' }, response: null },
});

export const WipeRequest = z.strictObject({
  dry_run: z.boolean().default(false).meta({ description: 'Only count what would be erased' }),
  include_shared: z.boolean().default(false).meta({
    description: 'Also erase accounts that belong to another member or contain another member’s transactions',
  }),
});

export const WipedData = z
  .object({
    status: z.literal('ok'),
    dry_run: z.boolean(),
    deleted_connections: z.int(),
    deleted_accounts: z.int(),
    deleted_transactions: z.int().meta({ description: 'Including deleted ones' }),
    provider_revocations: z
      .object({ succeeded: z.int(), failed: z.int() })
      .meta({ description: 'How many connections were revoked at their provider; files have none' }),
  })
  .meta({ id: 'WipedData' });

export const wipeUserData = defineOperation({
  name: 'wipeUserData',
  group,
  method: 'POST',
  path: '/api/v1/users/{id}/wipe-data',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Erase everything that came through the connections of a household member',
  description:
    'Erases the connections with their accounts, balances, transactions (deleted ones too), comments and imports, and blanks what the journal says about them. This cannot be reverted. The member stays, with login, keys, rules, categories, tags and counterparties. Imports that are running are stopped. Backups, and files of the database server, may still contain erased data.',
  params,
  body: WipeRequest,
  bodyOptional: true,
  response: WipedData,
  status: 200,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'SYNC_IN_PROGRESS'],
  effect: 'background',
  weight: 'heavy',
  cli: { command: 'users wipe-data', confirm: true },
  example: {
    params: { id: 'uB4x90Lm' },
    body: { dry_run: true },
    response: {
      status: 'ok',
      dry_run: true,
      deleted_connections: 2,
      deleted_accounts: 5,
      deleted_transactions: 8120,
      provider_revocations: { succeeded: 0, failed: 0 },
    },
  },
});

export const operations = [listUsers, getUser, createUser, updateUser, deleteUser, wipeUserData];
