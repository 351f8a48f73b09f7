import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A way of writing dates and amounts outside the West, a small file that has it, and what a person reads in it. */
type Sample = readonly [trait: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'Arabic digits and separators, behind marks of direction',
    `التاريخ,الوصف,مدين,دائن,الرصيد
\u200f٠٥/٠١/٢٠٢٤,شراء,١٢٫٥٠,,٩٨٧٫٥٠
\u200f١٥/٠١/٢٠٢٤,راتب,,٢٬٠٠٠٫٠٠,٢٬٩٨٧٫٥٠
`,
    ['2024-01-05 12.50 - شراء', '2024-01-15 -2000.00 - راتب'],
  ],
  [
    'a separator of Arabic thousands is never a decimal point',
    'Date,Description,Amount\n2024-01-15,RENT,-٢٬٥٠٠\n2024-01-16,PAY,١٢٫٥\n',
    ['2024-01-15 2500.00 - RENT', '2024-01-16 -12.50 - PAY'],
  ],
  [
    'two-digit years of the Buddhist calendar, in Thai',
    'วันที่,รายการ,ถอน,ฝาก,ยอดคงเหลือ\n05/01/67,ATM,500.00,,1500.00\n29/02/67,โอน,,2000.00,3500.00\n',
    ['2024-01-05 500.00 - ATM', '2024-02-29 -2000.00 - โอน'],
  ],
  [
    'two-digit common years stay so in Thai',
    'วันที่,รายการ,ถอน,ฝาก,ยอดคงเหลือ\n05/01/24,ATM,500.00,,1500.00\n28/02/24,โอน,,2000.00,3500.00\n',
    ['2024-01-05 500.00 - ATM', '2024-02-28 -2000.00 - โอน'],
  ],
  [
    'the day is first below a Thai name',
    'วันที่,รายการ,ถอน,ฝาก\n05/01/2567,ATM,500.00,\n07/02/2567,โอน,,2000.00\n',
    ['2024-01-05 500.00 - ATM', '2024-02-07 -2000.00 - โอน'],
  ],
  [
    'eras of Japan by letter and by name',
    '日付,摘要,お支払金額,お預り金額\nH31.4.30,ATM,5000,\nR1.5.1,ATM,3000,\n令和6年1月15日,給与,,200000\n平成元年1月8日,利息,,10\n',
    [
      '2019-04-30 5000.00 - ATM',
      '2019-05-01 3000.00 - ATM',
      '2024-01-15 -200000.00 - 給与',
      '1989-01-08 -10.00 - 利息',
    ],
  ],
  [
    'small two-digit years before the month, in Japanese',
    '取引日,摘要,お支払金額,お預り金額\n06-01-05,ATM,"5,000",\n06-02-28,給与,,"200,000"\n',
    ['2024-01-05 5000.00 - ATM', '2024-02-28 -200000.00 - 給与'],
  ],
  [
    'years of the Republic, in Taiwan',
    '交易日期,摘要,支出金額,存入金額\n113/01/05,提款,"1,000",\n113/01/15,薪資,,"50,000"\n',
    ['2024-01-05 1000.00 - 提款', '2024-01-15 -50000.00 - 薪資'],
  ],
];

describe('files whose calendars and digits are not those of the West', () => {
  test.each(SAMPLES)('%s', (_trait, file, expected) => {
    expect(readingOf(file, 'utf-8')).toEqual(expected);
  });
});

test('years before 1970 are out of range where nothing names another calendar', () => {
  const file = 'Date,Description,Amount\n05/01/67,ATM,-5.00\n15/01/67,PAY,7.00\n';
  expect(readingOf(file, 'utf-8')).toEqual(['INVALID_ROWS null']);
});
