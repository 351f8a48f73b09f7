import { describe, expect, test } from 'vitest';
import { readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from '../csv.ts';
import { BALANCE_LABELS, balanceLabel } from '../lexicon/balances.ts';

const SHOP = '2025-03-11,Shop,-12.50\n';
const PAY = '2025-03-12,Pay,500.00\n';
const ROWS = ['2025-03-11 12.50 - Shop', '2025-03-12 -500.00 - Pay'];
const NAMES = 'Date,Description,Amount\n';
const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

describe('balances that records state instead of movements', () => {
  const openings = BALANCE_LABELS.flatMap(([lang, means, texts]) =>
    means === 'opening' ? texts.split('|').map((text): [string, string] => [lang, text.replaceAll(' … ', ' ')]) : [],
  );

  test.each(openings)('an opening balance in the amount column is not income (%s: %s)', (_, label) => {
    const line = `2025-03-10,${label},2500.00\n`;
    expect(readingOf(NAMES + line + SHOP + PAY, 'utf-8')).toEqual(['line 2 OPENING_BALANCE', ...ROWS]);
    expect(readingOf(NAMES + PAY + SHOP + line, 'utf-8')).toEqual([...ROWS.toReversed(), 'line 4 OPENING_BALANCE']);
  });

  test.each([
    ['of the balance of a day', '2025-03-10,Saldo al 10.03.2025,2500.00\n'],
    ['with a date behind it', '2025-03-10,Saldovortrag vom 10. März 2025,2500.00\n'],
    ['without a date', ',Opening balance,2500.00\n'],
    ['in capitals', '2025-03-10,BALANCE BROUGHT FORWARD,2500.00\n'],
    ['overdrawn', '2025-03-10,Solde précédent,-2500.00\n'],
  ])('a label %s', (_, line) => {
    expect(readingOf(NAMES + line + SHOP + PAY, 'utf-8')).toEqual(['line 2 OPENING_BALANCE', ...ROWS]);
  });

  test.each([
    ['Opening balance fee', 'Opening balance fee'],
    ['Transfer of opening balance', 'Transfer of opening balance'],
    ['Vortrag', 'Vortrag'],
    ['Transporte', 'Transporte'],
    ['Report', 'Report'],
    ['Übertrag', 'Übertrag'],
    ['NEW BALANCE', 'NEW BALANCE'],
    ['NEW BALANCE 0123', 'NEW BALANCE 0123'],
    ['Previous Balance Cafe', 'Previous Balance Cafe'],
  ])('%s is an ordinary text', (text) => {
    const file = `${NAMES}2025-03-10,${text},-25.00\n${SHOP}${PAY}`;
    expect(readingOf(file, 'utf-8')).toEqual([`2025-03-10 25.00 - ${text}`, ...ROWS]);
  });

  test('the balance of a day at the end closes', () => {
    const file = `${NAMES}${SHOP}${PAY}2025-03-13,Kontostand vom 13.03.2025,2987.50\n`;
    expect(readingOf(file, 'utf-8')).toEqual([...ROWS, 'line 4 STATED_BALANCE']);
  });

  test('between movements a label states a balance', () => {
    const file = `${NAMES}${SHOP}2025-03-11,Starting balance,80.00\n${PAY}`;
    expect(readingOf(file, 'utf-8')).toEqual([ROWS[0], 'line 3 STATED_BALANCE', ROWS[1]]);
  });

  test('each account of a file has its own first record', () => {
    const file = `Account,Date,Description,Amount
A,2025-03-10,Opening balance,2500.00
A,2025-03-11,Shop,-12.50
B,2025-03-01,Opening balance,70.00
B,2025-03-12,Pay,500.00
`;
    expect(readingOf(file, 'utf-8')).toEqual(['line 2 OPENING_BALANCE', ROWS[0], 'line 4 OPENING_BALANCE', ROWS[1]]);
  });

  test('in a pair of columns, or with a direction', () => {
    const pair =
      'Date,Description,Debit,Credit\n2025-03-10,Saldo anterior,,2500.00\n2025-03-11,Shop,12.50,\n2025-03-12,Pay,,500.00\n';
    const direction =
      'Datum,Text,Betrag,S/H\n2025-03-10,Saldovortrag,2500.00,H\n2025-03-11,Shop,12.50,S\n2025-03-12,Pay,500.00,H\n';
    for (const file of [pair, direction]) expect(readingOf(file, 'utf-8')).toEqual(['line 2 OPENING_BALANCE', ...ROWS]);
  });

  test('beside a column of balances the opening one is where the chain begins', () => {
    const file = (cells: string): string =>
      `Date,Description,Amount,Balance\n2025-03-10,Opening balance,${cells}\n2025-03-11,Shop,-12.50,2487.50\n2025-03-12,Pay,500.00,2987.50\n`;
    for (const cells of ['2500.00,2500.00', '2500.00,', ',2500.00']) {
      const analysis = analyseCsv(new TextEncoder().encode(file(cells)), {}, CONTEXT);
      expect(analysis.balance_proof.results[0]).toMatchObject({
        status: 'proved',
        opening_cents: 250_000,
        rows_checked: 2,
      });
      expect(analysis.row_count).toBe(2);
    }
    expect(readingOf(file('100.00,2500.00'), 'utf-8')[0]).toBe('2025-03-10 -100.00 - Opening balance');
  });

  test('no label stands for both ends', () => {
    for (const [, means, texts] of BALANCE_LABELS) {
      if (means !== 'opening' && means !== 'closing') continue;
      for (const text of texts.split('|'))
        expect([text, balanceLabel(text.replaceAll(' … ', ' '))]).toEqual([text, means]);
    }
  });
});
