import { isUnavailable } from '../../../db/unavailable.ts';
import { hasPassed } from '../../../kernel/clock.ts';
import { HOUR_MS, MINUTE_MS, dayIn } from '../../../kernel/dates.ts';
import { householdZone } from '../../config/index.ts';
import type { Instance } from '../../handler.ts';

/** Housekeeping begins at three in the morning, household time. */
const HOUSEKEEPING_MS = 3 * HOUR_MS;
/** A quarter of an hour later, old runs of workflows are deleted (contract 60.7). */
const RUN_CLEANUP_MS = HOUSEKEEPING_MS + 15 * MINUTE_MS;

type Chore = (instance: Instance) => Promise<void>;

/**
 * What is done besides syncs whenever it is time to look: some things every minute, every hour, every night, and all of
 * them after the start. One that fails does not keep the others from being done; it is done again when its time comes.
 */
export function createChores(instance: Instance): () => Promise<void> {
  const { clock, database, logger } = instance;
  const [isMinuteOver, isHourOver] = [every(MINUTE_MS), every(HOUR_MS)];
  const [isHouseDue, isRunCleanupDue] = [nightly(HOUSEKEEPING_MS), nightly(RUN_CLEANUP_MS)];

  async function attempt(chores: readonly Chore[]): Promise<void> {
    for (const chore of chores) {
      if (instance.isDraining()) return;
      await chore(instance).catch((error: unknown) => {
        // While the database is unavailable, its own watch reports it.
        logger[isUnavailable(error) ? 'debug' : 'error']({ err: error }, 'A regular task failed.');
      });
    }
  }

  return async () => {
    const now = clock.now();
    if (!isMinuteOver(now)) return;
    const [{ checkLogins }, { tellOfConsents }, { finishLeftovers, keepHouse }] = await Promise.all([
      import('./check-logins.ts'),
      import('../status/connection-alerts.ts'),
      import('./keep-house.ts'),
    ]);
    const [{ endLinkSessions }, linking, agentCalls, { dropOldDeliveries }, { expireProposals }] = await Promise.all([
      import('../../hosted-links/index.ts'),
      import('../../linking/index.ts'),
      import('../../agent-calls/index.ts'),
      import('../../notifications/index.ts'),
      import('../../proposals/index.ts'),
    ]);
    if (isHourOver(now)) {
      await attempt([finishLeftovers, linking.revokeStaleLinks, expireProposals]);
    }
    await attempt([checkLogins, tellOfConsents, endLinkSessions]);
    const zone = await database.read(householdZone);
    if (isHouseDue(zone, now)) await attempt([keepHouse, agentCalls.deleteOldCalls, dropOldDeliveries]);
    if (isRunCleanupDue(zone, now)) await attempt([cleanUpRuns]);
  };
}

/** Nothing of workflows is loaded in a household that has none. */
async function cleanUpRuns(instance: Instance): Promise<void> {
  const run = await instance.database.read((tx) => tx.q.selectFrom('workflow_runs').select('id').limit(1).execute());
  if (run.length === 0) return;
  const { cleanUpNightly } = await import('../../workflow-runs/index.ts');
  await cleanUpNightly(instance);
}

/** Whether this time of the day, in milliseconds, has passed in the zone since the last yes. The first answer is yes. */
function nightly(ms: number): (zone: string, now: number) => boolean {
  let doneOn: string | undefined;
  return (zone, now) => {
    const day = dayIn(zone, now - ms);
    if (day === doneOn) return false;
    doneOn = day;
    return true;
  };
}

/** Whether this much time has passed since the last yes. */
function every(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (!hasPassed(ms, last, now)) return false;
    last = now;
    return true;
  };
}
