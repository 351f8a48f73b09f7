import { statfs } from 'node:fs/promises';

import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { handleBackground, type Instance } from '../handler.ts';
import { providersInForce } from '../provider-settings/index.ts';
import { getBootstrap as operation } from './bootstrap.contract.ts';
import { countEverything, isFirstRun, schemaState } from './bootstrap.queries.ts';

export const getBootstrap = handleBackground(operation, async ({ instance, principal, request }) => {
  const { config } = instance;
  const base = request.baseUrl;
  const found = await look(instance, principal !== null);
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

async function look(instance: Instance, isKnown: boolean) {
  try {
    const diskFree = isKnown ? await freeBytes(instance.config.dataDir) : null;
    return await instance.database.read(async (tx) => {
      const [firstRun, providers] = [await isFirstRun(tx), await providersInForce(tx, instance)];
      if (!isKnown) return { firstRun, providers, diagnostics: null };
      const schema = await schemaState(tx);
      const diagnostics = {
        database: {
          engine: instance.database.engineName,
          connected: true,
          migrations_current: schema.isCurrent,
          migration_version: schema.version,
        },
        counts: await countEverything(tx, instantNow(instance.clock)),
        scheduler_running: false,
        encryption: { configured: true, source: instance.keySource },
        disk_free_bytes: diskFree,
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
