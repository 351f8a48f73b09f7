import { z } from 'zod';

import { AnyId, Code, Id, Instant, ShortId, text, UserRef } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** `""`: the person chooses on the page. */
const LinkProvider = z.enum(['', 'plaid', 'teller'], 'must be plaid, teller or ""').meta({ id: 'LinkProvider' });
export const LinkStatus = z
  .enum(['pending', 'active', 'consumed', 'completed', 'failed', 'expired'])
  .meta({ id: 'LinkStatus' });

/** A page on which a person connects a bank, or signs in to it again (30.5.1). */
export const LinkSessionRecord = z
  .object({
    id: Id,
    short_id: ShortId,
    user_id: UserRef,
    provider: LinkProvider.meta({ description: '"": the person chooses on the page' }),
    action: z.enum(['link', 'relink']),
    connection_id: Id.nullable().meta({ description: 'The connection to sign in to again' }),
    single_use: z.boolean().meta({ description: 'The page connects one bank, then ends' }),
    redirect_url: z.string().nullable(),
    label: z.string().nullable(),
    status: LinkStatus,
    error_code: Code.nullable(),
    error_message: z.string().nullable(),
    result_connection_ids: z.array(Id).meta({ description: 'The connections that were created or renewed' }),
    expires_at: Instant,
    started_at: Instant.nullable().meta({ description: 'When the page was first used' }),
    completed_at: Instant.nullable().meta({ description: 'When it ended, for whatever reason' }),
    created_at: Instant,
  })
  .meta({ id: 'HostedLink' });

const MintedLink = LinkSessionRecord.extend({
  token: z
    .string()
    .nullable()
    .meta({ description: 'Shown only once; null when an Idempotency-Key repeats the request' }),
  url: z.string().nullable().meta({ format: 'uri', description: 'The page to open; it contains the token' }),
}).meta({ id: 'MintedHostedLink' });

/** What a request for a page may say besides who and where. */
const pageFields = {
  redirect_url: text(LIMITS.urlChars)
    .optional()
    .meta({
      format: 'uri',
      description:
        'Where the page goes when it ends, with `link_session` and `status` added. Its origin must be this service’s ' +
        'or one in the setting `link_redirect_origins`',
    }),
  label: text(LIMITS.nameChars).optional().meta({ description: 'Shown on the page as its purpose' }),
  expires_in_seconds: z
    .int()
    .min(0)
    .max(LIMITS.hostedLinkMaxSeconds)
    .optional()
    .meta({ description: `0 or absent: ${LIMITS.hostedLinkSeconds}` }),
};

const exampleSession = {
  id: '0198c2b1-0000-7a10-8c00-5b1e2f3a4c5d',
  short_id: 'Lk3Pq9aZ',
  user_id: 'u4Rm81Zq',
  provider: 'plaid' as const,
  action: 'link' as const,
  connection_id: null,
  single_use: true,
  redirect_url: null,
  label: 'Ana’s checking',
  status: 'pending' as const,
  error_code: null,
  error_message: null,
  result_connection_ids: [],
  expires_at: '2026-03-02T10:15:00.000Z',
  started_at: null,
  completed_at: null,
  created_at: '2026-03-02T10:00:00.000Z',
};
const exampleToken = 'kZ0rXb5c9yq1Qm3mF0n7Wg';
const exampleMinted = { ...exampleSession, token: exampleToken, url: `https://home.example/link/${exampleToken}` };
const group = 'hosted-links';
const params = z.object({ id: AnyId });
const minting = {
  group,
  method: 'POST',
  scope: 'full_access',
  response: MintedLink,
  status: 201,
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  noStore: true,
  secretFields: ['token', 'url'],
} as const;

export const createHostedLink = defineOperation({
  ...minting,
  name: 'createHostedLink',
  path: '/api/v1/connections/link',
  summary: 'Create a page where a person connects a bank',
  description:
    'For clients without a browser: someone opens `url` and signs in to the bank there. Poll the session until `status` ' +
    'is `completed`, `failed` or `expired`.',
  body: z.strictObject({
    user_id: AnyId.meta({ description: 'Household member who will own the connection' }),
    provider: LinkProvider.default(''),
    single_use: z.boolean().default(false),
    ...pageFields,
  }),
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'PROVIDER_NOT_CONFIGURED'],
  cli: { command: 'connections link' },
  example: {
    body: { user_id: 'u4Rm81Zq', provider: 'plaid', single_use: true, label: 'Ana’s checking' },
    response: exampleMinted,
  },
});

export const createHostedRelink = defineOperation({
  ...minting,
  name: 'createHostedRelink',
  path: '/api/v1/connections/{id}/relink',
  summary: 'Create a page where a person signs in to a connected bank again',
  params,
  body: z.strictObject(pageFields),
  bodyOptional: true,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'CONNECTION_DISCONNECTED', 'PROVIDER_NOT_CONFIGURED', 'CONFLICT'],
  cli: { command: 'connections relink' },
  example: {
    params: { id: 'c9KfT2xA' },
    response: {
      ...exampleMinted,
      action: 'relink',
      connection_id: '0198c2a0-7d1e-7c55-9a0e-3f6b0d9c1a11',
      label: null,
    },
  },
});

export const getHostedLink = defineOperation({
  name: 'getHostedLink',
  group,
  method: 'GET',
  path: '/api/v1/connections/link/{id}',
  scope: 'read_only',
  summary: 'Get the state of a page for connecting a bank',
  params,
  response: LinkSessionRecord,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'connections link-status' },
  example: { params: { id: 'Lk3Pq9aZ' }, response: exampleSession },
});

export const cancelHostedLink = defineOperation({
  name: 'cancelHostedLink',
  group,
  method: 'DELETE',
  path: '/api/v1/connections/link/{id}',
  scope: 'full_access',
  summary: 'Cancel a page for connecting a bank',
  params,
  response: null,
  status: 204,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  effect: 'write',
  unjournaled: true,
  weight: 'light',
  cli: { command: 'connections cancel-link', confirm: true },
  example: { params: { id: 'Lk3Pq9aZ' }, response: null },
});

export const operations = [createHostedLink, createHostedRelink, getHostedLink, cancelHostedLink];
