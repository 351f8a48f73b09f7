import { sql } from 'kysely';

import type { ConnectionsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

/** A connection with its member, and how many accounts it has. */
export type ConnectionRow = ConnectionsTable & {
  user_short_id: string;
  user_name: string;
  account_count: number | string;
};

function connectionRows(tx: ReadTx) {
  return tx.q
    .selectFrom('connections')
    .innerJoin('users', 'users.id', 'connections.user_id')
    .selectAll('connections')
    .select(['users.short_id as user_short_id', 'users.name as user_name'])
    .select((row) =>
      row
        .selectFrom('accounts')
        .select((account) => account.fn.countAll().$castTo<number | string>().as('n'))
        .whereRef('accounts.connection_id', '=', 'connections.id')
        .where('accounts.deleted_at', 'is', null)
        .as('account_count'),
    )
    .$castTo<ConnectionRow>();
}

export async function findConnectionRow(tx: ReadTx, id: string): Promise<ConnectionRow | undefined> {
  return connectionRows(tx).where('connections.id', '=', id).executeTakeFirst();
}

/** The row of a connection that is known to exist. */
export async function getConnectionRow(tx: ReadTx, id: string): Promise<ConnectionRow> {
  return (await findConnectionRow(tx, id)) as ConnectionRow;
}

/** The sync of a connection that runs, and whether one waits. */
export async function findTurn(
  tx: ReadTx,
  connectionId: string,
): Promise<{ running_sync_log_id: string | null; sync_queued: boolean }> {
  const turn = await tx.q
    .selectFrom('sync_turns')
    .select(['holder', 'sync_log_id', 'requested_at'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  const running = turn?.holder == null ? null : turn.sync_log_id;
  return { running_sync_log_id: running, sync_queued: turn?.requested_at != null };
}

/** Which connections a list shows; undefined leaves a condition out. */
export interface ConnectionFilter {
  userIds: readonly string[] | undefined;
  providers: readonly string[] | undefined;
  statuses: readonly string[];
}

/** Connections in the order of their creation. */
export async function selectConnectionRows(tx: ReadTx, filter: ConnectionFilter): Promise<ConnectionRow[]> {
  let query = connectionRows(tx).where('connections.status', 'in', [...filter.statuses]);
  if (filter.userIds) query = query.where('connections.user_id', 'in', [...filter.userIds]);
  if (filter.providers) query = query.where('connections.provider', 'in', [...filter.providers]);
  return query.orderBy('connections.created_at').orderBy('connections.id').execute();
}

export async function findConnectionOf(tx: ReadTx, id: string | null): Promise<ConnectionsTable | undefined> {
  if (id === null) return undefined;
  return tx.q.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether any account is in the connection. */
export async function hasAccounts(tx: ReadTx, connectionId: string): Promise<boolean> {
  const found = await tx.q
    .selectFrom('accounts')
    .select('id')
    .where('connection_id', '=', connectionId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Imports outlive their connection, without referring to it. Answers their UUIDs. */
export async function releaseImports(tx: BareWriteTx, connectionId: string): Promise<string[]> {
  const held = tx.q.selectFrom('imports').select('id').where('connection_id', '=', connectionId);
  const ids = (await held.execute()).map(({ id }) => id);
  if (ids.length > 0) {
    await tx.q.updateTable('imports').set({ connection_id: null }).where('connection_id', '=', connectionId).execute();
  }
  return ids;
}

export async function returnImports(tx: BareWriteTx, connectionId: string, ids: readonly string[]): Promise<void> {
  await tx.q
    .updateTable('imports')
    .set({ connection_id: connectionId })
    .where('connection_id', 'is', null)
    .where(tx.portable.inList(sql.ref('id'), ids))
    .execute();
}
