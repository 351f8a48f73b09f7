import type { Instance } from './handler.ts';
import { failInterruptedImports } from './imports/import-turn.ts';
import { failInterruptedJobs } from './jobs/job-turn.ts';

/** Ends what nobody works on any more; the holder that is `gone` need not be asked for. */
export async function endInterruptedWork(instance: Instance, gone?: string): Promise<void> {
  await failInterruptedImports(instance, gone);
  await failInterruptedJobs(instance, gone);
}
