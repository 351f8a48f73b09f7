import type { ReadTx } from '../../db/unit-of-work.ts';
import type { ProviderEnvironment } from '../../kernel/provider-variables.ts';
import type { Instance } from '../handler.ts';
import { openSecret } from '../secret-records.ts';
import { findSettings, type ProviderName, type StoredSettings } from './provider-settings.queries.ts';

/** A secret setting. One that cannot be decrypted is set, but has no value. */
export interface Secret {
  isSet: boolean;
  value: string | null;
}

interface InForce {
  isFromEnvironment: boolean;
  environment: ProviderEnvironment;
  isConfigured: boolean;
}

export interface PlaidInForce extends InForce {
  clientId: Secret;
  secret: Secret;
  webhookUrl: string | null;
}

export interface TellerInForce extends InForce {
  applicationId: Secret;
  certificate: Secret;
  privateKey: Secret;
  webhookSecret: Secret;
}

export interface ProvidersInForce {
  plaid: PlaidInForce;
  teller: TellerInForce;
}

/**
 * The settings that count now: environment beats stored values (contract 20.12). Whoever calls a provider asks here
 * before each call, so that a change applies at once in every thread and process.
 */
export async function providersInForce(tx: ReadTx, instance: Instance): Promise<ProvidersInForce> {
  const [plaid, teller] = [await findSettings(tx, 'plaid'), await findSettings(tx, 'teller')];
  return { plaid: plaidInForce(instance, plaid), teller: tellerInForce(instance, teller) };
}

function plaidInForce(instance: Instance, stored: StoredSettings): PlaidInForce {
  const { credentials, environment } = instance.config.providers.plaid;
  const clientId = credentials ? given(credentials.clientId) : read(instance, 'plaid', stored, 'client_id');
  const secret = credentials ? given(credentials.secret) : read(instance, 'plaid', stored, 'secret');
  return {
    isFromEnvironment: credentials !== null,
    environment: environment ?? environmentOf(stored, credentials !== null),
    isConfigured: clientId.value !== null && secret.value !== null,
    clientId,
    secret,
    webhookUrl: stored.webhook_url,
  };
}

function tellerInForce(instance: Instance, stored: StoredSettings): TellerInForce {
  const variables = instance.config.providers.teller;
  const { credentials } = variables;
  const readStored = (column: SecretColumn): Secret => read(instance, 'teller', stored, column);
  const environment = variables.environment ?? environmentOf(stored, credentials !== null);
  const applicationId = credentials ? given(credentials.applicationId) : readStored('application_id');
  const certificate = credentials ? given(credentials.keyPair?.certificate ?? null) : readStored('certificate');
  const privateKey = credentials ? given(credentials.keyPair?.privateKey ?? null) : readStored('private_key');
  const hasCertificate = certificate.value !== null && privateKey.value !== null;
  const isReadable = [certificate, privateKey].every(({ isSet, value }) => isSet === (value !== null));
  return {
    isFromEnvironment: credentials !== null,
    environment,
    isConfigured: applicationId.value !== null && (hasCertificate || (environment === 'sandbox' && isReadable)),
    applicationId,
    certificate,
    privateKey,
    webhookSecret: variables.webhookSecret === null ? readStored('webhook_secret') : given(variables.webhookSecret),
  };
}

export type SecretColumn = Exclude<keyof StoredSettings, 'environment' | 'webhook_url'>;

function read(instance: Instance, provider: ProviderName, stored: StoredSettings, column: SecretColumn): Secret {
  const record = stored[column];
  if (record === null) return given(null);
  const value = openSecret(instance, { table: 'provider_settings', rowId: provider, column }, record);
  return { isSet: true, value: value ?? null };
}

function given(value: string | null): Secret {
  return { isSet: value !== null, value };
}

/** Credentials from variables are not combined with an environment stored for other credentials. */
function environmentOf(stored: StoredSettings, isFromEnvironment: boolean): ProviderEnvironment {
  return isFromEnvironment ? 'sandbox' : ((stored.environment as ProviderEnvironment | null) ?? 'sandbox');
}
