import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ProviderSettings } from '../../providers/create-provider.ts';
import { configValue } from '../config/index.ts';
import type { Instance } from '../handler.ts';
import { providersInForce, type ProvidersInForce } from '../provider-settings/index.ts';

/**
 * Everything that a built-in provider is made from; undefined if it is not built in, or lacks credentials. `baseUrl` is where
 * the service is reached.
 */
export async function settingsOf(
  tx: ReadTx,
  instance: Instance,
  { name, baseUrl }: { name: string; baseUrl: string | null },
): Promise<ProviderSettings | undefined> {
  const inForce = await providersInForce(tx, instance);
  if (name === 'plaid') return plaidSettings(tx, instance, inForce.plaid, baseUrl);
  return name === 'teller' ? tellerSettings(instance, inForce.teller) : undefined;
}

async function plaidSettings(
  tx: ReadTx,
  instance: Instance,
  { clientId, secret, environment, webhookUrl }: ProvidersInForce['plaid'],
  baseUrl: string | null,
): Promise<ProviderSettings | undefined> {
  if (clientId.value === null || secret.value === null) return undefined;
  return {
    name: 'plaid',
    clientId: clientId.value,
    secret: secret.value,
    environment,
    baseUrl: instance.config.providers.plaid.baseUrl,
    countryCodes: ((await configValue(tx, 'plaid_country_codes')) ?? '').split(','),
    language: (await configValue(tx, 'plaid_language')) ?? '',
    redirectUri: await configValue(tx, 'plaid_redirect_uri'),
    webhookUrl: wantedWebhookUrl(webhookUrl, baseUrl),
  };
}

function tellerSettings(
  instance: Instance,
  { applicationId, environment, certificate, privateKey, webhookSecret }: ProvidersInForce['teller'],
): ProviderSettings | undefined {
  if (applicationId.value === null) return undefined;
  const [cert, key] = [certificate.value, privateKey.value];
  return {
    name: 'teller',
    applicationId: applicationId.value,
    environment,
    keyPair: cert !== null && key !== null ? { certificate: cert, privateKey: key } : null,
    webhookSecret: webhookSecret.value,
    baseUrl: instance.config.providers.teller.baseUrl,
  };
}

const PATH = '/webhooks/plaid';

/** Where Plaid is to send webhooks (contract 20.12, 35.2): the stored address, else one at a public https address. */
export function wantedWebhookUrl(stored: string | null, baseUrl: string | null): string | null {
  if (stored === null) return baseUrl?.startsWith('https://') === true ? `${baseUrl}${PATH}` : null;
  const { origin, pathname, search } = new URL(stored);
  return pathname === '/' ? `${origin}${PATH}${search}` : stored;
}
