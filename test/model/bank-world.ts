import type { AccountBatch, BankRow } from '../../src/engines/sync/account-plan.ts';
import { addDays, type DateOnly } from '../../src/kernel/dates.ts';
import { bankRow } from '../harness/syncs/sync-rows.ts';

/** A purchase as the bank knows it: the truth that a ledger should end in. */
export interface Purchase {
  readonly number: number;
  readonly shop: string;
  amountCents: number;
  date: DateOnly;
  state: 'pending' | 'posted' | 'gone';
  /** The present id of its row. */
  id: string;
  /** The id of the pending row that the posted one names. */
  pendingId: string | null;
}

/** How a bank is reached: as with Plaid, Teller, and a provider whose rows have no ids. */
export type Reach = 'plaid' | 'teller' | 'moneta';

type Word = { readonly row: BankRow } | { readonly removedId: string };

/** What one read brings, in parts as the provider would page it. */
export interface Read {
  readonly words: readonly Word[];
  readonly batch: Omit<AccountBatch, 'rows' | 'removedIds' | 'relinkedAt'>;
}

const ROW_IDS = { plaid: 'lasting', teller: 'posted', moneta: 'none' } as const;
/** A window begins that long before the last read. */
const WINDOW_DAYS = 10;

/**
 * A bank with one account and one link to it. It says what it says as a provider does: changes since a position, or
 * windows; ids that change; removals that come late.
 */
export class BankWorld {
  today: DateOnly;
  /** Of the first day. */
  readonly #start: DateOnly;
  /** Keeps the ids of one world apart from those of another. */
  readonly #mark: string;
  readonly purchases: Purchase[] = [];
  reach: Reach = 'plaid';
  /** How often the bank was linked. */
  linkNumber = 1;
  #serial = 0;

  /** What was said since the link, for a provider that delivers changes. */
  #words: Word[] = [];
  #position = 0;
  #lastRead: DateOnly | null = null;
  /** Old ids that the provider still lists, with their rows, and whether the new row names them. */
  readonly #late = new Map<string, { readonly row: BankRow; readonly isNamed: boolean }>();

  constructor({ start = '2026-01-05', mark = 'bank' } = {}) {
    this.today = start;
    this.#start = start;
    this.#mark = mark;
  }

