import { createStore } from '../lib/store.ts';

export interface Toast {
  id: number;
  text: string;
  /** The writes that it offers to undo, in the order in which they were done. */
  changeSetIds?: readonly string[];
}

const SHOWN_MS = 10_000;
const AT_ONCE = 3;

export const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Says that something is done. It goes by itself, so it never contains what must be read. */
export function showToast(text: string): void {
  add({ text });
}

/** Says that a write is done, and offers to undo it; or several that belong together. */
export function showUndo(text: string, changeSets: string | readonly string[]): void {
  add({ text, changeSetIds: [changeSets].flat() });
}

function add(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId;
  toasts.set([...toasts.get(), { id, ...toast }].slice(-AT_ONCE));
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
