import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyTree, row as anyRow, rules } from '../../../test/harness/rules/random-rules.ts';
import { CATALOG, ROW } from '../../../test/harness/rules/sample-rules.ts';
import { evaluateRow } from './evaluate.ts';
import { FIELD_NAMES } from './fields.ts';
import type { RowPart, RuleRow } from './row.ts';
import { compileRules, partsRead } from './rule-set.ts';

const EMPTY: RuleRow = {
  ...ROW,
  name: '',
  amountCents: 0,
  isoCurrencyCode: null,
  provider: null,
  accountId: '',
  accountName: null,
  accountType: null,
};

test('parts that are not read make no difference', () => {
  fc.assert(
    fc.property(rules(anyTree), anyRow, fc.boolean(), (list, row, overwriteManual) => {
      const parts = partsRead(list);
      const narrow = Object.fromEntries(
        Object.keys(row).map((key) => [key, parts.has(key as RowPart) ? row[key as RowPart] : EMPTY[key as RowPart]]),
      ) as unknown as RuleRow;
      const set = compileRules(list, CATALOG);
      expect(evaluateRow(set, narrow, { overwriteManual })).toEqual(evaluateRow(set, row, { overwriteManual }));
    }),
    { numRuns: 1_000 },
  );
});

test('every field reads one part, and only metadata fields read the metadata', () => {
  for (const field of FIELD_NAMES) {
    const parts = partsRead([{ condition: { field, op: 'exists' }, actions: [] }]);
    expect([field, parts.size]).toEqual([field, 1]);
    expect([field, parts.has('metadata')]).toEqual([field, field.startsWith('metadata.')]);
  }
});
