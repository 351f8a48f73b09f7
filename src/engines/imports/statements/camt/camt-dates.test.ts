import { describe, expect, test } from 'vitest';

import {
  analyse,
  camtBalance,
  camtEntry,
  camtFile,
  rows,
} from '../../../../../test/harness/bank-files/statement-files.ts';

const UNDATED = camtEntry({ date: '' });
const dated = (day: string): string => camtEntry({ date: `<BookgDt><Dt>${day}</Dt></BookgDt>` });
const period = (from: string, to: string): string => `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`;
const balances = (opening: string, closing: string): string =>
  camtBalance('OPBD', '100.00', opening) + camtBalance('CLBD', '80.00', closing);

describe('an entry without dates', () => {
  test.each([
    ['the period is one day', period('2025-01-15T00:00:00', '2025-01-15T23:59:59'), '2025-01-15'],
    ['the period ends at the midnight behind it', period('2025-01-15T00:00:00', '2025-01-16T00:00:00'), '2025-01-15'],
    ['the statement closes the day after it opened', balances('2025-01-14', '2025-01-15'), '2025-01-15'],
    ['the others are of the closing day', balances('2025-01-10', '2025-01-15') + dated('2025-01-15'), '2025-01-15'],
  ])('takes the day of the statement: %s', (_, parts, day) => {
    const found = rows(camtFile(parts + UNDATED)).map((row) => [row.outcome, row.date]);
    expect(found).toEqual(found.map(() => ['row', day]));
  });

  test.each([
    ['nothing states a day', ''],
    ['the period is longer', period('2025-01-01T00:00:00', '2025-01-31T00:00:00')],
    ['the balances are of two days', balances('2025-01-01', '2025-01-31')],
    ['another entry is of another day', balances('2025-01-14', '2025-01-15') + dated('2025-01-14')],
    ['an entry contradicts the period', period('2025-01-15', '2025-01-15') + dated('2025-01-14')],
  ])('is refused alone: %s', (_, parts) => {
    const found = rows(camtFile(parts + UNDATED + dated('2025-01-14')));
    expect(found.filter((row) => row.outcome !== 'row').map((row) => [row.reason, row.amount_cents])).toEqual([
      ['DATE_MISSING', 1_000],
    ]);
    expect(found.filter((row) => row.outcome === 'row').length).toBe(found.length - 1);
  });

  test('that has no amount either stays unreadable', () => {
    const found = rows(camtFile(balances('2025-01-14', '2025-01-15') + camtEntry({ date: '', amount: '' })));
    expect(found.map((row) => row.outcome)).toEqual(['invalid']);
  });

  test('that is only expected or informative stops nothing', () => {
    const expected =
      camtEntry({ date: '', status: '<Sts>PDNG</Sts>' }) + camtEntry({ date: '', status: '<Sts>INFO</Sts>' });
    const file = analyse(camtFile(dated('2025-01-14') + expected));
    expect([...file.rows()].map((row) => row.reason)).toEqual([null, 'PENDING', 'STATUS_IGNORED']);
    expect(file.blockers).toEqual([]);
  });
});
