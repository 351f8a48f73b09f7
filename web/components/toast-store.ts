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
  const changeSetIds = [changeSets].flat();
  offered.push(changeSetIds);
  add({ text, changeSetIds });
}

/** What could be undone on this page, also when its toast is gone: a key takes it back, the last one first. */
let offered: (readonly string[])[] = [];

export function takeOffered(): readonly string[] | undefined {
  return offered.pop();
}

/** It has been undone in another way. */
export function dropOffered(changeSetIds: readonly string[]): void {
  offered = offered.filter((ids) => ids !== changeSetIds);
}

/** Another page begins with nothing to take back. */
export function forgetOffered(): void {
  offered = [];
}

function add(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId;
  toasts.set([...toasts.get(), { id, ...toast }].slice(-AT_ONCE));
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
