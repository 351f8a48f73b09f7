import fc from 'fast-check';
import { expect, test } from 'vitest';

import { LedgerRowStore, type LedgerRowInput } from './ledger-row-store.ts';

const nullable = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null });
const hex = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const text = fc.constantFrom('', 'Café', 'REWE SAGT DANKE', '0', '\u{1f600}');

const newRow: fc.Arbitrary<LedgerRowInput> = fc.record({
  id: fc.oneof(fc.uuid(), fc.constantFrom('a', 'UPPER')),
  date: fc.constantFrom('2026-01-31', '1970-01-01'),
  authorizedDate: nullable(fc.constantFrom('2026-01-30')),
  amountCents: fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
  currency: nullable(fc.constantFrom('EUR', 'JPY')),
  name: text,
  merchantName: nullable(text),
  pending: fc.boolean(),
  state: fc.constantFrom('live', 'kept_deleted', 'withdrawn'),
  changedAt: fc.constantFrom('2026-01-31T08:00:00.000Z', '2026-01-31T08:00:00.001Z'),
  isStale: fc.boolean(),
  sourceKey: nullable(text),
  balanceCents: nullable(fc.integer({ min: -5, max: 5 })),
  isProvider: fc.boolean(),
  isEntered: fc.boolean(),
  contentKey: nullable(fc.oneof(hex, fc.constantFrom('key', 'ABCDEF00ABCDEF00ABCDEF00ABCDEF00'))),
});
const keys = fc.array(text, { minLength: 1, maxLength: 2 });

test('rows read as they were added, whatever was added before and after them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(newRow, nullable(keys), nullable(keys)), { maxLength: 40 }), (rows) => {
      const store = new LedgerRowStore(4);
      for (const [row] of rows) store.add(row);
      for (const [at, [, bankIds, others]] of rows.entries()) {
        const row = store.finished().at(at);
        if (row && bankIds) row.bankIds = bankIds;
        if (row && others) row.otherContentKeys = others;
      }
      for (const [at, [row, bankIds, others]] of rows.entries()) {
        const names = [...Object.keys(row), 'bankIds', 'otherContentKeys'];
        const read = Object.fromEntries(
          names.map((name) => [name, store.finished().at(at)?.[name as keyof LedgerRowInput]]),
        );
        expect(read).toEqual({ ...row, bankIds: bankIds ?? [], otherContentKeys: others ?? [] });
      }
    }),
  );
});
