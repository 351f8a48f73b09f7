import { z } from 'zod';

import { clearableText } from '../../contract/common.ts';
import { describedAs } from '../../contract/described-as.ts';
import { defineOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ProviderEnvironment as Environment } from '../providers/providers.contract.ts';

export const ProviderSettings = z
  .object({
    plaid: z.object({
      configured: z.boolean().meta({ description: 'The client id and the secret are set and can be read' }),
      from_env: z.boolean().meta({ description: 'Environment variables set the credentials' }),
      environment: Environment,
      client_id_set: z.boolean(),
      client_id_hint: z.string().nullable().meta({ description: 'Last 4 characters' }),
      secret_set: z.boolean(),
      webhook_url: z
        .string()
        .nullable()
        .meta({ description: 'null: derived from the public address, if that is https' }),
    }),
    teller: z.object({
      configured: z.boolean().meta({
        description: 'The application id, and outside sandbox the certificate with its key, are set and can be read',
      }),
      from_env: z.boolean().meta({ description: 'Environment variables set the credentials' }),
      environment: Environment,
      application_id_set: z.boolean(),
      certificate_set: z.boolean().meta({ description: 'Certificate and private key' }),
      webhook_secret_set: z.boolean(),
    }),
  })
  .meta({ id: 'ProviderSettings' });

/** What a provider gave out: one word. null or "" clears, like in every field here. */
const Token = clearableText(LIMITS.providerTextChars)
  .refine((value) => value === null || /^[!-~]+$/.test(value), 'must be printable ASCII without spaces')
  .optional();

const Pem = clearableText(LIMITS.pemChars).optional();

const EnvironmentInput = describedAs(
  z
    .string()
    .nullable()
    .transform((value) => (value === null || value.trim() === '' ? null : value.trim()))
    .pipe(Environment.nullable()),
  Environment.nullable(),
).optional();

const WebhookUrl = clearableText(LIMITS.urlChars)
  .refine(
    (value) => value === null || isWebhookUrl(value),
    'must be an https address without a user name, password or fragment',
  )
  .optional();

function isWebhookUrl(text: string): boolean {
  if (!/^https:\/\/[!-~]+$/i.test(text) || text.includes('#') || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export const PlaidInput = z.strictObject({
  client_id: Token,
  secret: Token,
  environment: EnvironmentInput,
  webhook_url: WebhookUrl,
});

export const TellerInput = z.strictObject({
  application_id: Token,
  environment: EnvironmentInput,
  certificate: Pem,
  private_key: Pem,
  webhook_secret: Token.meta({ description: 'One secret, or two separated by a comma while one replaces the other' }),
});

const example = {
  plaid: {
    configured: true,
    from_env: false,
    environment: 'production',
    client_id_set: true,
    client_id_hint: '9f3c',
    secret_set: true,
    webhook_url: null,
  },
  teller: {
    configured: false,
    from_env: false,
    environment: 'sandbox',
    application_id_set: false,
    certificate_set: false,
    webhook_secret_set: false,
  },
};

const shared = { group: 'provider-settings', status: 200, weight: 'light', noStore: true } as const;
const partial =
  'Absent fields stay as they are; null or "" clears a field. Either all fields are stored or none. No provider is called.';

export const getProviderSettings = defineOperation({
  ...shared,
  name: 'getProviderSettings',
  method: 'GET',
  path: '/api/v1/settings/providers',
  scope: 'read_only',
  summary: 'Get which credentials of the bank providers are set',
  response: ProviderSettings,
  errors: [],
  etag: true,
  effect: 'read',
  example: { response: example },
});

export const setPlaidSettings = defineOperation({
  ...shared,
  name: 'setPlaidSettings',
  method: 'PUT',
  path: '/api/v1/settings/providers/plaid',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Change the credentials of Plaid',
  description: partial,
  body: PlaidInput,
  response: ProviderSettings,
  errors: ['VALIDATION_ERROR', 'PROVIDER_FROM_ENV'],
  effect: 'write',
  example: {
    body: {
      client_id: '64f0a1b2c3d4e5f6a7b89f3c',
      secret: '0f1e2d3c4b5a69788796a5b4c3d2e1',
      environment: 'production',
    },
    response: example,
  },
});

export const setTellerSettings = defineOperation({
  ...shared,
  name: 'setTellerSettings',
  method: 'PUT',
  path: '/api/v1/settings/providers/teller',
  scope: 'full_access',
  adminOnly: true,
  summary: 'Change the credentials of Teller',
  description: partial,
  body: TellerInput,
  response: ProviderSettings,
  errors: ['VALIDATION_ERROR', 'PROVIDER_FROM_ENV'],
  effect: 'write',
  example: {
    body: { application_id: 'app_n8x2k4', environment: 'sandbox' },
    response: { ...example, teller: { ...example.teller, configured: true, application_id_set: true } },
  },
});

export const operations = [getProviderSettings, setPlaidSettings, setTellerSettings];
