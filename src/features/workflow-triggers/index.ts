import type { Instance } from '../handler.ts';

export { parseCron } from '../../engines/cron/parse-cron.ts';
export { noteCause } from './note-cause.ts';
export { nextFireAt, nextOccurrences } from './schedule.ts';

/** Loads what starts workflows only where there are some to start. */
export async function lookForStarts(instance: Instance): Promise<void> {
  const starts = await import('./look-for-starts.ts');
  await starts.lookForStarts(instance);
}
