import { useSyncExternalStore } from 'react';

import { createStore } from '../../lib/store.ts';

/** Finds the transaction that comes before or after one, in the list that it was opened from. */
export type Neighbour = (id: string, step: 1 | -1) => string | undefined;

export interface Opened {
  id: string;
  neighbour: Neighbour;
}

/** The transaction that is open beside the page. */
export const openedTransaction = createStore<Opened | null>(null);

/** Whether it is this one, without telling all the other rows. */
export function useIsOpened(id: string): boolean {
  return useSyncExternalStore(openedTransaction.subscribe, () => openedTransaction.get()?.id === id);
}

/** Opens a transaction beside the page, or as a page of its own on small screens; by its UUID or short id. */
export function openTransaction(id: string, neighbour: Neighbour = neighbourInPage): void {
  openedTransaction.set({ id, neighbour });
}

export function closeTransaction(): void {
  openedTransaction.set(null);
}

/** Rows are elements with this attribute; its value is the id. */
export const ROW = 'data-transaction';

/** The row of a transaction on the page, if it is there. */
export function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`main [${ROW}="${CSS.escape(id)}"]`);
}

function neighbourInPage(id: string, step: 1 | -1): string | undefined {
  const rows = [...document.querySelectorAll(`main [${ROW}]`)];
  const now = rows.findIndex((row) => row.getAttribute(ROW) === id);
  return now === -1 ? undefined : (rows[now + step]?.getAttribute(ROW) ?? undefined);
}
