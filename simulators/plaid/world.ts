import { createNumbering, type Numbering } from '../providers/numbering.ts';
import type { SimulatedClock } from '../providers/clock.ts';
import type { LinkToken, PlaidAccount, PlaidFacts, PlaidItem, PublicToken } from './records.ts';
import { applyChange, currentRows } from './transaction-pages.ts';
import { createKeyRing, type KeyRing } from './signing-keys.ts';
import type { Taxonomy } from './taxonomy.ts';

const PUBLIC_TOKEN_SECONDS = 1_800;
export const LINK_TOKEN_SECONDS = 14_400;
export const UPDATE_TOKEN_SECONDS = 1_800;

/** Everything the Plaid simulator knows, and its clock. A reset empties it in place. */
export interface PlaidWorld {
  clock: SimulatedClock;
  seed: number;
  /** The only secret that is accepted; null accepts any. */
  secret: string | null;
  /** Where webhooks of items without an address on loopback go. */
  webhookUrl: string | null;
  /** How many pages without rows come before each one with rows. */
  emptyPages: number;
  /** How the rows of a ready-made world are categorised. */
  taxonomy: Taxonomy;
  numbering: Numbering;
  items: Map<string, PlaidItem>;
  publicTokens: Map<string, PublicToken>;
  linkTokens: Map<string, LinkToken>;
  keys: KeyRing;
}

export function createPlaidWorld(clock: SimulatedClock, secret: string | null): PlaidWorld {
  return { clock, secret, ...emptyParts(1) };
}

/** Back to the beginning: the same calls give the same ids again. */
export function emptyPlaidWorld(world: PlaidWorld, seed: number): void {
  Object.assign(world, emptyParts(seed));
}

function emptyParts(seed: number): Omit<PlaidWorld, 'clock' | 'secret'> {
  return {
    seed,
    webhookUrl: null,
    emptyPages: 0,
    taxonomy: 'v2',
    numbering: createNumbering(seed),
    items: new Map(),
    publicTokens: new Map(),
    linkTokens: new Map(),
    keys: createKeyRing(seed),
  };
}

export interface ItemToMake extends Pick<
  PlaidItem,
  'institution_id' | 'institution_name' | 'transactions_update_status' | 'consent_expiration_time' | 'webhook'
> {
  /** Accounts without an id get one. */
  accounts: readonly (Omit<PlaidAccount, 'account_id'> & { account_id?: string | undefined })[];
  item_id?: string | undefined;
  access_token?: string | undefined;
}

export function makeItem(world: PlaidWorld, wanted: ItemToMake): PlaidItem {
  const { numbering } = world;
  const { institution_id, institution_name, transactions_update_status, consent_expiration_time, webhook } = wanted;
  const item: PlaidItem = {
    item_id: wanted.item_id ?? `item-sim-${numbering.next('item')}`,
    access_token: wanted.access_token ?? `access-sandbox-${numbering.next('access')}`,
    institution_id,
    institution_name,
    accounts: wanted.accounts.map((account) => withId(world, account)),
    webhook,
    error: null,
    consent_expiration_time,
    transactions_update_status,
    isRemoved: false,
    version: 0,
    rows: new Map(),
    changes: [],
    deferred: [],
  };
  world.items.set(item.item_id, item);
  return item;
}

export function withId(world: PlaidWorld, account: ItemToMake['accounts'][number]): PlaidAccount {
  return { ...account, account_id: account.account_id ?? newAccountId(world) };
}

export function newAccountId(world: PlaidWorld): string {
  return `acc-sim-${world.numbering.next('account')}`;
}

export function newTransactionId(world: PlaidWorld): string {
  return `txn-sim-${world.numbering.next('transaction')}`;
}

export function makePublicToken(world: PlaidWorld, item: PlaidItem): PublicToken {
  const token = `public-sandbox-${world.numbering.next('public')}`;
  const made = { token, itemId: item.item_id, madeAt: world.clock.now(), isUsed: false };
  world.publicTokens.set(token, made);
  return made;
}

/** @returns the token if it can be exchanged, which it then no longer can */
export function usePublicToken(world: PlaidWorld, text: string): PublicToken | undefined {
  const token = world.publicTokens.get(text);
  if (!token || token.isUsed || world.clock.now() > token.madeAt + PUBLIC_TOKEN_SECONDS * 1000) return undefined;
  token.isUsed = true;
  return token;
}

export function findItemByToken(world: PlaidWorld, accessToken: unknown): PlaidItem | undefined {
  return [...world.items.values()].find(({ access_token }) => access_token === accessToken);
}

/** The same bank linked once more: a new item with new ids and the same rows. */
export function linkAgain(world: PlaidWorld, item: PlaidItem): PlaidItem {
  const copy = makeItem(world, {
    ...item,
    item_id: undefined,
    access_token: undefined,
    webhook: '',
    accounts: item.accounts.map((account) => ({ ...structuredClone(account), account_id: undefined })),
  });
  const newIds = new Map(item.accounts.map(({ account_id }, index) => [account_id, copy.accounts[index]?.account_id]));
  applyChange(copy, { put: renumbered(world, currentRows(item), newIds), removed: [] });
  return copy;
}

/** The same rows under new ids, and under new ids of their accounts where there are any. */
export function renumbered(
  world: PlaidWorld,
  rows: readonly PlaidFacts[],
  accountIds: ReadonlyMap<string, string | undefined>,
): PlaidFacts[] {
  const newIds = new Map(rows.map(({ transaction_id }) => [transaction_id, newTransactionId(world)]));
  return rows.map((facts) => ({
    ...facts,
    transaction_id: newIds.get(facts.transaction_id) as string,
    account_id: accountIds.get(facts.account_id) ?? facts.account_id,
    pending_transaction_id: newIds.get(String(facts['pending_transaction_id'])) ?? null,
  }));
}
