import fc from 'fast-check';
import { expect } from 'vitest';

import type { DateOnly } from '../../src/kernel/dates.ts';
import type { BankWorld, Purchase, Reach, Read } from './bank-world.ts';

/** A live transaction, as far as a history looks at it. */
export interface LiveTransaction {
  readonly id: string;
  readonly date: DateOnly;
  readonly amountCents: number;
  readonly name: string;
  readonly pending: boolean;
  readonly tags: readonly string[];
  /** Whether a bank has delivered it. */
  readonly isFed: boolean;
}

/** The household's side of a bank with one account. */
export interface HistoryLedger {
  /** Takes what the bank says. */
  sync(read: Read, isFull: boolean): Promise<void>;
  /** Disconnects the bank and links it again as the world now is. */
  relink(world: BankWorld): Promise<void>;
  live(): Promise<readonly LiveTransaction[]>;
  /** What is stored of the transaction to which an id belongs; null if it is unknown. */
  storedUnder(
    externalId: string,
  ): Promise<{ readonly presentId: string | null; readonly pending: boolean; readonly amountCents: number } | null>;
  /** Imports a file with these posted rows; false if the household cannot do it now. */
  importFile(world: BankWorld, rows: readonly Purchase[]): Promise<boolean>;
  tag(id: string, tag: string): Promise<void>;
  /** As a person. */
  remove(id: string): Promise<void>;
}

const SHOPS = ['BLUE BOTTLE', 'DINER 0042', 'BOOKS & MORE', 'TRANSIT AUTHORITY'];
/** The amount that several purchases have. */
const ALIKE_CENTS = 450;
/** So many rows may a complete read lack (30.8.4). */
const BELIEVED_COUNT = 5;

const step = fc.record({
  what: fc.constantFrom(
    ...(['buy', 'buy', 'buyAlike', 'post', 'post', 'restate', 'correct', 'withdraw', 'bringBack'] as const),
    ...(['pass', 'pass', 'sync', 'sync', 'sync', 'full', 'settle', 'relink', 'file', 'tag', 'delete'] as const),
  ),
  pick: fc.nat(999),
  flag: fc.boolean(),
  other: fc.boolean(),
});

export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

export function steps(maxLength: number): fc.Arbitrary<Step[]> {
  return fc.array(step, { minLength: 1, maxLength, size: 'max' });
}

/** Lives through the steps, and holds the ledger against the bank after each sync. */
export async function replay(world: BankWorld, ledger: HistoryLedger, all: readonly Step[]): Promise<void> {
  const history = new BankHistory(world, ledger);
  for (const one of all) await history.do(one);
  await history.sync();
  world.settle();
  await history.sync();
  await history.check();
}

/**
 * A bank and a household that hears of it in any batching. Steps that the contract leaves to a question are left out:
 * what a person is asked shows in other tests.
 */
class BankHistory {
  readonly #world: BankWorld;
  readonly #ledger: HistoryLedger;
  readonly #tags = new Map<Purchase, string>();
  /** Deleted by a person. */
  readonly #deleted = new Set<Purchase>();
  /** Stored as new by chance, because the bank named no link in time: tags need not follow. */
  readonly #loose = new Set<Purchase>();
  /** Known to the household, from a sync or a file. */
  readonly #delivered = new Set<Purchase>();
  #withdrawnCount = 0;

  constructor(world: BankWorld, ledger: HistoryLedger) {
    this.#world = world;
    this.#ledger = ledger;
    // A complete answer says nothing of the time before its first row.
    world.buy('RENT', 1, 'posted');
  }

  async do({ what, pick, flag, other }: Step): Promise<void> {
    const world = this.#world;
    const shop = SHOPS[pick % SHOPS.length] as string;
    const state = flag ? 'pending' : 'posted';
    if (what === 'buy') world.buy(shop, 1_000 + world.purchases.length * 137, state);
    else if (what === 'buyAlike') world.buy(SHOPS[0] as string, ALIKE_CENTS, state);
    else if (what === 'pass') world.pass(1 + (pick % 3));
    else if (what === 'settle') world.settle();
    else if (what === 'sync' || what === 'full') await this.sync({ isFull: what === 'full' });
    else if (what === 'relink') await this.#relink((['plaid', 'teller', 'moneta'] as const)[pick % 3] as Reach);
    else if (what === 'file') await this.#importFile();
    else await this.#touch(what, { pick, flag, other });
  }

