import type { WriteTx } from '../../journal/write.ts';
import { AppError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { endLinks } from '../account-links/index.ts';
import { connections, findConnectionOf, hasAccounts } from '../connections/index.ts';
import { editorOf, loadFacets, writeFacets, type DeletedCause } from '../facets/index.ts';
import { actorOf, handleWrite } from '../handler.ts';
import { forgetInRules } from '../rules/index.ts';
import { deleteAccount as operation } from './accounts-by-hand.contract.ts';
import { accounts } from './accounts.entity.ts';
import { countLiveRows, getAccountRow, selectLiveRows } from './accounts.queries.ts';

export const deleteAccount = handleWrite(operation, 'account.delete', async ({ tx, principal }, { params, query }) => {
  const row = await getAccountRow(tx, params.id);
  if (row.provider !== 'csv') {
    throw new AppError(
      'CONFLICT',
      'An account that is linked to a bank cannot be deleted. Set is_excluded to leave it out of totals.',
    );
  }
  const live = await countLiveRows(tx, row.id);
  if (live > 0 && !query.delete_transactions) throw hasRows(live);
  await endLinks(tx, [row.id]);
  // Without its links it may count again.
  const account = await getAccountRow(tx, row.id);
  await deleteRows(tx, account.id, editorOf(actorOf(principal)).word);
  await forgetInRules(tx, account.id, { revertible: true });
  await accounts.remove(tx, account);
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
    const facets = await loadFacets(tx, ids);
    const rows = ids.flatMap((id) => facets.get(id) ?? []);
    await writeFacets(
      tx,
      rows.map((before) => ({ before, after: { ...before, deletedAt: tx.now, deletedCause: cause } })),
    );
  }
}
