import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { instantNow } from '../../kernel/clock.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { revokeKeysOf } from '../api-keys/index.ts';
import { handleRead, handleWrite, type Role } from '../handler.ts';
import { logins, readIdentifier, toLogin, users } from '../users/index.ts';
import * as contract from './logins.contract.ts';
import { findLoginOf } from './logins.queries.ts';
import { issueSetupToken, NO_SETUP_TOKEN } from './setup-token.ts';
import { refuseLastAdmin, removeLogin } from './withdraw-access.ts';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, admin: 2 };

export const listLogins = handleRead(contract.listLogins, async ({ tx, instance }, { params }) => {
  const member = await getMember(tx, params.user_id);
  const login = await findLoginOf(tx, member.id);
  return login ? [toLogin(login, member.short_id, instantNow(instance.clock))] : [];
});

export const createLogin = handleWrite(contract.createLogin, 'login.create', async (context, { params, body }) => {
  const { tx } = context;
  const member = await getMember(tx, params.user_id);
  if (await findLoginOf(tx, member.id)) {
    throw new AppError('LOGIN_EXISTS', `${member.name} already has a login. Change that login, or delete it first.`);
  }
  const identifier = await readIdentifier(tx, body.identifier);
  const { columns, shown } = issueSetupToken(context, null);
  const login = await logins.create(tx, { ...body, ...columns, identifier, user_id: member.id });
  tx.journal.summarise(`Invited ${member.name} to sign in as ${body.role}`);
  return { ...toLogin(login, member.short_id, tx.now), ...shown };
});

export const updateLogin = handleWrite(contract.updateLogin, 'login.update', async ({ tx }, { params, body }) => {
  const { member, login } = await getLogin(tx, params);
  const { role = login.role as Role } = body;
  const identifier = await readIdentifier(tx, body.identifier ?? login.identifier, login.id);
  const climb = RANK[role] - RANK[login.role as Role];
  if (climb < 0) await refuseLastAdmin(tx, login);
  // A link already sent must not give more than it was sent for (20.8).
  const changed = await logins.change(tx, login, { role, identifier, ...(climb > 0 ? NO_SETUP_TOKEN : {}) });
  if (climb < 0) await revokeKeysOf(tx, member.id, { scope: 'full_access' });
  tx.journal.summarise(`Changed the login of ${member.name}`);
  return toLogin(changed, member.short_id, tx.now);
});

export const deleteLogin = handleWrite(contract.deleteLogin, 'login.delete', async ({ tx }, { params }) => {
  const { member, login } = await getLogin(tx, params);
  await removeLogin(tx, login);
  tx.journal.summarise(`Deleted the login of ${member.name}`);
  return null;
});

export const regenerateSetupToken = handleWrite(
  contract.regenerateSetupToken,
  'login.issue_token',
  async (context, { params }) => {
    const { tx } = context;
    const { member, login } = await getLogin(tx, params);
    const { columns, shown } = issueSetupToken(context, login);
    await logins.change(tx, login, columns);
    tx.journal.summarise(`Made a setup link for ${member.name}`);
    return shown;
  },
);

/** @throws NOT_FOUND */
async function getMember(tx: ReadTx, anyId: string): Promise<UsersTable> {
  const member = await users.find(tx, anyId);
  if (!member) throw notFound('household member');
  return member;
}

/** @throws NOT_FOUND, also for the login of another member */
async function getLogin(
  tx: ReadTx,
  { user_id: userId, login_id: loginId }: { user_id: string; login_id: string },
): Promise<{ member: UsersTable; login: LoginsTable }> {
  const member = await getMember(tx, userId);
  const login = await logins.find(tx, loginId);
  if (!login || login.user_id !== member.id) throw notFound('login');
  return { member, login };
}
