import { useSyncExternalStore } from 'react';

import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import { createStore } from '../../lib/store.ts';
import type { Cell } from './grid-keys.ts';

/** Marks the rows of the list, whose keys are different from those of other rows. */
export const GRID_ROW = 'data-grid-row';

/** A place in the list: a row of a section, which is a month or the whole of a plain list. */
export interface Place {
  section: string;
  index: number;
}

export interface Cursor extends Place {
  /** Null until the row is there. */
  id: string | null;
  /** What is to be edited once it is. */
  cell: Cell | null;
}

export interface GridState {
  /** The row that keys are about. */
  cursor: Cursor | null;
  editing: { id: string; cell: Cell } | null;
  /** Ticked rows, with what is known of them. */
  selected: ReadonlyMap<string, TransactionRecord>;
  /** Everything that matches the filter is selected, whatever is ticked. */
  isEverything: boolean;
  /** Where a range begins. */
  anchor: Place | null;
}

const NOTHING: GridState = { cursor: null, editing: null, selected: new Map(), isEverything: false, anchor: null };

/** The state of the list on screen: outside of components, so that a key draws two rows anew and not the page. */
export const grid = createStore<GridState>(NOTHING);

/** Whether the row with the cursor takes the focus as soon as it is there; counted, since it may have it again. */
let wish = 0;
let isFocusWanted = false;

export function takeFocusWish(seen: number): boolean {
  const isNow = isFocusWanted && seen === wish;
  if (isNow) isFocusWanted = false;
  return isNow;
}

function wishForFocus(): void {
  wish++;
  isFocusWanted = true;
}

export function change(next: Partial<GridState>): void {
  grid.set({ ...grid.get(), ...next });
}

export function resetGrid(): void {
  isFocusWanted = false;
  grid.set(NOTHING);
}

/** Goes to a place, and edits a cell of its row. The row takes the focus as soon as it is there. */
export function moveCursor(place: Place, id: string | null, { focus = true, cell = null as Cell | null } = {}): void {
  isFocusWanted = false;
  if (focus) wishForFocus();
  const editing = id !== null && cell !== null ? { id, cell } : null;
  change({ cursor: { ...place, id, cell: editing ? null : cell }, editing });
}

/** The row at the place of the cursor is there. */
export function arriveAt(place: Place, id: string): void {
  const { cursor } = grid.get();
  if (cursor && cursor.id === null && isAt(cursor, place)) moveCursor(place, id, { cell: cursor.cell });
}

export function edit(id: string, cell: Cell): void {
  change({ editing: { id, cell } });
}

/** Ends the editing of a cell, unless another one has been opened since. */
export function stopEditing(id: string, cell: Cell, { focus }: { focus: boolean }): void {
  const { editing } = grid.get();
  if (editing?.id !== id || editing.cell !== cell) return;
  if (focus) wishForFocus();
  change({ editing: null });
}

export function clearSelection(): void {
  change({ selected: new Map(), isEverything: false, anchor: null });
}

export function setSelected(rows: readonly TransactionRecord[], isSelected: boolean): void {
  const selected = new Map(grid.get().selected);
  for (const row of rows) {
    if (isSelected) selected.set(row.id, row);
    else selected.delete(row.id);
  }
  change({ selected, isEverything: false });
}

export interface RowState {
  hasCursor: boolean;
  /** Where the keyboard comes into the list: its row with the cursor, or the first of a section. */
  isEntry: boolean;
  /** Changes when the row is to take the focus. */
  wish: number;
  isSelected: boolean;
  editing: Cell | null;
}

/** What a row shows of the state; it is drawn again only when that changes. */
export function useRowState(id: string, place: Place): RowState {
  const read = (): string => {
    const { cursor, editing, selected, isEverything } = grid.get();
    const hasCursor = cursor !== null && (cursor.id === null ? isAt(cursor, place) : cursor.id === id);
    const isSelected = isEverything || selected.has(id);
    const isEntry = hasCursor || (cursor === null && place.index === 0);
    return [hasCursor ? wish : '', isEntry, isSelected, editing?.id === id ? editing.cell : ''].join(' ');
  };
  const [wished = '', isEntry, isSelected, cell] = useSyncExternalStore(grid.subscribe, read).split(' ');
  return {
    hasCursor: wished !== '',
    isEntry: isEntry === 'true',
    wish: Number(wished),
    isSelected: isSelected === 'true',
    editing: cell === '' ? null : (cell as Cell),
  };
}

function isAt(cursor: Place, { section, index }: Place): boolean {
  return cursor.section === section && cursor.index === index;
}
