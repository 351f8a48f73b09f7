import { Building2, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';

import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { listSyncLogs, triggerSync } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { ActionLink } from '../../components/action-link.tsx';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/choice-fields.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFilters } from '../../components/filters.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Awaited, Loaded } from '../../components/skeleton.tsx';
import { ByFileOnly } from './by-file-only.tsx';
import { ConnectionTable } from './connection-table.tsx';
import { reasonAgainstSync, type Connection } from './connection-words.ts';
import { AFTER_SYNC, useRunningSyncs } from './running-syncs.ts';
import { SyncHealth } from './sync-health.tsx';
import { WhatWasAsked, type Asked } from './what-was-asked.tsx';

const Search = z.object({ disconnected: z.literal('shown') });

/** The banks of the household: how each is, and what to do about it. */
export default function ConnectionsPage() {
  const { values, change } = useFilters('/connections', Search);
  const query = values.disconnected === 'shown' ? { include_disconnected: 'true' } : {};
  const connections = useApiQuery(listConnections, { query }, { refetchInterval: 60_000 });
  const running = useRunningSyncs();
  const [asked, setAsked] = useState<Asked | null>(null);
  const sync = useApiWrite(triggerSync, {
    refreshes: [...AFTER_SYNC, listSyncLogs],
    onSuccess: ({ syncs }) => setAsked(syncs),
  });
  return (
    <>
      <PageHeader
        title="Connections"
        lead="The banks that send new transactions automatically, and the accounts you update from bank files."
        actions={
          <Actions connections={connections.data} isSyncing={sync.isPending} onSync={() => sync.mutate({ body: {} })} />
        }
      />
      {sync.error !== null && <ErrorBanner error={sync.error} onRetry={() => sync.mutate({ body: {} })} />}
      <StateOfSyncing connections={connections.data} />
      <Section
        title="Banks"
        actions={
          <Switch
            label="Show disconnected"
            checked={values.disconnected === 'shown'}
            onChange={(isOn) => change({ disconnected: isOn ? 'shown' : undefined })}
          />
        }
      >
        <Loaded query={connections} lines={6}>
          {(list) => (
            <>
              {asked && <WhatWasAsked asked={asked} connections={list} onClose={() => setAsked(null)} />}
              <ConnectionTable list={list} running={running} empty={<NoBanks />} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}

/** Which of the two it is, the list says: until then it keeps the room. */
function StateOfSyncing({ connections }: { connections: readonly Connection[] | undefined }) {
  if (connections === undefined) return <Awaited />;
  return isByFileOnly(connections) ? <ByFileOnly /> : <SyncHealth />;
}

/** No live bank is synced, and some accounts are kept by files. */
function isByFileOnly(list: readonly Connection[]): boolean {
  const live = list.filter(({ status }) => status !== 'disconnected');
  return live.length > 0 && live.every(({ provider }) => provider === 'csv');
}

interface ActionsProps {
  connections: readonly Connection[] | undefined;
  isSyncing: boolean;
  onSync: () => void;
}

function Actions({ connections, isSyncing, onSync }: ActionsProps) {
  const right = useReasonAgainst('full_access');
  const canSync = connections?.some((one) => reasonAgainstSync(one) === undefined) ?? true;
  return (
    <>
      <Button
        icon={RefreshCw}
        busy={isSyncing}
        disabledReason={right ?? (canSync ? undefined : 'No bank is connected.')}
        onClick={onSync}
      >
        Sync all
      </Button>
      <AddBank />
    </>
  );
}

function AddBank() {
  return (
    <ActionLink to="/connections/new" look="primary" icon={Plus} disabledReason={useReasonAgainst('full_access')}>
      Add a bank
    </ActionLink>
  );
}

function NoBanks() {
  return (
    <EmptyState icon={Building2} title="No banks yet" action={<AddBank />}>
      Banks that you connect appear here, with the state of each.
    </EmptyState>
  );
}
