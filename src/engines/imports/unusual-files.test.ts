import { describe, expect, test } from 'vitest';

import { formatCents } from '../../kernel/money.ts';
import type { FileAnalysis, ReadContext, ReadOptions } from './analysis.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT: ReadContext = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function read(text: string, options: ReadOptions = {}, context: Partial<ReadContext> = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(text), options, { ...CONTEXT, ...context });
}

/** Every record as `date amount currency`, or as why it is no row; an open question instead of all of them. */
function told(file: FileAnalysis): string[] {
  if (file.blockers.length > 0) return file.blockers.map(({ code, parameter }) => `${code} ${parameter ?? ''}`.trim());
  return [...file.rows()].map((row) =>
    row.outcome === 'row'
      ? `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.iso_currency_code ?? '-'}`
      : `${row.reason}`,
  );
}

describe('characters that nobody sees', () => {
  const plain = 'Date,Description,Amount\n2026-03-01,Shop,-4.50\n2026-03-13,Bar,-14.50\n2026-03-20,Pay,900.00\n';
  const around = (from: string, to: string): string => plain.replaceAll(/[^,\n]+/g, (cell) => `${from}${cell}${to}`);

  test.each([
    ['left-to-right marks', '\u200e', '\u200e'],
    ['embeddings', '\u202a', '\u202c'],
    ['isolates', '\u2067', '\u2069'],
    ['Arabic letter marks', '\u061c', ''],
    ['word joiners', '\u2060', '\u2060'],
    ['byte order marks', '\ufeff', ''],
    ['marks outside of quotes', '\u200f"', '"\u200f'],
    ['zero-width joiners', '', '\u200d'],
    ['soft hyphens', '', '\u00ad'],
  ])('%s change nothing', (_, from, to) => {
    expect(told(read(around(from, to)))).toEqual(['2026-03-01 4.50 -', '2026-03-13 14.50 -', '2026-03-20 -900.00 -']);
  });

  test('a soft hyphen where a minus would be is not dropped', () => {
    expect(told(read(plain.replaceAll(',-', ',\u00ad')))).toEqual([
      'AMBIGUOUS_FORMAT sign',
      'INVALID_ROWS skip_invalid',
    ]);
  });

  test('texts keep the joiners of letters and lose the rest', () => {
    const [row] = [...read(plain.replace('Shop', 'می\u200cخواهم \u202aSoz\u00adial\u202c')).rows()];
    expect(row?.description).toBe('می\u200cخواهم Sozial');
  });
});

describe('balances and sums among the rows', () => {
  test('the balance of each day is that of its last movement, and proves', () => {
    const file = `Data;Histórico;Valor
31/03/2026;Saldo Anterior;1.500,00
02/04/2026;Padaria;-80,00
02/04/2026;Saldo do dia;1.420,00
03/04/2026;Mercado;-20,50
13/04/2026;Salário;900,00
13/04/2026;S A L D O;2.299,50
`;
    const rows = ['2026-04-02 80.00 -', '2026-04-03 20.50 -', '2026-04-13 -900.00 -'];
    const found = read(file);
    expect(told(found)).toEqual(['OPENING_BALANCE', rows[0], 'STATED_BALANCE', rows[1], rows[2], 'STATED_BALANCE']);
    expect(found.balance_proof.results[0]).toMatchObject({ status: 'proved', rows_checked: 2, break_count: 0 });
    const [head, ...records] = file.trimEnd().split('\n');
    const newestFirst = read([head, ...records.toReversed(), ''].join('\n'));
    expect(told(newestFirst)).toEqual(told(found).toReversed());
    expect(newestFirst.balance_proof.status).toBe('proved');
    expect(told(read(file.replace('-20,50', '-20,05')))).toEqual(['BALANCE_MISMATCH accept_unproved']);
  });

  test('what is available is more than the rows: it is no row and proves nothing', () => {
    const file =
      'Date;Text;Amount\n2026-04-02;Shop;-80,00\n2026-04-02;Verfügbarer Betrag;5.000,00\n2026-04-13;Pay;90,00\n';
    expect(told(read(file))).toEqual(['2026-04-02 80.00 -', 'STATED_BALANCE', '2026-04-13 -90.00 -']);
    expect(read(file).balance_proof.status).toBe('not_available');
  });

  test('an amount that moves the balance is a movement, whatever its text', () => {
    const file =
      'Date,Text,Amount,Balance\n2026-04-02,Shop,-80.00,20.00\n2026-04-03,Closing balance,-5.00,15.00\n2026-04-13,Pay,90.00,105.00\n';
    expect(told(read(file))).toEqual(['2026-04-02 80.00 -', '2026-04-03 5.00 -', '2026-04-13 -90.00 -']);
  });

  const pair = (...rows: readonly string[]): string[] =>
    told(read(`Date;Description;Debit;Credit\n${rows.join('\n')}\n`));
  const SHOP = '2026-03-02;Grocer;30,00;';
  const PAY = '2026-03-12;Pay;;900,00';
  const TWO = ['2026-03-02 30.00 -', '2026-03-12 -900.00 -'];

  test.each([
    'Total',
    'Итого',
    'Total March',
    'SUMME',
    'Total 03/2026',
    'Summe EUR',
    '合計',
    'Total Debit',
    'Subtotal:',
  ])('%s of both columns is no row', (label) => {
    expect(pair(SHOP, PAY, `2026-03-31;${label};30,00;900,00`)).toEqual([...TWO, 'NOT_A_ROW']);
  });

  test('sums of parts and of all stand in between', () => {
    expect(
      pair(SHOP, '2026-03-31;Total;30,00;', PAY, '2026-03-31;Total;;900,00', '2026-03-31;Grand total;30,00;900,00'),
    ).toEqual([TWO[0], 'NOT_A_ROW', TWO[1], 'NOT_A_ROW', 'NOT_A_ROW']);
  });

  test('a text that goes on, or an amount that is no sum, is a row', () => {
    expect(pair(SHOP, '2026-03-03;Total Wine & More;30,00;')).toEqual([TWO[0], '2026-03-03 30.00 -']);
    expect(pair(SHOP, '2026-03-03;TOTAL;55,00;')).toEqual([TWO[0], '2026-03-03 55.00 -']);
  });
});

