import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { AccountBatch, BankRow } from '../../src/engines/sync/account-plan.ts';
import { startCollapse } from '../../src/engines/sync/collapse.ts';
import { PureLedger, type PureTransaction } from '../harness/pure-ledger.ts';
import { BankWorld, type Purchase, type Reach, type Read } from './bank-world.ts';

/**
 * Random histories of a bank, synced in any batching: the ledger ends in what the bank has, each purchase once, and
 * what a person put on a purchase stays on it.
 */

const SHOPS = ['BLUE BOTTLE', 'DINER 0042', 'BOOKS & MORE', 'TRANSIT AUTHORITY'];

const step = fc.record({
  what: fc.constantFrom(
    ...(['buy', 'buy', 'buyAlike', 'post', 'post', 'restate', 'correct', 'withdraw', 'bringBack'] as const),
    ...(['pass', 'pass', 'sync', 'sync', 'sync', 'full', 'settle', 'relink', 'file', 'tag', 'delete'] as const),
  ),
  pick: fc.nat(999),
  flag: fc.boolean(),
  other: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

class History {
  readonly world = new BankWorld();
  readonly ledger = new PureLedger();
  readonly #tags = new Map<Purchase, string>();
  /** Deleted by a person. */
  readonly #deleted = new Set<Purchase>();
  /** Purchases whose other version was stored as new, because the bank named no link in time. */
  readonly #loose = new Set<Purchase>();
  readonly #delivered = new Set<Purchase>();
  #relinkedAt: string | null = null;
  #withdrawnCount = 0;

  constructor(reach: Reach) {
    if (reach !== 'plaid') this.world.relink(reach);
    // A complete answer says nothing of the time before its first row.
    this.world.buy('RENT', 1, 'posted');
  }

  do({ what, pick, flag, other }: Step): void {
    const { world } = this;
    const of = (fits: (purchase: Purchase) => boolean): Purchase | undefined => {
      const list = world.purchases.slice(1).filter(fits);
      return list[pick % Math.max(1, list.length)];
    };
    const pending = of(({ state }) => state === 'pending');
    const posted = of(({ state }) => state === 'posted');
    const shop = SHOPS[pick % SHOPS.length] as string;
    const isPlaid = world.reach === 'plaid';
    switch (what) {
      case 'buy':
        world.buy(shop, 1_000 + world.purchases.length * 137, flag ? 'pending' : 'posted');
        break;
      case 'buyAlike':
        world.buy(SHOPS[0] as string, 450, flag ? 'pending' : 'posted');
        break;
      case 'post':
        if (pending) this.#post(pending, { isLinked: flag, isLate: other });
        break;
      case 'restate':
        if (posted && isPlaid && this.#isAsStored(posted)) this.#restate(posted, flag);
        break;
      case 'correct':
        if (posted && isOwn(posted) && world.isInReach(posted) && this.#isAsStored(posted))
          world.correct(posted, posted.amountCents + 1_000_000);
        break;
      case 'withdraw':
        this.#withdrawnCount += 1;
        if (pending && flag) world.withdraw(pending);
        else if (posted && isPlaid && isOwn(posted) && this.#isAsStored(posted)) world.withdraw(posted);
        break;
      case 'bringBack': {
        // Another purchase may have taken the transaction over, as one that the bank gave a new id.
        const gone = of((one) => one.state === 'gone' && this.#isAsStored(one));
        if (gone && isPlaid) world.bringBack(gone);
        break;
      }
      case 'pass':
        world.pass(1 + (pick % 3));
        break;
      case 'sync':
        this.sync();
        break;
      case 'full':
        this.sync({ isFull: true });
        break;
      case 'settle':
        world.settle();
        break;
      case 'relink':
        this.#relink((['plaid', 'teller', 'moneta'] as const)[pick % 3] as Reach);
        break;
      case 'file':
        this.#importFile();
        break;
      case 'tag':
        this.#tag(of((one) => isOwn(one) && one.state !== 'gone' && this.#delivered.has(one)));
        break;
      case 'delete':
        this.#delete(of((one) => isOwn(one) && one.state === 'posted' && this.#delivered.has(one)));
        break;
    }
  }

  sync({ isFull = false } = {}): void {
    const { world } = this;
    // What a complete read lacks is believed up to five rows, which other tests show.
    if (isFull && this.#withdrawnCount > 5) this.sync();
    this.#withdrawnCount = 0;
    const pending = this.ledger.live.filter((one) => one.pending && one.feed !== null).map(({ date }) => date);
    this.#apply(world.read({ isFull, oldestPending: pending.toSorted()[0] ?? null }));
    for (const purchase of world.purchases) this.#delivered.add(purchase);
    if (world.isSettled) this.check();
  }

  check(): void {
    const { world, ledger } = this;
    const known = world.purchases.filter(
      (one) => one.state !== 'gone' && this.#delivered.has(one) && !this.#deleted.has(one),
    );
    expect(ledger.live.map(described).toSorted()).toEqual(
      known.map((one) => described({ ...one, pending: one.state === 'pending', name: one.shop })).toSorted(),
    );
    for (const [purchase, tag] of this.#tags) {
      if (purchase.state === 'gone' || this.#loose.has(purchase) || this.#deleted.has(purchase)) continue;
      const found = ledger.live.filter(({ tags }) => tags.includes(tag));
      expect(found.map(({ amountCents }) => amountCents)).toEqual([purchase.amountCents]);
    }
  }

  #apply({ words, batch }: Read): void {
    const collapse = startCollapse<{ externalId: string }>(batch.rowIds);
    const rows: BankRow[] = [];
    for (const word of words) {
      if ('row' in word) rows.push(word.row);
      const page =
        'row' in word ? { rows: [word.row], removed: [] } : { rows: [], removed: [{ externalId: word.removedId }] };
      collapse.take({ kind: 'rows', ...page });
    }
    const { kept, removed } = collapse.finish();
    const collapsed: AccountBatch = {
      ...batch,
      rows: kept.map((at) => rows[at] as BankRow),
      removedIds: removed.map(({ externalId }) => externalId),
      relinkedAt: this.#relinkedAt,
    };
    this.ledger.sync(collapsed);
  }

  #post(purchase: Purchase, { isLinked, isLate }: { isLinked: boolean; isLate: boolean }): void {
    const { world } = this;
    const isPlaid = world.reach === 'plaid';
    if (world.reach === 'teller') return world.post(purchase, { hasSameId: isLinked, isLinked: false });
    if (isPlaid && !isLinked && isLate) this.#loose.add(purchase);
    world.post(purchase, { isLinked, isLate, extraCents: isPlaid && isLinked && isOwn(purchase) ? 50 : 0 });
  }

  #restate(purchase: Purchase, isLate: boolean): void {
    if (isLate && this.#deleted.has(purchase)) return;
    if (isLate) this.#loose.add(purchase);
    this.world.restate(purchase, { isLate });
  }

  #relink(reach: Reach): void {
    this.sync();
    this.world.settle();
    this.sync();
    this.world.relink(reach);
    this.world.pass(1);
    this.#relinkedAt = this.world.now;
    this.sync();
  }

  /** A file with what the bank has booked and no sync has brought yet. */
  #importFile(): void {
    const { world, ledger } = this;
    for (const purchase of world.purchases) {
      if (purchase.state !== 'posted' || this.#delivered.has(purchase)) continue;
      const { date, amountCents, shop } = purchase;
      ledger.add({ date, amountCents, name: `${shop} 1234`, isFromFile: true, createdAt: world.now, currency: null });
      this.#delivered.add(purchase);
    }
  }

  #tag(purchase: Purchase | undefined): void {
    const found = purchase && this.#transactionOf(purchase);
    if (!found) return;
    const tag = `tag ${purchase.number}`;
    this.#tags.set(purchase, tag);
    this.ledger.change(found.id, { tags: [tag] });
  }

  #delete(purchase: Purchase | undefined): void {
    const found = purchase && this.#transactionOf(purchase);
    if (!found || found.pending || !this.world.isSettled) return;
    this.#deleted.add(purchase);
    this.ledger.change(found.id, { deletedCause: 'person', deletedAt: this.world.now });
  }

  /** Whether the last sync brought the purchase under its present id as it still is. */
  #isAsStored({ id, amountCents }: Purchase): boolean {
    const { ledger, world } = this;
    const known = ledger.rows.get(ledger.aliases.get(world.reach)?.get(id) ?? '');
    return known?.feed?.externalId === id && !known.pending && known.amountCents === amountCents;
  }

  #transactionOf({ amountCents }: Purchase): PureTransaction | undefined {
    const found = this.ledger.live.filter((one) => one.amountCents === amountCents);
    return found.length === 1 ? found[0] : undefined;
  }
}

/** An amount that no other purchase has. */
function isOwn({ amountCents }: { readonly amountCents: number }): boolean {
  return amountCents !== 450;
}

function described({
  date,
  amountCents,
  name,
  pending,
}: {
  date: string;
  amountCents: number;
  name: string;
  pending: boolean;
}): string {
  return [date, amountCents, name.replace(/ 1234$/, ''), pending ? 'pending' : 'posted'].join(' ');
}

test.each(['plaid', 'teller', 'moneta'] as const)(
  'the ledger of a history that begins with %s is what the bank has',
  (reach) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
        const history = new History(reach);
        for (const one of steps) history.do(one);
        history.sync();
        history.world.settle();
        history.sync();
        history.check();
      }),
      { numRuns: 250 },
    );
  },
);
