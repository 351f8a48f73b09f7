import { createStore, type Store } from '../../lib/store.ts';

/** What can be shown of a row beside its name, category and amount. */
export const COLUMNS = {
  account: 'Account',
  counterparty: 'Counterparty',
  tags: 'Tags',
  note: 'Note',
  balance: 'Running balance',
} as const;
export type ColumnName = keyof typeof COLUMNS;

const KEY = 'homeledger.columns';
const FIRST: readonly ColumnName[] = ['account', 'tags'];
const NAMES = Object.keys(COLUMNS) as ColumnName[];

/** Kept per browser. */
export const chosenColumns: Store<ReadonlySet<ColumnName>> = createStore(read());

export function chooseColumn(name: ColumnName, isShown: boolean): void {
  const next = new Set(chosenColumns.get());
  if (isShown) next.add(name);
  else next.delete(name);
  localStorage.setItem(KEY, [...next].join(','));
  chosenColumns.set(next);
}

function read(): ReadonlySet<ColumnName> {
  const stored = localStorage.getItem(KEY);
  if (stored === null) return new Set(FIRST);
  return new Set(NAMES.filter((name) => stored.split(',').includes(name)));
}
