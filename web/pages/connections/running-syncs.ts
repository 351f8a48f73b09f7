import { useEffect, useRef } from 'react';

import { listConnections, getConnectionStatus } from '../../../src/features/connections/connections.contract.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { getSyncHealth, getSyncStats, listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import { refresh, useApiQuery } from '../../api/queries.ts';

const RUNNING_MS = 2_000;
const IDLE_MS = 15_000;
const MOST = 200;

/** What a sync changes on pages that show it. */
export const AFTER_SYNC = [listConnections, getConnectionStatus, getSyncHealth, getSyncStats, getOverview];

/** UUIDs of the connections that are being synced now. When one is done, what it changed is read again. */
export function useRunningSyncs(): ReadonlySet<string> {
  const { data } = useApiQuery(
    listSyncLogs,
    { query: { status: 'in_progress', limit: String(MOST) } },
    { refetchInterval: ({ state }) => ((state.data?.sync_logs.length ?? 0) > 0 ? RUNNING_MS : IDLE_MS) },
  );
  const running = new Set(data?.sync_logs.map((log) => log.connection_id));
  const key = [...running].sort().join();
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    void refresh(AFTER_SYNC);
  }, [key]);
  return running;
}
