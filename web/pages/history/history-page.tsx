import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown, History } from 'lucide-react';
import { useMemo } from 'react';

import { listChangeSets } from '../../../src/features/change-sets/change-sets.contract.ts';
import { getOverview } from '../../../src/features/overview/overview.contract.ts';
import { queryOptions, useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ChangeSetEntry, countsOfSync } from '../../components/changes/change-set-entry.tsx';
import type { ChangeSet } from '../../components/changes/change-set-words.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useFilters } from '../../components/filters.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { inWords } from '../../lib/days.ts';
import { instantInWords, timeInWords } from '../../lib/instants.ts';
import { inDigits } from '../../lib/numbers.ts';
import { byDay, entriesOf, inAsked, type Asked } from './history.ts';
import { HistoryFilters, Search } from './history-filters.tsx';

const PER_PAGE = '50';

/** Everything that was written, day by day, with the way back. */
export default function HistoryPage() {
  const { values, change, clear, isFiltered } = useFilters('/history', Search);
  const overview = useApiQuery(getOverview, {});
  return (
    <>
      <PageHeader
        title="History"
        lead="Everything that was changed here: by whom, through what and why. Most of it can be undone."
      />
      <HistoryFilters values={values} onChange={change} onClear={isFiltered ? clear : undefined} />
      <Loaded query={overview} lines={8}>
        {({ timezone }) => (
          <Changes asked={inAsked(values, timezone)} timezone={timezone} onClear={isFiltered ? clear : undefined} />
        )}
      </Loaded>
    </>
  );
}

interface ChangesProps {
  asked: Asked;
  timezone: string;
  onClear: (() => void) | undefined;
}

function Changes({ asked, timezone, onClear }: ChangesProps) {
  const pages = useHistory(asked);
  const sets = useMemo(() => pages.data?.pages.flatMap(({ change_sets: found }) => found) ?? [], [pages.data]);
  return (
    <Loaded query={pages} lines={8}>
      {() =>
        sets.length === 0 ? (
          <Nothing onClear={onClear} />
        ) : (
          <>
            {byDay(sets, timezone).map(([day, ofDay]) => (
              <Day key={day} day={day} sets={ofDay} timezone={timezone} />
            ))}
            {pages.hasNextPage && (
              <div className="mt-4 text-center">
                <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}

/** Page after page; those that were read stay, so that Back from one of them finds its place. */
function useHistory(asked: Asked) {
  const query = { ...asked, limit: PER_PAGE };
  return useInfiniteQuery({
    queryKey: [...queryOptions(listChangeSets, { query }).queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      queryOptions(listChangeSets, { query: { ...query, ...(pageParam && { cursor: pageParam }) } }).queryFn({
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.next_cursor : undefined),
  });
}

interface DayProps {
  day: string;
  sets: readonly ChangeSet[];
  timezone: string;
}

function Day({ day, sets, timezone }: DayProps) {
  return (
    <section aria-labelledby={`day-${day}`} className="mb-6">
      <h2 id={`day-${day}`} className="mb-2 font-semibold">
        {inWords(day, 'long')}
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4 sm:px-6">
        {entriesOf(sets).map((entry) => (
          <li key={entry[0].id} className="py-3">
            {entry.length === 1 ? (
              <ChangeSetEntry set={entry[0]} when={<Time at={entry[0].created_at} timezone={timezone} />} isLong />
            ) : (
              <Syncs sets={entry} timezone={timezone} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Syncs in a row are one line until they are asked for. */
function Syncs({ sets, timezone }: Pick<DayProps, 'sets' | 'timezone'>) {
  return (
    <details className="group">
      <summary className="target flex cursor-pointer list-none items-center gap-2 rounded-control">
        <ChevronDown aria-hidden size={16} className="shrink-0 group-open:rotate-180" />
        <span className="font-medium">{inDigits(sets.length)} syncs</span>
        <span className="text-sm text-muted">{countsOfSync(sets)}</span>
      </summary>
      <ul className="mt-2 divide-y divide-line border-t border-line pl-6">
        {sets.map((set) => (
          <li key={set.id} className="py-3">
            <ChangeSetEntry set={set} when={<Time at={set.created_at} timezone={timezone} />} isLong />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Time({ at, timezone }: { at: string; timezone: string }) {
  return (
    <time dateTime={at} title={instantInWords(at, timezone)}>
      {timeInWords(at, timezone)}
    </time>
  );
}

function Nothing({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear) {
    return (
      <EmptyState
        icon={History}
        title="No change matches the filters"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Clear them to see the others.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={History} title="Nothing has changed yet">
      What people, rules, agents, imports and syncs change appears here, with the way back.
    </EmptyState>
  );
}
