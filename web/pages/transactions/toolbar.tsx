import { ListFilter } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { useTimezone } from '../../api/timezone.ts';
import { Button } from '../../components/button.tsx';
import { Drawer } from '../../components/dialog.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { nowMs } from '../../lib/clock.ts';
import { dayIn } from '../../lib/days.ts';
import { datesOf, PERIODS, periodOf, usualOrder, type Period, type SortKey } from './filters.ts';
import { SearchBox } from './search-box.tsx';
import type { ViewInAddress } from './use-view.ts';

// Few visits need it.
const FilterSheet = lazy(async () => ({ default: (await import('./filter-sheet.tsx')).FilterSheet }));

const SORTS: Readonly<Record<string, string>> = {
  'date desc': 'Newest first',
  'date asc': 'Oldest first',
  'amount desc': 'Most money out',
  'amount asc': 'Most money in',
  'name asc': 'Name, A to Z',
  'name desc': 'Name, Z to A',
};

/** Search, the stretch of time, the order, and everything else behind a button. */
export function Toolbar({ view, filter, show }: ViewInAddress) {
  const [isOpen, open] = useState(false);
  const today = dayIn(useTimezone() ?? 'UTC', new Date(nowMs()).toISOString());
  const period = periodOf(view.filters, today);
  const choose = (value: string): void => {
    if (value === 'custom') return open(true);
    const none = { date_from: undefined, date_to: undefined, start_date: undefined, end_date: undefined };
    filter(value === 'all' ? none : { ...none, ...datesOf(value as Period, today) });
  };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
      <SearchBox filters={view.filters} onFilter={filter} />
      <label className="min-w-0 max-sm:flex-1">
        <span className="sr-only">Period</span>
        <select
          className="field target sm:w-auto"
          value={period}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="all">All time</option>
          {Object.entries(PERIODS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          <option value="custom">Other dates…</option>
        </select>
      </label>
      <Order view={view} show={show} />
      <Button icon={ListFilter} aria-haspopup="dialog" onClick={() => open(true)}>
        Filters
      </Button>
      <Drawer open={isOpen} title="Filters" onClose={() => open(false)}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <FilterSheet
            view={view}
            onApply={(filters) => {
              open(false);
              show({ ...view, filters });
            }}
          />
        </Suspense>
      </Drawer>
    </div>
  );
}

function Order({ view, show }: Pick<ViewInAddress, 'view' | 'show'>) {
  return (
    <label className="min-w-0 max-sm:flex-1">
      <span className="sr-only">Order</span>
      <select
        className="field target sm:w-auto"
        value={`${view.sort} ${view.order}`}
        onChange={(event) => {
          const [sort, order] = event.currentTarget.value.split(' ') as [SortKey, 'asc' | 'desc'];
          show({ ...view, sort, order: order ?? usualOrder(sort) });
        }}
      >
        {Object.entries(SORTS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
