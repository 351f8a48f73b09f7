import { describe, expect, test } from 'vitest';

import type { AnalysedRow, FileAnalysis, ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function analyse(lines: readonly string[], options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(lines.join('\n')), options, CONTEXT);
}

function rows(file: FileAnalysis): AnalysedRow[] {
  return [...file.rows()].filter(({ outcome }) => outcome === 'row');
}

function questions({ blockers }: FileAnalysis): string[] {
  return blockers.map(({ code, parameter }) => `${code} ${parameter}`);
}

describe('files that were refused', () => {
  test('a file of an old Macintosh that is a table in no other encoding is asked about, and read with the answer', () => {
    const text = 'Date opération;Libellé;Débit;Crédit\n2025-03-13;Café;4,50;\n2025-03-14;Marché;;12,00\n';
    const bytes = Uint8Array.from(text, (one) => (one === 'é' ? 0x8e : one.charCodeAt(0)));
    const asked = analyseCsv(bytes, {}, CONTEXT);
    expect(questions(asked)).toEqual(['AMBIGUOUS_FORMAT encoding']);
    expect(asked.blockers[0]?.candidates.map(({ value }) => value)).toContain('macintosh');
    const read = analyseCsv(bytes, { encoding: 'macintosh' }, CONTEXT);
    expect(rows(read).map(({ description, amount_cents: cents }) => [description, cents])).toEqual([
      ['Café', 450],
      ['Marché', -1200],
    ]);
  });
});

test('of two columns without names that repeat each other either is the amount, which leaves the sign to ask for', () => {
  const amounts = Array.from({ length: 12 }, (_, i) => 1_037 + i * 37);
  const file = [
    'A B,4980-****-1234,Card',
    ...amounts.map((amount, i) => `2026/06/${i + 10},Shop ${i},${amount},１,１,${amount},`),
    ',,,,,4370,',
  ];
  expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT sign']);
  const read = rows(analyse(file, { sign: 'positive_is_out' }));
  expect(read.map(({ amount_cents: cents }) => cents)).toEqual(amounts.map((amount) => amount * 100));
  expect(questions(analyse(file.map((line) => line.replace('１,１,1074', '１,１,500'))))).toContain(
    'AMBIGUOUS_FORMAT column_mapping',
  );
});

