import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { ErrorBanner } from '../../components/banner.tsx';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { inWords } from '../../lib/days.ts';
import { counted } from '../../lib/numbers.ts';
import type { View } from './filters.ts';
import { grid } from './grid-store.ts';
import { useMonths } from './list-queries.ts';
import { ListProvider } from './list-context.ts';
import { MonthRail, MonthSelect } from './month-rail.tsx';
import { MonthSection } from './month-section.tsx';
import { periodsOf, placesOf, type Period } from './months.ts';
import { shown } from './sections.ts';
import { useGrid } from './use-grid.ts';
import { useMonthsOnScreen } from './use-months-on-screen.ts';

interface MonthListProps {
  view: View;
  first: readonly TransactionRecord[];
}

/** The list month by month, with the rail that leads to each. */
export function MonthList({ view, first }: MonthListProps) {
  const { rows, money } = useMonths(view);
  const isProvisional = rows.data === undefined;
  const months = useMemo(
    () => (rows.data ? periodsOf(rows.data, money.data) : provisional(first)),
    [rows.data, money.data, first],
  );
  const list = useRef<HTMLDivElement>(null);
  const { open, current, toggle, openNow, goTo } = useMonthsOnScreen(list, months);
  const [said, say] = useState('');
  const go = (month: string): void => {
    goTo(month);
    grid.set({ ...grid.get(), cursor: null, editing: null });
    const found = months.find(({ key }) => key === month);
    if (found) say(`${inWords(`${month}-01`, 'month')}, ${counted(found.count, 'transaction')}`);
  };
  const goByAddress = useMonthInAddress(go, !isProvisional);
  const context = useGrid(view, { openSection: openNow, current, goToSection: goByAddress });
  useLayoutEffect(() => {
    shown.filters = view.filters;
    shown.sections = { ...shown.sections, all: months };
  }, [months, view]);
  const placed = useMemo(() => placesOf(months), [months]);
  const latestToggle = useRef(toggle);
  useEffect(() => {
    latestToggle.current = toggle;
  });
  const [onToggle] = useState(() => (month: string) => latestToggle.current(month));
  const failed = rows.error ?? money.error;
  return (
    <ListProvider value={context}>
      {failed && <ErrorBanner error={failed} onRetry={() => void Promise.all([rows.refetch(), money.refetch()])} />}
      <p role="status" className="sr-only">
        {said}
      </p>
      {!isProvisional && <MonthSelect months={months} current={current} onGo={goByAddress} />}
      <div className="flex gap-6">
        <div ref={list} className="min-w-0 flex-1 [overflow-anchor:none]">
          {placed.map(({ month, stretch, offset, start }) => (
            <MonthSection
              key={month.key}
              month={month}
              stretch={stretch}
              offset={offset}
              start={start}
              first={first}
              isOpen={open.has(month.key)}
              isProvisional={isProvisional}
              onToggle={onToggle}
            />
          ))}
        </div>
        {!isProvisional && <MonthRail months={months} current={current} onGo={goByAddress} />}
      </div>
    </ListProvider>
  );
}

/** The months of the rows that are there, before all are counted. */
function provisional(first: readonly TransactionRecord[]): Period[] {
  const counts = new Map<string, number>();
  for (const { date = '' } of first) counts.set(date.slice(0, 7), (counts.get(date.slice(0, 7)) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, count, counted: undefined, totals: undefined }));
}

/** The month that the list was brought to is in the address, behind `#`: Back leads to the one before. */
function useMonthInAddress(go: (month: string) => void, isReady: boolean): (month: string) => void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate();
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (isReady && /^\d{4}-\d\d$/.test(hash)) latest.current(hash);
  }, [hash, isReady]);
  return (month) => {
    if (month === hash) return go(month);
    const target = { to: '.', search: true, hash: month, hashScrollIntoView: false, resetScroll: false };
    void navigate(target as unknown as Parameters<typeof navigate>[0]);
  };
}
