import { History } from 'lucide-react';
import { z } from 'zod';

import { listRuns } from '../../../src/features/workflow-runs/workflow-runs.contract.ts';
import { listWorkflows } from '../../../src/features/workflows/workflows.contract.ts';
import { usePages } from '../../api/pages.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Undone } from '../../components/changes/undone.tsx';
import { ActionLink } from '../../components/action-link.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterDay, FilterSelect, optionsOf, useFilters } from '../../components/filters.tsx';
import { Instant } from '../../components/instant.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { durationInWords } from '../../lib/numbers.ts';
import { LINK_ALONE, PageLink } from '../../lib/page-link.tsx';
import { CAP_NAMES, costInWords, outcomeOf, STATUS_WORDS, TRIGGER_WORDS, type Run } from './run-words.ts';
import { workflowTitle } from '../../lib/workflow-titles.ts';

const PER_PAGE = 50;
const RUNNING_MS = 2_000;
const IDLE_MS = 10_000;

/** Tabs, with the states that each one lists. */
const TABS = {
  all: { label: 'All', status: undefined },
  running: { label: 'Running', status: 'in_progress' },
  done: { label: 'Done', status: 'success' },
  failed: { label: 'Failed', status: 'error,timeout' },
  cancelled: { label: 'Cancelled', status: 'cancelled' },
  skipped: { label: 'Skipped', status: 'skipped' },
} as const;
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

const Search = z.object({
  tab: z.enum(NAMES),
  workflow: z.string(),
  trigger: z.enum(['manual', 'cron', 'after_sync']),
  hit_cap: z.enum(['any', 'max_turns', 'max_budget', 'max_tokens', 'max_duration', 'household_budget']),
  start: z.string(),
  end: z.string(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];

/** What workflows have done: every run, newest first. */
export default function RunsPage() {
  const { values, change, clear } = useFilters('/runs', Search);
  const { tab = 'all', ...filters } = values;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const content = (
    <>
      <Filters values={values} onChange={change} onClear={isFiltered ? () => withTab(tab, clear, change) : undefined} />
      <RunList key={JSON.stringify(values)} tab={tab} filters={filters} isFiltered={isFiltered} />
    </>
  );
  return (
    <>
      <PageHeader title="Runs" lead="Every time a workflow ran, or was kept from running, and what came of it." />
      <Tabs
        label="Runs by state"
        value={tab}
        onChange={(next) => change({ tab: next === 'all' ? undefined : (next as TabName) })}
        tabs={NAMES.map((name) => ({ value: name, label: TABS[name].label, content: name === tab ? content : null }))}
      />
    </>
  );
}

/** Clearing the filters leaves the tab. */
function withTab(tab: TabName, clear: () => void, change: (next: Chosen) => void): void {
  if (tab === 'all') clear();
  else change({ tab, workflow: undefined, trigger: undefined, hit_cap: undefined, start: undefined, end: undefined });
}

interface FiltersProps {
  values: Chosen;
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

function Filters({ values, onChange, onClear }: FiltersProps) {
  const workflows = useApiQuery(listWorkflows, {});
  const known = (workflows.data ?? []).map(({ slug, name }) => ({ value: slug, label: workflowTitle(name).title }));
  const { workflow } = values;
  // A workflow that was deleted is only known from the address.
  const isGone = workflow !== undefined && known.every(({ value }) => value !== workflow);
  return (
    <FilterBar onClear={onClear}>
      <FilterSelect
        label="Workflow"
        all="All"
        value={workflow}
        options={isGone ? [...known, { value: workflow, label: workflow }] : known}
        onChange={(next) => onChange({ workflow: next })}
      />
      <FilterSelect
        label="Why"
        all="All"
        value={values.trigger}
        options={optionsOf(TRIGGER_WORDS, (label) => label)}
        onChange={(trigger) => onChange({ trigger })}
      />
      <FilterSelect
        label="Stopped at a limit"
        all="All"
        value={values.hit_cap}
        options={[{ value: 'any', label: 'Any limit' }, ...optionsOf(CAP_NAMES, (label) => label)]}
        onChange={(cap) => onChange({ hit_cap: cap })}
      />
      <FilterDay label="From" value={values.start} onChange={(start) => onChange({ start })} />
      <FilterDay label="To" value={values.end} onChange={(end) => onChange({ end })} />
    </FilterBar>
  );
}

interface RunListProps {
  tab: TabName;
  filters: Omit<Chosen, 'tab'>;
  isFiltered: boolean;
}

function RunList({ tab, filters, isFiltered }: RunListProps) {
  const { status } = TABS[tab];
  const asked = { ...filters, status, limit: String(PER_PAGE) };
  const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const { query: list, pagerOf } = usePages(
    listRuns,
    { query },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.runs.some((run) => run.status === 'in_progress') === true ? RUNNING_MS : IDLE_MS,
    },
  );
  return (
    <Loaded query={list} lines={8}>
      {(found) => (
        <>
          <DataTable
            caption="Runs, newest first"
            columns={COLUMNS}
            rows={found.runs}
            keyOf={({ id }) => id}
            empty={<NoRuns tab={tab} isFiltered={isFiltered} />}
          />
          <Pager label="runs" {...pagerOf(found)} />
        </>
      )}
    </Loaded>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  {
    title: 'Workflow',
    isRowHeader: true,
    cell: (run) => <RunName run={run} />,
  },
  { title: 'Started', cell: (run) => <Instant at={run.started_at} /> },
  { title: 'Why', cell: (run) => TRIGGER_WORDS[run.trigger] },
  { title: 'Result', cell: (run) => <Result run={run} /> },
  { title: 'Cost', align: 'end', cell: (run) => costInWords(run.total_cost_usd) },
  { title: 'Took', align: 'end', cell: (run) => durationInWords(run.duration_ms) },
];

function RunName({ run }: { run: Run }) {
  const { title, name } = workflowTitle(run.workflow_name);
  return (
    <>
      <PageLink to="/runs/{id}" params={{ id: run.short_id }} className={LINK_ALONE}>
        <bdi className="wrap-anywhere">{title}</bdi>
      </PageLink>
      {name !== undefined && <span className="block text-sm font-normal text-muted">{name}</span>}
    </>
  );
}

function Result({ run }: { run: Run }) {
  const { tone, word } = STATUS_WORDS[run.status];
  const outcome = outcomeOf(run);
  return (
    <>
      <span className="inline-flex flex-wrap gap-1">
        <Status tone={tone}>{word}</Status>
        <Undone status={run.change_set_status} />
      </span>
      {outcome !== null && <span className="mt-1 block text-sm text-muted wrap-anywhere">{outcome}</span>}
    </>
  );
}

function NoRuns({ tab, isFiltered }: { tab: TabName; isFiltered: boolean }) {
  const isAll = tab === 'all' && !isFiltered;
  return (
    <EmptyState
      icon={History}
      title={isAll ? 'No runs yet' : 'No such run'}
      action={isAll && <ActionLink to="/workflows">See the workflows</ActionLink>}
    >
      {isAll ? 'They appear here once a workflow has been started.' : 'Other tabs and filters show the others.'}
    </EmptyState>
  );
}
