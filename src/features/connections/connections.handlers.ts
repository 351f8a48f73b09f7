import type { ConnectionsTable } from '../../db/schema.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';
import type { WriteTx } from '../../journal/write.ts';
import { AppError, notFound, validationError } from '../../kernel/errors.ts';
import { handleBackground, handleRead, handleWrite, type Instance } from '../handler.ts';
import { openRenewal } from '../linking/index.ts';
import { tellingAdmin } from '../providers/index.ts';
import {
  applyConnectionEvent,
  connectionsAttention,
  nextSyncAfterChange,
  selectNewestLogs,
  toSyncLogs,
} from '../sync/index.ts';
import { resolveUserIds } from '../users/index.ts';
import * as contract from './connections.contract.ts';
import { connections, toConnection } from './connections.entity.ts';
import { findTurn, getConnectionRow, selectConnectionRows } from './connections.queries.ts';

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
  toConnection(await getConnectionRow(tx, (await getConnectionOf(tx, params.id)).id)),
);

export const getConnectionStatus = handleRead(contract.getConnectionStatus, async ({ tx, instance }, { params }) => {
  const { id } = await getConnectionOf(tx, params.id);
  const [attention] = await connectionsAttention(tx, instance, id);
  const [newest] = await toSyncLogs(tx, await selectNewestLogs(tx, [id]));
  return {
    ...toConnection(await getConnectionRow(tx, id)),
    last_attempted_sync_at: newest?.started_at ?? null,
    last_sync_log: newest ?? null,
    ...(await findTurn(tx, id)),
    attention: attention ? [...attention.entries] : [],
  };
});

export const reauthenticateConnection = handleBackground(
  contract.reauthenticateConnection,
  async ({ instance, principal }, { params }) => {
    const connection = await instance.database.read(async (tx) => getConnectionOf(tx, params.id));
    refuseDisconnected(connection);
    return tellingAdmin(principal, () => openRenewal(instance, connection));
  },
);

export const updateConnection = handleWrite(
  contract.updateConnection,
  'connection.update',
  async ({ tx, instance }, { params, body }) => {
    const connection = await getConnectionOf(tx, params.id);
    const { sync_interval_seconds: interval, institution_name: name } = body;
    const isCsv = connection.provider === 'csv';
    if (isCsv && interval !== undefined) {
      throw validationError('sync_interval_seconds', 'sync_interval_seconds: bank files are not synced.');
    }
    if (!isCsv && name !== undefined) {
      throw validationError('institution_name', 'institution_name: only that of a csv connection can be changed.');
    }
    refuseDisconnected(connection);
    if (interval !== undefined && interval !== connection.sync_interval_seconds) {
      await reschedule(tx, instance, connection, { sync_interval_seconds: interval });
      tx.journal.summarise(`Changed how often ${bankOf(connection)} syncs`);
    }
    if (name !== undefined && name !== connection.institution_name) {
      await connections.change(tx, connection, { institution_name: name });
      tx.journal.summarise(`Renamed ${bankOf(connection)} to ${name}`);
    }
    return toConnection(await getConnectionRow(tx, connection.id));
  },
);

export const pauseConnection = handleWrite(
  contract.pauseConnection,
  'connection.pause',
  async ({ tx, instance }, { params, body: { paused } }) => {
    const connection = await getConnectionOf(tx, params.id);
    refuseDisconnected(connection);
    if (paused !== (connection.paused === 1)) {
      tx.journal.refine({ action: paused ? 'connection.pause' : 'connection.resume' });
      await reschedule(tx, instance, connection, { paused: paused ? 1 : 0 });
      tx.journal.summarise(`${paused ? 'Paused' : 'Resumed'} ${bankOf(connection)}`);
    }
    return toConnection(await getConnectionRow(tx, connection.id));
  },
);

export const completeReauthentication = handleWrite(
  contract.completeReauthentication,
  'connection.reauthenticate',
  async ({ tx, instance }, { params }) => {
    const connection = await getConnectionOf(tx, params.id);
    refuseDisconnected(connection);
    if (connection.provider !== 'csv') {
      const event = { kind: 'reauthenticated', trigger: 'manual' } as const;
      // It is recorded even if the connection was active all along.
      const fields = { after: { reauthenticated_at: tx.now } };
      await applyConnectionEvent(tx, instance, connection, event, { fields });
      tx.journal.summarise(`Signed in again to ${bankOf(connection)}`);
    }
    return toConnection(await getConnectionRow(tx, connection.id));
  },
);

/** Changes what the time of the next sync depends on, together with that time. */
async function reschedule(
  tx: WriteTx,
  instance: Instance,
  connection: ConnectionsTable,
  patch: { sync_interval_seconds?: number | null; paused?: 0 | 1 },
): Promise<void> {
  const next = await nextSyncAfterChange(tx, instance, { ...connection, ...patch });
  await connections.change(tx, connection, { ...patch, next_sync_at: next }, { revertible: false });
  tx.afterCommit(() => instance.wakeSyncs());
}

function bankOf({ institution_name: name }: ConnectionsTable): string {
  return name ?? 'a connection';
}

/** @throws CONNECTION_DISCONNECTED */
function refuseDisconnected({ status }: ConnectionsTable): void {
  if (status !== 'disconnected') return;
  throw new AppError('CONNECTION_DISCONNECTED', 'The connection was disconnected. Link the bank again.');
}

/** @throws NOT_FOUND */
async function getConnectionOf(tx: ReadTx, anyId: string): Promise<ConnectionsTable> {
  const connection = await connections.find(tx, anyId);
  if (!connection) throw notFound('connection');
  return connection;
}
