import { createContext, useContext } from 'react';

import type { Neighbour } from '../../components/transaction/drawer-store.ts';
import type { Density } from '../../lib/density.ts';
import type { ColumnName } from './columns.ts';
import type { Filters } from './filters.ts';
import type { Cell } from './grid-keys.ts';
import type { Place } from './grid-store.ts';
import type { Heights } from './months.ts';
import type { SectionHandle } from './sections.ts';

/** What every row and section of the list needs to know of it. It changes only with the choices of the person. */
export interface ListContext {
  filters: Filters;
  columns: ReadonlySet<ColumnName>;
  /** The cells that Tab goes through. */
  cells: readonly Cell[];
  density: Density;
  heights: Heights;
  /** Why rows cannot be changed. */
  readOnly: string | undefined;
  /** Where all rows are of one account. */
  account: string | undefined;
  neighbour: Neighbour;
  /** Rows that are not below the heading of their day. */
  withDates: boolean;
  /** Goes to the row before or after one, opening what it is in. */
  goBeside: (place: Place, step: 1 | -1, cell?: Cell) => void;
  register: (section: string, handle: SectionHandle | null) => void;
}

const Context = createContext<ListContext | null>(null);
export const ListProvider = Context.Provider;

export function useList(): ListContext {
  const list = useContext(Context);
  if (!list) throw new Error('A row is outside of a list.');
  return list;
}
