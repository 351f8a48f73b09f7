import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/csv-reading.ts';

/** A trait of some bank's export, a small file that has it, and what a person reads in it. */
type Sample = readonly [trait: string, encoding: string, file: string, expected: readonly string[]];

const PARTS: readonly Sample[] = [
  [
    'rows below a heading for what is pending are not booked yet, and a total is no row',
    'utf-8',
    `"Date","Description","Withdrawal","Deposit","Balance"
"Pending Transactions"
"Total Pending","","","$0.00",""
"05/19/2023","Kiosk","$13.00","",""
"Posted Transactions"
"05/14/2023","Grocer","$50.00","","$3,950.00"
"05/10/2023","Pay","","$4,000.00","$4,000.00"
`,
    [
      'line 2 NOT_A_ROW',
      'line 3 NOT_A_ROW',
      'line 4 PENDING',
      'line 5 NOT_A_ROW',
      '2023-05-14 50.00 - Grocer',
      '2023-05-10 -4000.00 - Pay',
    ],
  ],
  [
    'a heading that says nothing about it leaves rows as they are',
    'utf-8',
    'Date,Description,Amount\nThis month\n2024-05-19,Kiosk,-13.00\nLast month\n2024-04-14,Pay,50.00\n',
    ['line 2 NOT_A_ROW', '2024-05-19 13.00 - Kiosk', 'line 4 NOT_A_ROW', '2024-04-14 -50.00 - Pay'],
  ],
];

describe('exports of banks that nobody here had seen', () => {
  test.each([...PARTS])('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
