import { createStore, type Store } from '../../lib/store.ts';
import { readView, type View } from './filters.ts';

export interface SavedView {
  name: string;
  view: View;
}

const KEY = 'homeledger.views';
const MOST = 50;

/** Kept per browser, as the addresses that they are. */
export const savedViews: Store<readonly SavedView[]> = createStore<readonly SavedView[]>(read());

export function saveView(name: string, address: Readonly<Record<string, string>>): void {
  const others = savedViews.get().filter((one) => one.name !== name);
  write([...others, { name, view: readView(address) }].slice(-MOST));
}

export function forgetView(name: string): void {
  write(savedViews.get().filter((one) => one.name !== name));
}

function write(views: readonly SavedView[]): void {
  const kept = views.map(({ name, view: { filters, sort, order } }) => ({
    name,
    address: { ...filters, sort, order },
  }));
  localStorage.setItem(KEY, JSON.stringify(kept));
  savedViews.set(views);
}

function read(): SavedView[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as { name: string; address: Record<string, string> }[];
    return kept.map(({ name, address }) => ({ name, view: readView(address) }));
  } catch {
    return [];
  }
}
