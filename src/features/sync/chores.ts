import { instantNow } from '../../kernel/clock.ts';
import { dayIn, instantAfter, machineTimeZone } from '../../kernel/dates.ts';
import { configValue } from '../config/index.ts';
import type { Instance } from '../handler.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Housekeeping begins at three in the morning, where the household lives. */
const HOUSEKEEPING_HOUR = 3;

/** What is done besides syncs whenever it is time to look: some things every minute, every hour, every night. */
export function createChores(instance: Instance): () => Promise<void> {
  const { clock, database } = instance;
  let [minuteAt, hourAt] = [-Infinity, -Infinity];
  let cleanedOn: string | undefined;

  /** Whether so much time has passed, or the clock was set back. */
  function isTime(since: number, ms: number, now: number): boolean {
    return now - since >= ms || now < since;
  }

  return async () => {
    const now = clock.now();
    if (isTime(minuteAt, MINUTE_MS, now)) {
      minuteAt = now;
      const { checkLogins } = await import('./check-logins.ts');
      await checkLogins(instance);
      const zone = (await database.read((tx) => configValue(tx, 'instance.timezone'))) ?? machineTimeZone();
      const day = dayIn(zone, Date.parse(instantAfter(instantNow(clock), -HOUSEKEEPING_HOUR * HOUR_MS)));
      if (day !== cleanedOn) {
        cleanedOn = day;
        const { keepHouse } = await import('./keep-house.ts');
        await keepHouse(instance);
      }
    }
    if (isTime(hourAt, HOUR_MS, now)) {
      hourAt = now;
      const { finishLeftovers } = await import('./keep-house.ts');
      await finishLeftovers(instance);
    }
  };
}
