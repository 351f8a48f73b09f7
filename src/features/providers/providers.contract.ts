import { z } from 'zod';

import { AnyId, Instant, Provider } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

export const ProviderEnvironment = z
  .enum(['sandbox', 'development', 'production'], 'must be sandbox, development or production')
  .meta({ id: 'ProviderEnvironment' });

export const CredentialField = z
  .object({
    type: z.string(),
    required: z
      .union([z.boolean(), z.literal('alt')])
      .meta({ description: '`alt`: one of the `alt` fields is required' }),
    description: z.string(),
  })
  .meta({ id: 'CredentialField' });

/** A way for accounts to get their transactions (30.4). */
export const ProviderInfo = z
  .object({
    name: Provider,
    display_name: z.string(),
    configured: z.boolean().meta({ description: 'The server has what it needs to talk to it' }),
    environment: ProviderEnvironment.nullable(),
    needs_link_session: z.boolean().meta({ description: 'Linking opens the provider’s window in the browser' }),
    capabilities: z.array(z.enum(['transactions', 'balances', 'webhooks', 'reauth'])),
    credentials_schema: z
      .record(z.string(), CredentialField)
      .meta({ description: 'The fields of `credentials` in `POST /connections`' }),
  })
  .meta({ id: 'ProviderInfo' });

/** What the window of a provider is opened with. */
export const LinkSession = z
  .object({
    provider: Provider,
    link_token: z
      .string()
      .nullable()
      .meta({
        description:
          'plaid: the link token; teller: the application id, or the enrollment id when signing in again. ' +
          'Null when the response is replayed by `Idempotency-Key`',
      }),
    expiration: Instant.nullable(),
    application_id: z.string().nullable().meta({ description: 'teller only' }),
    environment: ProviderEnvironment.nullable(),
    enrollment_id: z.string().nullable().meta({ description: 'teller only, when signing in again' }),
  })
  .meta({ id: 'LinkSession' });

const ProviderTest = z
  .object({ provider: Provider, ok: z.boolean(), message: z.string() })
  .meta({ id: 'ProviderTest' });

const ProviderDisabled = ProviderTest.extend({
  affected_connections: z.int().meta({ description: 'Connections of the provider that are not disconnected' }),
}).meta({ id: 'ProviderDisabled' });

const exampleProvider = {
  name: 'teller',
  display_name: 'Teller',
  configured: true,
  environment: 'sandbox',
  needs_link_session: true,
  capabilities: ['transactions', 'balances', 'webhooks', 'reauth'],
  credentials_schema: {
    access_token: { type: 'string', required: true, description: 'From Teller Connect onSuccess' },
  },
};

export const exampleLinkSession = {
  provider: 'plaid' as const,
  link_token: 'link-sandbox-7c0d1c1e',
  expiration: '2026-03-02T10:30:00Z',
  application_id: null,
  environment: 'sandbox' as const,
  enrollment_id: null,
};

// Any text: an unknown name is a 404.
const byName = { params: z.object({ name: z.string() }), group: 'providers', weight: 'light', status: 200 } as const;

export const listProviders = defineOperation({
  group: 'providers',
  name: 'listProviders',
  method: 'GET',
  path: '/api/v1/providers',
  scope: 'read_only',
  summary: 'List providers',
  response: z.array(ProviderInfo),
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'providers list' },
  example: { response: [exampleProvider] },
});

export const getProvider = defineOperation({
  ...byName,
  name: 'getProvider',
  method: 'GET',
  path: '/api/v1/providers/{name}',
  scope: 'read_only',
  summary: 'Get a provider',
  description: 'The name is not case-sensitive.',
  response: ProviderInfo,
  errors: ['NOT_FOUND'],
  effect: 'read',
  etag: true,
  cli: { command: 'providers get' },
  example: { params: { name: 'teller' }, response: exampleProvider },
});

export const createLinkSession = defineOperation({
  ...byName,
  name: 'createLinkSession',
  method: 'POST',
  path: '/api/v1/providers/{name}/link-session',
  scope: 'full_access',
  summary: 'Get what the bank’s window needs to link a bank',
  description: 'Send what the window returns to `POST /connections`. A csv connection needs no session (204).',
  body: z.strictObject({ user_id: AnyId.meta({ description: 'Household member who links the bank' }) }),
  response: LinkSession,
  alsoStatus: [204],
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'INVALID_PARAMETER', 'PROVIDER_NOT_CONFIGURED', 'PROVIDER_ERROR'],
  effect: 'background',
  noStore: true,
  secretFields: ['link_token'],
  cli: { command: 'providers link-session' },
  example: { params: { name: 'plaid' }, body: { user_id: 'u4Rm81Zq' }, response: exampleLinkSession },
});

export const testProvider = defineOperation({
  ...byName,
  name: 'testProvider',
  method: 'POST',
  path: '/api/v1/providers/{name}/test',
  scope: 'full_access',
  summary: 'Check a provider’s credentials',
  description: 'Asks the provider. `ok` is false if it refuses the credentials or if none are set.',
  response: ProviderTest,
  errors: ['NOT_FOUND'],
  effect: 'background',
  cli: { command: 'providers test' },
  example: {
    params: { name: 'plaid' },
    response: { provider: 'plaid', ok: true, message: 'Plaid accepts the credentials.' },
  },
});

export const disableProvider = defineOperation({
  ...byName,
  name: 'disableProvider',
  method: 'DELETE',
  path: '/api/v1/providers/{name}',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Remove a provider’s credentials',
  description:
    'Its connections keep their state and are skipped until the provider is configured again. Does nothing for csv.',
  response: ProviderDisabled,
  errors: ['NOT_FOUND', 'PROVIDER_FROM_ENV'],
  effect: 'write',
  cli: { command: 'providers disable', confirm: true },
  example: {
    params: { name: 'plaid' },
    response: {
      provider: 'plaid',
      ok: true,
      message: 'The credentials for Plaid were removed.',
      affected_connections: 2,
    },
  },
});

export const operations = [listProviders, getProvider, createLinkSession, testProvider, disableProvider];
