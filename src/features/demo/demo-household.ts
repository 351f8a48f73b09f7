import type { LoginsTable } from '../../db/schema.ts';
import { bookkeep, type WriteTx } from '../../journal/write.ts';
import { startSession, type StartedSession } from '../auth/index.ts';
import { connections } from '../connections/index.ts';
import type { ClientInfo, Instance, Role } from '../handler.ts';
import { sealAccess } from '../providers/index.ts';
import { requestSync } from '../sync/index.ts';
import { logins, selectUsers } from '../users/index.ts';

const ROLES: Readonly<Record<string, Role>> = { admin: 'admin', member: 'editor', dependent: 'viewer' };

/** Gives each member of the made-up household a login with this password: an admin's, an editor's and a viewer's. */
export async function addDemoLogins(tx: WriteTx, passwordHash: string): Promise<LoginsTable[]> {
  const made: LoginsTable[] = [];
  for (const user of await selectUsers(tx)) {
    const [first = ''] = user.name.toLowerCase().split(' ');
    made.push(
      await logins.create(tx, {
        user_id: user.id,
        kind: 'password',
        identifier: user.email ?? `${first}@home.example`,
        role: ROLES[user.kind] ?? 'viewer',
        password_hash: passwordHash,
      }),
    );
  }
  tx.journal.summarise('Created the logins of the demo');
  return made;
}

/** How a connection of the made-up household reaches its simulated bank. */
export interface DemoAccess {
  readonly itemId: string;
  readonly accessToken: string;
}

/** Gives the household's connections access to their banks, and asks for a first sync of each. */
export async function openDemoConnections(
  tx: WriteTx,
  instance: Pick<Instance, 'masterKey' | 'random' | 'wakeSyncs'>,
  accesses: readonly DemoAccess[],
): Promise<void> {
  for (const { itemId, accessToken } of accesses) {
    const connection = await tx.q
      .selectFrom('connections')
      .selectAll()
      .where('external_id', '=', itemId)
      .executeTakeFirstOrThrow();
    const credentials = await sealAccess(tx, instance, connection.id, {
      itemId,
      credentials: JSON.stringify({ access_token: accessToken }),
    });
    await connections.change(tx, connection, { credentials, linked_at: tx.now, last_sync_at: tx.now });
    await requestSync(tx, connection.id, { trigger: 'initial' });
  }
  tx.journal.summarise('Connected the demo to its simulated banks');
  tx.afterCommit(() => instance.wakeSyncs());
}

/** Signs a visitor of the demo in as its admin. Undefined while the demo has none. */
export async function signInVisitor(instance: Instance, client: ClientInfo): Promise<StartedSession | undefined> {
  return bookkeep(instance.database, async (tx) => {
    const admins = tx.q.selectFrom('logins').selectAll().where('role', '=', 'admin').orderBy('id');
    const login = await admins.executeTakeFirst();
    return login && startSession(instance, tx, client, { login, remember: true });
  });
}

/** Signs a member in, in a browser of theirs with these cookies. Answers the cookies that it has then. */
export async function signInMember(
  instance: Instance,
  identifier: string,
  browser: Pick<ClientInfo, 'userAgent' | 'cookies'>,
): Promise<ClientInfo['cookies']> {
  const { cookies } = await bookkeep(instance.database, async (tx) => {
    const found = tx.q.selectFrom('logins').selectAll().where('identifier', '=', identifier);
    const login = await found.executeTakeFirstOrThrow();
    return startSession(instance, tx, { ...BROWSER, ...browser }, { login, remember: true });
  });
  const set = cookies.map((cookie) => (cookie.split(';')[0] ?? '').split('='));
  return { ...browser.cookies, ...Object.fromEntries(set) };
}

const BROWSER: Omit<ClientInfo, 'userAgent' | 'cookies'> = {
  address: '127.0.0.1',
  origin: 'http://127.0.0.1',
  isForwardingIgnored: false,
  isSecure: false,
  host: null,
  isForwarded: false,
};
