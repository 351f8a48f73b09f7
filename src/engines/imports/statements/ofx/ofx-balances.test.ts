import { describe, expect, test } from 'vitest';

import { rowsOfOfx } from '../../../../../test/harness/bank-files/ofx-rows.ts';

describe('entries that state a balance', () => {
  test('the balance of each day and the one before are no transactions', () => {
    expect(
      rowsOfOfx([
        ['CREDIT', '20261002', '250.00', 'SALDO TOTAL DISPONÍVEL DIA'],
        ['DEBIT', '20261002', '-50.00', 'PADARIA'],
        ['CREDIT', '20261001', '300.00', 'S A L D O'],
        ['CREDIT', '20261001', '100.00', 'PIX RECEBIDO'],
        ['CREDIT', '20260930', '200.00', 'SALDO ANTERIOR'],
      ]),
    ).toEqual(['NOT_A_ROW', '2026-10-02 50 PADARIA', 'NOT_A_ROW', '2026-10-01 -100 PIX RECEBIDO', 'OPENING_BALANCE']);
  });

  test('their days and amounts need not be readable', () => {
    expect(
      rowsOfOfx([
        ['OTHER', '00000000', '0', 'Saldo Anterior'],
        ['DEBIT', '20261002', '-50.00', 'PADARIA'],
        ['DEBIT', '00021130000000[-3:BRT]', '1,2,3', 'Saldo do dia'],
      ]),
    ).toEqual(['OPENING_BALANCE', '2026-10-02 50 PADARIA', 'NOT_A_ROW']);
  });

  test('a label with other words, or one between the movements, is a transaction', () => {
    expect(
      rowsOfOfx([
        ['CREDIT', '20261001', '100.00', 'PIX RECEBIDO SALDO ANTERIOR ACERTO'],
        ['CREDIT', '20261002', '80.00', 'Saldo'],
        ['CREDIT', '20261002', '70.00', 'Opening balance'],
        ['DEBIT', '20261003', '-50.00', 'PADARIA'],
      ]),
    ).toEqual([
      '2026-10-01 -100 PIX RECEBIDO SALDO ANTERIOR ACERTO',
      '2026-10-02 -80 Saldo',
      '2026-10-02 -70 Opening balance',
      '2026-10-03 50 PADARIA',
    ]);
  });
});
