import { isUnavailable } from '../../db/unavailable.ts';
import { dayIn, machineTimeZone } from '../../kernel/dates.ts';
import { configValue } from '../config/index.ts';
import type { Instance } from '../handler.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Housekeeping begins at three in the morning, household time. */
const HOUSEKEEPING_HOUR = 3;

type Chore = (instance: Instance) => Promise<void>;

/**
 * What is done besides syncs whenever it is time to look: some things every minute, every hour, every night, and all of
 * them after the start. One that fails does not keep the others from being done; it is done again when its time comes.
 */
export function createChores(instance: Instance): () => Promise<void> {
  const { clock, database, logger } = instance;
  const [isMinuteOver, isHourOver] = [every(MINUTE_MS), every(HOUR_MS)];
  let keptHouseOn: string | undefined;

  async function attempt(chores: readonly Chore[]): Promise<void> {
    for (const chore of chores) {
      if (instance.isDraining()) return;
      await chore(instance).catch((error: unknown) => {
        // While the database is unavailable, its own watch reports it.
        logger[isUnavailable(error) ? 'debug' : 'error']({ err: error }, 'A regular task failed.');
      });
    }
  }

  async function isNightOver(now: number): Promise<boolean> {
    const zone = (await database.read((tx) => configValue(tx, 'instance.timezone'))) ?? machineTimeZone();
    const day = dayIn(zone, now - HOUSEKEEPING_HOUR * HOUR_MS);
    if (day === keptHouseOn) return false;
    keptHouseOn = day;
    return true;
  }

  return async () => {
    const now = clock.now();
    if (!isMinuteOver(now)) return;
    const [{ checkLogins }, { tellOfConsents }, { finishLeftovers, keepHouse }] = await Promise.all([
      import('./check-logins.ts'),
      import('./connection-alerts.ts'),
      import('./keep-house.ts'),
    ]);
    const [{ endLinkSessions }, linking, agentCalls, { dropOldDeliveries }, { expireProposals }] = await Promise.all([
      import('../hosted-links/index.ts'),
      import('../linking/index.ts'),
      import('../agent-calls/index.ts'),
      import('../notifications/index.ts'),
      import('../proposals/index.ts'),
    ]);
    if (isHourOver(now)) {
      const { finishDisconnects, revokeStaleLinks } = linking;
      await attempt([finishLeftovers, finishDisconnects, revokeStaleLinks, expireProposals]);
    }
    await attempt([checkLogins, tellOfConsents, endLinkSessions]);
    if (await isNightOver(now)) await attempt([keepHouse, agentCalls.deleteOldCalls, dropOldDeliveries]);
  };
}

/** Whether this much time has passed since the last yes. A clock that was set back counts as passed. */
function every(ms: number): (now: number) => boolean {
  let last = -Infinity;
  return (now) => {
    if (now >= last && now - last < ms) return false;
    last = now;
    return true;
  };
}
