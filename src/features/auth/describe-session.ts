import type { z } from 'zod';

import type { ReadTx } from '../../db/unit-of-work.ts';
import { isFirstRun } from '../bootstrap/index.ts';
import type { Role } from '../handler.ts';
import { toLogin, toUser } from '../users/index.ts';
import type { SessionAnswer } from './auth.contract.ts';
import { findSignedIn, idleExpiry, scopeOf } from './session.queries.ts';

/** The session answer (contract 20.6). `now` counts as the last time the browser was seen. */
export async function describeSession(
  tx: ReadTx,
  sessionId: string | null,
  now: string,
): Promise<z.output<typeof SessionAnswer>> {
  const firstRun = await isFirstRun(tx);
  const found = sessionId === null ? undefined : await findSignedIn(tx, sessionId);
  if (!found) {
    const nobody = { login: null, user: null, scope: null, expires_at: null, idle_expires_at: null };
    return { authenticated: false, first_run: firstRun, ...nobody };
  }
  const { session, login, user } = found;
  return {
    authenticated: true,
    first_run: firstRun,
    login: toLogin(login, user.short_id, now),
    user: toUser(user),
    scope: scopeOf(login.role as Role),
    expires_at: session.expires_at,
    idle_expires_at: idleExpiry({ ...session, last_seen_at: now }),
  };
}