describe('files that were read wrong without a question', () => {
  test('a list of purchases with one refund by its type, and no minus: asked, and the words may be sorted', () => {
    const kinds = ['Purchase', 'Fee', 'Purchase', 'Purchase', 'Fee', 'Purchase', 'Fee', 'Purchase', 'Purchase', 'Fee'];
    const file = [
      'Date,Type,Description,Amount',
      ...[...kinds, 'Rebate'].map((kind, i) => `2025-03-${13 + i},${kind},Shop ${i},1${i}.50`),
    ];
    const asked = analyse(file);
    expect(questions(asked)).toEqual(['AMBIGUOUS_FORMAT sign']);
    expect(asked.blockers[0]?.details.map(({ path }) => path)).toContain('direction_values');
    const read = rows(analyse(file, { direction_values: { out: ['Purchase', 'Fee'], in: ['Rebate'] } }));
    expect(read.map(({ amount_cents: cents }) => Math.sign(cents ?? 0))).toEqual([...kinds.map(() => 1), -1]);
  });

  test('a third word in a column of directions is no question about the other rows', () => {
    const words = ['支出', '收入', '/', '支出'];
    const file = ['日期,商品,收/支,金额', ...words.map((word, i) => `2025-03-${13 + i},Shop ${i},${word},1${i}.50`)];
    const asked = analyse(file);
    expect([questions(asked), rows(asked).map(({ amount_cents: cents }) => cents)]).toEqual([
      ['INVALID_ROWS skip_invalid'],
      [1_050, -1_150, 1_350],
    ]);
    const read = rows(analyse(file, { direction_values: { out: ['支出', '/'], in: ['收入'] } }));
    expect(read.map(({ amount_cents: cents }) => cents)).toEqual([1_050, -1_150, 1_250, 1_350]);
    expect(questions(analyse(file.map((line) => line.replace('收/支', 'Info'))))).toEqual(['AMBIGUOUS_FORMAT sign']);
  });

  test('a rent on the 5th of each month is not a week of May', () => {
    const dates = ['07/05/2024', '08/05/2024', '09/05/2024', '10/05/2024', '11/05/2024'];
    const file = ['Date,Description,Amount', ...dates.map((date) => `${date},Rent,-800.00`)];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('without column names, money out and money in that take turns with a zero are two columns', () => {
    const file = ['28.01.25;Shop A;-8577;0', '22.01.25;Shop B;0;8250', '21.01.25;Shop C;-30;0', '20.01.25;D;0;45'];
    const [question] = analyse(file).blockers;
    expect(question?.parameter).toBe('column_mapping');
    expect(question?.candidates.map(({ value }) => value)).toContain('{"debit":2,"credit":3}');
  });

  test('without column names, one number among zeros is asked about', () => {
    const [question] = analyse(['27.01.2025|0|50958|2108096|Market|Market 761']).blockers;
    expect(question?.parameter).toBe('column_mapping');
    expect(question?.candidates.map(({ value }) => value)).toContain('{"debit":1,"credit":2}');
  });

  test('without column names, what stands beside a lone zero may be the balance, so it is asked about', () => {
    expect(questions(analyse(['14.04.2025;0;EUR;8.755,22;Market']))).toEqual(['AMBIGUOUS_FORMAT column_mapping']);
    const rows = ['14.04.2025;0;EUR;-55,20;Market', '15.04.2025;0;EUR;-12,00;Shop', '16.04.2025;0;EUR;-7,10;Café'];
    expect(questions(analyse(rows))).toEqual([]);
  });

  test('without column names, whole numbers beside a balance with minuses are asked about', () => {
    const file = ['12.8.2023;Shop A;+23.000;-1.500.000', '22.7.2023;Shop B;+27.000;-1.523.000'];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT column_mapping']);
  });

  test('a fee of a row that is left out is not asked about, and is once pending rows are imported', () => {
    const file = [
      'Date,Description,Amount,Fee,Status',
      '2025-03-14,Shop A,-31.50,0.00,booked',
      '2025-03-15,Shop B,-8.20,0.04,pending',
    ];
    expect(analyse(file).detection.fee_mode).toMatchObject({ confidence: 'certain', evidence: ['content'] });
    expect(questions(analyse(file, { pending: 'import' }))).toEqual(['AMBIGUOUS_FORMAT fee_mode']);
    expect(questions(analyse(file.map((line) => line.replace('pending', 'booked'))))).toEqual([
      'AMBIGUOUS_FORMAT fee_mode',
    ]);
  });

  test('amounts without hundredths beside their balance are read, whichever separator groups them', () => {
    const file = ['01 09 2023;Shop A;-3.665;46.863', '04 09 2023;Shop B;-3.361;43.502', '07 09 2023;C;-6.882;36.620'];
    const [first] = rows(analyse(file, { iso_currency_code: 'JPY' }));
    expect(first?.amount_cents).toBe(366_500);
  });

  test('without column names, money in that occurs in one row only is no amount of zero', () => {
    const file = [
      '20.05.2023;Shop A;1 094;0;19 538',
      '22.04.2023;Shop B;2 059;0;20 632',
      '13.04.2023;Shop C;3 259;0;22 691',
      '28.03.2023;Shop D;2 007;0;25 950',
      '03.03.2023;Employer;0;27 957;27 957',
    ];
    const analysis = analyse(file);
    expect(analysis.mapping.amount).toBeUndefined();
  });

  test('an opening balance with an amount of 0.00 is not a transaction', () => {
    const file = [
      'Date,Description,Amount,Balance',
      '2025-01-12,Opening balance,0.00,100.00',
      '2025-01-13,Shop A,-10.00,90.00',
      '2025-01-14,Shop B,-20.00,70.00',
    ];
    expect(rows(analyse(file))).toHaveLength(2);
  });

  test('dates that fall within each currency fall in the file', () => {
    const file = [
      'Date,Description,Amount,Currency',
      ...['9/9', '9/8', '9/7'].map((day) => `${day}/2025,Shop,-10.50,EUR`),
      ...['4/9', '4/8', '4/7'].map((day) => `${day}/2025,Shop,-10.50,GBP`),
    ];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('without column names, kinds of movements still say which way the money went', () => {
    const file = ['08/01/24;Kafé 510;Kortköp;479.52', '15/02/24;Går Ner;Lön;849.90', '16/02/24;Kafé 9;Uttag;10.00'];
    const read = rows(analyse(file));
    expect(read.map(({ amount_cents: cents }) => Math.sign(cents ?? 0))).toEqual([1, -1, 1]);
  });

  test('a sum below the rows does not hide that each row has a type', () => {
    const file = [
      'Date,Type,Description,Amount',
      '2025-04-21,Salary,Employer,252.60',
      '2025-04-17,Fee,Bank,9.80',
      ',,Total,262.40',
    ];
    expect(rows(analyse(file)).map(({ amount_cents: cents }) => cents)).toEqual([-25_260, 980]);
  });

  test('two dates of a row are days apart under one order, and months under the other', () => {
    const pairs = ['06-03-2024,06-03-2024', '04-03-2024,04-01-2024', '03-03-2024,03-02-2024', '01-03-2024,01-02-2024'];
    const file = ['Posted Date,Transaction Date,Description,Amount', ...pairs.map((pair) => `${pair},Shop,-10.50`)];
    const { value, evidence } = analyse(file).detection.date_format;
    expect([value, evidence]).toEqual(['MM-DD-YYYY', ['second_date_column']]);
  });

  test('two dates of a row that are days apart in some rows only decide nothing', () => {
    const near = ['06-03-2024,06-03-2024', '04-03-2024,04-01-2024', '03-03-2024,03-02-2024', '01-03-2024,01-02-2024'];
    const far = ['07-09-2024,02-01-2024', '05-08-2024,01-02-2024', '02-09-2024,01-04-2024'];
    const rows = [...near.slice(0, 2), ...far, ...near.slice(2)].map((pair) => `${pair},Shop,-10.50`);
    expect(questions(analyse(['Posted Date,Transaction Date,Description,Amount', ...rows]))).toEqual([
      'AMBIGUOUS_FORMAT date_format',
    ]);
  });

  test('rents of two accounts, each on its own day of the month, are not some weeks of two months', () => {
    const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09'];
    const rents = ['02', '03'].flatMap((day, i) =>
      months.map((month) => `Account ${i + 1},${month}-${day}-2024,Rent,-10.50`),
    );
    expect(questions(analyse(['Account,Date,Description,Amount', ...rents]))).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('the order in which balances add up as money owned may be another one as money owed', () => {
    const file = [
      'Account,Date,Description,Amount,Balance',
      'Loan,09/08/2024,Shop A,4.22D,18747.62',
      'Loan,09/08/2024,Transfer,413.86C,18333.76',
      'Loan,06/09/2024,Fee,54.71D,18388.47',
    ];
    expect(questions(analyse(file))[0]).toBe('AMBIGUOUS_FORMAT date_format');
  });

  test('without column names, kinds of movements are no texts where texts stand beside them', () => {
    const file = [
      '25.07.2024;Uttag;Uttag Torghallen 836;+139,13;EUR;+11.631,56',
      '28.06.2024;Kortköp;Apotek 224;+330,69;EUR;+11.770,69',
      '10.05.2024;Lön;Lön Apotek 319;+3.173,71;EUR;+12.101,38',
    ];
    expect(rows(analyse(file)).map((row) => [row.amount_cents, row.description])).toEqual([
      [13_913, 'Uttag Torghallen 836'],
      [33_069, 'Apotek 224'],
      [-317_371, 'Lön Apotek 319'],
    ]);
  });

  test('without column names, a refund among the kinds of movements is no proof of a deposit', () => {
    const file = [
      '10.02.2025;Estación 777;Compra con tarjeta;82,63;-603,20',
      '12.02.2025;Estación 777;Devolución;82,63;-520,57',
      '23.02.2025;Estación 777;Devolución;82,63;-437,94',
    ];
    expect(questions(analyse(file))[0]).toBe('AMBIGUOUS_FORMAT sign');
  });

  test('a refund by its type is not spending because its text tells of the purchase', () => {
    const file = [
      'Datum;Typ;Specifikation;Belopp',
      '2024-02-07;Återbetalning;Kortköp Bageri 190;117,86',
      '2024-02-04;Kortköp;Kortköp Bageri 190;117,86',
    ];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT sign']);
  });

  test('balances that add up one way do not hide types that go both ways where nothing has a minus', () => {
    const file = [
      'Date opération;Libellé;Type de transaction;Montant;Solde',
      '24.04.2024;Café 388;Paiement carte;565,22;(565,22)',
      '15.05.2024;Hôtel 697;Salaire;3076,96;2511,74',
      '18.05.2024;Café 388;Remboursement;565,22;3076,96',
    ];
    expect(questions(analyse(file))[0]).toBe('AMBIGUOUS_FORMAT sign');
  });

  test('an opening balance in a column of amounts takes its sign from the line above the rows', () => {
    const file = [
      'Saldo inicial;100.00',
      'Saldo final 02-06-2023;80.00',
      'Data;Montante;Tipo;Detalhe',
      '01-05-2023;100.00-;;Saldo inicial',
      '20-05-2023;30.00;Compra;Mercado',
      '02-06-2023;10.00-;Salário;Estação',
    ];
    const { balance_proof: proof } = analyse(file, { sign: 'positive_is_out' });
    expect([proof.status, proof.results[0]?.opening_cents]).toEqual(['proved', 10_000]);
  });

  test('letters that may be debit and credit in a column of types are asked about', () => {
    const file = [
      'Data operacji;Opis;Rodzaj transakcji;Kwota;Saldo',
      '2025-03-13;Piekarnia 411;D;588,84;5199,93',
      '2025-03-09;Apteka 289;D;463,27;5788,77',
      '2025-01-04;Piekarnia 919;D;42,96;6252,04',
      '2025-01-03;Przelew 352;K;786,11;6295,00',
    ];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT sign']);
  });

  test('a declined payment tells of the months too', () => {
    const dates = ['12-04-23', '11-04-23', '10-04-23', '09-04-23', '08-04-23', '07-04-23', '06-04-23'];
    const states = ['Posted', 'Posted', 'Declined', 'Posted', 'Posted', 'Declined', 'Posted'];
    const file = ['Date,Description,Amount,State', ...dates.map((date, i) => `${date},Shop,-10.50,${states[i]}`)];
    expect(questions(analyse(file))).toEqual(['AMBIGUOUS_FORMAT date_format']);
  });

  test('without column names, rows of two zeros do not hide money in', () => {
    const file = [
      '20240907;Shop A;0,00;0,00;3014,80',
      '20240904;Shop B;0,00;0,00;3014,80',
      '20240901;Shop C;512,93;0,00;3014,80',
      '20240801;Shop D;327,63;0,00;3527,73',
      '20240713;Employer;0,00;2671,03;3855,36',
    ];
    const analysis = analyse(file);
    expect([analysis.mapping.debit, analysis.mapping.credit].map((field) => field?.columns[0]?.index)).toEqual([2, 3]);
  });

  test('a column of states is known by its words, under any name and under none', () => {
    const body = ['2025-01-13,Shop A,-12.50,Posted', '2025-01-14,Shop B,-7.20,Declined', '2025-01-15,C,-3.10,Pending'];
    for (const file of [body, ['Date,Description,Amount,Progress', ...body]])
      expect(rows(analyse(file)).map(({ amount_cents: cents }) => cents)).toEqual([1_250]);
  });

  test('several currencies in a column without a name are read', () => {
    const file = ['13.01.2025;-10,00;GBP;Shop A', '14.01.2025;-6,50;SEK;Shop B', '15.01.2025;20,10;SEK;Shop C'];
    expect(rows(analyse(file)).map(({ iso_currency_code: code }) => code)).toEqual(['GBP', 'SEK', 'SEK']);
  });

  test('money in that cannot be read makes its rows unreadable, never zero', () => {
    const file = ['Date,Description,Debit,Credit', '2025-01-13,A,0.00,2Ê378.81', '2025-01-14,B,12.00,0.00'];
    expect(rows(analyse(file)).some(({ amount_cents: cents }) => cents === 0)).toBe(false);
    expect(questions(analyse(file))).toEqual(['INVALID_ROWS skip_invalid']);
  });
});

describe('balances that count money owed', () => {
  test('a sign and a kind of account that were both given may make the balances add up as what is owed', () => {
    const file = [
      'Datum;Bedrag;Saldo;Omschrijving',
      '2024-07-03;-442,12;-488,39;Stap 506',
      '2024-06-28;-284,04;-930,51;Apotheek 625',
      '2024-06-19;2345,74;-1214,55;Bakkerij 760',
      '2024-06-07;-441,66;1131,19;Apotheek 558',
    ];
    const [blocker] = analyse(file, { sign: 'positive_is_in' }).blockers;
    expect(blocker?.details.map(({ path }) => path)).toEqual(expect.arrayContaining(['sign', 'account_type']));
    const owed = analyse(file, { sign: 'positive_is_in', account_type: 'credit' });
    expect([owed.blockers, owed.balance_proof.status]).toEqual([[], 'proved']);
  });

  const card = [
    'Date,Description,Amount,Direction,Balance',
    '2025-01-13,Shop A,10.00,Debit,110.00',
    '2025-01-14,Shop B,25.50,Debit,135.50',
    '2025-01-15,Payment,35.50,Credit,100.00',
  ];

  test('an account of unknown kind: the error names the kind of account', () => {
    const file = analyse(card);
    expect(questions(file)).toEqual(['BALANCE_MISMATCH account_type']);
    expect(file.balance_proof.proves_with).toEqual([{ parameter: 'account_type', value: 'credit' }]);
    expect(analyse(card, { account_type: 'credit' }).blockers).toEqual([]);
  });

  test('a sign that was asked for and given is not refused without a way on', () => {
    const lines = ['2025-01-13,A,10.00,110.00', '2025-01-14,B,25.50,135.50', '2025-01-15,C,4.50,140.00'];
    const file = ['Date,Description,Amount,Balance', ...lines];
    const [blocker] = analyse(file, { sign: 'positive_is_out' }).blockers;
    expect(blocker?.details.map(({ path }) => path)).toEqual(expect.arrayContaining(['sign', 'account_type']));
    expect(analyse(file, { sign: 'positive_is_out', account_type: 'credit' }).blockers).toEqual([]);
  });

  test('opening and closing balances that fit both ways: the error names the other sign and the kind of account', () => {
    const file = [
      'Opening balance;500.00',
      'Closing balance 2025-01-15;465.00',
      'Date;Description;Amount',
      '2025-01-13;A;10.00',
      '2025-01-14;B;-5.00',
      '2025-01-15;C;30.00',
    ];
    const analysis = analyse(file);
    expect(analysis.balance_proof.proves_with).toEqual([{ parameter: 'sign', value: 'positive_is_out' }]);
    expect(analysis.blockers[0]?.details.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['sign', 'account_type']),
    );
    expect(analyse(file, { sign: 'positive_is_out' }).balance_proof.status).toBe('proved');
  });

  test('a card that was overpaid owes less than nothing', () => {
    const overpaid = [card[0] ?? '', '2025-01-13,Payment,300.00,Credit,-200.00', '2025-01-14,Shop,50.00,Debit,-150.00'];
    expect(analyse(overpaid, { account_type: 'credit' }).balance_proof.status).toBe('proved');
  });
});
