import type { ConnectionsTable } from '../../db/schema.ts';
import type { WriteTx } from '../../journal/write.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { disableLinksOfPrimaries } from '../account-links/index.ts';
import { accounts } from '../accounts/index.ts';
import { loadFacets, writeFacets } from '../facets/index.ts';
import type { Instance } from '../handler.ts';
import { endLinkSessionsOf } from '../hosted-links/index.ts';
import { applyConnectionEvent, endRunningSync } from '../sync/index.ts';
import { forgetPositions, selectDeletableRows, selectFedAccounts, selectJoinedAccounts } from './disconnect.queries.ts';
import { keepForRevocation } from './pending-links.ts';

interface Disconnecting {
  /** Also deletes the transactions that came only from this bank. */
  deletesTransactions: boolean;
}

/**
 * The first step of a disconnect (contract 30.2.3), all in one write: from here on nothing syncs the connection, and
 * its access waits elsewhere for `endAccess`, which is done again at the next start if the process ends before.
 */
export async function disconnect(
  tx: WriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  { deletesTransactions }: Disconnecting,
): Promise<void> {
  if (deletesTransactions) await deleteTransactions(tx, connection);
  if (connection.status === 'disconnected') return;
  await keepForRevocation(tx, instance, connection);
  const columns = { credentials: null, sync_position: null, history_completed_at: null };
  await applyConnectionEvent(tx, instance, connection, { kind: 'disconnected' }, { columns });
  await endRunningSync(tx, instance, connection.id);
  await forgetPositions(tx, connection.id);
  await endLinkSessionsOf(tx, connection.id);
  for (const { former_connection_id: former, ...account } of await selectJoinedAccounts(tx, connection.id)) {
    await accounts.change(tx, account, { connection_id: former, provider: 'csv' }, { revertible: false });
  }
}

/** Transactions that come back when the change set is reverted. */
async function deleteTransactions(tx: WriteTx, connection: ConnectionsTable): Promise<void> {
  const scope = { isBank: connection.provider !== 'csv', limit: LIMITS.rowsAtOnce };
  const fed = await selectFedAccounts(tx, connection.id);
  for (const accountId of fed) {
    for (;;) {
      const ids = await selectDeletableRows(tx, accountId, scope);
      if (ids.length === 0) break;
      const rows = [...(await loadFacets(tx, ids)).values()];
      await writeFacets(
        tx,
        rows.map((before) => ({
          before,
          after: { ...before, deletedAt: tx.now, deletedCause: 'connection' as const },
        })),
      );
    }
  }
  await disableLinksOfPrimaries(tx, fed);
}
