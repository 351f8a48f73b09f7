import fc from 'fast-check';

import type {
  AccountBatch,
  AccountLedger,
  BankRow,
  DeletedCause,
  KnownRow,
} from '../../../src/engines/sync/account-plan.ts';
import { bankRow, changes, feed, knownRow, ledgerOf, NOW, windowOf } from './sync-rows.ts';

/** Batches and ledgers from a small world, so that rows often resemble each other and ids often meet. */

export interface SyncCase {
  readonly batch: AccountBatch;
  readonly ledger: AccountLedger;
}

const PROVIDERS = ['changes', 'complete', 'window', 'none'] as const;
const RELINKED_AT = '2026-02-18T12:00:00.000Z';

const movement = {
  date: fc.integer({ min: 8, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
  authorizedDate: fc.option(
    fc.integer({ min: 8, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
    { freq: 3 },
  ),
  amountCents: fc.constantFrom(450, 450, 2_000, 2_400, 2_500, 4_000, -450),
  currency: fc.constantFrom('USD', 'USD', 'USD', null, 'EUR'),
  name: fc.constantFrom('BLUE BOTTLE', 'BLUE BOTTLE 0042', 'BLUE BOTTLE SF', 'DINER', 'SHELL OIL'),
  merchantName: fc.constantFrom(null, null, 'Blue Bottle'),
  pending: fc.constantFrom(false, false, true),
  categoryPrimary: fc.constantFrom(null, 'dining', 'fuel'),
};

const known = fc.record({
  ...movement,
  source: fc.constantFrom('file', 'hand', 'bank', 'bank', 'bank', 'former'),
  deletedCause: fc.constantFrom<DeletedCause | null>(null, null, null, 'person', 'provider', 'connection', 'merged'),
  deletedAt: fc.constantFrom('2026-01-10T12:00:00.000Z', '2026-02-25T12:00:00.000Z'),
  removedAt: fc.constantFrom(null, null, '2026-01-10T12:00:00.000Z', '2026-02-25T12:00:00.000Z'),
  wasPending: fc.boolean(),
  createdAt: fc.constantFrom('2026-02-10T12:00:00.000Z', '2026-02-24T12:00:00.000Z'),
});

const row = fc.record({ ...movement, id: fc.nat(14), isKnown: fc.boolean(), link: fc.option(fc.nat(9), { freq: 3 }) });

/** Ledgers of up to ten transactions, batches of up to ten rows. */
export const syncCase: fc.Arbitrary<SyncCase> = fc
  .record({
    kind: fc.constantFrom(...PROVIDERS),
    known: fc.array(known, { maxLength: 10 }),
    rows: fc.array(row, { maxLength: 10 }),
    removed: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
    isRelinked: fc.boolean(),
  })
  .map(({ kind, known: transactions, rows, removed, isRelinked }) => {
    const namespace = kind === 'changes' || kind === 'complete' ? 'plaid' : kind;
    const ledger = transactions.map((one, at) => knownOf(one, at, namespace));
    const listed = [...new Map(rows.map((one) => [idOf(one), rowOf(one)])).values()];
    const ids = new Set(listed.map(({ externalId }) => externalId));
    const over = { namespace, relinkedAt: isRelinked ? RELINKED_AT : null, now: NOW };
    const removedIds = removed.map((id) => `x${id}`).filter((id) => !ids.has(id));
    const batch =
      kind === 'window' || kind === 'none'
        ? windowOf(listed, {
            ...over,
            rowIds: kind === 'none' ? 'none' : 'posted',
            read: { from: '2026-02-12', to: '2026-03-02' },
          })
        : changes(listed, { ...over, removedIds, isCompleteRead: kind === 'complete' });
    return { batch, ledger: ledgerOf(ledger, {}, namespace) };
  });

type Of<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

function idOf({ id, isKnown }: Of<typeof row>): string {
  return isKnown ? `x${id % 10}` : `n${id}`;
}

function rowOf(one: Of<typeof row>): BankRow {
  const { id: _, isKnown: __, link, ...rest } = one;
  return bankRow({
    ...rest,
    externalId: idOf(one),
    pendingExternalId: link === null || one.pending ? null : `x${link}`,
  });
}

function knownOf(one: Of<typeof known>, at: number, namespace: string): KnownRow {
  const { source, deletedAt, removedAt, wasPending, ...rest } = one;
  const isOwn = source === 'bank';
  const own = feed({
    namespace: isOwn ? namespace : 'former',
    externalId: `x${at}`,
    externalAccountId: isOwn ? 'A' : 'old',
    removedAt,
    wasPending,
  });
  return knownRow({
    ...rest,
    id: `t${at}`,
    deletedAt: rest.deletedCause && deletedAt,
    isFromFile: source === 'file',
    isEntered: source === 'hand',
    feed: source === 'file' || source === 'hand' ? null : own,
  });
}
