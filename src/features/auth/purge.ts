import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { HOUR_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Instance } from '../handler.ts';
import { expiredAnswers } from '../idempotent-answer.ts';
import { deleteInParts, type OldRows } from '../old-rows.ts';

/**
 * Deletes dead sessions, browsers not seen for a year, old device requests and first-run tokens (contract 20.5, 20.6),
 * and stored answers of a day ago, which otherwise only the next request with a key deletes.
 */
export async function purgeDead({ database, clock }: Instance): Promise<void> {
  const dead = await database.read((tx) => selectDead(tx, instantNow(clock)));
  // A household where nothing has died since yesterday is not written to.
  for (const rows of dead) await deleteInParts(database, rows);
}

async function selectDead(tx: ReadTx, now: string): Promise<OldRows[]> {
  const found: OldRows[] = [];
  for (const dead of deadRows(now)) {
    const { rows } = await sql`select 1 from ${sql.table(dead.table)} where ${dead.isOld} limit 1`.execute(tx.q);
    if (rows.length > 0) found.push(dead);
  }
  return found;
}

function deadRows(now: string): OldRows[] {
  const ago = (hours: number): string => instantAfter(now, -hours * HOUR_MS);
  const { sessionIdleHours, rememberedIdleHours, knownBrowserDays, deviceRequestKeptHours } = LIMITS;
  const isDead = sql`expires_at <= ${now} or last_seen_at <= ${ago(rememberedIdleHours)}
    or (is_remembered = 0 and last_seen_at <= ${ago(sessionIdleHours)})`;
  return [
    { table: 'sessions', key: ['id'], isOld: isDead },
    { table: 'known_browsers', key: ['token_hash'], isOld: sql`created_at <= ${ago(knownBrowserDays * 24)}` },
    { table: 'device_requests', key: ['id'], isOld: sql`expires_at <= ${ago(deviceRequestKeptHours)}` },
    { table: 'setup_tokens', key: ['token_hash'], isOld: sql`expires_at <= ${now}` },
    expiredAnswers(now),
  ];
}
