import { z } from 'zod';

import {
  ActorType,
  AnyId,
  ClearableInstant,
  Id,
  Instant,
  InstantInput,
  QueryBoolean,
  ShortId,
  UserRef,
  clearableText,
  name,
  text,
} from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { SCOPES } from '../../kernel/scopes.ts';

export const ApiKey = z
  .object({
    id: Id,
    short_id: ShortId,
    name: z.string(),
    prefix: z.string().meta({ description: 'First 11 characters of the key' }),
    scope: z.enum(SCOPES),
    user_id: UserRef.nullable().meta({ description: 'The member it belongs to; null: the household' }),
    actor_type: ActorType.meta({
      description: 'How its writes are attributed. The key of an agent also obeys the household’s mode for agents',
    }),
    actor_name: z.string().nullable(),
    last_used_at: Instant.nullable(),
    expires_at: Instant.nullable(),
    revoked_at: Instant.nullable(),
    created_at: Instant,
  })
  .meta({ id: 'ApiKey' });

export const KeyScope = z.enum(SCOPES, 'must be read_only, propose or full_access');
/** What identifies nobody is an INVALID_PARAMETER, even when it is too long to be an id. */
export const KeyOwner = text(LIMITS.jsonBodyBytes)
  .nullable()
  .meta({ description: 'Household member the key belongs to; null or "" for the household' });

export const NewApiKey = z.strictObject({
  name: name(),
  scope: KeyScope.meta({
    description: 'With propose, what an agent would write at /mcp becomes a proposal, and nothing else is written',
  }),
  user_id: KeyOwner.optional().meta({
    description: 'Household member the key belongs to; null for the household. By default, the caller',
  }),
  actor_type: ActorType.optional().meta({
    description: 'By default user; with the scope propose agent, which is the only one that it allows',
  }),
  actor_name: clearableText(200).default(null),
  expires_at: InstantInput.nullable().default(null),
});

const exampleKey = {
  id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
  short_id: 'k3Jd92Qa',
  name: 'Kitchen tablet',
  prefix: 'hl_JAanpjzM',
  scope: 'read_only',
  user_id: 'Qw3rTy7U',
  actor_type: 'user',
  actor_name: null,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  created_at: '2026-03-01T09:30:00.000Z',
};
const group = 'api-keys';
const params = z.object({ id: AnyId });

export const listApiKeys = defineOperation({
  name: 'listApiKeys',
  group,
  method: 'GET',
  path: '/api/v1/api-keys',
  scope: 'full_access',
  adminOnly: true,
  summary: 'List API keys, newest first, including revoked and expired ones',
  response: z.array(ApiKey),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'api-keys list' },
  example: { response: [exampleKey] },
});

export const getApiKey = defineOperation({
  name: 'getApiKey',
  group,
  method: 'GET',
  path: '/api/v1/api-keys/{id}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Get one API key',
  params,
  response: ApiKey,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  beside: ['last_used_at'],
  cli: { command: 'api-keys get' },
  example: { params: { id: 'k3Jd92Qa' }, response: exampleKey },
});

export const createApiKey = defineOperation({
  name: 'createApiKey',
  group,
  method: 'POST',
  path: '/api/v1/api-keys',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Create an API key',
  description: 'The response contains the key itself, which is never shown again.',
  body: NewApiKey,
  response: ApiKey.extend({ key: z.string().nullable() }).meta({ id: 'NewApiKeyAnswer' }),
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER'],
  effect: 'write',
  weight: 'light',
  noStore: true,
  secretFields: ['key'],
  cli: { command: 'api-keys create' },
  example: {
    body: { name: 'Kitchen tablet', scope: 'read_only' },
    response: { ...exampleKey, key: 'hl_JAanpjzMqQ0f3Vw8uT2yZ7cR5nK1xB6dG9hL4sP0eMa' },
  },
});

export const updateApiKey = defineOperation({
  name: 'updateApiKey',
  group,
  method: 'PATCH',
  path: '/api/v1/api-keys/{id}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Rename an API key, give it to another member, lower its access, or change when it expires',
  description: 'Access can only be taken away: a lower scope, and the key of a person can become the key of an agent.',
  params,
  body: z.strictObject({
    name: name().optional(),
    user_id: KeyOwner.optional(),
    actor_name: clearableText(200).optional(),
    expires_at: ClearableInstant.optional(),
    scope: KeyScope.optional().meta({
      description: 'The same or a lower one; propose also makes it the key of an agent',
    }),
    actor_type: ActorType.optional().meta({ description: 'The same, or agent' }),
  }),
  response: ApiKey,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND', 'CONFLICT', 'LAST_FULL_ACCESS_KEY'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'api-keys update' },
  example: {
    params: { id: 'k3Jd92Qa' },
    body: { name: 'Kitchen display' },
    response: { ...exampleKey, name: 'Kitchen display' },
  },
});

export const revokeApiKey = defineOperation({
  name: 'revokeApiKey',
  group,
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Revoke an API key immediately and permanently',
  params,
  query: z.object({
    force: QueryBoolean.default(false).meta({ description: 'Revoke it even if it is the last key with full access' }),
  }),
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'LAST_FULL_ACCESS_KEY'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'api-keys revoke', confirm: true },
  example: { params: { id: 'k3Jd92Qa' }, response: null },
});

export const OwnKey = ApiKey.extend({
  prefix: z.string().nullable(),
  key_prefix: z.string().nullable(),
  effective_scope: z.enum(SCOPES).meta({
    description: 'What it allows now: of the key of an agent, the scope lowered to the household’s mode for agents',
  }),
}).meta({ id: 'OwnKey' });

export const getOwnKey = defineOperation({
  name: 'getOwnKey',
  group,
  method: 'GET',
  path: '/api/v1/keys/me',
  scope: 'read_only',
  summary: 'Get the API key that this request uses',
  description: 'With a session cookie instead of a key: the login, with no prefix, until the session ends.',
  response: OwnKey,
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  noStore: true,
  cli: { command: 'auth whoami' },
  example: { response: { ...exampleKey, key_prefix: exampleKey.prefix, effective_scope: 'read_only' } },
});

export const operations = [listApiKeys, getApiKey, createApiKey, updateApiKey, revokeApiKey, getOwnKey];
