import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';

import { ErrorBanner } from '../../components/banner.tsx';
import { useStore } from '../../lib/store.ts';
import { grid } from './grid-store.ts';
import { useList } from './list-context.ts';
import { useDays } from './list-queries.ts';
import type { MonthProps } from './month-section.tsx';
import { layOut, topOf, visibleBetween, type Layout, type Period } from './months.ts';
import { isTall, openDay } from './open-sections.ts';
import { RowTable } from './row-table.tsx';
import { useBalances } from './use-balances.ts';
import { useCommented } from './use-commented.ts';
import { useRows, type RowAt } from './use-rows.ts';
import { noteMoved, useNearSpan } from './viewport.ts';

/** Rows come and go so many at a time, and so many beyond the screen are in the page. */
const ROWS_A_STEP = 8;
const ROWS_BEYOND = 24;

/** The rows of a month that is open: those near the screen, and room for the others. */
export function OpenMonth({ month, stretch, offset, start, first }: MonthProps) {
  const { filters, heights } = useList();
  const body = useRef<HTMLDivElement>(null);
  const span = useNearSpan(body, ROWS_A_STEP * heights.row, ROWS_BEYOND * heights.row);
  const counted = useDays(filters, stretch);
  const own = useMemo(() => counted?.filter(({ key }) => key.startsWith(month.key)), [counted, month.key]);
  const chosenDay = useStore(openDay);
  const single = isTall(month) ? (own?.find(({ key }) => key === chosenDay) ?? own?.[0])?.key : undefined;
  const layout = useMemo(
    () => own && layOut(own, heights, (day) => single === undefined || day === single),
    [own, heights, single],
  );
  const near = layout ? visibleBetween(layout, heights, span.top, span.bottom) : [];
  const from = near.length === 0 ? 0 : Math.min(...near.map(({ at, from: row }) => at.start + row));
  const to = Math.max(0, ...near.map(({ at, to: row }) => at.start + row));
  const rows = useRows({ filters, stretch, days: counted, first, offset, from: start + from, to: start + to });
  const rowAt: RowAt = (index) => rows.rowAt(start + index);
  const shown = layout ?? provisional(rowAt, month, heights);
  const balances = useBalances(month.key);
  const commented = useCommented(stretch);
  useHandle(month.key, { rowAt, layout: shown, body });
  const cursor = useCursorIn(month.key);
  useLayoutEffect(noteMoved, [shown.height]);
  return (
    <div ref={body}>
      {rows.failed && <ErrorBanner error={rows.failed.error} onRetry={rows.failed.refetch} />}
      <RowTable
        section={month.key}
        count={month.count}
        layout={shown}
        daysOpenSingly={single !== undefined}
        visible={layout ? near : visibleBetween(shown, heights, span.top, span.bottom)}
        cursor={cursor}
        rowAt={rowAt}
        balances={balances}
        commented={commented}
      />
    </div>
  );
}

/** Until the days are counted: those of the rows that are there, and room for the rest. */
function provisional(rowAt: RowAt, month: Period, heights: { row: number; day: number }): Layout {
  const days = new Map<string, number>();
  let known = 0;
  for (let row = rowAt(0); row?.date?.startsWith(month.key) === true && known < month.count; row = rowAt(known)) {
    days.set(row.date, (days.get(row.date) ?? 0) + 1);
    known++;
  }
  const periods = [...days].map(([key, count]) => ({ key, count, counted: undefined, totals: undefined }));
  const layout = layOut(periods, heights, () => true);
  return { ...layout, height: layout.height + (month.count - known) * heights.row };
}

interface Shown {
  rowAt: RowAt;
  layout: Layout;
  body: React.RefObject<HTMLDivElement | null>;
}

/** Lets keys find the rows of the section. */
function useHandle(section: string, shown: Shown): void {
  const { register, heights } = useList();
  const latest = useRef(shown);
  useLayoutEffect(() => {
    latest.current = shown;
  });
  useLayoutEffect(() => {
    register(section, {
      rowAt: (index) => latest.current.rowAt(index),
      reveal: (index) => {
        const { body, layout } = latest.current;
        const top = body.current?.getBoundingClientRect().top ?? 0;
        scrollBy({ top: top + topOf(layout, heights, index) - innerHeight / 2, behavior: 'instant' });
      },
    });
    return () => register(section, null);
  }, [section, register, heights]);
}

/** The row with the cursor, which stays in the page wherever the screen is. */
export function useCursorIn(section: string): number | undefined {
  return useSyncExternalStore(grid.subscribe, () => {
    const { cursor } = grid.get();
    return cursor?.section === section ? cursor.index : undefined;
  });
}
