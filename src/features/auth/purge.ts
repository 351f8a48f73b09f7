import { sql, type RawBuilder } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';

/**
 * Deletes dead sessions, browsers not seen for a year, old device requests and first-run tokens (contract 20.5, 20.6),
 * and stored answers of a day ago, which otherwise only the next request with a key deletes.
 */
export async function purgeDead({ database, clock }: Instance): Promise<void> {
  const now = instantNow(clock);
  // A household where nothing has died since yesterday is not written to.
  if (!(await database.read((tx) => hasDead(tx, now)))) return;
  await bookkeep(database, async (tx) => {
    for (const [table, isDead] of deadRows(tx.now)) {
      await sql`delete from ${sql.table(table)} where ${isDead}`.execute(tx.q);
    }
  });
}

async function hasDead(tx: ReadTx, now: string): Promise<boolean> {
  for (const [table, isDead] of deadRows(now)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${isDead} limit 1`.execute(tx.q);
    if (rows.length > 0) return true;
  }
  return false;
}

function deadRows(now: string): [table: string, isDead: RawBuilder<unknown>][] {
  const ago = (hours: number): string => instantAfter(now, -hours * HOUR_MS);
  const { sessionIdleHours, rememberedIdleHours, knownBrowserDays, deviceRequestKeptHours } = LIMITS;
  return [
    [
      'sessions',
      sql`expires_at <= ${now} or last_seen_at <= ${ago(rememberedIdleHours)}
        or (is_remembered = 0 and last_seen_at <= ${ago(sessionIdleHours)})`,
    ],
    ['known_browsers', sql`created_at <= ${ago(knownBrowserDays * 24)}`],
    ['device_requests', sql`expires_at <= ${ago(deviceRequestKeptHours)}`],
    ['setup_tokens', sql`expires_at <= ${now}`],
    ['idempotent_answers', sql`expires_at <= ${now}`],
  ];
}
