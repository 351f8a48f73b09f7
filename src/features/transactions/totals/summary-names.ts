import type { ReadTx } from '../../../db/unit-of-work.ts';
import { selectCategories } from '../../categories/index.ts';
import type { Group } from './totals.ts';
import { selectAccountFacts, selectNamed } from '../transactions.queries.ts';
import type { Period, SummaryGroup } from '../summary-grouping.contract.ts';

/** The key of a group (an id, never a name) and how it is shown. */
export interface Names {
  keyOf(group: Group): string | null;
  describe(key: string | null): Record<string, unknown>;
  isKind?: true;
}

export async function loadNames(tx: ReadTx, by: Exclude<SummaryGroup, Period>): Promise<Names> {
  switch (by) {
    case 'category':
    case 'category_primary':
      return categories(tx, by === 'category_primary');
    case 'account':
      return accounts(tx);
    case 'user':
      return members(tx);
    case 'counterparty':
      return counterparties(tx);
    case 'tag':
      return tags(tx);
    case 'kind':
      return kinds(tx);
    default:
      return by satisfies never;
  }
}

async function categories(tx: ReadTx, isPrimary: boolean): Promise<Names> {
  const known = new Map((await selectCategories(tx)).map((category) => [category.id, category]));
  return {
    keyOf: ({ category_id: id = null }) => (isPrimary && id !== null ? (known.get(id)?.parent_id ?? id) : id),
    describe(key) {
      const category = key === null ? undefined : known.get(key);
      return {
        category_id: key,
        category_slug: category?.slug ?? null,
        category_name: category?.name ?? null,
        category_kind: category?.kind ?? null,
        parent_id: category?.parent_id ?? null,
      };
    },
  };
}

async function kinds(tx: ReadTx): Promise<Names> {
  const known = new Map((await selectCategories(tx)).map((category) => [category.id, category.kind]));
  return {
    keyOf: ({ category_id: id = null }) => (id === null ? null : (known.get(id) ?? null)),
    describe: (key) => ({ category_kind: key }),
    isKind: true,
  };
}

async function accounts(tx: ReadTx): Promise<Names> {
  const known = new Map((await selectAccountFacts(tx)).map((account) => [account.id, account.name]));
  return {
    keyOf: (group) => group.account_id ?? null,
    describe: (key) => ({ account_id: key, account_name: known.get(key ?? '') ?? null }),
  };
}

/** The effective owner of each row: its attribution, otherwise the owner of its account (contract 10.1.3). */
async function members(tx: ReadTx): Promise<Names> {
  const owners = new Map((await selectAccountFacts(tx)).map((account) => [account.id, account.owner_id]));
  const known = new Map((await selectNamed(tx, 'users')).map((user) => [user.id, user]));
  return {
    keyOf: (group) => group.attributed_user_id ?? owners.get(group.account_id ?? '') ?? null,
    describe(key) {
      const user = known.get(key ?? '');
      return { user_id: user?.short_id ?? null, user_name: user?.name ?? null };
    },
  };
}

async function counterparties(tx: ReadTx): Promise<Names> {
  const known = new Map((await selectNamed(tx, 'counterparties')).map((one) => [one.id, one]));
  return {
    keyOf: (group) => group.counterparty_id ?? null,
    describe(key) {
      const one = known.get(key ?? '');
      return {
        counterparty_id: key,
        counterparty_short_id: one?.short_id ?? null,
        counterparty_name: one?.name ?? null,
      };
    },
  };
}

async function tags(tx: ReadTx): Promise<Names> {
  const known = new Map((await selectNamed(tx, 'tags')).map((tag) => [tag.id, tag]));
  return {
    keyOf: (group) => group.tag_id ?? null,
    describe(key) {
      const tag = known.get(key ?? '');
      return { tag_slug: tag?.slug ?? null, tag_name: tag?.name ?? null };
    },
  };
}
