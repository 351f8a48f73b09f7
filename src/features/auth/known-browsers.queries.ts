import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { DAY_MS, instantAfter } from '../../kernel/dates.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Whether a browser with this cookie has signed in as this login before (contract 20.14). */
export async function isKnownBrowser(tx: ReadTx, loginId: string, tokenHash: string, now: string): Promise<boolean> {
  const row = await tx.q
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('login_id', '=', loginId)
    .where('created_at', '>', instantAfter(now, -LIMITS.knownBrowserDays * DAY_MS))
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a browser to those of a login, of which the newest stay. */
export async function insertKnownBrowser(tx: BareWriteTx, loginId: string, tokenHash: string): Promise<void> {
  const row = { token_hash: tokenHash, login_id: loginId, created_at: tx.now };
  await tx.q.insertInto('known_browsers').values(row).execute();
  const kept = tx.q
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('login_id', '=', loginId)
    .where('token_hash', '!=', tokenHash)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(LIMITS.knownBrowsers - 1);
  await tx.q
    .deleteFrom('known_browsers')
    .where('login_id', '=', loginId)
    .where('token_hash', '!=', tokenHash)
    .where('token_hash', 'not in', kept)
    .execute();
}

/** All browsers of a login are strangers again: for a password that was set or changed. */
export async function forgetBrowsers(tx: BareWriteTx, loginId: string): Promise<void> {
  await tx.q.deleteFrom('known_browsers').where('login_id', '=', loginId).execute();
}
