import { Ellipsis, Pause, Play, RefreshCw } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';

import { pauseConnection } from '../../../src/features/connections/connections.contract.ts';
import { listSyncLogs, syncConnection } from '../../../src/features/sync/sync.contract.ts';
import { messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { bankName, PROVIDER_NAMES, reasonAgainstSync, stateOf, type Connection } from './connection-words.ts';
import { AFTER_SYNC } from './running-syncs.ts';

interface ConnectionTableProps {
  list: readonly Connection[];
  running: ReadonlySet<string>;
  empty: ReactNode;
}

export function ConnectionTable({ list, running, empty }: ConnectionTableProps) {
  const columns: Column<Connection>[] = [
    { title: 'Bank', isRowHeader: true, cell: (one) => <Bank connection={one} /> },
    { title: 'State', cell: (one) => <State connection={one} isRunning={running.has(one.id)} /> },
    { title: 'Accounts', align: 'end', cell: (one) => one.account_count },
    { title: 'Last sync', cell: (one) => <Instant at={one.last_sync_at} /> },
    { title: 'Next sync', cell: (one) => <Instant isPlanned at={one.next_sync_at} never="–" /> },
    {
      title: 'Actions',
      isActions: true,
      cell: (one) => one.status !== 'disconnected' && <RowActions connection={one} isRunning={running.has(one.id)} />,
    },
  ];
  return (
    <DataTable
      caption="Connections, oldest first"
      columns={columns}
      rows={list}
      keyOf={(one) => one.id}
      empty={empty}
    />
  );
}

function Bank({ connection }: { connection: Connection }) {
  return (
    <>
      <PageLink to="/connections/{id}" params={{ id: connection.short_id }} className={LINK_ALONE}>
        <bdi>{bankName(connection)}</bdi>
      </PageLink>
      <span className="block text-sm font-normal text-muted">
        <bdi>{connection.user_name}</bdi> · {PROVIDER_NAMES[connection.provider]}
      </span>
    </>
  );
}

function State({ connection, isRunning }: { connection: Connection; isRunning: boolean }) {
  if (isRunning) return <Status tone="info">Syncing…</Status>;
  const { tone, word, advice } = stateOf(connection);
  return (
    <>
      <Status tone={tone}>{word}</Status>
      {advice !== null && <span className="mt-1 block max-w-xs text-sm text-muted">{advice}</span>}
    </>
  );
}

function RowActions({ connection, isRunning }: { connection: Connection; isRunning: boolean }) {
  const right = useReasonAgainst('full_access');
  const sync = useSyncNow();
  const pause = useApiWrite(pauseConnection, { refreshes: AFTER_SYNC });
  const { id, paused, provider } = connection;
  if (provider === 'csv') return null;
  const name = bankName(connection);
  return (
    <span className="flex justify-end gap-1">
      <Button
        icon={RefreshCw}
        busy={isRunning || sync.isPending}
        disabledReason={right ?? reasonAgainstSync(connection)}
        aria-label={isRunning ? `Syncing… ${name}` : `Sync now: ${name}`}
        onClick={() => sync.mutate({ params: { id }, body: {} })}
      >
        {isRunning ? 'Syncing…' : 'Sync now'}
      </Button>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More for ${name}`} />}
        items={[
          {
            label: paused ? 'Resume' : 'Pause',
            icon: paused ? Play : Pause,
            disabledReason: right,
            onSelect: () => pause.mutate({ params: { id }, body: { paused: !paused } }),
          },
        ]}
      />
    </span>
  );
}

/** Asks for a sync of one connection. What comes of it shows by itself. */
export function useSyncNow() {
  const sync = useApiWrite(syncConnection, {
    refreshes: [listSyncLogs, ...AFTER_SYNC],
    onSuccess: ({ status, reason }) => {
      if (status === 'skipped') showToast(SKIPPED[reason ?? ''] ?? 'It was not synced.');
      if (status === 'queued' || status === 'already_running') showToast('It will sync again when this sync is done.');
    },
  });
  const { error } = sync;
  useEffect(() => {
    if (error !== null) showToast(messageOf(error));
  }, [error]);
  return sync;
}

const SKIPPED: Readonly<Record<string, string>> = {
  csv: 'Bank files are imported, not synced.',
  provider_not_configured: 'It was not synced, because its provider is not set up.',
};
