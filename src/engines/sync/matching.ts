import { isSameCurrency } from '../matching/identity.ts';
import type {
  AccountBatch,
  AccountLedger,
  BankRow,
  KnownRow,
  PlannedSuggestion,
  RowDecision,
  Rule,
} from './account-plan.ts';
import { startNames, type Names } from './movement.ts';

/** A row of the batch with its place in it. */
export interface PlacedRow extends BankRow {
  readonly place: number;
}

/** A plan in the making: what is known of the batch and the ledger, and what was decided so far. */
export interface Matching {
  readonly batch: AccountBatch;
  readonly ledger: AccountLedger;
  readonly names: Names;
  /** Transactions of the account that a row may be, in the order in which they were stored. */
  readonly known: readonly KnownRow[];
  readonly knownById: ReadonlyMap<string, KnownRow>;
  /** Present ids that the provider named as removed or that its complete answer lacks. */
  readonly removedIds: ReadonlySet<string>;
  /** One per row of the batch; undefined: undecided. */
  readonly decisions: (RowDecision | undefined)[];
  /** Transactions that a row of the batch is. */
  readonly taken: Set<string>;
  /** Rows whose link to a pending one is not believed, by place: that transaction, or the row that makes it. */
  readonly disbelieved: Map<number, KnownRow | PlacedRow>;
  readonly suggestions: PlannedSuggestion[];
}

export function startMatching(batch: AccountBatch, ledger: AccountLedger): Matching {
  const here = ledger.rows.filter(({ id, deletedCause }) => deletedCause !== 'merged' && !ledger.leaving.has(id));
  const known = here.length > 1 ? here.sort(byCreation) : here;
  return {
    batch,
    ledger,
    names: startNames(),
    known,
    knownById: new Map([...ledger.elsewhere, ...ledger.rows].map((one) => [one.id, one])),
    removedIds: removedIdsOf(batch, known),
    decisions: Array.from({ length: batch.rows.length }),
    taken: new Set(),
    disbelieved: new Map(),
    suggestions: [],
  };
}

export function decide(matching: Matching, place: number, known: KnownRow, rule: Rule): void {
  matching.decisions[place] = { row: place, known, sameAs: null, rule, isSuperseded: false };
  matching.taken.add(known.id);
}

/** The rows that no rule has decided, in the order of delivery. */
export function undecidedRows({ batch, decisions }: Matching): PlacedRow[] {
  const rows: PlacedRow[] = [];
  for (const [place, row] of batch.rows.entries()) {
    if (decisions[place] === undefined) rows.push({ ...row, place });
  }
  return rows;
}

export function hasEqualMoney(one: BankRow, other: KnownRow): boolean {
  return one.amountCents === other.amountCents && isSameCurrency(one.currency, other.currency);
}

export function byCreation(one: KnownRow, other: KnownRow): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id !== other.id);
}

/** A person or agent deleted it, so nobody is asked about it. */
export function isMeantToBeGone(one: KnownRow | PlacedRow): boolean {
  return 'deletedCause' in one && (one.deletedCause === 'person' || one.deletedCause === 'agent');
}

/** Whether the account's present source reported the row last. */
export function isOfPresentSource({ namespace, externalAccountId }: AccountBatch, { feed }: KnownRow): boolean {
  return feed !== null && feed.namespace === namespace && feed.externalAccountId === externalAccountId;
}

/** Whether the present id of the transaction was removed in this batch. */
export function isRemovedNow({ batch, removedIds }: Matching, known: KnownRow): boolean {
  const id = known.feed?.externalId ?? null;
  return id !== null && removedIds.has(id) && isOfPresentSource(batch, known);
}

function removedIdsOf(batch: AccountBatch, known: readonly KnownRow[]): ReadonlySet<string> {
  if (batch.rowIds === 'none') return new Set();
  const removed = new Set(batch.removedIds);
  if (!batch.isCompleteRead || batch.delivery !== 'changes') return removed;
  for (const { feed } of lacking(batch, known)) removed.add(feed?.externalId ?? '');
  return removed;
}

/** What a complete answer lacks: of pending ones any, of posted ones what is dated within it. */
export function lacking(batch: AccountBatch, known: readonly KnownRow[]): KnownRow[] {
  if (!batch.isCompleteRead || batch.delivery !== 'changes') return [];
  const listed = new Set(batch.rows.map(({ externalId }) => externalId));
  let from = batch.answeredFrom;
  for (const { date } of batch.rows) if (from === null || date < from) from = date;
  return known.filter(
    (one) =>
      one.feed?.externalId != null &&
      isOfPresentSource(batch, one) &&
      !listed.has(one.feed.externalId) &&
      !batch.unreadableIds.has(one.feed.externalId) &&
      (one.pending || (from !== null && one.date >= from)),
  );
}
