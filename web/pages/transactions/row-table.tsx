import { ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';

import { inWords } from '../../lib/days.ts';
import { inDigits } from '../../lib/numbers.ts';
import { GridRow } from './grid-row.tsx';
import { useList } from './list-context.ts';
import { TALL_ROWS, topOf, type DayLayout, type Layout, type Visible } from './months.ts';
import { openDay } from './open-sections.ts';
import { ROLES } from './table-roles.ts';
import { DayTotals } from './totals.tsx';
import type { BalanceAt } from './use-balances.ts';
import type { RowAt } from './use-rows.ts';

interface RowTableProps {
  section: string;
  /** Rows of the whole section. */
  count: number;
  layout: Layout;
  visible: readonly Visible[];
  daysOpenSingly?: boolean;
  /** The row with the cursor is in the page even where nobody sees it. */
  cursor: number | undefined;
  rowAt: RowAt;
  balances: BalanceAt;
  commented: (id: string) => boolean;
}

/** The rows of a section that are near the screen, in a real table that is as tall as all of them. */
export function RowTable(props: RowTableProps) {
  const { layout, count } = props;
  const content: ReactNode[] = [];
  let y = 0;
  for (const piece of usePieces(props)) {
    if (piece.top > y) content.push(<Room key={`room ${piece.key}`} height={piece.top - y} />);
    content.push(piece.element);
    y = piece.top + piece.height;
  }
  if (layout.height > y) content.push(<Room key="room" height={layout.height - y} />);
  return (
    <table
      {...ROLES.table}
      aria-label="Transactions"
      aria-rowcount={count + layout.days.length + 1}
      className="block w-full"
    >
      <Head />
      <tbody {...ROLES.rows} className="block">
        {content}
      </tbody>
    </table>
  );
}

/** The heading of a day, or a row, and where it is. */
interface Piece {
  key: string;
  top: number;
  height: number;
  element: ReactNode;
}

/** All in one list, so that a row which scrolls out of sight with the focus stays the same element. */
function usePieces(props: RowTableProps): Piece[] {
  const { heights } = useList();
  const { layout, visible, cursor, daysOpenSingly = false } = props;
  const pieces: Piece[] = [];
  let isCursorIn = cursor === undefined;
  for (const { at, from, to } of visible) {
    if (heights.day > 0) {
      const element = <DayHeading key={at.day.key} at={at} layout={layout} isButton={daysOpenSingly} />;
      pieces.push({ key: at.day.key, top: at.top, height: heights.day, element });
    }
    for (let row = from; row < to; row++) {
      isCursorIn ||= at.start + row === cursor;
      pieces.push(rowPiece(props, at, at.start + row));
    }
  }
  const at = layout.days.findLast(({ start }) => start <= (cursor ?? 0));
  if (!isCursorIn && cursor !== undefined && at && cursor < at.start + at.shown) {
    pieces.push({ ...rowPiece(props, at, cursor), top: topOf(layout, heights, cursor) });
    pieces.sort((a, b) => a.top - b.top);
  }
  return pieces;

  function rowPiece({ section, rowAt, balances, commented }: RowTableProps, day: DayLayout, index: number): Piece {
    const row = rowAt(index);
    const top = day.top + heights.day + (index - day.start) * heights.row;
    const key = row?.id ?? `row ${index}`;
    const element = row ? (
      <GridRow
        key={key}
        row={row}
        section={section}
        index={index}
        rowIndex={rowIndexOf(layout, day, index - day.start + 1)}
        hasComment={commented(row.id)}
        balance={balances(day, index, rowAt)}
      />
    ) : (
      <EmptyRow key={key} height={heights.row} />
    );
    return { key, top, height: heights.row, element };
  }
}

/** Headings count as rows; the first is that of the columns. */
function rowIndexOf({ days }: Layout, day: DayLayout, within: number): number {
  return days.indexOf(day) + 2 + day.start + within;
}

/** The headings of the columns, which say for the eye what it sees anyway. */
function Head() {
  const { columns, account } = useList();
  const titles = [
    'Selected',
    'Transaction',
    ...(columns.has('counterparty') ? ['Counterparty'] : []),
    ...(columns.has('tags') ? ['Tags'] : []),
    ...(columns.has('note') ? ['Note'] : []),
    'Amount',
    ...(columns.has('balance') && account !== undefined ? ['Balance'] : []),
  ];
  return (
    <thead {...ROLES.rows} className="sr-only">
      <tr {...ROLES.row} aria-rowindex={1}>
        {titles.map((title) => (
          <th key={title} {...ROLES.title}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface DayHeadingProps {
  at: DayLayout;
  layout: Layout;
  /** It opens its day, where days are open one at a time. */
  isButton: boolean;
}

function DayHeading({ at, layout, isButton }: DayHeadingProps) {
  const { heights } = useList();
  const { day, shown } = at;
  const words = inWords(day.key, 'weekday');
  return (
    <tr
      {...ROLES.row}
      aria-rowindex={rowIndexOf(layout, at, 0)}
      data-height={heights.day}
      className="flex items-end gap-4 pr-2 pb-1 pl-11 text-xs text-muted data-[height='28']:h-7 data-[height='32']:h-8 max-sm:pl-2"
    >
      <th {...ROLES.rowTitle} className="shrink-0 text-left font-semibold">
        {isButton ? (
          <button
            type="button"
            aria-expanded={shown > 0}
            className="flex items-center gap-1"
            onClick={() => openDay.set(day.key)}
          >
            <ChevronRight aria-hidden size={14} className={shown > 0 ? 'rotate-90' : ''} />
            {words} · {inDigits(day.count)}
          </button>
        ) : (
          words
        )}
      </th>
      {shown > 0 && shown < day.count && (
        <td {...ROLES.cell}>The first {inDigits(TALL_ROWS)} rows; a narrower filter shows the others.</td>
      )}
      <td {...ROLES.cell} className="ml-auto min-w-0">
        {day.totals && <DayTotals totals={day.totals} />}
      </td>
    </tr>
  );
}

/** Room for rows that are not in the page. Its height is set on the element: the page policy allows no inline styles. */
function Room({ height }: { height: number }) {
  return <Tall height={height} isBusy={false} />;
}

/** A row that is being read. */
function EmptyRow({ height }: { height: number }) {
  return <Tall height={height} isBusy />;
}

function Tall({ height, isBusy }: { height: number; isBusy: boolean }) {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.style.height = `${height}px`;
  }, [height]);
  return (
    <tr ref={element} aria-hidden className="block print:hidden">
      <td className="block h-full p-0">
        {isBusy && (
          <span className="ml-11 block h-full max-w-96 py-3">
            <span className="block h-full rounded-control bg-sunken" />
          </span>
        )}
      </td>
    </tr>
  );
}
