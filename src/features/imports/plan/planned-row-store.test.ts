import fc from 'fast-check';
import { expect, test } from 'vitest';

import { LedgerRowStore } from './ledger-row-store.ts';
import type { LedgerRow } from './load-ledger.ts';
import type { PlannedAccount, PlannedRow } from './plan.ts';
import { PlannedRowStore, type PlannedRowInput } from './planned-row-store.ts';

const accounts = [{}, {}] as PlannedAccount[];
const ledgerRows = ['a', 'b', 'c'].map((id, place) => ledgerRow(id, place % 2));
const nullable = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null });
const text = fc.constantFrom('', 'Café', 'REWE SAGT DANKE', '0', '\u{1f600}');
const cents = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
const hex = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => {
  bytes[0] = (bytes[0] as number) | 1;
  return Buffer.from(bytes).toString('hex');
});
const outcome = fc.constantFrom('added', 'updated', 'duplicate', 'deleted', 'skipped', 'invalid');

const newRow: fc.Arbitrary<PlannedRowInput> = fc.record({
  line: fc.integer({ min: 1, max: 600_000 }),
  part: fc.nat(70_000),
  account: nullable(fc.constantFrom(...accounts)),
  outcome,
  reason: nullable(fc.constantFrom('PENDING', 'OTHER_ACCOUNT')),
  date: nullable(fc.constantFrom('2026-01-31', '1970-01-01')),
  authorizedDate: nullable(fc.constantFrom('2026-01-30')),
  datetime: nullable(text),
  time: nullable(fc.constantFrom('23:59:59')),
  amountCents: nullable(cents),
  currency: nullable(fc.constantFrom('EUR', 'JPY')),
  name: text,
  merchantName: nullable(text),
  category: nullable(text),
  notes: nullable(text),
  tags: nullable(text),
  contentKey: fc.oneof(fc.constant(''), hex),
  bankId: nullable(text),
  correction: nullable(fc.constantFrom({ action: 'delete' as const, bank_id: '1' })),
  pending: fc.boolean(),
  balanceCents: nullable(cents),
  message: nullable(text),
  raw: nullable(text),
});

const decided = fc.record(
  {
    outcome,
    reason: nullable(fc.constantFrom('SAME_BANK_ID', 'BROUGHT_BACK')),
    match: nullable(fc.constantFrom('certain', 'probable')),
    ledger: nullable(fc.constantFrom(...ledgerRows)),
    ownId: nullable(fc.uuid()),
    transactionId: nullable(fc.uuid()),
    contentKey: fc.oneof(fc.constant(''), hex),
    bankId: nullable(text),
    formerBankIds: fc.array(text, { maxLength: 2 }),
    raw: nullable(text),
    isRedelivered: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('planned records hold what was added and decided, whatever came before and after', () => {
  const steps = fc.array(fc.oneof(newRow, fc.tuple(fc.nat(), decided)), { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.nat(3), (all, expected) => {
      const rows = new PlannedRowStore(expected);
      const model: PlannedRow[] = [];
      for (const step of all) {
        if (!Array.isArray(step)) {
          rows.add(step);
          const matched = { match: null, ledger: null, ownId: null, transactionId: null, knownPlace: 0, beside: null };
          model.push({ ...step, ...matched, formerBankIds: [], isRedelivered: false });
        } else if (model.length > 0) {
          const at = step[0] % model.length;
          Object.assign(rows.finished().at(at) as PlannedRow, step[1]);
          Object.assign(model[at] as PlannedRow, step[1]);
        }
      }
      expect([...rows.finished()].map(shown)).toEqual(model.map(shown));
    }),
  );
});

const KEYS: Readonly<Record<keyof PlannedRow, true>> = {
  line: true,
  part: true,
  account: true,
  outcome: true,
  reason: true,
  match: true,
  ledger: true,
  ownId: true,
  transactionId: true,
  date: true,
  authorizedDate: true,
  datetime: true,
  time: true,
  amountCents: true,
  currency: true,
  name: true,
  merchantName: true,
  category: true,
  notes: true,
  tags: true,
  contentKey: true,
  bankId: true,
  formerBankIds: true,
  correction: true,
  pending: true,
  balanceCents: true,
  message: true,
  raw: true,
  isRedelivered: true,
  knownPlace: true,
  beside: true,
};

function shown(row: PlannedRow): Record<string, unknown> {
  const values = (Object.keys(KEYS) as (keyof PlannedRow)[]).map((key) => [key, row[key]]);
  return { ...Object.fromEntries(values), ledger: row.ledger?.id ?? null };
}

/** A row in a store of its own, after some others. */
function ledgerRow(id: string, place: number): LedgerRow {
  const store = new LedgerRowStore(1);
  const values = {
    date: '2026-01-31',
    authorizedDate: null,
    amountCents: 1,
    currency: null,
    name: '',
    merchantName: null,
  };
  const flags = {
    pending: false,
    state: 'live' as const,
    isStale: false,
    balanceCents: null,
    sourceKey: null,
    isProvider: false,
    isEntered: false,
    changedAt: '',
  };
  for (let i = 0; i < place; i++) store.add({ ...values, ...flags, id: 'other', contentKey: null });
  return store.add({ ...values, ...flags, id, contentKey: null });
}
