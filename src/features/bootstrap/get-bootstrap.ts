import { statfs } from 'node:fs/promises';

import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { addressesForOthers, type Listening } from '../../kernel/own-addresses.ts';
import { handleBackground, type Instance, type RequestInfo } from '../handler.ts';
import { providersInForce } from '../provider-settings/index.ts';
import { getBootstrap as operation } from './bootstrap.contract.ts';
import { countEverything, isFirstRun, schemaState } from './bootstrap.queries.ts';

export const getBootstrap = handleBackground(operation, async ({ instance, principal, request }) => {
  const { config } = instance;
  const base = request.baseUrl;
  const found = await look(instance, principal === null ? null : request);
  return {
    version: instance.version,
    providers: [
      { name: 'plaid' as const, configured: found.providers.plaid.isConfigured },
      { name: 'teller' as const, configured: found.providers.teller.isConfigured },
      { name: 'csv' as const, configured: true },
    ],
    dashboard_enabled: config.dashboard,
    first_run: found.firstRun,
    auth: {
      device_code_url: `${base}/api/v1/auth/device-code`,
      device_code_poll_url: `${base}/api/v1/auth/device-code/poll`,
      verification_url: `${base}/auth/device`,
    },
    docs_url: `${base}/docs`,
    openapi_url: `${base}/openapi.json`,
    ...(found.diagnostics === null ? {} : { diagnostics: found.diagnostics }),
  };
});

/** `request` is null for a caller who may not see diagnostics. */
async function look(instance: Instance, request: RequestInfo | null) {
  try {
    const diskFree = request === null ? null : await freeBytes(instance.config.dataDir);
    return await instance.database.read(async (tx) => {
      const [firstRun, providers] = [await isFirstRun(tx), await providersInForce(tx, instance)];
      if (request === null) return { firstRun, providers, diagnostics: null };
      const schema = await schemaState(tx);
      const diagnostics = {
        database: {
          engine: instance.database.engineName,
          connected: true,
          migrations_current: schema.isCurrent,
          migration_version: schema.version,
        },
        counts: await countEverything(tx, instantNow(instance.clock)),
        scheduler_running: instance.syncs().isBeating(),
        encryption: { configured: true, source: instance.keySource },
        disk_free_bytes: diskFree,
        request: seenAs(request),
        addresses_at_home: addressesForOthers(listening(instance.config, request)),
      };
      return { firstRun, providers, diagnostics };
    });
  } catch (error) {
    instance.logger.warn({ err: error }, 'The database did not answer a bootstrap request.');
    throw new AppError('UNAVAILABLE', 'The database does not answer.', { headers: { 'retry-after': '5' } });
  }
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** PORT=0 takes any port: then that of the request is the best there is. */
function listening({ host, port }: Instance['config'], request: RequestInfo): Listening {
  const { origin } = seenAs(request);
  return { host, port: port === 0 ? new URL(origin).port || '80' : String(port) };
}

/** How this very request is read (20.14), so that a wrong proxy setting can be seen. */
function seenAs({ baseUrl, client }: RequestInfo) {
  return {
    origin: client?.origin ?? baseUrl,
    client_address: client?.address ?? '127.0.0.1',
    forwarding_ignored: client?.isForwardingIgnored ?? false,
  };
}
