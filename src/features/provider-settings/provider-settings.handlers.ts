import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { findFlaw } from '../../kernel/certificate.ts';
import { validationError } from '../../kernel/errors.ts';
import { isWebhookSecret } from '../../kernel/provider-variables.ts';
import { handleRead, handleWrite, type Instance } from '../handler.ts';
import { changeProvider, refuseFromEnvironment, requireBoth } from './change-provider.ts';
import * as contract from './provider-settings.contract.ts';
import { providersInForce, type Secret } from './providers-in-force.ts';

export const getProviderSettings = handleRead(contract.getProviderSettings, async ({ tx, instance }) =>
  show(tx, instance),
);

export const setPlaidSettings = handleWrite(
  contract.setPlaidSettings,
  'setting.update',
  async ({ tx, instance }, { body }) => {
    const { credentials, environment } = instance.config.providers.plaid;
    if (environment !== null) refuseFromEnvironment('Plaid', body, ['environment']);
    if (credentials) refuseFromEnvironment('Plaid', body, ['client_id', 'secret', 'environment']);
    await changeProvider(tx, instance, 'plaid', body, ({ client_id, secret }) => {
      requireBoth(['client_id', 'secret'], [client_id !== null, secret !== null]);
    });
    return show(tx, instance);
  },
);

export const setTellerSettings = handleWrite(
  contract.setTellerSettings,
  'setting.update',
  async ({ tx, instance }, { body }) => {
    const { credentials, environment, webhookSecret } = instance.config.providers.teller;
    if (environment !== null) refuseFromEnvironment('Teller', body, ['environment']);
    if (webhookSecret !== null) refuseFromEnvironment('Teller', body, ['webhook_secret']);
    if (credentials) {
      refuseFromEnvironment('Teller', body, ['application_id', 'environment', 'certificate', 'private_key']);
    }
    checkKeyPair(body, instance.clock.now());
    if (typeof body.webhook_secret === 'string' && !isWebhookSecret(body.webhook_secret)) {
      throw validationError('webhook_secret', 'webhook_secret must be one secret, or two separated by a comma.');
    }
    await changeProvider(tx, instance, 'teller', body, ({ application_id, certificate, webhook_secret }) => {
      if (credentials || application_id !== null || (certificate === null && webhook_secret === null)) return;
      const message = 'The certificate and the webhook secret need an application_id. Clear all of them, or none.';
      throw validationError('application_id', message);
    });
    return show(tx, instance);
  },
);

function checkKeyPair(
  { certificate, private_key: privateKey }: z.output<typeof contract.TellerInput>,
  now: number,
): void {
  requireBoth(['certificate', 'private_key'], [certificate !== undefined, privateKey !== undefined]);
  if (certificate === undefined || privateKey === undefined) return;
  requireBoth(['certificate', 'private_key'], [certificate !== null, privateKey !== null]);
  if (certificate === null || privateKey === null) return;
  const flaw = findFlaw({ certificate, privateKey }, now);
  if (!flaw) return;
  const field = flaw.part === 'certificate' ? 'certificate' : 'private_key';
  throw validationError(field, `${field} ${flaw.message}.`);
}

async function show(tx: ReadTx, instance: Instance): Promise<z.output<typeof contract.ProviderSettings>> {
  const { plaid, teller } = await providersInForce(tx, instance);
  return {
    plaid: {
      configured: plaid.isConfigured,
      from_env: plaid.isFromEnvironment,
      environment: plaid.environment,
      client_id_set: plaid.clientId.isSet,
      client_id_hint: hint(plaid.clientId),
      secret_set: plaid.secret.isSet,
      webhook_url: plaid.webhookUrl,
    },
    teller: {
      configured: teller.isConfigured,
      from_env: teller.isFromEnvironment,
      environment: teller.environment,
      application_id_set: teller.applicationId.isSet,
      certificate_set: teller.certificate.isSet && teller.privateKey.isSet,
      webhook_secret_set: teller.webhookSecret.isSet,
    },
  };
}

/** The last characters of an id that is long enough for them to give nothing away. */
function hint({ value }: Secret): string | null {
  return value === null || value.length < HINTED_CHARS ? null : value.slice(-HINT_CHARS);
}

const HINTED_CHARS = 12;
const HINT_CHARS = 4;
