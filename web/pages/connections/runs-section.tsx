import { listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { SyncLogTable } from '../sync-logs/sync-log-table.tsx';
import type { ConnectionState } from './connection-words.ts';

const SHOWN = 10;

/** The newest syncs of a connection. */
export function RunsSection({ connection }: { connection: ConnectionState }) {
  const { id, running_sync_log_id: running } = connection;
  const logs = useApiQuery(
    listSyncLogs,
    { query: { connection_id: id, limit: String(SHOWN) } },
    { refetchInterval: running === null ? 30_000 : 2_000 },
  );
  return (
    <Section
      title="Syncs"
      actions={
        <PageLink to="/sync-logs" search={{ connection_id: id }} className={LINK_ALONE}>
          All syncs of this bank
        </PageLink>
      }
    >
      <Loaded query={logs} lines={4}>
        {({ sync_logs: list }) => (
          <SyncLogTable
            list={list}
            withBank={false}
            empty={<p className="text-muted">It has not been synced yet.</p>}
          />
        )}
      </Loaded>
    </Section>
  );
}
