import type { UsersTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { journalOf } from '../../journal/journal-of.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { followOwners } from '../account-links/index.ts';
import { handleWrite } from '../handler.ts';
import { removeAccess } from '../logins/index.ts';
import { forgetInRules } from '../rules/index.ts';
import { deleteUser as operation } from './users.contract.ts';
import { users } from './users.entity.ts';
import {
  clearAttributions,
  clearImportOwner,
  clearOwnerOverrides,
  countConnectionsOf,
  deleteLinkSessions,
} from './users.queries.ts';

const NOT_REVERTIBLE = { revertible: false };

export const deleteUser = handleWrite(operation, 'user.delete', async ({ tx }, { params }) => {
  const user = await users.find(tx, params.id);
  if (!user) throw notFound('household member');
  await refuseConnections(tx, user);
  await removeAccess(tx, user.id);
  tx.journal.forbidRevert();
  await clearReferences(tx, user);
  await forgetInRules(tx, user.id, NOT_REVERTIBLE);
  await users.remove(tx, user);
  tx.journal.summarise(`Deleted the household member ${user.name}`);
  return null;
});

/** @throws USER_HAS_DEPENDENTS */
async function refuseConnections(tx: ReadTx, user: UsersTable): Promise<void> {
  const { all, banks } = await countConnectionsOf(tx, user.id);
  if (all === 0) return;
  const what = all === 1 ? '1 connection belongs' : `${all} connections belong`;
  const byHand = banks === 0 ? `Delete the accounts in ${all === 1 ? 'it' : 'them'} first, or wipe` : 'Wipe';
  throw new AppError(
    'USER_HAS_DEPENDENTS',
    `${what} to this member. ${byHand} the member’s data: POST /api/v1/users/${user.short_id}/wipe-data.`,
  );
}

async function clearReferences(tx: WriteTx, user: UsersTable): Promise<void> {
  const owned = await clearOwnerOverrides(tx, user.id);
  for (const account of owned) {
    const fields = { before: { owner_user_id: user.short_id }, after: { owner_user_id: null } };
    journalOf('account').changed(tx, account, fields, NOT_REVERTIBLE);
  }
  for (const transaction of await clearAttributions(tx, user.id)) {
    const fields = { before: { attributed_user_id: user.short_id }, after: { attributed_user_id: null } };
    journalOf('transaction').changed(tx, transaction, fields, NOT_REVERTIBLE);
  }
  await followOwners(
    tx,
    owned.map(({ id }) => id),
  );
  await clearImportOwner(tx, user.id);
  await deleteLinkSessions(tx, user.id);
}
