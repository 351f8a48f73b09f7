import type { TransactionRecord } from '../../components/transaction/transaction-row.tsx';
import type { Filters } from './filters.ts';
import type { Place } from './grid-store.ts';

/** What keys need to know of a section that is open: its rows by their place, and where they are on the page. */
export interface SectionHandle {
  rowAt: (index: number) => TransactionRecord | undefined;
  /** Scrolls to where a row is, or will be. */
  reveal: (index: number) => void;
}

/** A month of the list with its number of rows, or a list without months. */
export interface SectionOf {
  key: string;
  count: number;
}

/** The sections of the list in their order, and the handles of those that are open. */
export interface Sections {
  all: readonly SectionOf[];
  open: ReadonlyMap<string, SectionHandle>;
}

interface Shown {
  sections: Sections;
  filters: Filters;
  openSection: (section: string) => void;
}

/** The list on screen: there is one at a time. */
export const shown: Shown = { sections: { all: [], open: new Map() }, filters: {}, openSection: () => {} };

export function rowAt({ open }: Sections, { section, index }: Place): TransactionRecord | undefined {
  return open.get(section)?.rowAt(index);
}

const LOOKED_AROUND = 100;

/** The place of a row around which others may have come or gone; it is looked for near where it was. */
export function placeOf(sections: Sections, id: string, near: Place): Place {
  for (let distance = 0; distance <= LOOKED_AROUND; distance++) {
    for (const index of [near.index - distance, near.index + distance]) {
      if (index >= 0 && rowAt(sections, { ...near, index })?.id === id) return { ...near, index };
    }
  }
  return near;
}

/** The place after or before one, in another section if it was at an end. Null at the ends of the list. */
export function neighbourOf({ all }: Sections, { section, index }: Place, step: 1 | -1): Place | null {
  const at = all.findIndex(({ key }) => key === section);
  const next = index + step;
  if (next >= 0 && next < (all[at]?.count ?? 0)) return { section, index: next };
  const other = all[at + step];
  return other ? { section: other.key, index: step === 1 ? 0 : other.count - 1 } : null;
}

/** The first place of the section after or before one. */
export function otherSection({ all }: Sections, { section }: Place, step: 1 | -1): Place | null {
  const other = all[all.findIndex(({ key }) => key === section) + step];
  return other ? { section: other.key, index: 0 } : null;
}

/** All places from one to another, both included, whichever comes first; at most so many. */
export function placesBetween({ all }: Sections, from: Place, to: Place, most: number): Place[] {
  const order = (place: Place): number => all.findIndex(({ key }) => key === place.section);
  const [first, last] =
    order(from) < order(to) || (order(from) === order(to) && from.index <= to.index) ? [from, to] : [to, from];
  const places: Place[] = [];
  for (const { key, count } of all.slice(order(first), order(last) + 1)) {
    const begin = key === first.section ? first.index : 0;
    const end = key === last.section ? last.index : count - 1;
    for (let index = begin; index <= end && places.length < most; index++) places.push({ section: key, index });
  }
  return places;
}
