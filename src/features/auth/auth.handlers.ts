import type { SessionsTable } from '../../db/schema.ts';
import { bookkeep } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleBackground, handleRead, Reply } from '../handler.ts';
import * as contract from './auth.contract.ts';
import { describeSession } from './describe-session.ts';
import { browserOf, sessionOf } from './own-login.ts';
import { endSessionOf, endSessions, selectSessions } from './session.queries.ts';
import { clearedSessionCookie } from './start-session.ts';

export const getSession = handleRead(contract.getSession, async ({ instance, tx, principal }) =>
  describeSession(tx, principal?.session?.id ?? null, instantNow(instance.clock)),
);

export const signOut = handleBackground(contract.signOut, async ({ instance, request }) => {
  const client = browserOf(request);
  const sent = client.cookies[instance.config.sessionCookie];
  if (sent !== undefined) await bookkeep(instance.database, (tx) => endSessionOf(tx, sha256Hex(sent)));
  return new Reply(null, { headers: { 'set-cookie': clearedSessionCookie(instance, client) } });
});

export const listSessions = handleRead(contract.listSessions, async ({ instance, tx, principal }) => {
  const own = sessionOf(principal);
  const rows = await selectSessions(tx, own.loginId, instantNow(instance.clock));
  return rows.map((row) => toSession(row, own.id));
});

export const endSession = handleBackground(
  contract.endSession,
  async ({ instance, request, principal }, { params }) => {
    const own = sessionOf(principal);
    const ended = await bookkeep(instance.database, async (tx) => {
      const rows = await selectSessions(tx, own.loginId, tx.now);
      const found = rows.find(({ id, short_id: shortId }) => params.id === id || params.id === shortId);
      if (found) await endSessionOf(tx, found.token_hash);
      return found;
    });
    if (!ended) throw notFound('session');
    const isOwn = ended.id === own.id;
    const cookie = clearedSessionCookie(instance, browserOf(request));
    return new Reply(null, { headers: isOwn ? { 'set-cookie': cookie } : {} });
  },
);

export const endOtherSessions = handleBackground(contract.endOtherSessions, async ({ instance, principal }) => {
  const own = sessionOf(principal);
  return bookkeep(instance.database, async (tx) => {
    const others = (await selectSessions(tx, own.loginId, tx.now)).filter(({ id }) => id !== own.id);
    await endSessions(tx, own.loginId, own.id);
    return { ended: others.length };
  });
});

function toSession(
  { token_hash: _secret, login_id: _own, is_remembered: _kept, ...row }: SessionsTable,
  ownId: string,
) {
  return { ...row, current: row.id === ownId };
}
