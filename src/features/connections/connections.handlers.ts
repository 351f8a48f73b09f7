import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import { notFound } from '../../kernel/errors.ts';
import { handleRead } from '../handler.ts';
import { resolveUserIds } from '../users/index.ts';
import * as contract from './connections.contract.ts';
import { connections, toConnection } from './connections.entity.ts';
import { findConnectionRow, selectConnectionRows, type ConnectionRow } from './connections.queries.ts';

const LIVE = ['active', 'error', 'pending_reauth'];

export const listConnections = handleRead(contract.listConnections, async ({ tx }, { query }) => {
  const statuses = query.status ?? (query.include_disconnected ? [...LIVE, 'disconnected'] : LIVE);
  const rows = await selectConnectionRows(tx, {
    userIds: query.user_id === undefined ? undefined : await resolveUserIds(tx, [query.user_id], 'user_id'),
    providers: query.provider,
    statuses,
  });
  return rows.map(toConnection);
});

export const getConnection = handleRead(contract.getConnection, async ({ tx }, { params }) =>
  toConnection(await getRow(tx, await getConnectionOf(tx, params.id))),
);

/** @throws NOT_FOUND */
async function getConnectionOf(tx: ReadTx, anyId: string): Promise<ConnectionsTable> {
  const connection = await connections.find(tx, anyId);
  if (!connection) throw notFound('The connection was');
  return connection;
}

async function getRow(tx: ReadTx, { id }: Pick<ConnectionsTable, 'id'>): Promise<ConnectionRow> {
  return (await findConnectionRow(tx, id)) as ConnectionRow;
}
