import type { LoginsTable, SessionsTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ClientInfo, Instance } from '../handler.ts';
import { insertKnownBrowser } from './known-browsers.queries.ts';
import { endSessionOf, insertSession } from './session.queries.ts';

const TOKEN_BYTES = 32;

export interface StartedSession {
  session: SessionsTable;
  /** Values of `set-cookie`. */
  cookies: readonly string[];
}

/**
 * Signs a browser in: a new session with a new token, and a cookie by which the browser is known from now on (20.14).
 * The session that the browser sent along ends. Tokens exist only in the result.
 */
export async function startSession(
  instance: Instance,
  tx: BareWriteTx,
  client: ClientInfo,
  { login, remember }: { login: Pick<LoginsTable, 'id' | 'short_id'>; remember: boolean },
): Promise<StartedSession> {
  const { sessionCookie } = instance.config;
  const sent = client.cookies[sessionCookie];
  if (sent !== undefined) await endSessionOf(tx, sha256Hex(sent));
  const [token, browser] = [newToken(instance), newToken(instance)];
  const session = await insertSession(tx, {
    loginId: login.id,
    tokenHash: sha256Hex(token),
    isRemembered: remember,
    clientAddress: client.address,
    userAgent: client.userAgent,
  });
  await insertKnownBrowser(tx, login.id, sha256Hex(browser));
  const maxAge = remember ? LIMITS.rememberedHours * 3_600 : undefined;
  return {
    session,
    cookies: [
      cookie(client, { name: sessionCookie, value: token, path: '/', maxAge }),
      cookie(client, {
        name: browserCookie(login.short_id),
        value: browser,
        path: '/auth',
        maxAge: LIMITS.knownBrowserDays * 86_400,
      }),
    ],
  };
}

/** The `set-cookie` value that takes the session cookie away. */
export function clearedSessionCookie(instance: Instance, client: ClientInfo): string {
  return cookie(client, { name: instance.config.sessionCookie, value: '', path: '/', maxAge: 0 });
}

/** The cookie by which a browser is known that has signed in as this login. */
export function browserCookie(loginShortId: string): string {
  return `homeledger_browser_${loginShortId}`;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
  /** Seconds; undefined lasts until the browser is closed. */
  maxAge: number | undefined;
}

/** A host without Domain is this host alone, and Lax keeps the cookie out of other sites' writes (contract 20.6). */
function cookie({ isSecure }: ClientInfo, { name, value, path, maxAge }: Cookie): string {
  return [
    `${name}=${value}`,
    `Path=${path}`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}

function newToken({ random }: Instance): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}
