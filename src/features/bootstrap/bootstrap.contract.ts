import { z } from 'zod';

import { Provider } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

const Diagnostics = z.object({
  database: z.object({
    engine: z.enum(['sqlite', 'postgres']),
    connected: z.boolean(),
    migrations_current: z.boolean(),
    migration_version: z.int(),
  }),
  counts: z.object({
    users: z.int(),
    logins: z.int(),
    api_keys: z.int(),
    connections: z.int(),
    accounts: z.int(),
    transactions: z.int(),
  }),
  scheduler_running: z.boolean(),
  encryption: z.object({ configured: z.boolean(), source: z.enum(['env', 'file', 'key_file']) }),
  disk_free_bytes: z.int().nullable(),
  request: z.object({
    origin: z.string().meta({ description: 'Scheme, host and port of this request, as the server sees it' }),
    client_address: z.string(),
    forwarding_ignored: z.boolean().meta({
      description:
        'The request has X-Forwarded-* headers that are ignored, because TRUST_PROXY does not list the address it came from',
    }),
  }),
  addresses_at_home: z.array(z.string()).meta({
    description:
      'Addresses at which other devices of the home network reach this server directly; none if it listens on its own machine only',
  }),
});

export const getBootstrap = defineOperation({
  name: 'getBootstrap',
  group: 'bootstrap',
  method: 'GET',
  path: '/api/v1/headless/bootstrap',
  scope: 'none',
  openBucket: 'open',
  summary: 'Get what a client needs to know before it has an API key',
  description: 'With a valid API key of any scope, the response also contains `diagnostics`.',
  response: z
    .object({
      version: z.string(),
      providers: z.array(z.object({ name: Provider, configured: z.boolean() })),
      dashboard_enabled: z.boolean(),
      first_run: z.boolean(),
      auth: z.object({ device_code_url: z.string(), device_code_poll_url: z.string(), verification_url: z.string() }),
      docs_url: z.string(),
      openapi_url: z.string(),
      diagnostics: Diagnostics.optional(),
    })
    .meta({ id: 'Bootstrap' }),
  status: 200,
  errors: ['UNAVAILABLE'],
  effect: 'background',
  weight: 'light',
  noStore: true,
  example: {
    response: {
      version: '0.1.0',
      providers: [
        { name: 'plaid', configured: false },
        { name: 'teller', configured: false },
        { name: 'csv', configured: true },
      ],
      dashboard_enabled: true,
      first_run: true,
      auth: {
        device_code_url: 'https://home.example/api/v1/auth/device-code',
        device_code_poll_url: 'https://home.example/api/v1/auth/device-code/poll',
        verification_url: 'https://home.example/auth/device',
      },
      docs_url: 'https://home.example/docs',
      openapi_url: 'https://home.example/openapi.json',
    },
  },
});

export const operations = [getBootstrap];
