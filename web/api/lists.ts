import type { OutputOf } from '../../src/contract/operation.ts';
import { listAccounts } from '../../src/features/accounts/accounts.contract.ts';
import { listCategories } from '../../src/features/categories/categories.contract.ts';
import { listUsers } from '../../src/features/users/users.contract.ts';
import { sharedQuery } from './shared-query.ts';

/** What changes seldom and is needed for every row; a write reads it again all the same. */
export const READ_ONCE = { staleTime: 5 * 60_000 } as const;

type Category = OutputOf<typeof listCategories>[number];
type User = OutputOf<typeof listUsers>[number];
type Account = OutputOf<typeof listAccounts>[number];

const useCategoryList = sharedQuery(listCategories, {}, READ_ONCE);

/** The categories by their id, in the order of the tree; undefined until they are there. */
export function useCategories(): ReadonlyMap<string, Category> | undefined {
  const data = useCategoryList();
  return data && byId(data);
}

const maps = new WeakMap<readonly Category[], ReadonlyMap<string, Category>>();

/** Hundreds of rows ask for it, so there is one for each answer. */
function byId(categories: readonly Category[]): ReadonlyMap<string, Category> {
  let known = maps.get(categories);
  if (!known) {
    known = new Map(categories.map((category) => [category.id, category]));
    maps.set(categories, known);
  }
  return known;
}

export const useAccounts: () => readonly Account[] | undefined = sharedQuery(
  listAccounts,
  { query: { include_disconnected: 'true' } },
  READ_ONCE,
);

export const useMembers: () => readonly User[] | undefined = sharedQuery(listUsers, {}, READ_ONCE);