  async sync({ isFull = false } = {}): Promise<void> {
    const world = this.#world;
    if (isFull && this.#withdrawnCount > BELIEVED_COUNT) await this.sync();
    this.#withdrawnCount = 0;
    const pending = (await this.#ledger.live()).filter((one) => one.pending && one.isFed).map(({ date }) => date);
    await this.#ledger.sync(world.read({ isFull, oldestPending: pending.toSorted()[0] ?? null }), isFull);
    for (const purchase of world.purchases) this.#delivered.add(purchase);
    if (world.isSettled) await this.check();
  }

  /** The ledger is what the bank has, each purchase once, with what a person put on it. */
  async check(): Promise<void> {
    const live = await this.#ledger.live();
    const expected = this.#world.purchases.filter((one) => one.state !== 'gone' && !this.#deleted.has(one));
    expect(live.map(described).toSorted()).toEqual(
      expected
        .map(({ state, shop, ...rest }) => described({ ...rest, name: shop, pending: state === 'pending' }))
        .toSorted(),
    );
    for (const [purchase, tag] of this.#tags) {
      if (!expected.includes(purchase) || this.#loose.has(purchase)) continue;
      const tagged = live.filter(({ tags }) => tags.includes(tag));
      expect(tagged.map(({ amountCents }) => amountCents)).toEqual([purchase.amountCents]);
    }
  }

  /** Something happens to a purchase. */
  async #touch(what: Step['what'], { pick, flag, other }: Omit<Step, 'what'>): Promise<void> {
    const world = this.#world;
    const of = (fits: (purchase: Purchase) => boolean): Purchase | undefined => {
      const list = world.purchases.slice(1).filter(fits);
      return list[pick % Math.max(1, list.length)];
    };
    const pending = of((one) => one.state === 'pending');
    const posted = of((one) => one.state === 'posted');
    const gone = of((one) => one.state === 'gone');
    const known = of((one) => isOwn(one) && one.state !== 'gone' && this.#delivered.has(one));
    const isPlaid = world.reach === 'plaid';
    if (what === 'post' && pending) this.#post(pending, { isLinked: flag, isLate: other });
    if (what === 'restate' && posted && isPlaid && (await this.#isAsStored(posted))) this.#restate(posted, flag);
    if (what === 'correct' && posted && isOwn(posted) && world.isInReach(posted) && (await this.#isAsStored(posted))) {
      world.correct(posted, posted.amountCents + 1_000_000);
    }
    if (what === 'withdraw' && flag && pending) this.#withdraw(pending);
    if (what === 'withdraw' && !flag && isPlaid && posted && isOwn(posted) && (await this.#isAsStored(posted))) {
      this.#withdraw(posted);
    }
    // Another purchase may have taken the transaction over, as one that the bank gave a new id.
    if (what === 'bringBack' && isPlaid && gone && (await this.#isAsStored(gone))) world.bringBack(gone);
    if (what === 'tag' && known) await this.#tag(known);
    if (what === 'delete' && known?.state === 'posted' && world.isSettled) await this.#delete(known);
  }

  #post(purchase: Purchase, { isLinked, isLate }: { isLinked: boolean; isLate: boolean }): void {
    const world = this.#world;
    const isPlaid = world.reach === 'plaid';
    if (world.reach === 'teller') return world.post(purchase, { hasSameId: isLinked, isLinked: false });
    if (isPlaid && !isLinked && isLate) this.#loose.add(purchase);
    world.post(purchase, { isLinked, isLate, extraCents: isPlaid && isLinked && isOwn(purchase) ? 50 : 0 });
  }

  #restate(purchase: Purchase, isLate: boolean): void {
    if (isLate && this.#deleted.has(purchase)) return;
    if (isLate) this.#loose.add(purchase);
    this.#world.restate(purchase, { isLate });
  }

  #withdraw(purchase: Purchase): void {
    this.#withdrawnCount += 1;
    this.#world.withdraw(purchase);
  }

  async #relink(reach: Reach): Promise<void> {
    const world = this.#world;
    await this.sync();
    world.settle();
    await this.sync();
    world.relink(reach);
    world.pass(1);
    await this.#ledger.relink(world);
    await this.sync();
  }

  /** A file with what the bank has booked and nothing has brought yet. */
  async #importFile(): Promise<void> {
    const rows = this.#world.purchases.filter((one) => one.state === 'posted' && !this.#delivered.has(one));
    if (rows.length === 0 || !(await this.#ledger.importFile(this.#world, rows))) return;
    for (const purchase of rows) this.#delivered.add(purchase);
  }

  async #tag(purchase: Purchase): Promise<void> {
    const found = await this.#transactionOf(purchase);
    if (!found) return;
    const tag = `tag-${purchase.number}`;
    this.#tags.set(purchase, tag);
    await this.#ledger.tag(found.id, tag);
  }

  async #delete(purchase: Purchase): Promise<void> {
    const found = await this.#transactionOf(purchase);
    if (!found || found.pending) return;
    this.#deleted.add(purchase);
    await this.#ledger.remove(found.id);
  }

  /** Whether the last sync brought the purchase under its present id as it still is. */
  async #isAsStored({ id, amountCents }: Purchase): Promise<boolean> {
    const stored = await this.#ledger.storedUnder(id);
    return stored !== null && stored.presentId === id && !stored.pending && stored.amountCents === amountCents;
  }

  async #transactionOf({ amountCents }: Purchase): Promise<LiveTransaction | undefined> {
    const found = (await this.#ledger.live()).filter((one) => one.amountCents === amountCents);
    return found.length === 1 ? found[0] : undefined;
  }
}

/** Has an amount that no other purchase has. */
function isOwn({ amountCents }: Purchase): boolean {
  return amountCents !== ALIKE_CENTS;
}

function described({
  date,
  amountCents,
  name,
  pending,
}: Pick<LiveTransaction, 'date' | 'amountCents' | 'name' | 'pending'>): string {
  return [date, amountCents, name, pending ? 'pending' : 'posted'].join(' ');
}
