import { unescape } from 'node:querystring';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { providersInForce } from '../provider-settings/index.ts';
import { readWithKey } from '../workflow-settings/index.ts';
import type { Instance } from '../handler.ts';
import type { Mask } from './transcript.ts';

/** Shorter ones would be found in ordinary text. */
const SHORTEST = 8;
const REDACTED = '[redacted]';

/** Takes keys, passwords and tokens that this server knows out of texts, and whatever looks like one of its own keys. */
export async function readMask(tx: ReadTx, instance: Instance): Promise<Mask> {
  const { config } = instance;
  const { plaid, teller } = await providersInForce(tx, instance);
  const secrets = [
    (await readWithKey(tx, instance)).key,
    ...[plaid.secret, teller.privateKey, teller.webhookSecret].map(({ value }) => value),
    config.models.anthropicKey,
    config.models.openAiKey,
    config.encryptionKey?.hex,
    config.admin?.password,
    passwordIn(config.databaseUrl),
  ].filter((secret): secret is string => typeof secret === 'string' && secret.length >= SHORTEST);
  const ownKey = new RegExp(`${RegExp.escape(config.keyPrefix)}_[A-Za-z0-9_-]{32,}`, 'g');
  return (text) => {
    const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return masked.includes(`${config.keyPrefix}_`) ? masked.replaceAll(ownKey, REDACTED) : masked;
  };
}

/** A `%` that escapes nothing stands for itself, as it does for the database's driver. */
function passwordIn(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? unescape(new URL(url).password) : null;
}
