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

/** Ids and typed names only, so that loading the page again does not lose the name. */
const KEY = 'homeledger.imports';

export const followed = createStore<readonly FollowedImport[]>(stored());
export const failed = createStore<readonly FailedImport[]>([]);

export function follow(one: FollowedImport): void {
  keep([...followed.get().filter(({ id }) => id !== one.id), one]);
}

export function unfollow(id: string): void {
  keep(followed.get().filter((one) => one.id !== id));
}

function keep(next: readonly FollowedImport[]): void {
  sessionStorage.setItem(KEY, JSON.stringify(next));
  followed.set(next);
}

function stored(): readonly FollowedImport[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly FollowedImport[];
}
