import { useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';

import { useReasonAgainst } from '../../api/session.ts';
import { forgetOffered } from '../../components/toast-store.ts';
import { useMakeRule } from '../../components/rule/use-make-rule.ts';
import { preloadPickers } from '../../components/pickers/later-pickers.tsx';
import { usePageKeys } from '../../layout/page-keys.ts';
import { density as chosenDensity } from '../../lib/density.ts';
import { useStore } from '../../lib/store.ts';
import { chosenColumns } from './columns.ts';
import { corrected, editedFields, outcome } from './edits.ts';
import { listOf, type View } from './filters.ts';
import { commandOf, KEYS, rowCommandOf, type Cell, type Command } from './grid-keys.ts';
import { GRID_ROW, grid, moveCursor, resetGrid, type Place } from './grid-store.ts';
import type { ListContext } from './list-context.ts';
import type { Heights } from './months.ts';
import { runOnRows } from './row-commands.ts';
import { neighbourOf, otherSection, placeOf, rowAt, shown } from './sections.ts';
import { selectTo } from './selecting.ts';

const isTouched = matchMedia('(pointer: coarse)');
const HEIGHTS = { touch: { row: 48, day: 32 }, comfortable: { row: 44, day: 32 }, compact: { row: 36, day: 28 } };

interface Around {
  /** Opens the section of a place. */
  openSection: (section: string) => void;
  /** The section at the top of the screen. */
  current: string | undefined;
  goToSection: (section: string) => void;
  /** A list without months has no headings of days, so that each row has its date. */
  isPlain?: boolean;
}

/** What the list is, for its rows, and the keys that go through it. */
export function useGrid(view: View, around: Around): ListContext {
  const columns = useStore(chosenColumns);
  const density = useStore(chosenDensity);
  const readOnly = useReasonAgainst('full_access');
  const makeRule = useMakeRule();
  const latest = useRef(around);
  useEffect(() => {
    latest.current = around;
    shown.openSection = around.openSection;
  });
  useEffect(() => {
    void preloadPickers();
    return leave;
  }, []);
  const isPlain = around.isPlain === true;
  const { filters } = view;
  const context = useMemo(() => {
    const { row, day } = HEIGHTS[isTouched.matches ? 'touch' : density];
    const heights: Heights = { row, day: isPlain ? 0 : day };
    const accounts = listOf(filters.account_id);
    const cells: Cell[] = [
      ...(columns.has('counterparty') ? ['counterparty' as const] : []),
      'category',
      ...(columns.has('tags') ? ['tags' as const] : []),
      ...(columns.has('note') ? ['note' as const] : []),
    ];
    return {
      filters,
      columns,
      cells,
      density,
      heights,
      readOnly,
      account: accounts.length === 1 ? accounts[0] : undefined,
      withDates: isPlain,
      neighbour: neighbourRow,
      goBeside,
      register,
    };
  }, [filters, columns, density, readOnly, isPlain]);

  const run = (command: Command): void => {
    // A cell whose field is still loading: what is typed is meant for that.
    if (grid.get().editing !== null) return;
    if (command.what === 'move') return move(latest.current.current, command);
    if (command.what === 'month') {
      const from = { section: latest.current.current ?? '', index: 0 };
      const next = otherSection(shown.sections, from, command.step);
      if (next) latest.current.goToSection(next.section);
      return;
    }
    runOnRows(command, { readOnly, view, makeRule });
  };
  usePageKeys(Object.fromEntries(KEYS.map((key) => [key, () => run(commandOf(key) as Command)])));
  useRowKeys(run);
  return context;
}

/** Another page begins with nothing of this one. */
function leave(): void {
  resetGrid();
  corrected.set(null);
  forgetOffered();
  outcome.set({ text: '', isFailure: false });
  editedFields.set(new Set());
}

/** Keys that belong to a row which has the focus; Enter opens it, as its link does anyway. */
function useRowKeys(run: (command: Command) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const command = rowCommandOf(event.key, event.shiftKey);
      const isOnRow = event.target instanceof HTMLAnchorElement && event.target.closest(`[${GRID_ROW}]`) !== null;
      if (!command || !isOnRow || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      latest.current(command);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function register(section: string, handle: Parameters<ListContext['register']>[1]): void {
  const open = new Map(shown.sections.open);
  if (handle) open.set(section, handle);
  else open.delete(section);
  shown.sections = { ...shown.sections, open };
}

/** The row beside another in the list, for the drawer that goes through them. */
function neighbourRow(id: string, step: 1 | -1): string | undefined {
  const { cursor } = grid.get();
  if (!cursor?.id) return undefined;
  const row = rowAt(shown.sections, cursor);
  if (row && row.id !== id && row.short_id !== id) return undefined;
  const next = neighbourOf(shown.sections, placeOf(shown.sections, cursor.id, cursor), step);
  const found = next && rowAt(shown.sections, next);
  if (!next || !found) return undefined;
  moveCursor(next, found.id, { focus: false });
  return found.short_id;
}

function goTo(place: Place, cell?: Cell): void {
  if (!shown.sections.open.has(place.section)) shown.openSection(place.section);
  const row = rowAt(shown.sections, place);
  flushSync(() => moveCursor(place, row?.id ?? null, cell === undefined ? {} : { cell }));
  if (!row) shown.sections.open.get(place.section)?.reveal(place.index);
}

/** At the end of the list, the row keeps the focus. */
function goBeside(place: Place, step: 1 | -1, cell?: Cell): void {
  const next = neighbourOf(shown.sections, place, step);
  if (next) goTo(next, cell);
  else goTo(place);
}

/** The row above or below the one with the cursor; without one, the first of what is on screen. */
function move(current: string | undefined, { step, isRange }: Extract<Command, { what: 'move' }>): void {
  const { cursor } = grid.get();
  if (!cursor) {
    const section = current ?? shown.sections.all[0]?.key;
    if (section !== undefined) goTo({ section, index: 0 });
    return;
  }
  const here = cursor.id === null ? cursor : placeOf(shown.sections, cursor.id, cursor);
  if (isRange && !grid.get().anchor) grid.set({ ...grid.get(), anchor: here });
  goBeside(here, step);
  const { cursor: there } = grid.get();
  if (isRange && there) void selectTo(there);
}
