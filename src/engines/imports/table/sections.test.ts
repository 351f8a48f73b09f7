import { describe, expect, test } from 'vitest';

import type { FileAnalysis, ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function analyse(file: string, options: ReadOptions = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(file), options, CONTEXT);
}

/** What became of every record, and what an import is refused for. */
function outcomeOf(
  file: string,
  options: ReadOptions = {},
): { header: number | null; rows: string[]; asked: string[] } {
  const analysis = analyse(file, options);
  return {
    header: analysis.detection.header.value,
    rows: [...analysis.rows()].map(({ line, outcome, reason, amount_cents: cents }) =>
      outcome === 'row' ? `${line} ${cents}` : `${line} ${reason}`,
    ),
    asked: analysis.blockers.map(({ code, parameter }) => `${code} ${parameter}`),
  };
}

const comdirect = (name: string): string => `;
"Umsätze Girokonto";"Zeitraum: 01.01.2024 - 31.01.2024";
"Neuer Kontostand";"1.954,12 EUR";

"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";
"05.01.2024";"05.01.2024";"Lastschrift";"Telekom";"-39,95";
"04.01.2024";"04.01.2024";"Überweisung";"Gehalt";"2.000,00";

"Alter Kontostand";"-5,93 EUR";

"Umsätze Visa-Karte (Kreditkarte)";"Zeitraum: 01.01.2024 - 31.01.2024";
"Neuer Kontostand";"-10,00 EUR";

"Buchungstag";"Umsatztag";"Vorgang";"${name}";"Buchungstext";"Umsatz in EUR";
"09.01.2024";"08.01.2024";"Visa-Umsatz";"123456";"NETFLIX";"-12,99";
"10.01.2024";"09.01.2024";"Visa-Umsatz";"123457";"SPOTIFY";"-9,99";

"Alter Kontostand";"0,00 EUR";
`;

describe('a file of several sections', () => {
  test.each(['Referenz', 'Kategorie', 'Empfänger', 'Buchungsreferenz'])(
    'keeps the rows of the first one, whatever names the second one has (%s)',
    (name) => {
      const { header, rows, asked } = outcomeOf(comdirect(name));
      expect({ header, asked }).toEqual({ header: 5, asked: ['INVALID_ROWS skip_invalid'] });
      expect(rows.slice(0, 2)).toEqual(['6 3995', '7 -200000']);
      expect(rows.filter((row) => row.endsWith('FIELD_COUNT'))).toEqual(['15 FIELD_COUNT', '16 FIELD_COUNT']);
    },
  );

  test('says which column names an unread row belongs to, and reads them from that line if asked', () => {
    const file = comdirect('Kategorie');
    expect(analyse(file).blockers[0]?.details).toEqual([
      { path: 'line 15: fields', message: expect.stringContaining('column names on line 14') },
      { path: 'line 16: fields', message: expect.stringContaining('column names on line 14') },
    ]);
    expect(outcomeOf(file, { header_line: 14 })).toEqual({
      header: 14,
      rows: ['15 1299', '16 999', '18 NOT_A_ROW'],
      asked: [],
    });
  });

  test('in English, the second with more known names', () => {
    const file = `Current account
Date,Details,Amount
2024-01-05,Phone,-39.95
2024-01-06,Salary,2000.00

Credit card
Date,Merchant,Category,Currency,Transaction ID,Amount
2024-01-08,Netflix,Fun,GBP,T1,-12.99
`;
    expect(outcomeOf(file)).toEqual({
      header: 2,
      rows: ['3 3995', '4 -200000', '6 NOT_A_ROW', '7 NOT_A_ROW', '8 FIELD_COUNT'],
      asked: ['INVALID_ROWS skip_invalid'],
    });
  });

  test.each([
    'K1 05.01.2024;Telefon;-39,95',
    '05.01.;Telefon;-39,95',
    '05.01.2024;Telefon;39,95 Soll',
    '45296;Telefon;-39,95',
  ])('with a row that cannot be read: %s', (row) => {
    const file = `Datum;Text;Betrag\n${row}\nDatum;Text;Kategorie;Währung;Betrag\n18.01.2024;Netflix;Film;EUR;-12,99\n`;
    const { header, asked } = outcomeOf(file);
    expect({ header, asked }).toEqual({ header: 1, asked: ['INVALID_ROWS null'] });
  });

  test('in large whole amounts, as of currencies without cents', () => {
    const file = `取引日,摘要,お支払金額,お預り金額
2024/01/05,電話,3995,
2024/01/25,給与,,12000000
取引日,摘要,通貨,カテゴリ,金額,残高
2024/01/28,家賃,JPY,住居,1500000,100
`;
    const { rows } = outcomeOf(file);
    expect(rows).toEqual(['2 399500', '3 -1200000000', '4 NOT_A_ROW', '5 FIELD_COUNT']);
  });

  test('rows of as many columns in another order are not read under the names of the first one', () => {
    const file = `Fecha;Concepto;Cargo;Abono
05/01/2024;Teléfono;39,95;
16/01/2024;Nómina;;2000,00
Fecha;Concepto;Abono;Cargo
18/01/2024;Netflix;;12,99
`;
    expect(outcomeOf(file)).toEqual({
      header: 1,
      rows: ['2 3995', '3 -200000', '4 NOT_A_ROW', '5 FIELD_COUNT'],
      asked: ['INVALID_ROWS skip_invalid'],
    });
  });

  test('rows without a date or an amount in the columns of the first one are not taken for notes', () => {
    const file = `Date;Libellé;Montant
05/01/2024;Téléphone;-39,95
16/01/2024;Salaire;2000,00
Type;Date;Libellé;Référence;Montant
Carte;18/01/2024;Netflix;R1;-12,99
Carte;19/01/2024;Spotify;R2;-9,99
`;
    expect(outcomeOf(file)).toEqual({
      header: 1,
      rows: ['2 3995', '3 -200000', '4 NOT_A_ROW', '5 FIELD_COUNT', '6 FIELD_COUNT'],
      asked: ['INVALID_ROWS skip_invalid'],
    });
  });

  test('column names repeated in the middle end a further section', () => {
    const names = 'Datum;Omschrijving;Bedrag';
    const file = `${names}
05-01-2024;Telefoon;-39,95
Datum;Bedrag;Omschrijving
18-01-2024;-12,99;Netflix
${names}
20-01-2024;Salaris;2000,00
`;
    expect(outcomeOf(file).rows).toEqual(['2 3995', '3 NOT_A_ROW', '4 FIELD_COUNT', '5 REPEATED_HEADER', '6 -200000']);
  });

  test('the first one counts even if only the second one is that of a known bank', () => {
    const n26 =
      'Booking Date,Value Date,Partner Name,Partner Iban,Type,Payment Reference,Account Name,Amount (EUR),Original Amount,Original Currency,Exchange Rate';
    const file = `Date,Text,Amount
2024-01-05,Phone,-39.95
${n26}
2024-01-08,2024-01-08,Netflix,,Card,Film,Main,-12.99,,,
`;
    expect(outcomeOf(file)).toEqual({
      header: 1,
      rows: ['2 3995', '3 NOT_A_ROW', '4 FIELD_COUNT'],
      asked: ['INVALID_ROWS skip_invalid'],
    });
  });
});

