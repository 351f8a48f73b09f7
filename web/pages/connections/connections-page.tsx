import { Building2, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';

import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { listSyncLogs, triggerSync } from '../../../src/features/sync/sync.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Switch } from '../../components/choice-fields.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFilters } from '../../components/filters.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { PageLink } from '../../lib/page-link.tsx';
import { ConnectionTable } from './connection-table.tsx';
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
        actions={<Actions isSyncing={sync.isPending} onSync={() => sync.mutate({ body: {} })} />}
      />
      {sync.error !== null && <ErrorBanner error={sync.error} onRetry={() => sync.mutate({ body: {} })} />}
      <SyncHealth />
      <Section title="Banks">
        <Loaded query={connections} lines={6}>
          {(list) => (
            <>
              {asked && <WhatWasAsked asked={asked} connections={list} onClose={() => setAsked(null)} />}
              <ConnectionTable list={list} running={running} empty={<NoBanks />} />
            </>
          )}
        </Loaded>
        <div className="mt-4 max-w-sm">
          <Switch
            label="Show disconnected banks"
            checked={values.disconnected === 'shown'}
            onChange={(isOn) => change({ disconnected: isOn ? 'shown' : undefined })}
          />
        </div>
      </Section>
    </>
  );
}

function Actions({ isSyncing, onSync }: { isSyncing: boolean; onSync: () => void }) {
  const reason = useReasonAgainst('full_access');
  return (
    <>
      <Button icon={RefreshCw} busy={isSyncing} disabledReason={reason} onClick={onSync}>
        Sync all
      </Button>
      <AddBank />
    </>
  );
}

function AddBank() {
  const reason = useReasonAgainst('full_access');
  if (reason !== undefined) return <Button disabledReason={reason}>Add a bank</Button>;
  return (
    <PageLink to="/connections/new" className={buttonClass('primary')}>
      <Plus aria-hidden size={18} />
      Add a bank
    </PageLink>
  );
}

function NoBanks() {
  return (
    <EmptyState icon={Building2} title="No banks yet" action={<AddBank />}>
      Banks that you connect appear here, with the state of each.
    </EmptyState>
  );
}
