import type { ConnectionsTable } from '../../../db/schema.ts';
import { write, type WriteTx } from '../../../journal/write.ts';
import { connections } from '../../connections/index.ts';
import type { Instance } from '../../handler.ts';
import type { CollapsedDelivery } from '../fetch/collapse-delivery.ts';
import type { FetchedSync } from '../run/commit-sync.ts';
import { syncOrigin } from '../run/sync-origin.ts';
import { selectFeeds } from './account-feeds.queries.ts';
import { attachAccounts, bankOf } from './attach-accounts.ts';

/**
 * Attaches accounts that the provider lists for the first time in a write of their own, so that they can be recognised
 * by their rows before any is stored (contract 30.8.1). Answers the external ids of those that could be several known ones.
 */
export async function attachFirst(
  instance: Instance,
  sync: FetchedSync,
  { rows }: CollapsedDelivery,
  held: (tx: WriteTx) => Promise<{ connection: ConnectionsTable }>,
): Promise<ReadonlySet<string>> {
  const { turn, traits, fetched } = sync;
  const { state } = fetched.outcome;
  const ambiguous = new Set<string>();
  if (state === null || rows.size === 0) return ambiguous;
  const feeds = await instance.database.read((tx) => selectFeeds(tx, turn.connectionId));
  const known = new Set([...feeds.values()].map(({ external_account_id: externalId }) => externalId));
  if (state.accounts.every(({ externalId }) => known.has(externalId))) return ambiguous;
  await write(instance.database, syncOrigin(instance, turn, traits.name), async (tx) => {
    const { connection } = await held(tx);
    const bank = { ...connection, ...bankOf(connection, fetched.outcome) };
    const attached = await attachAccounts(tx, bank, state.accounts);
    for (const [externalId, { isAmbiguous }] of attached) if (isAmbiguous) ambiguous.add(externalId);
    const hasNew = [...attached.values()].some(({ isNew }) => isNew);
    if (hasNew) await connections.change(tx, connection, { new_accounts_at: null }, { revertible: false });
    tx.journal.summarise('Attached the accounts of a bank');
  });
  return ambiguous;
}
