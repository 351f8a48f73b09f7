import type { z } from 'zod';

import type { LoginsTable } from '../../db/schema.ts';
import { write } from '../../journal/write.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { handleBackground, originOf, Reply, type BackgroundContext, type Instance } from '../handler.ts';
import { findLoginByIdentifier } from '../users/index.ts';
import { signIn as operation, type SessionAnswer } from './auth.contract.ts';
import { describeSession } from './describe-session.ts';
import { attemptOf, browserOf, isRightPassword, logAttempt } from './own-login.ts';
import { stampSignIn } from './session.queries.ts';
import { startSession } from './start-session.ts';

/** Nothing tells an unknown identifier from a wrong password: not the answer, nor how long it takes (contract 20.6). */
export const signIn = handleBackground(operation, async (context, { body }) => {
  const { instance, request } = context;
  const client = browserOf(request);
  const identifier = body.identifier.trim().toLowerCase();
  const { login, attempt } = await instance.database.read(async (tx) => {
    const found = await findLoginByIdentifier(tx, identifier);
    const now = instantNow(instance.clock);
    return { login: found, attempt: await attemptOf(tx, client, { identifier, login: found, now }) };
  });
  const isRight = await instance.signInThrottle.guard(attempt, () => isRightPassword(instance, body.password, login));
  const answer = isRight && login ? await begin(context, login, body) : undefined;
  logAttempt(instance, request, login, answer ? 'Signed in.' : 'A sign-in failed.');
  if (!answer) throw new AppError('INVALID_CREDENTIALS', 'The email address or the password is wrong.');
  return answer;
});

/** Starts the session; undefined if the password has been changed since it was checked. */
async function begin(
  context: BackgroundContext,
  login: LoginsTable,
  { password, remember }: { password: string; remember: boolean },
): Promise<Reply<z.output<typeof SessionAnswer>> | undefined> {
  const { instance, request } = context;
  const hash = await rehash(instance, password, login);
  const { value } = await write(instance.database, originOf(context, 'session.start'), async (tx) => {
    // A sign-in is not recorded (contract 20.18).
    tx.journal.allowUnjournaled('login');
    const current = await findLoginByIdentifier(tx, login.identifier);
    if (current?.id !== login.id || current.password_hash !== login.password_hash) return undefined;
    await stampSignIn(tx, login.id, hash);
    const { session, cookies } = await startSession(instance, tx, browserOf(request), { login, remember });
    return new Reply(await describeSession(tx, session.id, tx.now), { headers: { 'set-cookie': cookies } });
  });
  return value;
}

/** A hash at today's cost in place of one made at another; null if it is up to date, or if there is no time for it. */
async function rehash({ passwords }: Instance, password: string, login: LoginsTable): Promise<string | null> {
  if (login.password_hash === null || !passwords.isOutdated(login.password_hash)) return null;
  return passwords.hash(password).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}
