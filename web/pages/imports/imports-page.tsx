import { FileUp } from 'lucide-react';
import { z } from 'zod';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { listImports } from '../../../src/features/imports/imports.contract.ts';
import { useAccounts, useMembers } from '../../api/lists.ts';
import { usePages } from '../../api/pages.ts';
import { useApiQuery } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterDay, FilterSelect, optionsOf, useFilters } from '../../components/filters.tsx';
import { AccountOfImport } from '../../components/import/account-of-import.tsx';
import { DropArea, ImportButton } from '../../components/import/import-button.tsx';
import {
  fileNameOf,
  isRunning,
  PROOF_WORDS,
  STATUS_WORDS,
  type ImportSummary,
} from '../../components/import/import-words.ts';
import { ImportProgress } from '../../components/import/running-import.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { addDays, startOfDay } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';
import { LINK, PageLink } from '../../lib/page-link.tsx';

const PER_PAGE = 50;
const REFRESH_MS = 10_000;
const RUNNING_MS = 2_000;
const FORMATS = {
  csv: 'CSV',
  ofx: 'OFX',
  qfx: 'QFX',
  qif: 'QIF',
  camt053: 'CAMT.053',
  mt940: 'MT940',
} as const;
type Format = keyof typeof FORMATS;
const Search = z.object({
  account_id: z.string(),
  user_id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'reverted', 'partly_reverted']),
  format: z.enum(Object.keys(FORMATS) as [Format, ...Format[]]),
  from: z.iso.date(),
  to: z.iso.date(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

/** Every bank file that was imported: what came of it, and whether it added up. */
export default function ImportsPage() {
  const { values, change, clear, isFiltered } = useFilters('/imports', Search);
  const filters = useAskedFilters(values);
  return (
    <>
      <PageHeader
        title="Imports"
        lead="The bank files that were imported, and what came of each. A file can be dropped on any page."
        actions={<ImportButton look="primary" />}
      />
      <Filters values={values} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Loaded query={filters} lines={8}>
        {(known) => <Imports key={JSON.stringify(values)} filters={known} isFiltered={isFiltered} />}
      </Loaded>
    </>
  );
}

/** The filters as the API takes them. Days are those of the household; the last is included. */
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
  const accounts = useAccounts() ?? [];
  const members = useMembers() ?? [];
  return (
    <FilterBar onClear={onClear}>
      <FilterSelect
        label="Account"
        all="All accounts"
        value={values.account_id}
        options={accounts.map(({ id, display_name: own, name }) => ({ value: id, label: own ?? name ?? '' }))}
        onChange={(value) => onChange({ account_id: value })}
      />
      {members.length > 1 && (
        <FilterSelect
          label="Whose"
          all="Everybody’s"
          value={values.user_id}
          options={members.map(({ short_id: value, name: label }) => ({ value, label }))}
          onChange={(value) => onChange({ user_id: value })}
        />
      )}
      <FilterSelect
        label="State"
        all="All"
        value={values.status}
        options={optionsOf(STATUS_WORDS, ({ word }) => word)}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterSelect
        label="Format"
        all="All"
        value={values.format}
        options={optionsOf(FORMATS, (label) => label)}
        onChange={(value) => onChange({ format: value })}
      />
      <FilterDay label="From" value={values.from} onChange={(from) => onChange({ from })} />
      <FilterDay label="To" value={values.to} onChange={(to) => onChange({ to })} />
    </FilterBar>
  );
}

function Imports({ filters, isFiltered }: { filters: Record<string, string>; isFiltered: boolean }) {
  const { query, pagerOf } = usePages(
    listImports,
    { query: { ...filters, limit: String(PER_PAGE) } },
    { refetchInterval: ({ state: { data } }) => (data?.imports.some(isRunning) === true ? RUNNING_MS : REFRESH_MS) },
  );
  return (
    <Loaded query={query} lines={8}>
      {(found) => (
        <>
          <DataTable
            caption="Imports, newest first"
            columns={COLUMNS}
            rows={found.imports}
            keyOf={({ id }) => id}
            empty={isFiltered ? <NoneFound /> : <DropArea />}
          />
          <Pager label="imports" {...pagerOf(found)} />
        </>
      )}
    </Loaded>
  );
}

const COLUMNS: readonly Column<ImportSummary>[] = [
  {
    title: 'File',
    isRowHeader: true,
    cell: (one) => (
      <PageLink to="/imports/{id}" params={{ id: one.short_id }} className={LINK}>
        <bdi>{fileNameOf(one)}</bdi>
      </PageLink>
    ),
  },
  {
    title: 'When',
    cell: ({ created_at: at }) => (
      <span className="whitespace-nowrap">
        <Instant at={at} />
      </span>
    ),
  },
  { title: 'Account', cell: ({ accounts }) => (accounts.length === 0 ? null : <Accounts accounts={accounts} />) },
  { title: 'By', cell: ({ actor_name: actor }) => <bdi>{actor}</bdi> },
  { title: 'New', align: 'end', cell: ({ counts, status }) => (isWritten(status) ? inDigits(counts.added) : null) },
  {
    title: 'Known',
    align: 'end',
    cell: ({ counts, status }) => (isWritten(status) ? inDigits(counts.duplicate + counts.deleted) : null),
  },
  { title: 'Balance', cell: (one) => <Proof one={one} /> },
  { title: 'State', cell: (one) => <State one={one} /> },
];

function isWritten(status: ImportSummary['status']): boolean {
  return !['queued', 'running', 'failed'].includes(status);
}

function Accounts({ accounts }: Pick<ImportSummary, 'accounts'>) {
  const [first] = accounts;
  if (!first || accounts.length > 1) return <>{inDigits(accounts.length)} accounts</>;
  return <AccountOfImport account={first} />;
}

/** What an undone import said of its balance is no longer about the rows that are there. */
function Proof({ one: { balance_proof: proof, status } }: { one: ImportSummary }) {
  const { tone, word } = PROOF_WORDS[proof.status];
  if (!isWritten(status) || status === 'reverted') return null;
  return tone === null ? (
    <span className="whitespace-nowrap text-muted">{word}</span>
  ) : (
    <Status tone={tone}>{word}</Status>
  );
}

function State({ one }: { one: ImportSummary }) {
  const { tone, word } = STATUS_WORDS[one.status];
  if (!isRunning(one)) return <Status tone={tone}>{word}</Status>;
  return (
    <div className="min-w-40">
      <ImportProgress progress={one.progress} label={`Import of ${fileNameOf(one)}`} />
    </div>
  );
}

function NoneFound() {
  return (
    <EmptyState icon={FileUp} title="No import matches the filters">
      Clear the filters to see the others.
    </EmptyState>
  );
}
