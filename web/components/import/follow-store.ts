import { createStore } from '../../lib/store.ts';

/** An import that the server has accepted. It goes on without this tab. */
export interface FollowedImport {
  id: string;
  fileName: string;
  /** The name that its new account gets when it has ended; empty for none. */
  accountName: string;
}

/** An import that ended without writing anything: somebody has to see it. */
export interface FailedImport extends FollowedImport {
  message: string;
}

/** Ids and typed names only. A tab that is opened later follows them, too: the sheet says that it can be closed. */
const KEY = 'homeledger.imports';

export const followed = createStore<readonly FollowedImport[]>(stored());
export const failed = createStore<readonly FailedImport[]>([]);

export function follow(one: FollowedImport): void {
  keep(one.id, [one]);
}

export function unfollow(id: string): void {
  keep(id, []);
}

/** What other tabs have stored meanwhile stays. */
function keep(id: string, instead: readonly FollowedImport[]): void {
  const change = (all: readonly FollowedImport[]) => [...all.filter((one) => one.id !== id), ...instead];
  localStorage.setItem(KEY, JSON.stringify(change(stored())));
  followed.set(change(followed.get()));
}

function stored(): readonly FollowedImport[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly FollowedImport[];
  } catch {
    return [];
  }
}
