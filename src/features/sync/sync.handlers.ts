import type { ConnectionsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';
import { cutPage, fingerprintOf, positionAfter } from '../../kernel/cursor.ts';
import { AppError, invalidParameter, notFound, unknownId } from '../../kernel/errors.ts';
import { connections } from '../connections/index.ts';
import { handleBackground, handleRead } from '../handler.ts';
import {
  countOutcomes,
  countSyncLogs,
  findSyncLog,
  selectSyncLogs,
  type SyncLogFilter,
} from './logs/sync-history.queries.ts';
import { successRate, toSyncLogDetail, toSyncLogs } from './logs/sync-log-record.ts';
import * as contract from './sync.contract.ts';
import { askForSyncs } from './turns/ask-for-syncs.ts';

export const triggerSync = handleBackground(contract.triggerSync, async ({ instance }, { body }) => {
  const { connection_id: anyId } = body;
  const named = async (tx: BareWriteTx): Promise<ConnectionsTable[]> => {
    const connection = await connections.find(tx, anyId ?? '');
    if (!connection) throw unknownId('connection_id', 'connection', anyId ?? '');
    return [notDisconnected(connection)];
  };
  const isNamed = anyId !== undefined && anyId !== null;
  const select = isNamed ? named : selectConnected;
  return { status: 'accepted' as const, syncs: await askForSyncs(instance, { select, isNamed, isFull: false }) };
});

export const syncConnection = handleBackground(contract.syncConnection, async ({ instance }, { params, body }) => {
  const select = async (tx: BareWriteTx): Promise<ConnectionsTable[]> => {
    const connection = await connections.find(tx, params.id);
    if (!connection) throw notFound('connection');
    return [notDisconnected(connection)];
  };
  const [element] = await askForSyncs(instance, { select, isNamed: true, isFull: body.full });
  if (!element) throw notFound('connection');
  return element;
});

async function selectConnected(tx: ReadTx): Promise<ConnectionsTable[]> {
  return tx.q
    .selectFrom('connections')
    .selectAll()
    .where('status', '!=', 'disconnected')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

function notDisconnected(connection: ConnectionsTable): ConnectionsTable {
  if (connection.status !== 'disconnected') return connection;
  const message = 'The connection was disconnected, so it cannot be synced. Link the bank again.';
  throw new AppError('CONNECTION_DISCONNECTED', message);
}

export const listSyncLogs = handleRead(contract.listSyncLogs, async ({ tx }, { query }) => {
  const { limit, cursor, ...filters } = query;
  const filter = await resolveFilter(tx, filters);
  const fingerprint = fingerprintOf({ ...filter });
  const position = await positionAfter(cursor, fingerprint, (id) => findSyncLog(tx, id));
  const rows = await selectSyncLogs(tx, filter, position, limit + 1);
  const { shown, end } = cutPage(rows, limit, fingerprint, (last) => ({ key: last.started_at, id: last.id }));
  return {
    sync_logs: await toSyncLogs(tx, shown),
    ...end,
    total: await countSyncLogs(tx, filter),
  };
});

export const getSyncLog = handleRead(contract.getSyncLog, async ({ tx }, { params }) => {
  const row = await findSyncLog(tx, params.id);
  if (!row) throw notFound('sync log');
  return toSyncLogDetail(tx, row);
});

export const getSyncStats = handleRead(contract.getSyncStats, async ({ tx }, { query }) => {
  const { duration_ms: totalMs, ...counts } = await countOutcomes(tx, await resolveFilter(tx, query));
  const finished = counts.success_count + counts.error_count;
  return {
    ...counts,
    success_rate: successRate(counts),
    avg_duration_ms: finished === 0 ? null : Math.round(totalMs / finished),
  };
});

type Filters = Omit<SyncLogFilter, 'connectionId'> & { connection_id?: string | undefined };

/** @throws INVALID_PARAMETER for an unknown connection, or a start that is not before the end */
async function resolveFilter(tx: ReadTx, { connection_id: anyId, ...rest }: Filters): Promise<SyncLogFilter> {
  const { from, to } = rest;
  if (from !== undefined && to !== undefined && from >= to) throw invalidParameter('from', 'from: must be before to');
  if (anyId === undefined) return rest;
  const connection = await connections.find(tx, anyId);
  if (!connection) throw unknownId('connection_id', 'connection', anyId);
  return { ...rest, connectionId: connection.id };
}
