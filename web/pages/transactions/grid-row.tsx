import { MessageSquare } from 'lucide-react';
import { memo, useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { Hidden } from '../../components/button.tsx';
import { Money } from '../../components/money.tsx';
import { CategoryChip } from '../../components/transaction/category-chip.tsx';
import { openTransaction } from '../../components/transaction/drawer-store.ts';
import { nameOf, TransactionRow, type TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { CellEditor, labelOf } from './cell-editor.tsx';
import type { Cell } from './grid-keys.ts';
import {
  arriveAt,
  edit,
  GRID_ROW,
  moveCursor,
  takeFocusWish,
  useRowState,
  type Place,
  type RowState,
} from './grid-store.ts';
import { useList } from './list-context.ts';
import { selectTo, toggleRow } from './selecting.ts';
import { ROLES } from './table-roles.ts';

interface GridRowProps {
  row: TransactionRecord;
  section: string;
  index: number;
  /** Among all rows of its table. */
  rowIndex: number;
  hasComment: boolean;
  /** What its account had after it; undefined where that is not known. */
  balance: string | undefined;
}

/** One transaction of the list, whose cells are edited in place. */
export const GridRow = memo(function GridRow({ row, section, index, rowIndex, hasComment, balance }: GridRowProps) {
  const { columns, neighbour, heights, density, account, withDates } = useList();
  const place = { section, index };
  const state = useRowState(row.id, place);
  const element = useFocusWish(state, place, row.id);
  const has = (name: Parameters<typeof columns.has>[0]): boolean => columns.has(name);
  return (
    <tr
      {...ROLES.row}
      ref={element}
      {...{ [GRID_ROW]: row.id }}
      aria-rowindex={rowIndex}
      data-height={heights.row}
      className="group relative flex scroll-my-16 items-center gap-2 border-b border-line/60 data-[height='36']:h-9 data-[height='44']:h-11 data-[height='48']:h-12 has-checked:bg-accent-soft/60"
      onFocus={() => !state.hasCursor && moveCursor(place, row.id, { focus: false })}
      onClick={(event) => isFree(event) && openTransaction(row.short_id, neighbour)}
    >
      <td {...ROLES.cell} className="shrink-0">
        <Tick row={row} place={place} state={state} />
      </td>
      <td {...ROLES.cell} className="min-w-0 flex-1">
        <TransactionRow
          transaction={row}
          density={density}
          withDate={withDates}
          hasComment={hasComment}
          withoutAccount={account !== undefined || !has('account')}
          withoutAmount
          linkTabIndex={state.isEntry ? 0 : -1}
          neighbour={neighbour}
          category={<CellButton row={row} cell="category" state={state} />}
        />
      </td>
      <MoreCells row={row} state={state} hasComment={hasComment} />
      <td {...ROLES.cell} className="w-28 shrink-0 pr-2 text-right font-medium max-sm:w-auto">
        <Money amount={row.amount ?? '0.00'} currency={row.iso_currency_code ?? null} />
      </td>
      {has('balance') && account !== undefined && (
        <td {...ROLES.cell} className="w-28 shrink-0 pr-2 text-right text-sm text-muted max-sm:hidden">
          {balance !== undefined && <Money kind="balance" amount={balance} currency={row.iso_currency_code ?? null} />}
        </td>
      )}
      {state.editing !== null && (
        <td {...ROLES.cell} className="contents">
          <CellEditor row={row} cell={state.editing} place={place} />
        </td>
      )}
    </tr>
  );
});

/** The row takes the focus once it is there, if it should have it. */
function useFocusWish({ hasCursor, wish, editing }: RowState, { section, index }: Place, id: string) {
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (!hasCursor) return;
    arriveAt({ section, index }, id);
    const isWished = takeFocusWish(wish);
    if (!isWished && editing === null) return;
    if (editing === null) element.current?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [hasCursor, wish, editing, section, index, id]);
  return element;
}

/** A click that no button, box or link of the row has taken. */
function isFree({ target, defaultPrevented }: MouseEvent): boolean {
  return (
    !defaultPrevented && target instanceof Element && target.closest('a, button, input, label, [popover]') === null
  );
}

interface PartProps {
  row: TransactionRecord;
  state: RowState;
}

/** The columns that the person has chosen, where there is room for them. */
function MoreCells({ row, state, hasComment }: PartProps & { hasComment: boolean }) {
  const { columns } = useList();
  const widths = { counterparty: 'w-44', tags: 'w-44', note: 'w-28' } as const;
  return (['counterparty', 'tags', 'note'] as const)
    .filter((cell) => columns.has(cell))
    .map((cell) => (
      <td key={cell} {...ROLES.cell} className={`${widths[cell]} shrink-0 text-sm max-lg:hidden`}>
        <CellButton row={row} cell={cell} state={state} hasComment={hasComment} />
      </td>
    ));
}

function Tick({ row, place, state }: PartProps & { place: Place }) {
  return (
    <label className="grid size-9 place-items-center pointer-coarse:size-12">
      <input
        type="checkbox"
        tabIndex={state.isEntry ? 0 : -1}
        aria-label={`Select ${nameOf(row)}`}
        checked={state.isSelected}
        className="size-4.5 accent-accent pointer-coarse:size-6"
        onChange={(event) => {
          if ((event.nativeEvent as globalThis.MouseEvent).shiftKey) void selectTo(place);
          else toggleRow(row, place);
        }}
      />
    </label>
  );
}

/** A cell that is not open: a button that opens it. */
function CellButton({ row, cell, state, hasComment }: PartProps & { cell: Cell; hasComment?: boolean }) {
  const { readOnly } = useList();
  const open = (event: MouseEvent | KeyboardEvent): void => {
    event.stopPropagation();
    if (readOnly === undefined) edit(row.id, cell);
  };
  return (
    <button
      type="button"
      tabIndex={state.isEntry ? 0 : -1}
      title={readOnly}
      aria-disabled={readOnly === undefined ? undefined : true}
      className="relative z-1 flex max-w-full min-w-0 items-center rounded-sm text-left underline-offset-2 hover:text-ink hover:underline"
      onClick={open}
    >
      <Hidden>{labelOf(cell, row)}: </Hidden>
      <CellValue row={row} cell={cell} hasComment={hasComment === true} />
      {readOnly !== undefined && <Hidden>. {readOnly}</Hidden>}
    </button>
  );
}

function CellValue({ row, cell, hasComment }: { row: TransactionRecord; cell: Cell; hasComment: boolean }) {
  if (cell === 'category') {
    const none = row.category_source === null ? 'Not categorised' : 'No category';
    return <CategoryChip category={row.category ?? null} none={none} />;
  }
  if (cell === 'counterparty') return <bdi>{row.counterparty_id === null ? 'None' : row.counterparty_name}</bdi>;
  if (cell === 'note') {
    if (!hasComment) return <Faint>Add a note</Faint>;
    return <MessageSquare role="img" aria-label="has a comment" size={16} className="text-muted" />;
  }
  const tags = row.tags ?? [];
  return tags.length === 0 ? <Faint>Add a tag</Faint> : <TagList tags={tags} />;
}

/** Of use to the pointer only, where it is; the button has words of its own. */
function Faint({ children }: { children: string }) {
  return (
    <span className="text-sm text-muted opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
      {children}
    </span>
  );
}

const TAGS_SHOWN = 2;

function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <span className="flex gap-1 overflow-hidden">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <span key={tag} className="truncate rounded-full bg-sunken px-2 text-xs leading-5 text-muted">
          {tag}
        </span>
      ))}
      {tags.length > TAGS_SHOWN && <span className="text-xs leading-5 text-muted">+{tags.length - TAGS_SHOWN}</span>}
    </span>
  );
}
