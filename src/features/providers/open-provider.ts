import { setTimeout } from 'node:timers/promises';

import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Access, Outside, Provider } from '../../providers/provider.ts';
import type { Instance } from '../handler.ts';
import { openSecret, sealSecret } from '../secret-records.ts';
import { configuredProviders } from './configured.ts';
import { reuseProvider } from './opened-providers.ts';
import { settingsOf } from './settings-in-force.ts';

/** The provider with the credentials that are in force now; undefined if it is not configured. */
export async function openProvider(instance: Instance, name: string): Promise<Provider | undefined> {
  const baseUrl = await instance.settings.baseUrl();
  const settings = await instance.database.read(async (tx) => {
    const configured = await configuredProviders(tx, instance);
    return configured.includes(name) ? { inForce: await settingsOf(tx, instance, { name, baseUrl }) } : undefined;
  });
  if (!settings) return undefined;
  const extra = instance.extraProviders.find(({ traits }) => traits.name === name);
  if (extra || !settings.inForce) return extra;
  return reuseProvider(instance, settings.inForce, () => outsideOf(instance));
}

function outsideOf({ clock, random, version, logger }: Instance): Outside {
  return {
    userAgent: `homeledger/${version}`,
    refused(provider, path, { failureClass, code, providerError }) {
      const said = { request_id: providerError?.requestId ?? null, said: providerError?.message ?? null };
      logger.warn({ provider, path, class: failureClass, code, ...said }, 'A bank provider refused a call.');
    },
    now: () => clock.now(),
    random: () => new DataView(random.bytes(4).buffer).getUint32(0) / 2 ** 32,
    async pause(ms, signal) {
      signal?.throwIfAborted();
      await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
    },
  };
}

/** The stored access to the item of a connection; undefined if there is none or it cannot be decrypted. */
export function accessOf(
  instance: Pick<Instance, 'masterKey'>,
  { id, external_id: itemId, credentials: record }: Pick<ConnectionsTable, 'id' | 'external_id' | 'credentials'>,
): Access | undefined {
  if (record === null || itemId === null) return undefined;
  const credentials = openSecret(instance, { table: 'connections', rowId: id, column: 'credentials' }, record);
  return credentials === undefined ? undefined : { itemId, credentials };
}

/** The access as it is stored with its connection. @throws UNAVAILABLE if the encryption key was changed */
export async function sealAccess(
  tx: ReadTx,
  instance: Pick<Instance, 'masterKey' | 'random'>,
  connectionId: string,
  { credentials }: Access,
): Promise<Uint8Array> {
  return sealSecret(tx, instance, { table: 'connections', rowId: connectionId, column: 'credentials' }, credentials);
}
