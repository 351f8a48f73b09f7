import { AppError, type ErrorDetail } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { schemaState } from '../bootstrap/index.ts';
import { handleBackground, type Instance } from '../handler.ts';
import * as contract from './health.contract.ts';

export const getHealth = handleBackground(contract.getHealth, async ({ instance }) => ({
  status: 'ok' as const,
  version: instance.version,
}));

export const getReadiness = handleBackground(contract.getReadiness, async ({ instance }) => {
  const details = await findCauses(instance);
  if (details.length > 0) {
    throw new AppError('UNAVAILABLE', 'The service is not ready.', { details, headers: { 'retry-after': '5' } });
  }
  const scheduler = instance.syncs().isBeating() ? ('running' as const) : ('stopped' as const);
  return { status: 'ok' as const, db: 'ok' as const, scheduler, version: instance.version };
});

export const getVersion = handleBackground(contract.getVersion, async ({ instance }) => versionAnswer(instance));

export const getApiVersion = handleBackground(contract.getApiVersion, async ({ instance }) => versionAnswer(instance));

/** Homeledger never looks for updates, so the other two fields stay null. */
function versionAnswer({ version }: Instance): { version: string; latest: null; update_available: null } {
  return { version, latest: null, update_available: null };
}

/** Why the service is not ready. Fixed texts only: no driver output, host names or paths. */
async function findCauses(instance: Instance): Promise<ErrorDetail[]> {
  const found: ErrorDetail[] = [];
  if (instance.isDraining()) found.push({ path: 'shutdown', message: 'The service is shutting down.' });
  if (!instance.canWorkInThreads()) {
    found.push({ path: 'threads', message: 'No worker thread can accept work, so heavy requests would wait.' });
  }
  try {
    await instance.database.ping(LIMITS.readinessMs);
    if (!(await instance.database.read(schemaState)).isCurrent) {
      const message = 'The database schema does not match this version of Homeledger.';
      found.push({ path: 'migrations', message });
    }
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'The database does not answer.';
    found.push({ path: 'db', message });
  }
  return found;
}
