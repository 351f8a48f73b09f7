import type { LoginsTable, UsersTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { handleWrite } from '../handler.ts';
import { forgetInRules } from '../rules/index.ts';
import { deleteUser as operation } from './users.contract.ts';
import {
  adminsWithout,
  clearAttributions,
  clearImportOwner,
  clearOwnerOverrides,
  countConnectionsOf,
  deleteLogin,
  deleteUserRow,
  findLoginOf,
  findUser,
} from './users.queries.ts';
import { toUser } from './users.table.ts';

export const deleteUser = handleWrite(operation, 'user.delete', async ({ tx }, { params }) => {
  const user = await findUser(tx, params.id);
  if (!user) throw notFound('The household member was');
  const connections = await countConnectionsOf(tx, user.id);
  if (connections > 0) {
    const what = connections === 1 ? '1 connection belongs' : `${connections} connections belong`;
    throw new AppError('USER_HAS_DEPENDENTS', `${what} to this member. Remove what they brought in first.`);
  }
  const login = await findLoginOf(tx, user.id);
  if (login) {
    await refuseLastAdmin(tx, login);
    await removeLogin(tx, login, user);
  }
  await clearReferences(tx, user);
  await forgetInRules(tx, user.id, { revertible: false });
  await deleteUserRow(tx, user.id);
  tx.journal.record({
    entityType: 'user',
    entityId: user.id,
    entityShortId: user.short_id,
    operation: 'delete',
    before: toUser(user),
    after: null,
    revertible: false,
  });
  tx.journal.summarise(`Removed the household member ${user.name}`);
  return null;
});

/** @throws LAST_ADMIN when nobody with the role, or nobody of them who can sign in, would be left (20.10). */
async function refuseLastAdmin(tx: WriteTx, login: LoginsTable): Promise<void> {
  if (login.role !== 'admin') return;
  const remaining = await adminsWithout(tx, login.id);
  if (remaining.any && (remaining.active || login.password_hash === null)) return;
  throw new AppError('LAST_ADMIN', 'This member has the last admin login. Make another admin first.');
}

async function removeLogin(tx: WriteTx, login: LoginsTable, user: UsersTable): Promise<void> {
  await deleteLogin(tx, login.id);
  tx.journal.record({
    entityType: 'login',
    entityId: login.id,
    entityShortId: login.short_id,
    operation: 'delete',
    before: {
      id: login.id,
      short_id: login.short_id,
      user_id: user.short_id,
      kind: login.kind,
      identifier: login.identifier,
      role: login.role,
      has_password: login.password_hash !== null,
      created_at: login.created_at,
    },
    after: null,
    revertible: false,
  });
}

async function clearReferences(tx: WriteTx, user: UsersTable): Promise<void> {
  for (const account of await clearOwnerOverrides(tx, user.id)) {
    tx.journal.record({
      entityType: 'account',
      entityId: account.id,
      entityShortId: account.short_id,
      operation: 'update',
      before: { owner_user_id: user.short_id },
      after: { owner_user_id: null },
      revertible: false,
    });
  }
  for (const transaction of await clearAttributions(tx, user.id)) {
    tx.journal.record({
      entityType: 'transaction',
      entityId: transaction.id,
      entityShortId: transaction.short_id,
      operation: 'update',
      before: { attributed_user_id: user.short_id },
      after: { attributed_user_id: null },
      transactionId: transaction.id,
      revertible: false,
    });
  }
  await clearImportOwner(tx, user.id);
}
