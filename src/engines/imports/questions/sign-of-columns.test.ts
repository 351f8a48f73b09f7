import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function signOf(lines: readonly string[]): { confidence: string; evidence: readonly string[] } {
  const { sign } = analyseCsv(new TextEncoder().encode(lines.join('\n')), {}, CONTEXT).detection;
  return { confidence: sign.confidence, evidence: sign.evidence };
}

describe('other columns of money show the sign', () => {
  test('a fee leaves less of what came in, also where the types are words of spending', () => {
    const file = `id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Description
txn_1,charge,ch_1,30.00,1.17,28.83,usd,2026-04-23 21:56,Invoice XYZ
txn_2,charge,ch_2,100.00,3.20,96.80,usd,2026-04-24 21:56,Invoice ABC
txn_3,refund,re_1,-30.00,-1.17,-28.83,usd,2026-04-25 10:00,Refund for charge
txn_4,payout,po_1,-96.80,0.00,-96.80,usd,2026-04-26 10:00,STRIPE PAYOUT
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-04-23 -28.83 USD Invoice XYZ',
      '2026-04-24 -96.80 USD Invoice ABC',
      '2026-04-25 28.83 USD Refund for charge',
      '2026-04-26 96.80 USD STRIPE PAYOUT',
    ]);
    expect(signOf(file.trim().split('\n'))).toEqual({
      confidence: 'certain',
      evidence: ['header_names', 'negative_values'],
    });
  });

  test('a fee in a row of its own, with dashes where there is no amount', () => {
    const file = `Date,Type,Title,Currency,Amount,Fees & Taxes,Net
"September 3, 2026",Sale,Payment for Order #9001,CAD,CA$76.00,--,CA$76.00
"September 4, 2026",Fee,Transaction fee,CAD,--,-CA$4.42,-CA$4.42
"September 5, 2026",Fee,Processing fee,CAD,--,-CA$2.53,-CA$2.53
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-09-03 -76.00 CAD Payment for Order #9001',
      '2026-09-04 4.42 CAD Transaction fee',
      '2026-09-05 2.53 CAD Processing fee',
    ]);
  });

  test('a fee adds to what was spent', () => {
    const file = `Date,Description,Amount,Fee,Net
2026-09-03,Shop abroad,100.00,3.00,103.00
2026-09-04,Kiosk,20.00,0.00,20.00
2026-09-05,Thanks,-50.00,0.00,-50.00
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-09-03 103.00 - Shop abroad',
      '2026-09-04 20.00 - Kiosk',
      '2026-09-05 -50.00 - Thanks',
    ]);
  });

  test('money out and in beside a signed amount', () => {
    const lines = [
      'Date,Transaction description,Paid in,Paid out,Amount,Status',
      '2026-05-13,AMAZON,,25.99,-25.99,Settled',
      '2026-05-14,CLIENT LTD,1200.00,,1200.00,Settled',
    ];
    expect(signOf(lines)).toEqual({ confidence: 'certain', evidence: ['header_names', 'negative_values'] });
  });

  test('rows that contradict each other, and a fee that was only given back, show nothing', () => {
    const head = 'Date,Description,Amount,Fee,Net';
    const mixed = [head, '2026-09-03,One,100.00,3.00,103.00', '2026-09-04,Two,100.00,3.00,97.00'];
    const refund = [head, '2026-09-03,One,-100.00,3.00,-97.00', '2026-09-04,Two,50.00,0.00,50.00'];
    for (const file of [mixed, refund]) expect(signOf(file).evidence).not.toContain('header_names');
  });
});