describe('rows above the only column names we know', () => {
  const BELOW = `Datum;Text;Betrag
18.01.2024;Netflix;-12,99
20.01.2024;Lohn;2000,00
`;

  test.each([
    [
      'below names in a language we do not know',
      'Dags;Lýsing;Krónur\n05.01.2024;Sími;-39,95\n06.01.2024;Bónus;-9,99\n',
      [2, 3],
    ],
    ['without names', '05.01.2024;Telekom;-39,95\n', [1]],
    ['that begin with their text', 'Telekom;05.01.2024;-39,95\nEDEKA;06.01.2024;-9,99\n', [1, 2]],
    ['in two columns', '05.01.2024;;39,95;\n06.01.2024;;;12,00\n', [1, 2]],
  ])('are asked about: %s', (_, above, lines) => {
    const file = above + BELOW;
    const [blocker] = analyse(file).blockers;
    expect(blocker).toMatchObject({ code: 'AMBIGUOUS_FORMAT', parameter: 'header_line' });
    expect(blocker?.message).toContain(`; ${lines.length === 1 ? 'it' : 'the first'} is on line ${lines[0]}.`);
    const paths = blocker?.details.map(({ path }) => path);
    expect(paths).toEqual([...lines.map((line) => `line ${line}`), 'header_line']);
    const header = Number(blocker?.candidates[0]?.value);
    expect(outcomeOf(file, { header_line: header })).toMatchObject({ header, asked: [] });
  });

  test('can be read under the words above them', () => {
    const file = `Dags;Lýsing;Krónur\n05.01.2024;Sími;-39,95\n16.01.2024;Bónus;-9,99\n${BELOW}`;
    const [blocker] = analyse(file).blockers;
    expect(blocker?.candidates).toMatchObject([
      { value: '4', read_as: 'column names, leaving out 2 rows above them' },
      { value: '1', read_as: 'column names for the 2 rows from line 2 on' },
    ]);
    const { rows } = outcomeOf(file, { header_line: 1, column_mapping: { date: 0, description: 1, amount: 2 } });
    expect(rows).toEqual(['2 3995', '3 999', '4 NOT_A_ROW', '5 FIELD_COUNT', '6 FIELD_COUNT']);
  });

  test('are asked about also if the caller names the columns below them', () => {
    const file = `Datum;Wert;Betrag\n05.01.2024;06.01.2024;-39,95\n${BELOW}`;
    const named = { column_mapping: { date: 'Datum', description: 'Text', amount: 'Betrag' } };
    expect(outcomeOf(file, named).asked).toEqual(['AMBIGUOUS_FORMAT header_line']);
  });

  test.each([
    ['a balance', 'Kontostand;01.02.2026;1.234,56\n'],
    ['a balance with its date in one cell', 'Kontostand 01.02.2026 1.234,56\n'],
    ['a balance that begins with its date', '01.02.2026;Kontostand;1.234,56\n'],
    ['a period', 'Zeitraum;01.01.2024;31.01.2024\n'],
    ['a period in one cell', '01.01.2024 - 31.01.2024;;\n'],
    ['labels with their values', 'BLZ:;10090000;;Datum:;05.02.2024\n'],
    ['an unknown label', 'Abruf;05.02.2024;17\n'],
    ['a table of balances', 'Datum;Saldo\n31.01.2024;1.234,56\n'],
    ['an account', 'Konto;Stand;Wert\n1234567;05.02.2024;1.234,56\n'],
  ])('%s is none', (_, above) => {
    const { rows, asked } = outcomeOf(above + BELOW);
    expect({ amounts: rows.map((row) => row.split(' ')[1]), asked }).toEqual({
      amounts: ['1299', '-200000'],
      asked: [],
    });
  });
});
