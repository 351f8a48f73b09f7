import { createStore, type Store } from './store.ts';

/** A choice of this browser: kept in its storage, and the same in all its tabs. The first value is the default. */
export function definePreference<T extends string>(name: string, values: readonly [T, ...T[]]): Store<T> {
  const key = `homeledger.${name}`;
  const read = (): T => {
    const stored = localStorage.getItem(key);
    return values.find((value) => value === stored) ?? values[0];
  };
  const store = createStore(read());
  window.addEventListener('storage', (event) => {
    if (event.key === key) store.set(read());
  });
  return {
    ...store,
    set: (value) => {
      localStorage.setItem(key, value);
      store.set(value);
    },
  };
}
