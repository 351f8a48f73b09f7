import { createStore, useStore } from './store.ts';

const KEY = 'homeledger.private';

/** Whether amounts are hidden: of this tab only, and as long as it is open. */
export const isPrivate = createStore(sessionStorage.getItem(KEY) === 'yes');

export function togglePrivacy(): void {
  isPrivate.set(!isPrivate.get());
  sessionStorage.setItem(KEY, isPrivate.get() ? 'yes' : 'no');
}

/** For whoever has amounts in texts (`formatMoney`), which are other ones while they are hidden. */
export function usePrivacy(): boolean {
  return useStore(isPrivate);
}

/** Marks the document, for what only the style can hide: amounts in fields. */
export function followPrivacy(): void {
  const apply = (): void => {
    document.documentElement.toggleAttribute('data-private', isPrivate.get());
  };
  isPrivate.subscribe(apply);
  apply();
}
