import { findFlaw, type KeyPair } from './certificate.ts';
import type { Reader } from './config.ts';
import { isPrivateHost } from './network.ts';

const PROVIDER_ENVIRONMENTS = ['sandbox', 'development', 'production'] as const;
export type ProviderEnvironment = (typeof PROVIDER_ENVIRONMENTS)[number];

/** What environment variables set for the two bank providers; null where they set nothing (contract 20.16). */
export interface ProviderVariables {
  plaid: {
    credentials: { clientId: string; secret: string } | null;
    environment: ProviderEnvironment | null;
    baseUrl: string | null;
    linkScriptUrl: string | null;
  };
  teller: {
    credentials: { applicationId: string; keyPair: KeyPair | null } | null;
    environment: ProviderEnvironment | null;
    webhookSecret: string | null;
    baseUrl: string | null;
    connectScriptUrl: string | null;
  };
}

export function readProviders(reader: Reader, now: number): ProviderVariables {
  return { plaid: readPlaid(reader), teller: readTeller(reader, now) };
}

function readPlaid(reader: Reader): ProviderVariables['plaid'] {
  const [clientId, secret] = [token(reader, 'PLAID_CLIENT_ID'), token(reader, 'PLAID_SECRET')];
  requireBoth(reader, 'PLAID_CLIENT_ID', 'PLAID_SECRET');
  return {
    credentials: clientId === null || secret === null ? null : { clientId, secret },
    environment: reader.choice('PLAID_ENV', PROVIDER_ENVIRONMENTS, null),
    baseUrl: address(reader, 'PLAID_BASE_URL'),
    linkScriptUrl: address(reader, 'PLAID_LINK_SCRIPT_URL'),
  };
}

function readTeller(reader: Reader, now: number): ProviderVariables['teller'] {
  const applicationId = token(reader, 'TELLER_APPLICATION_ID');
  const environment = reader.choice('TELLER_ENV', PROVIDER_ENVIRONMENTS, null);
  const hasFiles = requireBoth(reader, 'TELLER_CERT_FILE', 'TELLER_KEY_FILE');
  if (hasFiles && applicationId === null) reader.refuse('TELLER_CERT_FILE needs TELLER_APPLICATION_ID.');
  if (applicationId !== null && !hasFiles && (environment ?? 'sandbox') !== 'sandbox') {
    reader.refuse('TELLER_CERT_FILE and TELLER_KEY_FILE are required unless TELLER_ENV is sandbox.');
  }
  const keyPair = hasFiles && applicationId !== null ? readKeyPair(reader, now) : null;
  return {
    credentials: applicationId === null ? null : { applicationId, keyPair },
    environment,
    webhookSecret: webhookSecret(reader),
    baseUrl: address(reader, 'TELLER_BASE_URL'),
    connectScriptUrl: address(reader, 'TELLER_CONNECT_SCRIPT_URL'),
  };
}

function readKeyPair(reader: Reader, now: number): KeyPair | null {
  const [certificate, privateKey] = [reader.file('TELLER_CERT_FILE'), reader.file('TELLER_KEY_FILE')];
  if (certificate === undefined || privateKey === undefined) return null;
  const flaw = findFlaw({ certificate, privateKey }, now);
  if (!flaw) return { certificate, privateKey };
  reader.refuse(`${flaw.part === 'certificate' ? 'TELLER_CERT_FILE' : 'TELLER_KEY_FILE'} ${flaw.message}.`);
  return null;
}

/** False if one of the two is missing, which is a problem, or both are. */
function requireBoth(
  { get, refuse }: Reader,
  ...names: ['PLAID_CLIENT_ID' | 'TELLER_CERT_FILE', 'PLAID_SECRET' | 'TELLER_KEY_FILE']
): boolean {
  const count = names.filter((name) => get(name) !== undefined).length;
  if (count === 1) refuse(`${names[0]} and ${names[1]} must be set together.`);
  return count === 2;
}

const TOKEN = /^[!-~]{1,200}$/;

/** Text that a provider gave out, or null. It is never quoted. */
function token(
  { get, refuse }: Reader,
  name: 'PLAID_CLIENT_ID' | 'PLAID_SECRET' | 'TELLER_APPLICATION_ID',
): string | null {
  const value = get(name);
  if (value !== undefined && !TOKEN.test(value)) {
    refuse(`${name} must have 1 to 200 characters of printable ASCII, without spaces.`);
  }
  return value ?? null;
}

/** Whether a text is one secret for webhooks, or two while one replaces the other. */
export function isWebhookSecret(text: string): boolean {
  const parts = text.split(',');
  return TOKEN.test(text) && parts.length <= 2 && !parts.includes('');
}

function webhookSecret({ get, refuse }: Reader): string | null {
  const value = get('TELLER_WEBHOOK_SECRET');
  if (value !== undefined && !isWebhookSecret(value)) {
    refuse('TELLER_WEBHOOK_SECRET must be one secret of printable ASCII without spaces, or two separated by a comma.');
  }
  return value ?? null;
}

/** The addresses that stand in for those of the providers (contract 35.1), for the start-up log and the doctor. */
export function addressOverrides({ plaid, teller }: ProviderVariables): { name: AddressName; address: string }[] {
  const all: [AddressName, string | null][] = [
    ['PLAID_BASE_URL', plaid.baseUrl],
    ['PLAID_LINK_SCRIPT_URL', plaid.linkScriptUrl],
    ['TELLER_BASE_URL', teller.baseUrl],
    ['TELLER_CONNECT_SCRIPT_URL', teller.connectScriptUrl],
  ];
  return all.flatMap(([name, address]) => (address === null ? [] : [{ name, address }]));
}

type AddressName = 'PLAID_BASE_URL' | 'PLAID_LINK_SCRIPT_URL' | 'TELLER_BASE_URL' | 'TELLER_CONNECT_SCRIPT_URL';

function address({ url, refuse }: Reader, name: AddressName): string | null {
  const found = url(name, ['https:', 'http:']);
  if (found?.protocol === 'http:' && !isPrivateHost(found.hostname)) {
    refuse(`${name} must be https, or http to a loopback or private address.`);
  }
  return found?.href ?? null;
}
