import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import type { OutputOf } from '../../../src/contract/operation.ts';
import { listTransactions } from '../../../src/features/transactions/transactions.contract.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { queryOptions, useApiQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { counted, inDigits } from '../../lib/numbers.ts';
import { queryOf, type View } from './filters.ts';
import { ListProvider, useList } from './list-context.ts';
import { AS_READ, useCount } from './list-queries.ts';
import { layOut, topOf, visibleBetween } from './months.ts';
import { PIECE_ROWS } from './piece-rows.ts';
import { useCursorIn } from './open-month.tsx';
import { RowTable } from './row-table.tsx';
import { shown } from './sections.ts';
import { useCommented } from './use-commented.ts';
import { useGrid } from './use-grid.ts';
import { useNearSpan } from './viewport.ts';

const ALL = 'all';
const MOST_SHOWN = 10_000;
const ROWS_A_STEP = 8;
const ROWS_BEYOND = 24;

type Page = OutputOf<typeof listTransactions>;

/** A list without months: in another order, or of deleted rows, which summaries do not know. */
export function PlainList({ view }: { view: View }) {
  const context = useGrid(view, { openSection: () => {}, current: ALL, goToSection: () => {}, isPlain: true });
  return (
    <ListProvider value={context}>
      {view.sort === 'date' ? <ByPage view={view} /> : <AtOnce view={view} />}
    </ListProvider>
  );
}

/** By amount or name there are no pages: the first of them, or all. */
function AtOnce({ view }: { view: View }) {
  const { filters, sort, order } = view;
  const [isWhole, showAll] = useState(false);
  const total = useCount(filters).data?.count;
  const limit = isWhole ? undefined : String(LIMITS.pageMax);
  const query = useApiQuery(listTransactions, { query: queryOf(filters, { sort, order, limit }) }, AS_READ);
  const more = query.data?.has_more === true && total !== undefined;
  return (
    <Loaded query={query} lines={8}>
      {({ transactions }) => (
        <>
          <Rows view={view} rows={transactions} count={transactions.length} />
          {more && (
            <p className="mt-4 flex flex-wrap items-center gap-3 text-muted">
              The first {inDigits(transactions.length)} of {counted(total, 'transaction')}.
              {total <= MOST_SHOWN ? (
                <Button onClick={() => showAll(true)}>Show all</Button>
              ) : (
                <span>
                  More than {inDigits(MOST_SHOWN)} are not shown in this order. A filter finds fewer, and the export has
                  all.
                </span>
              )}
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** In order of date, page after page as one scrolls. */
function ByPage({ view }: { view: View }) {
  const { filters, order } = view;
  const total = useCount(filters).data?.count;
  const input = { query: queryOf(filters, { order, limit: String(PIECE_ROWS) }) };
  const options = queryOptions(listTransactions, input);
  const pages = useInfiniteQuery({
    ...AS_READ,
    queryKey: [...options.queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      queryOptions(listTransactions, {
        query: queryOf(filters, { order, limit: String(PIECE_ROWS), cursor: pageParam }),
      }).queryFn({ signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page) => (last.has_more ? last.next_cursor : undefined),
  });
  const rows = useMemo(() => pages.data?.pages.flatMap(({ transactions }) => transactions) ?? [], [pages.data]);
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const near = (last: number): void => {
    if (last >= rows.length - PIECE_ROWS / 2 && hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <Loaded query={pages} lines={8}>
      {() => <Rows view={view} rows={rows} count={hasNextPage ? (total ?? rows.length) : rows.length} onNear={near} />}
    </Loaded>
  );
}

interface RowsProps {
  view: View;
  rows: readonly TransactionRecord[];
  /** How many there will be. */
  count: number;
  /** The last row that is near the screen. */
  onNear?: (last: number) => void;
}

function Rows({ view: { sort, order }, rows, count, onNear }: RowsProps) {
  const commented = useCommented(null, { sort, order });
  const { heights, register } = useList();
  const body = useRef<HTMLDivElement>(null);
  const span = useNearSpan(body, ROWS_A_STEP * heights.row, ROWS_BEYOND * heights.row);
  const layout = useMemo(
    () => layOut([{ key: ALL, count, counted: undefined, totals: undefined }], heights, () => true),
    [count, heights],
  );
  const visible = visibleBetween(layout, heights, span.top, span.bottom);
  const last = visible.at(-1)?.to ?? 0;
  useEffect(() => onNear?.(last));
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });
  useLayoutEffect(() => {
    shown.sections = { ...shown.sections, all: [{ key: ALL, count: rows.length }] };
  }, [rows.length]);
  useLayoutEffect(() => {
    register(ALL, {
      rowAt: (index) => latest.current[index],
      reveal: (index) => {
        const top = body.current?.getBoundingClientRect().top ?? 0;
        scrollBy({ top: top + topOf(layout, heights, index) - innerHeight / 2, behavior: 'instant' });
      },
    });
    return () => register(ALL, null);
  }, [register, layout, heights]);
  return (
    <div ref={body}>
      <RowTable
        section={ALL}
        count={count}
        layout={layout}
        visible={visible}
        cursor={useCursorIn(ALL)}
        rowAt={(index) => rows[index]}
        balances={() => undefined}
        commented={commented}
      />
    </div>
  );
}
