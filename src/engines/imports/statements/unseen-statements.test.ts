import { expect, test } from 'vitest';

import { AppError } from '../../../kernel/errors.ts';
import { formatCents } from '../../../kernel/money.ts';
import { analyseStatements } from './analyse-statements.ts';
import { detectFormat } from '../bytes/format.ts';
import { readMt940 } from './mt940/mt940.ts';
import { readQif } from './qif/qif.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/** What a QIF or MT940 file reads as, one line a row, behind the state of its proof. */
function readingOf(file: string): string[] {
  const bytes = new TextEncoder().encode(file);
  const format = detectFormat(bytes);
  try {
    const read = format === 'qif' ? readQif(bytes, {}, CONTEXT) : readMt940(bytes, {}, CONTEXT);
    const analysis = analyseStatements(read, {}, CONTEXT);
    const rows = [...analysis.rows()].filter((row) => row.outcome === 'row');
    return [
      `${format} ${analysis.balance_proof.status}`,
      ...rows.map(
        (row) =>
          `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.iso_currency_code ?? '-'} ${row.merchant_name ?? '-'}: ${row.description}`,
      ),
    ];
  } catch (error) {
    if (error instanceof AppError) return [`${format} ${error.code}: ${error.message}`];
    throw error;
  }
}

test('an MT940 closing balance without currency has that of the opening one', () => {
  const file =
    ':20:A\n:25:1222333444\n:28:1/1\n:60F:C220315EUR10,00\n:61:220317CM50,00NCHG\n:86:Gift\n:62F:C22031560,00\n';
  expect(readingOf(file)).toEqual(['mt940 proved', '2022-03-17 -50.00 EUR -: Gift']);
  expect(readingOf(file.replace('EUR', ''))).toEqual([
    'mt940 INVALID_FILE: Line 4 (:60) should state a balance with its date, currency and amount, but does not. Download the file from the bank again.',
  ]);
});

test('the name behind the sixteen places of an MT940 reference is the other side', () => {
  const file = `:940:
:20:940A220617
:25:1291.99.348EUR
:28:00000/00
:60F:C220616EUR000000000100,00
:61:220617D000000000044,95N0600733959555      PHONE COMPANY BV
:86:INVOICE 987654321
:62F:C220617EUR000000000055,05
`;
  expect(readingOf(file)).toEqual(['mt940 proved', '2022-06-17 44.95 EUR PHONE COMPANY BV: INVOICE 987654321']);
});

test('an MT940 text goes on behind what looks like a tag and is none', () => {
  const file = (text: string): string =>
    `:20:A\n:25:1/2\n:28C:1\n:60F:C220316EUR10,00\n:61:220317D4,00N024NONREF\n:86:${text}\n:62F:C220317EUR6,00\n`;
  expect(readingOf(file('Fee of 2022-03-17T13\n:12:11 at desk'))).toEqual([
    'mt940 proved',
    '2022-03-17 4.00 EUR -: Fee of 2022-03-17T13 :12:11 at desk',
  ]);
  expect(readingOf(file('Fee of 2022-03-17T19\n:20:11 at desk'))[1]).toContain(':20:11 at desk');
  expect(readingOf(file('Fee').replace(':86:', ':25:'))).toEqual(['mt940 proved', '2022-03-17 4.00 EUR -: Fee']);
});

test('an MT940 movement may be broken before its amount', () => {
  const file =
    ':20:A\n:25:1/2\n:28C:1\n:60F:C220316EUR10,00\n:61:2203170317CR\n30,00N062NONREF\n:86:Gift\n:62F:C220317EUR40,00\n';
  expect(readingOf(file)).toEqual(['mt940 proved', '2022-03-17 -30.00 EUR -: Gift']);
});

test('the currency of an MT940 statement is one of the known codes, or a usual name of one, or unknown', () => {
  const file = (code: string): string =>
    `:20:A\n:25:1/2\n:28C:1\n:60F:C220316${code}10,00\n:61:2203170317C30,00N062NONREF\n:86:Gift\n:62F:C220317${code}40,00\n`;
  expect(readingOf(file('RUR'))).toEqual(['mt940 proved', '2022-03-17 -30.00 RUB -: Gift']);
  expect(readingOf(file('XYZ'))).toEqual(['mt940 proved', '2022-03-17 -30.00 - -: Gift']);
});

test('an interim report is called one although no envelope says so', () => {
  const file = ':20:ST1\n:25:PL1\n:28C:1/1\n:34F:PLN0\n:61:2201190119CN0,01NTRFNONREF\n:90D:0PLN0,00\n:90C:1PLN0,01\n';
  expect(readingOf(file)[0]).toContain('is an interim report (MT942)');
});

test('a piece of an MT940 file is no list of columns', () => {
  expect(readingOf(':61:110701CN50,00NZ10NONREF\n-\n')[0]).toContain('mt940 INVALID_FILE: Line 1 (:61:) is outside');
});

test('remarks may stand above the first section of a QIF file, and parts of a split may have dates', () => {
  const file = `### An example ###
### of remarks ###

!Type:Bank
D2/20'2020
T-100.00
PShop
SFood
D1/10'2020
$-50.00
SHealth
$-50.00
^
D2/21'2020
T-5.00
PBaker
^
`;
  expect(readingOf(file)).toEqual(['qif not_available', '2020-02-20 100.00 - -: Shop', '2020-02-21 5.00 - -: Baker']);
  expect(readingOf(file.replace('^\n', ''))[0]).toContain('a record has a second amount');
});

test('QIF dates with full stops are day first, also where the first of three months looks like three days', () => {
  const record = (date: string): string => `D${date}\nT-10.00\nPRent\n^\n`;
  const file = `!Type:Bank\n${['01.02.2019', '01.03.2019', '01.04.2019'].map(record).join('')}`;
  expect(readingOf(file)).toEqual([
    'qif not_available',
    '2019-02-01 10.00 - -: Rent',
    '2019-03-01 10.00 - -: Rent',
    '2019-04-01 10.00 - -: Rent',
  ]);
});

test('a QIF file may leave its section out', () => {
  expect(readingOf('D01/23/2019\nT-10.00\nPShop\n^\nD01/24/2019\nT20.00\nPPay\n^\n')).toEqual([
    'qif not_available',
    '2019-01-23 10.00 - -: Shop',
    '2019-01-24 -20.00 - -: Pay',
  ]);
  expect(detectFormat(new TextEncoder().encode('Date;Text\nT;1\n^\n'))).toBe('csv');
});
