import { CheckCheck, Newspaper } from 'lucide-react';
import { z } from 'zod';

import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { listReports, markAllReportsRead } from '../../../src/features/reports/reports.contract.ts';
import { useApiQuery, useApiWrite } from '../../api/queries.ts';
import { useReasonAgainst } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, FilterSelect, optionsOf, useFilters } from '../../components/filters.tsx';
import { PageHeader, Section } from '../../components/page-header.tsx';
import { ShowMore, useShown } from '../../components/show-more.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { PageLink } from '../../lib/page-link.tsx';
import { ReportList } from './report-list.tsx';
import { kindInWords, PRIORITIES, type Report } from './report-words.ts';

const LOOKED_AT = '50';
const Search = z.object({
  show: z.enum(['unread', 'read']),
  priority: z.enum(['critical', 'warning', 'info']),
  kind: z.string(),
  tag: z.string(),
});
type Chosen = ReturnType<typeof useFilters<typeof Search>>['values'];
type Filters = Omit<Chosen, 'show'>;

/** What agents, workflows and people told the household: unread first. */
export default function ReportsPage() {
  const { values, change, clear, isFiltered } = useFilters('/reports', Search);
  const { show, ...filters } = values;
  const recent = useApiQuery(listReports, { query: { limit: LOOKED_AT } });
  const isEmpty = recent.data?.length === 0;
  return (
    <>
      <PageHeader
        title="Reports"
        lead="What agents and people wrote for the household. Reading is shared: what one of you has read counts as read."
        actions={isEmpty ? undefined : <MarkAllRead />}
      />
      {isEmpty ? (
        <NoReports />
      ) : (
        <>
          <ReportFilters
            values={values}
            known={recent.data ?? []}
            onChange={change}
            onClear={isFiltered ? clear : undefined}
          />
          {show !== 'read' && (
            <Inbox key={`unread ${JSON.stringify(filters)}`} title="Unread" filters={filters} read="false" />
          )}
          {show !== 'unread' && (
            <Inbox key={`read ${JSON.stringify(filters)}`} title="Read" filters={filters} read="true" />
          )}
        </>
      )}
    </>
  );
}

function MarkAllRead() {
  const right = useReasonAgainst('full_access');
  const { data } = useApiQuery(getOverview, {});
  const markAll = useApiWrite(markAllReportsRead, { undo: 'All reports marked as read' });
  const none = data?.backlog.unread_reports_count === 0 ? 'Everything is read.' : undefined;
  return (
    <Button
      icon={CheckCheck}
      busy={markAll.isPending}
      disabledReason={right ?? none}
      onClick={() => markAll.mutate({})}
    >
      Mark all as read
    </Button>
  );
}

interface ReportFiltersProps {
  values: Chosen;
  /** Where the kinds and tags to choose from come from. */
  known: readonly Report[];
  onChange: (next: Chosen) => void;
  onClear: (() => void) | undefined;
}

function ReportFilters({ values, known, onChange, onClear }: ReportFiltersProps) {
  const kinds = choicesOf([...known.map(({ kind }) => kind), values.kind]);
  const tags = choicesOf([...known.flatMap(({ tags: own }) => own), values.tag]);
  return (
    <FilterBar onClear={onClear}>
      <FilterSelect
        label="Show"
        all="All"
        value={values.show}
        options={[
          { value: 'unread', label: 'Unread' },
          { value: 'read', label: 'Read' },
        ]}
        onChange={(show) => onChange({ show })}
      />
      <FilterSelect
        label="Priority"
        all="All"
        value={values.priority}
        options={optionsOf(PRIORITIES, ({ word }) => word)}
        onChange={(priority) => onChange({ priority })}
      />
      <FilterSelect
        label="Kind"
        all="All"
        value={values.kind}
        options={kinds.map((value) => ({ value, label: kindInWords(value) }))}
        onChange={(kind) => onChange({ kind })}
      />
      <FilterSelect
        label="Tag"
        all="All"
        value={values.tag}
        options={tags.map((value) => ({ value, label: value }))}
        onChange={(tag) => onChange({ tag })}
      />
    </FilterBar>
  );
}

function choicesOf(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].toSorted();
}

interface InboxProps {
  title: string;
  filters: Filters;
  read: 'true' | 'false';
}

function Inbox({ title, filters, read }: InboxProps) {
  const shown = useShown(title);
  const query = { ...filters, read, limit: String(shown.limit) } as Record<string, string>;
  const reports = useApiQuery(
    listReports,
    { query },
    { placeholderData: (earlier) => earlier, refetchInterval: 60_000 },
  );
  const count = reports.data?.length ?? 0;
  return (
    <Section title={title}>
      <Loaded query={reports} lines={4}>
        {(list) => <ReportList label={`${title} reports`} list={list} empty={noneOf(read, filters)} />}
      </Loaded>
      <ShowMore shown={shown} count={count} busy={reports.isPlaceholderData} beyond="Filters find older ones." />
    </Section>
  );
}

function noneOf(read: InboxProps['read'], filters: Filters): string {
  if (Object.values(filters).some((value) => value !== undefined)) return 'None matches the filters.';
  return read === 'false' ? 'Nothing is unread.' : 'Nothing has been read yet.';
}

function NoReports() {
  return (
    <EmptyState
      icon={Newspaper}
      title="No reports yet"
      action={
        <PageLink to="/workflows" className={buttonClass()}>
          See ready-made workflows
        </PageLink>
      }
    >
      Agents, workflows and scripts leave here what they found: where the money went this month, a subscription that
      rose in price, a charge that looks doubled. Two ready-made workflows do nothing else: “Report on the past week”,
      every Monday, and “Report on the past month”, on the first of each month.
    </EmptyState>
  );
}
