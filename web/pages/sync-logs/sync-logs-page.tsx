import { RefreshCw } from 'lucide-react';
import { z } from 'zod';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { getSyncStats, listSyncLogs } from '../../../src/features/sync/sync.contract.ts';
import { usePages } from '../../api/pages.ts';
import { useApiQuery } from '../../api/queries.ts';
import { ActionLink } from '../../components/action-link.tsx';
import { Facts } from '../../components/definition-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterDay, FilterSelect, optionsOf, useFilters } from '../../components/filters.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { addDays, startOfDay } from '../../lib/days.ts';
import { durationInWords, inDigits } from '../../lib/numbers.ts';
import { BankFilters } from '../connections/bank-filters.tsx';
import { SyncLogTable } from './sync-log-table.tsx';
import { STATUS_WORDS, TRIGGER_WORDS } from './sync-log-words.ts';
import { FIGURE_ALONE, PageLink } from '../../lib/page-link.tsx';
import { useReasonAgainst } from '../../api/session.ts';

const PER_PAGE = 50;
const REFRESH_MS = 10_000;
const Search = z.object({
  connection_id: z.string(),
  provider: z.enum(['plaid', 'teller']),
  status: z.enum(['in_progress', 'success', 'error']),
  trigger: z.enum(['cron', 'webhook', 'manual', 'initial']),
  from: z.iso.date(),
  to: z.iso.date(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

/** Every run of a sync, with what it did or why it failed. */
export default function SyncLogsPage() {
  const { values, change, clear, isFiltered } = useFilters('/sync-logs', Search);
  const filters = useAskedFilters(values);
  return (
    <>
      <PageHeader title="Syncs" lead="Every time a bank was asked for new transactions, and what came of it." />
      <Filters values={values} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Loaded query={filters} lines={8}>
        {(known) => (
          <>
            <Rates filters={known} search={values} />
            <Logs key={JSON.stringify(values)} filters={known} isFiltered={isFiltered} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The filters as the API takes them. Days are those of the household, whose time zone is asked for; the last is included. */
function useAskedFilters({ from, to, ...rest }: Chosen) {
  const { data: overview, error, refetch } = useApiQuery(getOverview, {});
  const filters = rest as Record<string, string>;
  if (from === undefined && to === undefined) return { data: filters, error: null, refetch };
  if (overview === undefined) return { data: undefined, error, refetch };
  const start = (day: string): string => startOfDay(overview.timezone, day);
  const range = { ...(from && { from: start(from) }), ...(to && { to: start(addDays(to, 1)) }) };
  return { data: { ...filters, ...range }, error: null, refetch };
}

interface FiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

function Filters({ values, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar onClear={onClear}>
      <BankFilters connectionId={values.connection_id} provider={values.provider} onChange={onChange} />
      <FilterSelect
        label="Result"
        all="All"
        value={values.status}
        options={optionsOf(STATUS_WORDS, ({ word }) => word)}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterSelect
        label="Why"
        all="All"
        value={values.trigger}
        options={optionsOf(TRIGGER_WORDS, (label) => label)}
        onChange={(value) => onChange({ trigger: value })}
      />
      <FilterDay label="From" value={values.from} onChange={(from) => onChange({ from })} />
      <FilterDay label="To" value={values.to} onChange={(to) => onChange({ to })} />
    </FilterBar>
  );
}

function Rates({ filters, search }: { filters: Record<string, string>; search: Chosen }) {
  const stats = useApiQuery(getSyncStats, { query: filters }, { placeholderData: (earlier) => earlier });
  return (
    <Section title="Altogether">
      <Loaded query={stats} lines={2}>
        {(found) => <Facts items={ratesOf(found, search)} />}
      </Loaded>
    </Section>
  );
}

/** Those that failed, of the ones that the filters show. */
function Failed({ count, search }: { count: number; search: Chosen }) {
  if (count === 0) return inDigits(count);
  return (
    <PageLink to="/sync-logs" search={{ ...search, status: 'error' }} className={FIGURE_ALONE}>
      {inDigits(count)}
    </PageLink>
  );
}

function ratesOf(found: OutputOf<typeof getSyncStats>, search: Chosen) {
  const { success_rate: rate, total_syncs: count, error_count: failed } = found;
  return [
    { term: 'Syncs', value: inDigits(count) },
    { term: 'Failed', value: <Failed count={failed} search={search} /> },
    { term: 'Success', value: rate === null ? 'Nothing has finished yet' : `${inDigits(rate)} %` },
    { term: 'Average time', value: durationInWords(found.avg_duration_ms) },
    {
      term: 'Transactions',
      value: `${inDigits(found.total_added)} new, ${inDigits(found.total_modified)} changed, ${inDigits(found.total_removed)} removed`,
    },
  ];
}

function Logs({ filters, isFiltered }: { filters: Record<string, string>; isFiltered: boolean }) {
  const { query: logs, pagerOf } = usePages(
    listSyncLogs,
    { query: { ...filters, limit: String(PER_PAGE) } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section title="Runs">
      <Loaded query={logs} lines={8}>
        {(found) => (
          <>
            <SyncLogTable list={found.sync_logs} withBank empty={<NoLogs isFiltered={isFiltered} />} />
            <Pager label="syncs" {...pagerOf(found)} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function NoLogs({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={RefreshCw}
      title={isFiltered ? 'No sync matches the filters' : 'No syncs yet'}
      action={!isFiltered && <AddBank />}
    >
      {isFiltered ? 'Clear the filters to see the others.' : 'They appear here once a bank is connected.'}
    </EmptyState>
  );
}

function AddBank() {
  return (
    <ActionLink to="/connections/new" disabledReason={useReasonAgainst('full_access')}>
      Add a bank
    </ActionLink>
  );
}
