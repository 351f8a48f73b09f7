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

describe('dates that lack a part', () => {
  test('the year is that of the period above the table, also over the turn of a year', () => {
    const file = `No. rekening : 1234567890
Periode : 25/12/2025 - 05/01/2026
Kode Mata Uang : IDR

Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo
'25/12,'TARIKAN ATM,'0000,"150,000.00",DB,"850,000.00"
'02/01,'GAJI,'0998,"5,000,000.00",CR,"5,850,000.00"
PEND,'BIAYA ADM,'0000,"15,000.00",DB,"5,835,000.00"
"Saldo Awal : 1,000,000.00"
"Mutasi Kredit : 5,000,000.00"
"Saldo Akhir : 5,835,000.00"
`;
    expect(readingOf(file, 'utf-8').slice(0, 3)).toEqual([
      '2025-12-25 150000.00 IDR TARIKAN ATM',
      '2026-01-02 -5000000.00 IDR GAJI',
      'line 8 PENDING',
    ]);
  });

  test('a day outside of the period has no year', () => {
    const file = 'Periode : 25/09/2026 - 05/10/2026\nTanggal,Keterangan,Jumlah\n25/09,ATM,-5.00\n06/10,GAJI,7.00\n';
    expect(readingOf(file, 'utf-8')).toEqual(['INVALID_ROWS null']);
  });

  test('dates without separators begin with the year below a Japanese name', () => {
    const file =
      'ご利用日,利用者区分,ご利用先,支払方法,,,ご利用金額,備考,\n260518,本人,コンビニ,１回,,,1150,,\n260520,本人,スーパー,１回,,,5000,,\n';
    expect(readingOf(file, 'utf-8')).toEqual(['2026-05-18 1150.00 - コンビニ', '2026-05-20 5000.00 - スーパー']);
  });

  test('or where the first part hardly changes; else they are not read', () => {
    const rows = (...dates: readonly string[]): string =>
      `Date,Description,Amount\n${dates.map((date) => `${date},SHOP,-5.00`).join('\n')}\n`;
    expect(readingOf(rows('260518', '260520', '260523'), 'utf-8')[0]).toBe('2026-05-18 5.00 - SHOP');
    expect(readingOf(rows('180526', '200526', '230526'), 'utf-8')).toEqual(['INVALID_ROWS null']);
  });
});
