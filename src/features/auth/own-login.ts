import type { LoginsTable, SessionsTable, UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { passwordLength } from '../../kernel/credentials.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ClientInfo, Instance, Principal, RequestInfo, Session } from '../handler.ts';
import { isKnownBrowser } from './known-browsers.queries.ts';
import { findSignedIn } from './session.queries.ts';
import type { Attempt } from './sign-in-throttle.ts';
import { browserCookie } from './start-session.ts';

/** The browser at the other end; only HTTP leads here. */
export function browserOf({ client }: RequestInfo): ClientInfo {
  if (client === null) throw new Error('This operation is for browsers.');
  return client;
}

/** @throws LOGIN_REQUIRED */
export function sessionOf(principal: Principal | null): Session {
  if (principal?.session) return principal.session;
  throw loginRequired();
}

/** The session of this request with its login and member, as they are now. @throws LOGIN_REQUIRED */
export async function getSignedIn(
  tx: ReadTx,
  session: Session,
): Promise<{ session: SessionsTable; login: LoginsTable; user: UsersTable }> {
  const found = await findSignedIn(tx, session.id);
  if (!found) throw loginRequired();
  return found;
}

/** As whom an attempt counts: the browser, if it has signed in as this login before, else address and identifier. */
export async function attemptOf(
  tx: ReadTx,
  client: ClientInfo,
  { identifier, login, now }: { identifier: string; login: LoginsTable | undefined; now: string },
): Promise<Attempt> {
  const sent = login && client.cookies[browserCookie(login.short_id)];
  if (login && sent !== undefined) {
    const tokenHash = sha256Hex(sent);
    if (await isKnownBrowser(tx, login.id, tokenHash, now)) return { knownBrowser: tokenHash };
  }
  return { address: client.address, identifier };
}

/** One computation in every case, but none for what is longer than any password (contract 20.6). */
export async function isRightPassword(
  { passwords }: Instance,
  password: string,
  login: LoginsTable | undefined,
): Promise<boolean> {
  if (passwordLength(password) > LIMITS.passwordMaxChars) return false;
  return passwords.matches(password, login?.password_hash ?? null);
}

/**
 * Asks for the caller's password again before something that a stolen session must not do.
 * @throws INVALID_CREDENTIALS, RATE_LIMITED, UNAVAILABLE
 */
export async function checkOwnPassword(
  instance: Instance,
  request: RequestInfo,
  login: LoginsTable,
  password: string,
): Promise<void> {
  const client = browserOf(request);
  const now = instantNow(instance.clock);
  const attempt = await instance.database.read((tx) =>
    attemptOf(tx, client, { identifier: login.identifier, login, now }),
  );
  const check = (): Promise<boolean> => isRightPassword(instance, password, login);
  if (await instance.signInThrottle.guard(attempt, check)) return;
  logAttempt(instance, request, login, 'The current password was wrong.');
  throw wrongPassword();
}

/** The caller's password is wrong, or has changed since. */
export function wrongPassword(): AppError {
  return new AppError('INVALID_CREDENTIALS', 'The current password is wrong.', { status: 403 });
}

/** Without the identifier, which may be a password typed into the wrong field. */
export function logAttempt(
  { logger }: Instance,
  request: RequestInfo,
  login: LoginsTable | undefined,
  message: string,
): void {
  const { id, client } = request;
  logger.info({ login: login?.short_id ?? null, client_address: client?.address ?? null, request_id: id }, message);
}

function loginRequired(): AppError {
  return new AppError('LOGIN_REQUIRED', 'Sign in first.');
}