describe('symbols that several currencies share', () => {
  const file = (symbol: string): string =>
    `Date,Description,Amount\n31/03/2025,US SHOP,${symbol} -10.00\n30/03/2025,GROCER,€ -120.00\n15/03/2025,PAY,€ 500.00\n`;
  const first = (text: string, options: ReadOptions = {}, context: Partial<ReadContext> = {}): string =>
    told(read(text, options, context))[0] ?? '';
  const into = (code: string): Partial<ReadContext> => ({
    account: { account_id: 'a', type: 'depository', iso_currency_code: code, ledgerRows: () => [] },
  });

  test('take a currency only from among those they can mean', () => {
    expect(first(file('$'))).toBe('2025-03-31 10.00 -');
    expect(first(file('$'), { iso_currency_code: 'EUR' })).toBe('2025-03-31 10.00 -');
    expect(first(file('$'), {}, into('EUR'))).toBe('2025-03-31 10.00 -');
    expect(first(file('$'), {}, { default_currency: 'EUR' })).toBe('2025-03-31 10.00 -');
    expect(first(file('$'), {}, into('CAD'))).toBe('2025-03-31 10.00 CAD');
    expect(first(file('$'), {}, { default_currency: 'USD' })).toBe('2025-03-31 10.00 USD');
    expect(first(file('¥'), {}, into('USD'))).toBe('2025-03-31 10.00 -');
    expect(first(file('kr'), {}, into('NOK'))).toBe('2025-03-31 10.00 NOK');
    expect(first(file('US$'), {}, into('EUR'))).toBe('2025-03-31 10.00 USD');
  });

  test('say so where a row stays without a currency', () => {
    const { warnings } = read(file('$'), {}, into('EUR'));
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'CURRENCY_UNKNOWN', lines: [2] }));
    expect(read(file('$'), {}, into('CAD')).warnings.map(({ code }) => code)).not.toContain('CURRENCY_UNKNOWN');
  });

  test('count in the name of the amount column, and yield to a column of codes', () => {
    const named = 'Date,Text,Amount ($)\n31/03/2025,SHOP,-10.00\n';
    expect(first(named, {}, into('EUR'))).toBe('2025-03-31 10.00 -');
    expect(first(named, {}, into('AUD'))).toBe('2025-03-31 10.00 AUD');
    expect(first('Date,Text,Amount,Currency\n31/03/2025,SHOP,$-10.00,UYU\n', {}, into('EUR'))).toBe(
      '2025-03-31 10.00 UYU',
    );
  });
});

