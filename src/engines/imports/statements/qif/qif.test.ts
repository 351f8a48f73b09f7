import { describe, expect, test } from 'vitest';

import { AppError } from '../../../../kernel/errors.ts';
import type { AccountKnowledge, ReadOptions } from '../../analysis.ts';
import { readQif } from './qif.ts';
import type { StatementEntry, StatementFile } from '../statement.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

function read(
  content: string | Uint8Array,
  options: ReadOptions = {},
  account: AccountKnowledge | null = null,
): StatementFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return readQif(bytes, options, { ...CONTEXT, account });
}

function entries(file: StatementFile): StatementEntry[] {
  return file.statements.flatMap((statement) => [...statement.entries]);
}

/** A bank section with one record. */
function one(...lines: string[]): string {
  return `!Type:Bank\n${lines.join('\n')}\n^\n`;
}

function only(content: string, options: ReadOptions = {}): StatementEntry {
  const [first] = entries(read(content, options));
  if (!first) throw new Error('no entry');
  return first;
}

function failure(content: string | Uint8Array, options: ReadOptions = {}): AppError {
  try {
    read(content, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

describe('dates', () => {
  test.each([
    ['31/12/2024', '2024-12-31', 'DD/MM/YYYY'],
    ['12/31/2024', '2024-12-31', 'MM/DD/YYYY'],
    ['31.12.2024', '2024-12-31', 'DD.MM.YYYY'],
    ['31-12-24', '2024-12-31', 'DD-MM-YY'],
    ["6/13'95", '1995-06-13', 'M/DD/YY'],
    ["6/13' 5", '2005-06-13', 'M/DD/YY'],
    [" 6/13'2005", '2005-06-13', 'M/DD/YYYY'],
    ['6/ 13/24', '2024-06-13', 'M/DD/YY'],
    ["31.12'24", '2024-12-31', 'DD.MM.YY'],
    ['2024-06-12', '2024-06-12', 'YYYY-MM-DD'],
    ['2024/6/1', '2024-06-01', 'YYYY/M/D'],
    ['20240612', '2024-06-12', 'YYYYMMDD'],
    ['05/05/2024', '2024-05-05', 'DD/MM/YYYY'],
    ['5 janvier 2024', '2024-01-05', 'D MMM YYYY'],
    ['Jan. 5, 2024', '2024-01-05', 'MMM D, YYYY'],
    ['31/12/2024 10:30', '2024-12-31', 'DD/MM/YYYY'],
  ])('D%s is %s', (text, date, format) => {
    const file = read(one(`D${text}`, 'T1'));
    expect(entries(file)[0]).toMatchObject({ outcome: 'row', date });
    expect(file.date_format.confidence).toBe('certain');
    if (!format.includes('MMM') && !format.startsWith('M/DD/')) expect(file.date_format.value).toBe(format);
  });

  test.each([
    ['', 'DATE_MISSING'],
    ['31/02/2024', 'DATE_INVALID'],
    ['yesterday', 'DATE_INVALID'],
    ['6/12', 'DATE_INVALID'],
    ['31/12/1969', 'DATE_OUT_OF_RANGE'],
    ['31/12/2025', 'DATE_OUT_OF_RANGE'],
  ])('D%s is not the date of a row: %s', (text, reason) => {
    expect(only(one(`D${text}`, 'T1'))).toMatchObject({ outcome: 'invalid', reason });
  });

  test('an open order is asked about, with the date as it stands in the file', () => {
    const file = read("!Type:Bank\nD6/12'95\nT1\n^\n");
    expect(file.date_format).toEqual({
      value: 'D/M/YY',
      confidence: 'ambiguous',
      evidence: ['content'],
      candidates: [
        { value: 'D/M/YY', line: 2, raw: "6/12'95", read_as: '1995-12-06' },
        { value: 'M/D/YY', line: 2, raw: "6/12'95", read_as: '1995-06-12' },
      ],
    });
  });

  test.each([
    ['MM/DD/YY', '1995-06-12'],
    ['DD/MM/YY', '1995-12-06'],
    ['02/01/06', '1995-12-06'],
    ['DD/MM/YYYY', '1995-12-06'],
  ])('date_format %s decides', (format, date) => {
    const file = read(one("D6/12'95", 'T1'), { date_format: format });
    expect(file.date_format.confidence).toBe('given');
    expect(entries(file)[0]?.date).toBe(date);
  });

  test('a date that does not fit the order sent is invalid', () => {
    expect(only(one('D13/05/2025', 'T1'), { date_format: 'MM/DD/YYYY' }).reason).toBe('DATE_INVALID');
    expect(failure(one('D1/2/2025', 'T1'), { date_format: 'nonsense' }).code).toBe('VALIDATION_ERROR');
  });

  const dated = (...dates: string[]): string =>
    `!Type:Bank\n${dates.map((date, i) => `D${date}\nT-${i + 1}.00\nPt${i}\n^\n`).join('')}`;

  test.each<[string, string[], string, string, string]>([
    ['a day over 12 anywhere', ['01/02/2025', '13/02/2025'], '2025-02-01', 'certain', 'value_over_12'],
    ['years of two and four digits', ["1/2'98", '13/2/2001'], '1998-02-01', 'certain', 'value_over_12'],
    ['one reading lies in the future', ['01/06/2025', '10/06/2025'], '2025-06-01', 'certain', 'future_dates'],
    ['one reading is in order', ['05/01/2024', '12/01/2024', '01/02/2024'], '2024-01-05', 'likely', 'row_order'],
    ['one reading is short', ['01/02/2025', '01/03/2025', '01/05/2025'], '2025-01-02', 'likely', 'span'],
  ])('%s', (_, dates, first, confidence, evidence) => {
    const file = read(dated(...dates));
    expect(file.date_format).toMatchObject({ confidence, candidates: [] });
    expect(file.date_format.evidence).toContain(evidence);
    expect(entries(file)[0]?.date).toBe(first);
  });

  test('rows of the account that are there already tell the order', () => {
    const account: AccountKnowledge = {
      account_id: 'a',
      type: null,
      iso_currency_code: null,
      ledgerRows: () => [
        { date: '2025-02-01', amount_cents: 100, name: 't0' },
        { date: '2025-04-03', amount_cents: 200, name: 't1' },
        { date: '2025-03-02', amount_cents: 300, name: 't2' },
      ],
    };
    const content = dated('01/02/2025', '03/04/2025', '02/03/2025');
    expect(read(content).date_format.confidence).toBe('ambiguous');
    const file = read(content, {}, account);
    expect(file.date_format).toMatchObject({ confidence: 'likely', evidence: ['ledger_overlap'] });
    expect(entries(file)[0]?.date).toBe('2025-02-01');
  });

  test('investment records speak for the order too', () => {
    const file = read(`!Type:Invst\nD31/12/2024\nNBuy\n^\n${dated('01/02/2025')}`);
    expect(entries(file).at(-1)?.date).toBe('2025-02-01');
  });
});

describe('amounts', () => {
  test.each([
    ['-12.34', 1234],
    ['12', -1200],
    ['+12.50', -1250],
    ['-1,234.56', 123456],
    ['-1.234,56', 123456],
    ['-12,34', 1234],
    ["1'234.50", -123450],
    ['-1 234,50', 123450],
    ['$1,000.00', -100000],
    ['(5.00)', 500],
    ['0.00', 0],
  ])('T%s is %i hundredths of money out', (text, cents) => {
    expect(only(one('D31/12/2024', `T${text}`))).toMatchObject({ outcome: 'row', amount_cents: cents });
  });

  test.each([
    ['', 'AMOUNT_MISSING'],
    ['x', 'AMOUNT_INVALID'],
    ['1.2345', 'AMOUNT_PRECISION'],
  ])('T%s is no amount: %s', (text, reason) => {
    expect(only(one('D31/12/2024', `T${text}`))).toMatchObject({ outcome: 'invalid', reason });
  });

  test('an undecided separator follows the other amounts, splits included, or the caller', () => {
    expect(only(one('D31/12/2024', 'T-1.500', 'SFood', '$-12,50')).amount_cents).toBe(150000);
    expect(only(one('D31/12/2024', 'T-1.500'), { decimal_separator: ',' }).amount_cents).toBe(150000);
    expect(only(one('D31/12/2024', 'T-1.500'), { decimal_separator: '.' }).amount_cents).toBe(150);
    expect(only(one('D31/12/2024', 'T-1,500'), { iso_currency_code: 'JPY' }).amount_cents).toBe(150000);
  });

  test('U counts only where T is missing', () => {
    expect(only(one('D31/12/2024', 'U-1.00', 'T-2.00')).amount_cents).toBe(200);
    expect(only(one('D31/12/2024', 'U-1.00')).amount_cents).toBe(100);
    expect(only(one('D31/12/2024', 'T', 'U-1.00')).amount_cents).toBe(100);
  });
});

describe('records', () => {
  test('every code goes to its field', () => {
    const found = only(
      one('D31/12/2024', 'T-30.00', 'PShop', 'MThree things', 'N1001', 'CX', 'LFood:Out', 'AStreet 1', 'ATown', 'Z?'),
    );
    expect(found).toMatchObject({
      line: 2,
      status: 'posted',
      description: 'Shop Three things',
      category: 'Food:Out',
      check_number: '1001',
      bank_id: null,
      merchant_name: null,
      fields: { D: '31/12/2024', C: 'X', A: 'Street 1', A2: 'Town', L: 'Food:Out', Z: '?' },
    });
  });

  test.each([
    [['PShop', 'Mshop'], 'Shop'],
    [['MOnly a memo'], 'Only a memo'],
    [[], '(no description)'],
    [['P=HYPERLINK("http://x","y")'], '=HYPERLINK("http://x","y")'],
    [['P  a\tb  '], 'a b'],
    [['PCafé', 'Mone', 'two lines'], 'Café one two lines'],
    [['PShop', 'MPaid by', 'Direct debit'], 'Shop Paid by Direct debit'],
  ])('%j is described as %s', (lines, text) => {
    expect(only(one('D31/12/2024', 'T-1.00', ...lines)).description).toBe(text);
  });

  test('a transfer is not a known category; splits stay with the raw row', () => {
    const found = only(one('D31/12/2024', 'T-30.00', 'L[Savings]', 'SFood', 'Elunch', '$-10.00', 'S[Cash]', '$-20.00'));
    expect(found).toMatchObject({ category: null, amount_cents: 3000 });
    expect(found.fields).toMatchObject({
      L: '[Savings]',
      S: 'Food',
      E: 'lunch',
      $: '-10.00',
      S2: '[Cash]',
      $2: '-20.00',
    });
  });

  test('splits that do not add up get a warning', () => {
    const content = `${one('D31/12/2024', 'T-30.00', 'SFood', '$-10.00')}D30/12/2024\nT-5\nSA\n$-2.5\nSB\n$-2.50\n^\n`;
    const file = read(content);
    expect(file.warnings).toMatchObject([{ code: 'SPLIT_SUM_DIFFERS', lines: [2] }]);
    expect(entries(file).map((entry) => entry.amount_cents)).toEqual([3000, 500]);
  });

  test('no ^ at the end, blank lines, blanks around, doubled ^ and CR LF', () => {
    const content =
      '\r\n!Type:Bank \r\nD31/12/2024 \r\n T-1.00\r\n\r\nPA \r\n^ \r\n^\r\n\r\n\tD30/12/2024\r\nT-2.00\r\nPB';
    const found = entries(read(content));
    expect(found.map((entry) => [entry.line, entry.date, entry.amount_cents, entry.description])).toEqual([
      [3, '2024-12-31', 100, 'A'],
      [10, '2024-12-30', 200, 'B'],
    ]);
  });

  test.each([
    ['CR alone', '\r'],
    ['CR LF', '\r\n'],
  ])('lines ended by %s are counted as an editor does', (_, end) => {
    const content = ['!Type:Bank', 'D31/12/2024', 'T1', '^', '', 'D30/12/2024', 'T2', '^', ''].join(end);
    expect(entries(read(content)).map((entry) => entry.line)).toEqual([2, 6]);
  });

  test('a record without its ^ is not run together with the next', () => {
    expect(failure('!Type:Bank\nD31/12/2024\nT1\nPA\nD30/12/2024\nT2\n^\n')).toMatchObject({ code: 'INVALID_FILE' });
    expect(failure('!Type:Bank\nD31/12/2024\nT1\nPA\nD30/12/2024\nT2\n^\n').message).toMatch(/^Line 5: .* second date/);
    expect(failure('!Type:Bank\nT1\nD31/12/2024\nPA\nT2\n').message).toMatch(/^Line 5: .* second amount/);
  });
});

describe('accounts', () => {
  const record = (day: number): string => `D${day}/12/2024\nT-${day}.00\n^\n`;

  test.each([
    ['Bank', 'depository', 'checking'],
    ['bank ', 'depository', 'checking'],
    ['Cash', 'other', 'cash'],
    ['CCard', 'credit', 'credit card'],
    ['Oth A', 'other', null],
    ['oth l', 'loan', null],
    ['Banque', 'depository', 'checking'],
  ])('!Type:%s is %s %s', (kind, type, subtype) => {
    expect(read(`!type:${kind}\n${record(31)}`).statements).toMatchObject([
      { account_type: type, account_subtype: subtype, account_name: null, account_identifier: null },
    ]);
  });

  test('blocks name the account of what follows; its sections belong together', () => {
    const block = (name: string, type: string): string =>
      `!Account\nN${name}\nDsome words\nT${type}\n^\n!Type:${type}\n`;
    const file = read(
      `${block('Giro', 'Bank')}${record(31)}${block('Visa', 'CCard')}${record(30)}${block('Giro', 'Bank')}${record(29)}`,
    );
    expect(file.statements.map((statement) => [statement.account_name, statement.account_type])).toEqual([
      ['Giro', 'depository'],
      ['Visa', 'credit'],
    ]);
    expect(file.statements.map(({ entries }) => [...entries].map((entry) => entry.date))).toEqual([
      ['2024-12-31', '2024-12-29'],
      ['2024-12-30'],
    ]);
  });

  test('a list of accounts defines names only', () => {
    const file = read(
      `!Option:AutoSwitch\n!Account\nNA\nTBank\n^\nNB\nTCash\n^\n!Clear:AutoSwitch\n!Option:AutoSwitch\n!Account\nNB\nTCash\n^\n!Type:Cash\n${record(31)}`,
    );
    expect(file.statements).toMatchObject([{ account_name: 'B', account_subtype: 'cash' }]);
    expect(file.statements).toHaveLength(1);
    const nameless = read(`!Account\nNA\n^\nNB\n^\n!Clear:AutoSwitch\n!Type:Bank\n${record(31)}`);
    expect(nameless.statements).toMatchObject([{ account_name: null }]);
    const single = read(`!Account\nNA\n^\n!Clear:AutoSwitch\n!Type:Bank\n${record(31)}`);
    expect(single.statements).toMatchObject([{ account_name: 'A' }]);
  });

  test('transactions right behind the block of their account', () => {
    const file = read(`!Account\nNA\nTCCard\n^\n${record(31)}`);
    expect(file.statements).toMatchObject([{ account_name: 'A', account_type: 'credit' }]);
  });

  test('sections without a name are told apart by their kind', () => {
    const file = read(`!Type:Bank\n${record(31)}!Type:CCard\n${record(30)}`);
    expect(file.statements.map((statement) => statement.account_label)).toEqual(['Bank', 'CCard']);
  });

  test('records of other kinds are skipped, one by one', () => {
    const file = read(
      `!Type:Cat\nNFood\nDEating\nE\n^\nNPay\nI\n^\n!Type:Bank\n${record(31)}!Type:Invst\nD31/12/2024\nNBuy\nYACME\nT5\n^\n!Type:Memorized\nKC\nT-5\n^\n!Type:Prices\n"ACME",12,"1/2/24"\n^\n`,
    );
    expect(file.statements).toHaveLength(1);
    expect(entries(file).map((entry) => [entry.line, entry.outcome, entry.reason])).toEqual([
      [2, 'skipped', 'UNSUPPORTED_RECORD'],
      [6, 'skipped', 'UNSUPPORTED_RECORD'],
      [10, 'row', null],
      [14, 'skipped', 'UNSUPPORTED_RECORD'],
      [20, 'skipped', 'UNSUPPORTED_RECORD'],
      [24, 'skipped', 'UNSUPPORTED_RECORD'],
    ]);
  });

  test('a record with neither date nor amount is not a row', () => {
    expect(entries(read(`!Type:Bank\n${record(31)}Pnothing\n^\n`)).map((entry) => entry.reason)).toEqual([
      null,
      'NOT_A_ROW',
    ]);
  });

  test.each(['Opening Balance', 'Solde initial', 'Anfangssaldo', 'Saldo inicial'])(
    'a first record with payee %s is the opening balance',
    (payee) => {
      const file = read(`!Type:Bank\nD30/12/2024\nT1,000.00\nP${payee}\nL[Giro]\n^\n${record(31)}`);
      expect(file.statements[0]?.opening).toEqual({ date: '2024-12-30', cents: 100000 });
      expect(entries(file).map((entry) => entry.reason)).toEqual(['OPENING_BALANCE', null]);
    },
  );

  test('a later record of that name states a balance, and the oldest one opens', () => {
    const opening = 'D30/12/2024\nT1,000.00\nPOpening Balance\n^\n';
    const file = read(`!Type:Bank\n${record(31)}${opening}`);
    expect(entries(file).map((entry) => entry.reason)).toEqual([null, 'OPENING_BALANCE']);
    const between = read(`!Type:Bank\n${record(30)}${opening.replace('30/', '31/')}${record(31)}`);
    expect(entries(between).map((entry) => entry.reason)).toEqual([null, 'STATED_BALANCE', null]);
    expect(between.statements[0]).toMatchObject({ opening: null, closing: null });
  });
});

describe('encodings', () => {
  const content = one('D31/12/2024', 'T-1.00', 'PCafé Größe 5');
  const wide = (text: string, littleEndian: boolean): Uint8Array => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
    return bytes;
  };

  test.each<[string, Uint8Array]>([
    ['utf-8', new TextEncoder().encode(content)],
    ['utf-8', new TextEncoder().encode(`\ufeff${content}`)],
    ['windows-1252', Uint8Array.from(content, (character) => character.charCodeAt(0))],
    ['utf-16le', wide(`\ufeff${content}`, true)],
    ['utf-16le', wide(content, true)],
    ['utf-16be', wide(content, false)],
  ])('%s', (label, bytes) => {
    const file = read(bytes);
    expect(file.encoding.value).toBe(label);
    expect(entries(file)).toMatchObject([{ line: 2, outcome: 'row', description: 'Café Größe 5' }]);
  });
});

describe('files that are refused', () => {
  test.each<[string, string, string, RegExp]>([
    ['nothing but a header', '!Type:Bank\n', 'NO_ROWS', /no transactions/],
    ['nothing but lists', '!Type:Cat\nNFood\n^\n', 'NO_ROWS', /not imported/],
    ['nothing but accounts', '!Account\nNA\nTBank\n^\n', 'NO_ROWS', /no transactions/],
    ['an endless line', `!Type:Bank\nM${'x'.repeat(70_000)}\n`, 'INVALID_FILE', /^Line 2 is longer than 64 KiB/],
    ['an endless record', `!Type:Bank\n${'Ax\n'.repeat(30_000)}`, 'INVALID_FILE', /^Line 2: a record of more/],
  ])('%s', (_, content, code, message) => {
    const error = failure(content);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('more than a hundred accounts, and bytes that are not text', () => {
    const many = Array.from({ length: 101 }, (_, i) => `!Account\nN${i}\n^\n!Type:Bank\nD31/12/2024\nT1\n^\n`).join('');
    expect(failure(many).code).toBe('INVALID_FILE');
    expect(failure(Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256)).code).toBe('NOT_TEXT');
    expect(failure(new Uint8Array(50 * 1_048_576 + 1)).code).toBe('PAYLOAD_TOO_LARGE');
  });
});
