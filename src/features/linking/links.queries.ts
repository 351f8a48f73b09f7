import { sql } from 'kysely';

import type { ConnectionsTable, PendingLinksTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function findPendingLink(tx: ReadTx, id: string): Promise<PendingLinksTable | undefined> {
  return tx.q.selectFrom('pending_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The first one stays: exchanging the same token twice gives the same item. */
export async function insertPendingLink(tx: BareWriteTx, row: PendingLinksTable): Promise<void> {
  await tx.q
    .insertInto('pending_links')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** What is to be revoked: all access of disconnected connections, and links from before `upTo`. */
export async function selectPendingLinks(tx: ReadTx, upTo: string): Promise<PendingLinksTable[]> {
  return tx.q
    .selectFrom('pending_links')
    .selectAll()
    .where((eb) => eb.or([eb('connection_id', 'is not', null), eb('created_at', '<=', upTo)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function deletePendingLink(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.deleteFrom('pending_links').where('id', '=', id).execute();
}

/** Keeps only what people are told of it. */
export async function forgetPendingAccess(tx: BareWriteTx, id: string): Promise<void> {
  await tx.q.updateTable('pending_links').set({ credentials: null }).where('id', '=', id).execute();
}

/** The connection to an item, whatever its status. */
export async function findByItem(
  tx: ReadTx,
  { provider, itemId }: { provider: string; itemId: string },
): Promise<ConnectionsTable | undefined> {
  return tx.q
    .selectFrom('connections')
    .selectAll()
    .where('provider', '=', provider)
    .where('external_id', '=', itemId)
    .orderBy('created_at')
    .executeTakeFirst();
}

/** An account of a connection that is not disconnected. */
export interface LinkedAccountRow {
  connection_id: string;
  name: string;
  display_name: string | null;
  official_name: string | null;
  type: string;
  subtype: string | null;
  mask: string | null;
}

/** Connections of a provider that are not disconnected, oldest first, and their accounts. */
export async function selectLiveLinks(
  tx: ReadTx,
  provider: string,
): Promise<{ connections: ConnectionsTable[]; accounts: LinkedAccountRow[] }> {
  const connections = await tx.q
    .selectFrom('connections')
    .selectAll()
    .where('provider', '=', provider)
    .where('status', '<>', 'disconnected')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const accounts = await tx.q
    .selectFrom('accounts')
    .select(['connection_id', 'name', 'display_name', 'official_name', 'type', 'subtype', 'mask'])
    .where(
      tx.portable.inList(
        sql.ref('connection_id'),
        connections.map(({ id }) => id),
      ),
    )
    .where('deleted_at', 'is', null)
    .$castTo<LinkedAccountRow>()
    .execute();
  return { connections, accounts };
}

/** Stores the access to the item of a connection, which the change of the same write records. */
export async function storeCredentials(tx: BareWriteTx, id: string, credentials: Uint8Array): Promise<void> {
  await tx.q.updateTable('connections').set({ credentials }).where('id', '=', id).execute();
}