  /** Whether nobody could take what the bank lists for more purchases than there are. */
  get isSettled(): boolean {
    return [...this.#late.values()].every(({ isNamed }) => isNamed);
  }

  get now(): string {
    return `${this.today}T12:00:00.000Z`;
  }

  get source(): string {
    return `${this.#mark}-account-${this.linkNumber}`;
  }

  /** Whether the next read lists the purchase, however long ago it was. */
  isInReach({ date }: Purchase): boolean {
    return this.reach === 'plaid' || date >= this.#windowFrom(false, null);
  }

  pass(days: number): void {
    this.today = addDays(this.today, days);
  }

  buy(shop: string, amountCents: number, state: 'pending' | 'posted'): Purchase {
    const number = this.purchases.length;
    const purchase = { number, shop, amountCents, date: this.today, state, id: this.#newId(), pendingId: null };
    this.purchases.push(purchase);
    this.#say(purchase);
    return purchase;
  }

  /** Books a pending purchase. `late`: the pending row is still listed for a while. */
  post(purchase: Purchase, { isLinked = true, isLate = false, hasSameId = false, extraCents = 0 } = {}): void {
    const before = this.rowOf(purchase);
    purchase.state = 'posted';
    purchase.amountCents += extraCents;
    if (!hasSameId) {
      purchase.id = this.#newId();
      if (isLinked) purchase.pendingId = before.externalId;
      this.#replace(before, { isLate, isNamed: isLinked });
    }
    this.#say(purchase);
  }

  /** The bank gives a posted row a new id. */
  restate(purchase: Purchase, { isLate = false } = {}): void {
    const before = this.rowOf(purchase);
    purchase.id = this.#newId();
    purchase.pendingId = null;
    this.#replace(before, { isLate, isNamed: false });
    this.#say(purchase);
  }

  correct(purchase: Purchase, amountCents: number): void {
    purchase.amountCents = amountCents;
    this.#say(purchase);
  }

  withdraw(purchase: Purchase): void {
    purchase.state = 'gone';
    this.settle();
    this.#words.push({ removedId: purchase.id });
  }

  bringBack(purchase: Purchase): void {
    purchase.state = 'posted';
    this.#say(purchase);
  }

  /** Removes what was listed for longer than it should have been. */
  settle(): void {
    for (const id of this.#late.keys()) this.#words.push({ removedId: id });
    this.#late.clear();
  }

  /** Links the bank again: every id is new. */
  relink(reach: Reach): void {
    this.settle();
    this.reach = reach;
    this.linkNumber += 1;
    this.#words = [];
    this.#position = 0;
    this.#lastRead = null;
    for (const purchase of this.purchases) {
      Object.assign(purchase, { id: this.#newId(), pendingId: null });
      if (purchase.state !== 'gone') this.#say(purchase);
    }
  }

  /** What the next sync brings. `isFull`: everything is read again; `oldestPending`: what a window has to cover. */
  read({ isFull = false, oldestPending = null as DateOnly | null } = {}): Read {
    const common = {
      namespace: this.reach,
      externalAccountId: this.source,
      rowIds: ROW_IDS[this.reach],
      unreadableIds: new Set<string>(),
      answeredFrom: null,
      now: this.now,
    };
    if (this.reach === 'plaid') {
      const isFromStart = isFull || this.#position === 0;
      const words = isFromStart ? this.#listed().map((row) => ({ row })) : this.#words.slice(this.#position);
      this.#position = this.#words.length;
      return { words, batch: { ...common, delivery: 'changes', read: null, isCompleteRead: isFromStart } };
    }
    const from = this.#windowFrom(isFull, oldestPending);
    const to = addDays(this.today, 1);
    this.#lastRead = this.today;
    const words = this.#listed()
      .filter(({ date }) => date >= from)
      .map((row) => ({ row }))
      .toReversed();
    return { words, batch: { ...common, delivery: 'window', read: { from, to }, isCompleteRead: isFull } };
  }

  /** The row of a purchase as the provider would deliver it now. */
  rowOf({ id, pendingId, state, date, amountCents, shop }: Purchase): BankRow {
    return bankRow({
      externalId: this.reach === 'moneta' ? null : id,
      externalAccountId: this.source,
      pendingExternalId: this.reach === 'plaid' ? pendingId : null,
      pending: state === 'pending',
      date,
      amountCents,
      name: shop,
    });
  }

  #listed(): BankRow[] {
    const present = this.purchases.filter(({ state }) => state !== 'gone').map((purchase) => this.rowOf(purchase));
    return [...[...this.#late.values()].map(({ row }) => row), ...present];
  }

  #windowFrom(isFull: boolean, oldestPending: DateOnly | null): DateOnly {
    if (isFull || this.#lastRead === null) return this.#start;
    const from = addDays(this.#lastRead, -WINDOW_DAYS);
    const before = oldestPending === null ? from : addDays(oldestPending, -1);
    return before < from ? before : from;
  }

  #replace(row: BankRow, { isLate, isNamed }: { isLate: boolean; isNamed: boolean }): void {
    const { externalId } = row;
    if (externalId === null) return;
    // A window lists each row once, so only changes can be late.
    if (isLate && this.reach === 'plaid') this.#late.set(externalId, { row, isNamed });
    else this.#words.push({ removedId: externalId });
  }

  #say(purchase: Purchase): void {
    this.#words.push({ row: this.rowOf(purchase) });
  }

  #newId(): string {
    this.#serial += 1;
    return `${this.#mark}-${this.linkNumber}-${this.#serial}`;
  }
}
