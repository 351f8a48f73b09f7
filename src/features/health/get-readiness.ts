import { AppError, type ErrorDetail } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { handleBackground, type Instance } from '../handler.ts';
import { getReadiness as operation } from './health.contract.ts';
import { isSchemaCurrent } from './health.queries.ts';

export const getReadiness = handleBackground(operation, async ({ instance }) => {
  const details = await causes(instance);
  if (details.length > 0) {
    throw new AppError('UNAVAILABLE', 'The service is not ready.', { details, headers: { 'retry-after': '5' } });
  }
  return { status: 'ok' as const, db: 'ok' as const, scheduler: 'stopped' as const, version: instance.version };
});

/** Fixed texts only: no driver output, host names or paths. */
async function causes(instance: Instance): Promise<ErrorDetail[]> {
  const found: ErrorDetail[] = [];
  if (instance.isDraining()) found.push({ path: 'shutdown', message: 'The service is shutting down.' });
  if (!instance.canWorkInThreads()) {
    found.push({ path: 'threads', message: 'No worker thread can accept work, so heavy requests would wait.' });
  }
  try {
    await instance.database.ping(LIMITS.readinessMs);
    if (!(await isSchemaCurrent(instance.database))) {
      found.push({ path: 'migrations', message: 'The schema is not the one this program needs.' });
    }
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'The database does not answer.';
    found.push({ path: 'db', message });
  }
  return found;
}
