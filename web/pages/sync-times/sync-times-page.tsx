import { useState } from 'react';

import { listConfig } from '../../../src/features/config/config.contract.ts';
import { listConnections } from '../../../src/features/connections/connections.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { bankName, intervalInWords, type Connection } from '../connections/connection-words.ts';
import { IntervalDialog } from '../connections/interval-dialog.tsx';
import { ConfigSection, type ConfigField } from '../general/config-section.tsx';

const FIELDS: readonly ConfigField[] = [
  {
    key: 'sync_interval_minutes',
    label: 'Minutes between syncs',
    hint: 'For every bank without its own interval, 15 to 10080. Banks post most transactions once or twice a day.',
    type: 'number',
  },
  { key: 'sync_concurrency', label: 'Banks synced at once', hint: '1 to 32.', type: 'number' },
  {
    key: 'sync_timeout_seconds',
    label: 'Seconds before a sync is abandoned',
    hint: 'It is retried later. A first sync gets four times as long.',
    type: 'number',
  },
  {
    key: 'consent_warning_days',
    label: 'Days of warning before a permission ends',
    hint: 'Some banks end your permission after a while.',
    type: 'number',
  },
];

/** How often banks are asked, altogether and one by one. */
export default function SyncTimesPage() {
  const config = useApiQuery(listConfig, {});
  const connections = useApiQuery(listConnections, {});
  return (
    <>
      <PageHeader title="Sync times" lead="How often banks are asked for new transactions." />
      <Loaded query={config} lines={6}>
        {(entries) => (
          <ConfigSection
            title="For all banks"
            about="How often banks are asked, and how patiently. A bank may have an interval of its own."
            fields={FIELDS}
            entries={entries}
          />
        )}
      </Loaded>
      <Section title="Bank by bank">
        <Loaded query={connections} lines={4}>
          {(list) => <Times list={list.filter(({ provider }) => provider !== 'csv')} />}
        </Loaded>
      </Section>
    </>
  );
}

function Times({ list }: { list: readonly Connection[] }) {
  const right = useReasonAgainst('full_access');
  const [edited, edit] = useState<Connection | null>(null);
  const columns: Column<Connection>[] = [
    {
      title: 'Bank',
      isRowHeader: true,
      cell: (one) => (
        <PageLink to="/connections/{id}" params={{ id: one.short_id }} className={LINK_ALONE}>
          {bankName(one)}
        </PageLink>
      ),
    },
    { title: 'How often', cell: (one) => intervalInWords(one.sync_interval_seconds) },
    {
      title: 'Next sync',
      cell: (one) => <Instant isPlanned at={one.next_sync_at} never={one.paused ? 'paused' : '–'} />,
    },
    {
      title: 'Actions',
      isActions: true,
      cell: (one) => (
        <Button disabledReason={right} aria-label={`Change how often ${bankName(one)} syncs`} onClick={() => edit(one)}>
          Change
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable
        caption="How often each bank is synced"
        columns={columns}
        rows={list}
        keyOf={(one) => one.id}
        empty={<p className="text-muted">No bank is connected yet.</p>}
      />
      {edited && <IntervalDialog connection={edited} onClose={() => edit(null)} />}
    </>
  );
}
