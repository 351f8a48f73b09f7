import pg from 'pg';

import { LIMITS } from '../../kernel/limits.ts';
import { askOnce, connectTo } from './postgres-pool.ts';

/** Who is running on a database: each holds a lock by a connection, so that its death releases the lock. */
export interface SessionPresence {
  enter(name: string): Promise<void>;
  has(name: string): Promise<boolean>;
  leave(): void;
}

const keyOf = (name: string): string => `hashtextextended(${name}, 4741331)`;
const AGAIN_MS = 1_000;
/** A machine that lost power is noticed within a minute instead of hours, and no longer holds a lock. */
export const NOTICE = ['idle = 20', 'interval = 10', 'count = 3'].map((part) => `set local tcp_keepalives_${part}`);
/**
 * The lock lives in an open transaction, which any pooler keeps. It must have no snapshot, or VACUUM could remove nothing
 * while it lasts: so it is taken without a parameter, whose query would keep its snapshot until the next one, and at
 * the level at which a transaction keeps none.
 */
const HOLD = [
  'begin isolation level read committed',
  'set local idle_in_transaction_session_timeout = 0',
  ...NOTICE,
].join('; ');

export function createSessionPresence(pool: pg.Pool, onError: (error: Error) => void): SessionPresence {
  let own: { name: string; release: () => void } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function enter(name: string): Promise<void> {
    const client = await connectTo(pool);
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) client.release(true);
      isReleased = true;
    };
    client.on('error', () => {
      release();
      // A break during `enter` is reported to its caller.
      if (own?.release !== release) return;
      own = undefined;
      enterAgain(name);
    });
    try {
      await client.query(`${HOLD}; select pg_advisory_xact_lock(${keyOf(pg.escapeLiteral(name))})`);
    } catch (error) {
      release();
      throw error;
    }
    if (isOver) release();
    else own = { name, release };
  }

  /** Until then others may consider this one dead; its imports then fail, and write nothing. */
  function enterAgain(name: string): void {
    if (isOver) return;
    timer = setTimeout(() => {
      enter(name).catch((error: Error) => {
        onError(error);
        enterAgain(name);
      });
    }, AGAIN_MS);
    timer.unref();
  }

  return {
    enter,
    async has(name) {
      const asked = `select pg_try_advisory_xact_lock_shared(${keyOf('$1')}) as free`;
      const { rows } = await askOnce<{ free: boolean }>(pool, { text: asked, values: [name] }, LIMITS.databaseLookMs);
      return rows[0]?.free !== true;
    },
    leave() {
      isOver = true;
      clearTimeout(timer);
      own?.release();
    },
  };
}