describe('dates in digits alone', () => {
  const file = (...dates: readonly string[]): string =>
    `Date,Description,Amount\n${dates.map((date) => `${date},Shop,-1.00\n`).join('')}`;
  const dates = (...cells: readonly string[]): string[] =>
    told(read(file(...cells))).map((row) => row.split(' ')[0] ?? '');
  const JANUARY = ['2020-01-01', '2020-01-15', '2020-01-31'];

  test.each([
    [['01012020', '15012020', '31012020'], 'DDMMYYYY'],
    [['1012020', '15012020', '31012020'], 'DDMMYYYY'],
    [['010120', '150120', '310120'], 'DDMMYY'],
    [['10120', '150120', '310120'], 'DDMMYY'],
    [['01012020', '01152020', '01312020'], 'MMDDYYYY'],
    [['010120', '011520', '013120'], 'MMDDYY'],
    [['20200101', '20200115', '20200131'], 'YYYYMMDD'],
  ] as const)('%s', (cells, format) => {
    expect(dates(...cells)).toEqual(JANUARY);
    expect(read(file(...cells)).date_format).toBe(format);
    expect(told(read(file(...cells), { date_format: format }))).toEqual(told(read(file(...cells))));
  });

  test('of which all orders give the same', () => {
    expect(dates('1012020')).toEqual(['2020-01-01']);
  });

  test('are not guessed where two orders read all of them', () => {
    expect(dates('03042020', '05062020')).toEqual(['INVALID_ROWS']);
    expect(told(read(file('03042020'), { date_format: 'DDMMYYYY' }))).toEqual(['2020-04-03 1.00 -']);
  });

  test('are none in a column of another name', () => {
    expect(told(read('Date,Reference,Amount\n2020-01-01,31012020,-1.00\n'))).toEqual(['2020-01-01 1.00 -']);
  });
});

describe('rows that are not booked yet', () => {
  const HEAD = 'Date;Text;Amount\n';
  const PENDING = '28.03.2025;Cafe;-4,00\n';
  const POSTED = '20.03.2025;Pay;900,00\n02.03.2025;Grocer;-30,00\n';
  const rowsOf = (file: string): string[] =>
    told(read(file)).filter((row) => row !== 'NOT_A_ROW' && row !== 'REPEATED_HEADER');
  const BOOKED = ['2025-03-20 -900.00 -', '2025-03-02 30.00 -'];

  test.each([
    ['Pending Transactions', 'Posted Transactions'],
    ['Pending', 'Posted'],
    ['Vorgemerkte Umsätze', 'Gebuchte Umsätze'],
    ['Opérations en attente', 'Opérations comptabilisées'],
    ['Movimientos pendientes', 'Movimientos'],
    ['Operazioni in attesa', 'Operazioni contabilizzate'],
    ['Transakcje oczekujące', 'Transakcje rozliczone'],
  ])('stand below %s, in either order', (pending, posted) => {
    expect(rowsOf(`${pending}\n${HEAD}${PENDING}${posted}\n${HEAD}${POSTED}`)).toEqual(['PENDING', ...BOOKED]);
    expect(rowsOf(`${posted}\n${HEAD}${POSTED}${pending}\n${HEAD}${PENDING}`)).toEqual([...BOOKED, 'PENDING']);
    expect(rowsOf(`${HEAD}${pending}\n${PENDING}${posted}\n${POSTED}`)).toEqual(['PENDING', ...BOOKED]);
  });

  test('stand so below a month, too', () => {
    expect(rowsOf(`Pending\n${HEAD}March\n${PENDING}Posted\n${POSTED}`)).toEqual(['PENDING', ...BOOKED]);
  });

  test.each(['PENDING - 28.03.2025', 'Pending 28.03.2025', 'PENDING', 'Vorgemerkt: 28.03.2025', 'ממתין - 28.03.2025'])(
    'have the date %s',
    (date) => {
      expect(rowsOf(`${HEAD}${date};Cafe;-4,00\n${POSTED}`)).toEqual(['PENDING', ...BOOKED]);
    },
  );

  test('are imported with the date behind the word', () => {
    const file = read(`${HEAD}PENDING - 28.03.2025;Cafe;-4,00\n${POSTED}`, { pending: 'import' });
    expect([...file.rows()].map(({ date, pending }) => [date, pending])[0]).toEqual(['2025-03-28', true]);
  });
});

