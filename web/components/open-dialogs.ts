import { createStore } from '../lib/store.ts';

/** The modal dialogs that are open, the topmost last: what is outside of it can be neither pressed nor heard. */
export const openDialogs = createStore<readonly HTMLElement[]>([]);
