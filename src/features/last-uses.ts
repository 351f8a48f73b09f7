import { bookkeep } from '../journal/write.ts';
import { hasPassed } from '../kernel/clock.ts';
import { stampUse as stampKey } from './api-keys/index.ts';
import { stampSession } from './auth/index.ts';
import type { Instance, Principal } from './handler.ts';

const STAMP_EVERY_MS = 60_000;

/** Notes when keys and sessions were last used. */
export interface LastUses {
  note: (principal: Principal) => void;
  settled: () => Promise<void>;
}

/** Writes each at most once a minute. The request neither waits for this nor fails with it. */
export function createLastUses(instance: Instance): LastUses {
  const stamped = new Map<string, number>();
  const running = new Set<Promise<void>>();
  return {
    note({ id: keyId, session }) {
      const id = session?.id ?? keyId;
      const now = instance.clock.now();
      if (!hasPassed(STAMP_EVERY_MS, stamped.get(id) ?? -Infinity, now)) return;
      stamped.set(id, now);
      const stamp = session === null ? stampKey : stampSession;
      const write = bookkeep(instance.database, (tx) => stamp(tx, id, tx.now))
        .catch((error: unknown) => {
          instance.logger.warn({ err: error }, 'The last use of a key or session could not be recorded.');
        })
        .finally(() => running.delete(write));
      running.add(write);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