describe('the price of a purchase beside what was booked', () => {
  const head = 'Date,Description,Amount,Currency,Settled Amount,Settled Currency';
  const ROWS = [
    ['2026-06-07,Cloud,-13.53,USD,-12.20,EUR', '987.80'],
    ['2026-06-08,Bakery,-20.00,EUR,-20.00,EUR', '967.80'],
    ['2026-06-19,Refund,5.00,EUR,5.00,EUR', '972.80'],
  ] as const;
  const BOOKED = ['2026-06-07 12.20 EUR', '2026-06-08 20.00 EUR', '2026-06-19 -5.00 EUR'];

  test('is not booked, with and without balances', () => {
    const found = read(`${head},Balance\n${ROWS.map((row) => `${row.join(',')}\n`).join('')}`);
    expect(told(found)).toEqual(BOOKED);
    expect(found.balance_proof.results).toHaveLength(1);
    expect(found.balance_proof.results[0]).toMatchObject({ status: 'proved', iso_currency_code: 'EUR' });
    expect(told(read(`${head}\n${ROWS.map(([row]) => `${row}\n`).join('')}`))).toEqual(BOOKED);
  });

  test('yields to the balances, whatever the names say', () => {
    const file = `Date,Description,Booked amount,Other value,Balance
2026-06-07,Cloud,-13.53,-12.20,987.80
2026-06-08,Bakery,-20.00,-20.00,967.80
2026-06-19,Refund,5.00,4.00,971.80
`;
    expect(told(read(file)).map((row) => row.split(' ')[1])).toEqual(['12.20', '20.00', '-4.00']);
  });

  test.each([
    [
      'rows of a day that are not in their order',
      [
        '2026-06-07,Cloud,-13.53,-12.20,987.80',
        '2026-06-08,Bakery,-20.00,-20.00,947.80',
        '2026-06-08,Cinema,-22.00,-20.00,967.80',
        '2026-06-19,Refund,5.00,4.00,951.80',
      ],
    ],
    [
      'rows that state no balance',
      [
        '2026-06-07,Cloud,-13.53,-12.20,987.80',
        '2026-06-08,Bakery,-20.00,-20.00,',
        '2026-06-09,Cinema,-22.00,-20.00,947.80',
        '2026-06-19,Refund,5.00,4.00,951.80',
      ],
    ],
  ])('is found through the whole proof: %s', (_how, lines) => {
    for (const names of ['Booked amount,Other value', 'Amount,Value', 'Amount,Account amount']) {
      const found = read(`Date,Description,${names},Balance\n${lines.join('\n')}\n`);
      expect(told(found).map((row) => row.split(' ')[1])).toEqual(['12.20', '20.00', '20.00', '-4.00']);
      expect(found.balance_proof.status).toBe('proved');
    }
  });

  test('yields to a name that says so, and gives the currency where both are equal', () => {
    const file = (price: string, booked: string): string =>
      `Date;Text;${price};Currency;${booked}\n2026-06-07;Cloud;-13,53;USD;-12,20\n2026-06-08;Bakery;-20,00;EUR;-20,00\n`;
    for (const [price, booked] of [
      ['Amount', 'Billed amount'],
      ['Original amount', 'Amount'],
      ['Amount', 'Amount (EUR)'],
      ['Purchase amount', 'Charged amount'],
    ] as const)
      expect(told(read(file(price, booked)))).toEqual(BOOKED.slice(0, 2));
  });

  test('is asked about where nothing tells it', () => {
    const file = 'Date,Description,Amount,Value\n2026-06-07,Cloud,-13.53,-12.20\n2026-06-08,Bakery,-20.00,-20.00\n';
    const found = read(file);
    expect(told(found)).toEqual(['AMBIGUOUS_FORMAT column_mapping.amount']);
    expect(found.blockers[0]?.candidates).toMatchObject([
      { value: 'Amount', line: 2 },
      { value: 'Value', line: 2 },
    ]);
    expect(told(read(file, { column_mapping: { amount: 'Value' } }))[0]).toBe('2026-06-07 12.20 -');
  });
});

describe('a balance that leads over the rows of several currencies', () => {
  const head = 'Date,Description,Amount,Currency,Balance\n';
  const one = [
    '2026-06-07,Cloud,-12.20,USD,987.80',
    '2026-06-08,Bakery,-20.00,EUR,967.80',
    '2026-06-19,Hotel,-30.00,EUR,937.80',
  ];

  test('is one chain, and proves as one', () => {
    const { balance_proof: proof } = read(head + one.join('\n'));
    expect(proof.results).toMatchObject([
      { status: 'proved', iso_currency_code: 'EUR', joins_currencies: true, rows_total: 3, closing_cents: 93_780 },
    ]);
  });

  test('breaks where a row is missing, and each currency with a balance of its own is proved alone', () => {
    const missing = read(head + [one[0], one[2]].join('\n'));
    expect(missing.balance_proof.results.map(({ joins_currencies: joins }) => joins ?? false)).not.toContain(true);
    const own = [
      '2026-06-07,A,-1.00,USD,99.00',
      '2026-06-08,B,-2.00,EUR,48.00',
      '2026-06-09,C,-3.00,USD,96.00',
      '2026-06-10,D,-4.00,EUR,44.00',
    ];
    expect(read(head + own.join('\n')).balance_proof.results).toMatchObject([
      { status: 'proved', iso_currency_code: 'USD', closing_cents: 9_600 },
      { status: 'proved', iso_currency_code: 'EUR', closing_cents: 4_400 },
    ]);
  });
});
