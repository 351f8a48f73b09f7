import { FileDiff } from 'lucide-react';
import { z } from 'zod';

import { listProposals } from '../../../src/features/proposals/proposals.contract.ts';
import { usePages } from '../../api/pages.ts';
import { Undone } from '../../components/changes/undone.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect, useFilters } from '../../components/filters.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { counted } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { countsInWords, STATUS_WORDS, titleOf, TotalsList, type Proposal } from './proposal-words.tsx';

const PER_PAGE = 50;
const REFRESH_MS = 10_000;
const Search = z.object({ status: z.enum(['applied', 'rejected', 'expired', 'all']) });

/** What agents want to change, newest first: what waits for a decision, unless asked for more. */
export default function ProposalsPage() {
  const { values, change, clear, isFiltered } = useFilters('/proposals', Search);
  return (
    <>
      <PageHeader title="Proposals" lead="Changes that agents want to make. Nothing happens until you decide." />
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <FilterSelect
          label="State"
          isWide
          all="Waiting for you"
          value={values.status}
          options={[
            { value: 'applied', label: 'Approved' },
            { value: 'rejected', label: 'Rejected' },
            { value: 'expired', label: 'Expired' },
            { value: 'all', label: 'All' },
          ]}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <ProposalList key={values.status ?? ''} status={values.status} />
    </>
  );
}

function ProposalList({ status }: { status: string | undefined }) {
  const { query: list, pagerOf } = usePages(
    listProposals,
    { query: { limit: String(PER_PAGE), ...(status ? { status } : {}) } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section title="Plans">
      <Loaded query={list} lines={6}>
        {(found) => (
          <>
            <DataTable
              caption="Proposals, newest first"
              columns={COLUMNS}
              rows={found.proposals}
              keyOf={({ id }) => id}
              empty={<NoProposals isFiltered={status !== undefined} />}
            />
            <Pager label="proposals" {...pagerOf(found)} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const COLUMNS: readonly Column<Proposal>[] = [
  {
    title: 'Plan',
    isRowHeader: true,
    cell: (one) => (
      <>
        <PageLink to="/proposals/{id}" params={{ id: one.short_id }} className={LINK_ALONE}>
          {titleOf(one)}
        </PageLink>
        <span className="block text-sm font-normal text-muted">{one.proposed_by.name}</span>
      </>
    ),
  },
  { title: 'Changes', cell: (one) => countsInWords(one.counts) },
  { title: 'Touches', align: 'end', cell: (one) => <TotalsList totals={one.totals} /> },
  { title: 'Made', cell: (one) => <Instant at={one.proposed_at ?? one.created_at} /> },
  { title: 'State', cell: (one) => <State proposal={one} /> },
];

function State({ proposal }: { proposal: Proposal }) {
  const { status, conflict_count: conflicts, expires_at: expires, change_set_status: became } = proposal;
  const { tone, word } = STATUS_WORDS[status];
  return (
    <>
      <span className="inline-flex flex-wrap gap-1">
        <Status tone={tone}>{word}</Status>
        <Undone status={became} />
      </span>
      {conflicts > 0 && (
        <span className="mt-1 block text-sm text-warning">
          {counted(conflicts, 'change is', 'changes are')} out of date
        </span>
      )}
      {status === 'proposed' && expires !== null && (
        <span className="mt-1 block text-sm text-muted">
          Expires <Instant isPlanned at={expires} />
        </span>
      )}
    </>
  );
}

function NoProposals({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon={FileDiff} title={isFiltered ? 'No such plan' : 'Nothing to decide'}>
      {isFiltered
        ? 'No plan is in this state.'
        : 'When agents may only propose, what they want to change waits here until you approve it.'}
    </EmptyState>
  );
}
