import { defineTask, type Instance } from '../handler.ts';
import { commitSync, type FetchedSync } from './run/commit-sync.ts';

/** Commits a sync with many rows, in a thread where there are threads. @throws what stopped it */
export const commitLargeSync = defineTask<FetchedSync>(
  { name: 'commitLargeSync', group: 'sync' },
  async ({ instance }, sync) => commitSync(knowing(instance, sync), sync),
);

/** A thread has only the built-in providers; of any other it needs only the traits. */
function knowing(instance: Instance, { traits }: FetchedSync): Instance {
  return {
    ...instance,
    extraProviders: [...instance.extraProviders, { traits } as Instance['extraProviders'][number]],
  };
}
