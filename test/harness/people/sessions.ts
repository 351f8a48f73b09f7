import { insertSession } from '../../../src/features/auth/index.ts';
import type { Role } from '../../../src/features/handler.ts';
import { logins } from '../../../src/features/users/index.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { addMember } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

export interface SignedIn {
  /** What the browser sends with each request from a page of ours, its cookie among it. */
  headers: Readonly<Record<string, string>>;
  /** Value of the session cookie. */
  token: string;
  member: { id: string; short_id: string };
  login: { id: string; short_id: string; identifier: string };
}

/** The password of logins made by `addLogin`. */
export const PASSWORD = 'tin roof, rusted';

/** A member who can sign in with PASSWORD; without one they have yet to use their setup token. */
export async function addLogin(
  app: TestApp,
  { role = 'admin', name = 'Ana', password = PASSWORD }: { role?: Role; name?: string; password?: string | null } = {},
): Promise<Omit<SignedIn, 'headers' | 'token'>> {
  const member = await addMember(app, name);
  const identifier = `${name.toLowerCase()}@home.example`;
  const hash = password === null ? null : await app.app.instance.passwords.hash(password);
  return app.write('test.login', async (tx) => {
    const row = { user_id: member.id, kind: 'password', identifier, role, password_hash: hash };
    const { id, short_id } = await logins.create(tx, row);
    return { member, login: { id, short_id, identifier } };
  });
}

/** A member with a login, signed in, without the cost of a password. Use with `key: null`. */
export async function signIn(
  app: TestApp,
  { role = 'admin', name = 'Ana', remember = false }: { role?: Role; name?: string; remember?: boolean } = {},
): Promise<SignedIn> {
  const member = await addMember(app, name);
  const identifier = `${name.toLowerCase()}@home.example`;
  const token = Buffer.from(app.app.instance.random.bytes(32)).toString('base64url');
  return app.write('test.login', async (tx) => {
    const login = await logins.create(tx, {
      user_id: member.id,
      kind: 'password',
      identifier,
      role,
      password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$bm9uZQ',
    });
    const browser = { tokenHash: sha256Hex(token), clientAddress: '127.0.0.1', userAgent: 'test' };
    await insertSession(tx, { loginId: login.id, isRemembered: remember, ...browser });
    const cookie = `${app.app.instance.config.sessionCookie}=${token}`;
    return {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      token,
      member,
      login: { id: login.id, short_id: login.short_id, identifier },
    };
  });
}
