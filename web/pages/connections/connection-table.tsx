import { Ellipsis, FileUp, KeyRound, Pause, Play, RefreshCw } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';

import { pauseConnection } from '../../../src/features/connections/connections.contract.ts';
import { listSyncLogs, syncConnection } from '../../../src/features/sync/sync.contract.ts';
import { messageOf } from '../../api/client.ts';
import { useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { Menu } from '../../components/menu.tsx';
import { Status } from '../../components/status.tsx';
import { showToast } from '../../components/toast-store.ts';
import { FIGURE_ALONE, LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { bankName, PROVIDER_NAMES, reasonAgainstSync, stateOf, type Connection } from './connection-words.ts';
import { AFTER_SYNC } from './running-syncs.ts';
import { RenewalDialog, useRenewal } from './sign-in-at-bank.tsx';

interface ConnectionTableProps {
  list: readonly Connection[];
  running: ReadonlySet<string>;
  empty: ReactNode;
}

export function ConnectionTable({ list, running, empty }: ConnectionTableProps) {
  const columns: Column<Connection>[] = [
    { title: 'Bank', isRowHeader: true, cell: (one) => <Bank connection={one} /> },
    { title: 'State', cell: (one) => <State connection={one} isRunning={running.has(one.id)} /> },
    { title: 'Accounts', align: 'end', cell: (one) => <AccountCount connection={one} /> },
    { title: 'Newest data', cell: (one) => <Instant at={one.last_sync_at} /> },
    { title: 'Next sync', cell: (one) => one.next_sync_at && <Instant isPlanned at={one.next_sync_at} /> },
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

function AccountCount({ connection: { short_id: id, account_count: count } }: { connection: Connection }) {
  return (
    <PageLink to="/connections/{id}" params={{ id }} className={FIGURE_ALONE}>
      {count}
    </PageLink>
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

/** What the row needs most is a button: a sync, a new login, or a file. */
function RowActions({ connection, isRunning }: { connection: Connection; isRunning: boolean }) {
  const right = useReasonAgainst('full_access');
  const sync = useSyncNow();
  const renewal = useRenewal(connection);
  const pause = useApiWrite(pauseConnection, { refreshes: AFTER_SYNC });
  const { id, paused, provider, status } = connection;
  const name = bankName(connection);
  if (provider === 'csv') {
    return (
      <ActionLink to="/imports/new" icon={FileUp} disabledReason={right}>
        Import<span className="sr-only"> a file of {name}</span>
      </ActionLink>
    );
  }
  const against = right ?? reasonAgainstSync(connection);
  const syncNow = (): void => sync.mutate({ params: { id }, body: {} });
  const isSignIn = status === 'pending_reauth' && !isRunning;
  return (
    <span className="flex justify-end gap-1">
      {isSignIn ? (
        <Button
          icon={KeyRound}
          className="whitespace-nowrap"
          busy={renewal.isBusy}
          disabledReason={right}
          aria-label={`Sign in again: ${name}`}
          onClick={renewal.begin}
        >
          Sign in again
        </Button>
      ) : (
        <Button
          icon={RefreshCw}
          busy={isRunning || sync.isPending}
          disabledReason={against}
          aria-label={isRunning ? `Syncing… ${name}` : `Sync now: ${name}`}
          onClick={syncNow}
        >
          {isRunning ? 'Syncing…' : 'Sync now'}
        </Button>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More for ${name}`} />}
        items={[
          ...(isSignIn ? [{ label: 'Sync now', icon: RefreshCw, disabledReason: against, onSelect: syncNow }] : []),
          {
            label: paused ? 'Resume' : 'Pause',
            icon: paused ? Play : Pause,
            disabledReason: right,
            onSelect: () => pause.mutate({ params: { id }, body: { paused: !paused } }),
          },
        ]}
      />
      <RenewalDialog connection={connection} renewal={renewal} />
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
