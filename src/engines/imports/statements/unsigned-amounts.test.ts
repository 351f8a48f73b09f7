import { describe, expect, test } from 'vitest';

import { rowsOfOfx, type OfxEntry } from '../../../../test/harness/bank-files/ofx-rows.ts';

describe('a file in which no amount has a minus', () => {
  const unsigned: OfxEntry[] = [
    ['DEBIT', '20261001', '61,00', 'PADARIA'],
    ['DEBIT', '20261001', '1540,45', 'JUROS'],
    ['DEBIT', '20261002', '10,00', 'TARIFA'],
    ['CREDIT', '20261003', '900,00', 'TED RECEBIDA'],
  ];

  test('is asked about, and what its types call received stays money in', () => {
    expect(rowsOfOfx(unsigned)[0]).toBe('AMBIGUOUS_FORMAT sign');
    expect(rowsOfOfx(unsigned, { sign: 'positive_is_out' })).toEqual([
      '2026-10-01 61 PADARIA',
      '2026-10-01 1540.45 JUROS',
      '2026-10-02 10 TARIFA',
      '2026-10-03 -900 TED RECEBIDA',
    ]);
  });

  test('where payments have a minus, all signs are turned', () => {
    const signed: OfxEntry[] = [...unsigned, ['PAYMENT', '20261004', '-700,00', 'PAGAMENTO']];
    expect(rowsOfOfx(signed, { sign: 'positive_is_out' }).slice(-2)).toEqual([
      '2026-10-03 900 TED RECEBIDA',
      '2026-10-04 -700 PAGAMENTO',
    ]);
  });
});
