import { describe, expect, test } from 'vitest';

import { analyseStatements } from './analyse-statements.ts';
import { readQif } from './qif/qif.ts';
import { rowsOfOfx } from '../../../../test/harness/bank-files/ofx-rows.ts';

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
    ).toEqual([
      'STATED_BALANCE',
      '2026-10-02 50 PADARIA',
      'STATED_BALANCE',
      '2026-10-01 -100 PIX RECEBIDO',
      'OPENING_BALANCE',
    ]);
  });

  test('their days and amounts need not be readable', () => {
    expect(
      rowsOfOfx([
        ['OTHER', '00000000', '0', 'Saldo Anterior'],
        ['DEBIT', '20261002', '-50.00', 'PADARIA'],
        ['DEBIT', '00021130000000[-3:BRT]', '1,2,3', 'Saldo do dia'],
      ]),
    ).toEqual(['OPENING_BALANCE', '2026-10-02 50 PADARIA', 'STATED_BALANCE']);
  });

  test('a label with other words, or a bare word, is a transaction; a label between the movements is a balance', () => {
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
      'STATED_BALANCE',
      '2026-10-03 50 PADARIA',
    ]);
  });
});

describe('records of QIF that state a balance', () => {
  const CONTEXT = { today: '2026-11-30', profiles: [], account: null, file_name: null };
  const record = (day: string, amount: string, payee: string): string => `D${day}/04/2026\nT${amount}\nP${payee}\n^\n`;
  const read = (...records: readonly string[]) =>
    analyseStatements(readQif(new TextEncoder().encode(`!Type:Bank\n${records.join('')}`), {}, CONTEXT), {}, CONTEXT);
  const FILE = [
    record('01', '1500.00', 'Saldo Anterior'),
    record('02', '-80.00', 'Padaria'),
    record('02', '1420.00', 'Saldo do dia'),
    record('13', '-20.00', 'Mercado'),
    record('30', '1400.00', 'S A L D O'),
  ] as const;

  test('the first opens, the last closes, and they prove the rows in either order', () => {
    const reasons = ['OPENING_BALANCE', null, 'STATED_BALANCE', null, 'STATED_BALANCE'];
    for (const [file, expected] of [
      [read(...FILE), reasons],
      [read(...FILE.toReversed()), reasons.toReversed()],
    ] as const) {
      expect([...file.rows()].map(({ reason }) => reason)).toEqual(expected);
      expect(file.balance_proof.results[0]).toMatchObject({
        status: 'proved',
        opening_cents: 150_000,
        closing_cents: 140_000,
      });
    }
  });

  test('a row that is missing breaks the proof', () => {
    expect(read(...FILE.filter((one) => !one.includes('Mercado'))).blockers[0]?.code).toBe('BALANCE_MISMATCH');
  });
});
