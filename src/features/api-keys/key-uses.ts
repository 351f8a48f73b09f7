import { bookkeep } from '../../journal/write.ts';
import type { Instance } from '../handler.ts';
import { stampUse } from './api-keys.queries.ts';

const STAMP_EVERY_MS = 60_000;

/** Notes when a key was last used, at most once a minute. The request neither waits for this nor fails with it. */
export function createKeyUses(instance: Instance): { note: (keyId: string) => void; settled: () => Promise<void> } {
  const stamped = new Map<string, number>();
  const running = new Set<Promise<void>>();
  return {
    note(keyId) {
      const now = instance.clock.now();
      if (now - (stamped.get(keyId) ?? Number.NEGATIVE_INFINITY) < STAMP_EVERY_MS) return;
      stamped.set(keyId, now);
      const write = bookkeep(instance.database, (tx) => stampUse(tx, keyId, tx.now))
        .catch((error: unknown) => {
          instance.logger.warn({ err: error }, 'The last use of an API key could not be recorded.');
        })
        .finally(() => running.delete(write));
      running.add(write);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
