import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { connections, findConnectionOf, hasAccounts } from '../connections/index.ts';
import { editorOf, loadFacets, writeFacets, type DeletedCause } from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { forgetInRules } from '../rules/index.ts';
import { deleteAccount as operation } from './accounts-by-hand.contract.ts';
import { findAccount, type AccountRow } from './accounts.queries.ts';
import { toAccountFields } from './accounts.table.ts';
import { countLiveRows, releaseProfiles, selectLiveRows, setAccountDeleted } from './csv-accounts.queries.ts';
import { statedFields } from './stated-balances.ts';

export const deleteAccount = handleWrite(operation, 'account.delete', async ({ tx, principal }, { params, query }) => {
  const account = await findAccount(tx, params.id);
  if (!account) throw notFound('The account was');
  if (account.provider !== 'csv') {
    throw new AppError('CONFLICT', 'A bank feeds this account. Exclude it from totals, or disconnect its connection.');
  }
  const live = await countLiveRows(tx, account.id);
  if (live > 0 && !query.delete_transactions) throw hasRows(live);
  await deleteRows(tx, account.id, editorOf(actorOf(principal)).word);
  await forgetInRules(tx, account.id, { revertible: true });
  await remove(tx, account);
  const connection = await findConnectionOf(tx, account.connection_id);
  if (connection?.provider === 'csv' && !(await hasAccounts(tx, connection.id))) {
    await connections.remove(tx, connection);
  }
  tx.journal.summarise(`Deleted the account ${account.display_name ?? account.name}`);
  return null;
});

function hasRows(count: number): AppError {
  const rows = count === 1 ? '1 transaction' : `${count} transactions`;
  const them = count === 1 ? 'it' : 'them';
  return new AppError('CONFLICT', `The account has ${rows}. Send delete_transactions=true to delete ${them} too.`, {
    members: { transaction_count: count },
  });
}

async function deleteRows(tx: WriteTx, accountId: string, cause: DeletedCause): Promise<void> {
  for (;;) {
    const ids = await selectLiveRows(tx, accountId, LIMITS.rowsAtOnce);
    if (ids.length === 0) return;
    const rows = [...(await loadFacets(tx, ids)).values()];
    await writeFacets(
      tx,
      rows.map((before) => ({ before, after: { ...before, deletedAt: tx.now, deletedCause: cause } })),
    );
  }
}

async function remove(tx: WriteTx, account: AccountRow): Promise<void> {
  const before = { ...toAccountFields(account, account.owner_short_id), ...(await statedFields(tx, account.id)) };
  const profiles = await releaseProfiles(tx, account.id);
  await setAccountDeleted(tx, account.id, { deleted_at: tx.now, connection_id: null });
  tx.journal.record({
    entityType: 'account',
    entityId: account.id,
    entityShortId: account.short_id,
    operation: 'delete',
    before,
    after: null,
    internal: { profiles },
    revertible: true,
  });
}
