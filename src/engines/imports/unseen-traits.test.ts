import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A trait of some bank's export, a small file that has it, and what a person reads in it. */
type Sample = readonly [trait: string, encoding: string, file: string, expected: readonly string[]];

const DATES: readonly Sample[] = [
  [
    'full stops mean day first, also where the first of three months looks like three days',
    'utf-8',
    `Date;Text;Amount
01.02.2023;Rent;-900.00
01.03.2023;Rent;-900.00
01.05.2023;Rent;-900.00
`,
    ['2023-02-01 900.00 - Rent', '2023-03-01 900.00 - Rent', '2023-05-01 900.00 - Rent'],
  ],
  [
    'a decimal comma means day first',
    'utf-8',
    'Date;Text;Amount\n03/04/2023;Market;-9,50\n',
    ['2023-04-03 9.50 - Market'],
  ],
  [
    'unless the parts are not padded, as American apps write them',
    'utf-8',
    'Date;Text;Amount\n3/4/23;Market;-9,50\n',
    ['AMBIGUOUS_FORMAT date_format'],
  ],
  [
    'a header in Portuguese means day first',
    'utf-8',
    'Data;Histórico;Valor\n03/04/2023;Compra;-9.50\n',
    ['2023-04-03 9.50 - Compra'],
  ],
  [
    'a short year may stand first: what stays is no day',
    'utf-8',
    'Date;Text;Amount\n24-03-13;Market;-12,50\n24-03-30;Pay;1.000,00\n24-03-31;Baker;-2,50\n',
    ['2024-03-13 12.50 - Market', '2024-03-30 -1000.00 - Pay', '2024-03-31 2.50 - Baker'],
  ],
  [
    'three days of a month, or a day of three years: open',
    'utf-8',
    'Date;Text;Amount\n24-03-13;Market;-12,50\n24-03-14;Pay;1.000,00\n24-03-15;Baker;-2,50\n',
    ['AMBIGUOUS_FORMAT date_format'],
  ],
  [
    'interest of one day year after year is no week of one year',
    'utf-8',
    'Datum;Text;Betrag\n15.03.22;Zinsen;12,50\n15.03.23;Zinsen;13,00\n15.03.24;Zinsen;-2,50\n',
    ['2022-03-15 -12.50 - Zinsen', '2023-03-15 -13.00 - Zinsen', '2024-03-15 2.50 - Zinsen'],
  ],
  [
    'Canadian French dates are not day first for their names',
    'utf-8',
    "Date de l'opération,Description,CAD$\n3/4/2023,Epicerie,-12.50\n3/5/2023,Paie,100.00\n",
    ['AMBIGUOUS_FORMAT date_format'],
  ],
  [
    'a fee on the same day of three years is no run of days',
    'utf-8',
    'Date;Text;Amount\n01-03-22;Fee;-12,50\n01-03-23;Fee;-13,00\n01-03-24;Fee;-2,50\n',
    ['2022-03-01 12.50 - Fee', '2023-03-01 13.00 - Fee', '2024-03-01 2.50 - Fee'],
  ],
  [
    'short years at the end stay there',
    'utf-8',
    'Date;Text;Amount\n13-03-24;Market;-12,50\n14-03-24;Pay;1.000,00\n15-03-24;Baker;-2,50\n',
    ['2024-03-13 12.50 - Market', '2024-03-14 -1000.00 - Pay', '2024-03-15 2.50 - Baker'],
  ],
  [
    'slashes, points and an English header leave it open',
    'utf-8',
    'Date,Text,Amount\n03/04/2023,Market,-9.50\n',
    ['AMBIGUOUS_FORMAT date_format'],
  ],
];

const NUMBERS: readonly Sample[] = [
  [
    'three digits behind a point that are no cents group thousands beside a plain number',
    'utf-8',
    'Date,Text,Amount\n2023-01-13,Market,-1.234\n2023-01-14,Kiosk,-500\n2023-01-15,Pay,25.000\n',
    ['2023-01-13 1234.00 - Market', '2023-01-14 500.00 - Kiosk', '2023-01-15 -25000.00 - Pay'],
  ],
  [
    'they stay open where zeros may have been cut off',
    'utf-8',
    'Date,Text,Amount\n2023-01-13,Market,12.345\n2023-01-14,Kiosk,5\n2023-01-15,Pay,-4\n',
    ['AMBIGUOUS_FORMAT decimal_separator', 'INVALID_ROWS skip_invalid'],
  ],
  [
    'they stay open where every number has three of them',
    'utf-8',
    'Date,Text,Amount\n2023-01-13,Market,-1.234\n2023-01-15,Pay,25.000\n',
    ['AMBIGUOUS_FORMAT decimal_separator', 'AMBIGUOUS_FORMAT sign', 'INVALID_ROWS skip_invalid'],
  ],
  [
    'and in a currency that has three decimals',
    'utf-8',
    'Date,Text,Amount,Currency\n2023-01-13,Market,-1.234,KWD\n2023-01-14,Kiosk,-5,KWD\n2023-01-15,Pay,25.000,KWD\n',
    ['AMBIGUOUS_FORMAT decimal_separator', 'INVALID_ROWS skip_invalid'],
  ],
  [
    'DB behind a number is money out',
    'utf-8',
    `Tanggal,Keterangan,Jumlah
13/03/2023,Toko,"100,000.00 DB"
14/03/2023,Gaji,"50,000.00 CR"
`,
    ['2023-03-13 100000.00 - Toko', '2023-03-14 -50000.00 - Gaji'],
  ],
  [
    'the column that moves the balance is the amount, not the number of shares',
    'utf-8',
    `Date;Category;Asset;Number of Shares;Result;Balance
2023-01-01;Deposit;;;1000.00;1000.00
2023-01-15;Buy;Fund A;5.50;-500.00;500.00
2023-03-15;Dividend;Fund A;;10.00;510.00
2023-03-16;Fee;;;-2.00;508.00
`,
    [
      '2023-01-01 -1000.00 - (no description)',
      '2023-01-15 500.00 - Fund A',
      '2023-03-15 -10.00 - Fund A',
      '2023-03-16 2.00 - (no description)',
    ],
  ],
];

const TEXTS: readonly Sample[] = [
  [
    'the name of the account in every row is no description',
    'utf-8',
    `Produit;Monn.;Description;Date de valeur;Description 1;Description 2;Débit;Crédit
A1;CHF;Compte personnel;31.03.2023;Frais;;10.00;
A1;CHF;Compte personnel;30.03.2023;Virement;ASSOCIATION;;240.00
A1;CHF;Compte personnel;29.03.2023;Ordre;GARAGE;200.00;
`,
    ['2023-03-31 10.00 CHF Frais', '2023-03-30 -240.00 CHF Virement ASSOCIATION', '2023-03-29 200.00 CHF Ordre GARAGE'],
  ],
  [
    'the number of the card is no description',
    'utf-8',
    `"Merchant Name","Card Used For Transaction","Date","Amount"
"Fuel","**** 1234","01/20/2023","36.33"
"Music","**** 4567","12/15/2022","-13.98"
`,
    ['2023-01-20 -36.33 - Fuel', '2022-12-15 13.98 - Music'],
  ],
  [
    'a town is no description, and the amount is the one of the account',
    'utf-8',
    `Posting Date,Transaction Amount,Transaction Currency,Billing Amount,Billing Currency,Merchant,Merchant City
2023-03-14,-100.00,JPY,-0.65,USD,Lawson,Tokyo
2023-03-14,-12.00,USD,-12.00,USD,Lawson,Osaka
`,
    ['2023-03-14 0.65 USD Lawson', '2023-03-14 12.00 USD Lawson'],
  ],
  [
    'short codes beside a text are no description',
    'utf-8',
    '27 Feb 2023,UMC-, -7.80, ,CORNER KIOSK 22FEB,,\n',
    ['2023-02-27 7.80 - CORNER KIOSK 22FEB'],
  ],
];

const SHAPES: readonly Sample[] = [
  [
    'a line of facts about the account stands above rows without header',
    'utf-8',
    `K|32000|244081|EUR
| POS 6,49 AT K1|20230311|FORSTER|-89.30|
| POS 7,96 AT K1|20230311|BAKER|-109.53|
| SEPA|20230311| To: S.C.D.|-227.73| Id: 12
| POS 4,50 AT K2|20230311|CLOTHES|-61.92|
| ONLINE|20230312| To: Dingbats|-1492.99| Ref: 09
| POS 12,40 AT K2|20230313|MCFLY|-170.63|
| POS 1,40 AT K2|20230314|MCFLY|-17.63|
| POS 2,40 AT K2|20230315|MCFLY|-18.63|
| POS 3,40 AT K2|20230316|MCFLY|-19.63|
| POS 4,40 AT K2|20230317|MCFLY|-20.63|
`,
    [
      'line 1 NOT_A_ROW',
      '2023-03-11 89.30 - POS 6,49 AT K1',
      '2023-03-11 109.53 - POS 7,96 AT K1',
      '2023-03-11 227.73 - SEPA',
      '2023-03-11 61.92 - POS 4,50 AT K2',
      '2023-03-12 1492.99 - ONLINE',
      '2023-03-13 170.63 - POS 12,40 AT K2',
      '2023-03-14 17.63 - POS 1,40 AT K2',
      '2023-03-15 18.63 - POS 2,40 AT K2',
      '2023-03-16 19.63 - POS 3,40 AT K2',
      '2023-03-17 20.63 - POS 4,40 AT K2',
    ],
  ],
  [
    'a header that nobody knows may repeat a name',
    'utf-8',
    `Aika;Kuka;Summan määrä;Muu;Muu
27.05.2023;Kauppa;-1,00;;
28.05.2023;Leipomo;-2,00;;
`,
    ['2023-05-27 1.00 - Kauppa', '2023-05-28 2.00 - Leipomo'],
  ],
  [
    'texts go on beyond the last name, in some rows further than in others',
    'utf-8',
    `Konto;Buchungsdatum;Waehrung;Betrag;Buchungstext
1;2023-07-03;EUR;150,00;Umsatz;A name;A text
1;2023-07-02;EUR;-10,00;Auftrag;A text
1;2023-07-01;EUR;-20,00;Auftrag;A name;A text;More
`,
    ['2023-07-03 -150.00 EUR Umsatz', '2023-07-02 10.00 EUR Auftrag', '2023-07-01 20.00 EUR Auftrag'],
  ],
  [
    'balances are no movements in Lithuanian either',
    'utf-8',
    `"Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K"
"2023-01-01","","Likutis pradžiai","2123.82","EUR","K"
"2023-01-02","Shop","Card","14.34","EUR","D"
"2023-01-31","","Apyvarta","14.34","EUR","D"
"2023-01-31","","Likutis pabaigai","2109.48","EUR","K"
`,
    ['line 2 OPENING_BALANCE', '2023-01-02 14.34 EUR Card', 'line 4 NOT_A_ROW', 'line 5 STATED_BALANCE'],
  ],
  [
    'a bare balance is no movement, also with spaces between its letters',
    'windows-1252',
    `"Data","Histórico","Valor"
"31/03/2023","Saldo Anterior","100.00"
"01/04/2023","Compra com Cartão","-20.00"
"02/04/2023","S A L D O","80.00"
`,
    ['line 2 OPENING_BALANCE', '2023-04-01 20.00 - Compra com Cartão', 'line 4 STATED_BALANCE'],
  ],
  [
    'names may begin with a hash, below a period of dates',
    'windows-1250',
    `Lista operacji;
22.09.2022;22.09.2023;

#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;
2023-03-13;ŻABKA ZAKUP;mKonto;Żywność;-12,50 PLN;;
2023-03-14;PRZELEW;mKonto;Wpływy;1 000,00 PLN;;
`,
    ['2023-03-13 12.50 PLN ŻABKA ZAKUP', '2023-03-14 -1000.00 PLN PRZELEW'],
  ],
  [
    'two columns of amounts without names are asked about',
    'utf-8',
    '18.09.2023\tMarket\t\t33,87\n20.09.2023\tEmployer\t24,00\t\n21.09.2023\tBaker\t\t3,10\n',
    ['AMBIGUOUS_FORMAT column_mapping'],
  ],
  [
    'a lone column of money out that holds zeros leaves the money in to a column not known',
    'utf-8',
    'Date,Memo,Payments,Money In\n2024-03-01,Power,42.00,0.00\n2024-03-02,Pay,0.00,50.00\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'charges are not the amount beside a column of signed numbers',
    'utf-8',
    'Date,Charges,Narrative,Total\n2024-09-11,3.00,Shell,-72.65\n2024-09-10,3.00,Cafe,-582.00\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'two columns of numbers without a known name could both be the amount',
    'utf-8',
    'Date,Payee,Tax Amount,Total\n2024-03-01,Power,-2.00,-42.00\n2024-03-02,Shop,-2.50,-50.00\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'a running number is not the amount beside two columns of numbers that take turns',
    'utf-8',
    'Fecha;Egr;Nº;Ing;Movimiento\n2021/10/01;;1;214;Intereses\n2021/10/01;1200;2;;Zara\n2021/10/02;;3;3698;Ana\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'an original amount is not the amount',
    'utf-8',
    'Date;Memo;Amount (Original);Amt\n20.07.2024;Shop;-58,33;-300,52\n21.07.2024;Pay;12,30;60,84\n',
    ['2024-07-20 300.52 - Shop', '2024-07-21 -60.84 - Pay'],
  ],
  [
    'amounts in two currencies under one name are asked about',
    'utf-8',
    'Data;Valor (US$);Descrição;Valor (R$)\n20/07/2024;-58,33;Posto;-300,52\n21/07/2024;12,30;Rend;60,84\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'a reference is no text beside one',
    'utf-8',
    'Date;Libellé opération;Référence;Montant\n20/07/2024;Loyer;R1234567;-58,33\n21/07/2024;Salaire;R7654321;12,30\n',
    ['2024-07-20 58.33 - Loyer', '2024-07-21 -12.30 - Salaire'],
  ],
  [
    'letters of a direction and codes are no texts beside a merchant',
    'utf-8',
    'Date;Merchant;Way;Amount;Kenmerk\n2026-07-04;Starbucks;DR;132.45;R1234567\n2026-07-05;Interest;CR;1210.53;R7654321\n',
    ['2026-07-04 132.45 - Starbucks', '2026-07-05 -1210.53 - Interest'],
  ],
  [
    'rows without a value date are dated by the column beside it',
    'utf-8',
    'Belegdatum;Umsatztext;Valuta;Betrag\n18.10.2022;Zinsen;19.10.2022;-5,53\n20.10.2022;Miete;;59,23\n22.10.2022;Lidl;22.10.2022;-2,10\n',
    ['2022-10-18 5.53 - Zinsen', '2022-10-20 -59.23 - Miete', '2022-10-22 2.10 - Lidl'],
  ],
  [
    'a dated total below the rows is no movement',
    'utf-8',
    'Date;Payee;Amount\n2024-01-02;Shop;-12.50\n2024-01-03;Pay;100.00\n2024-01-14;Cafe;-2.50\n2024-01-31;Total;85.00\n',
    ['2024-01-02 12.50 - Shop', '2024-01-03 -100.00 - Pay', '2024-01-14 2.50 - Cafe', 'line 5 NOT_A_ROW'],
  ],
  [
    'a payee called Total is one, unless the amount is the sum of all others',
    'utf-8',
    'Date;Payee;Amount\n2024-01-02;Shop;-12.50\n2024-01-03;Pay;100.00\n2024-01-14;Cafe;-2.50\n2024-01-31;Total;-45.00\n',
    ['2024-01-02 12.50 - Shop', '2024-01-03 -100.00 - Pay', '2024-01-14 2.50 - Cafe', '2024-01-31 45.00 - Total'],
  ],
  [
    'a balance is not the amount beside two columns of numbers that take turns',
    'utf-8',
    'Date;Nature;Retr.;Vers.;Après\n13/06/2022;Loyer;17,49;;229,02\n12/06/2022;SNCF;85,74;;246,51\n10/06/2022;Salaire;;359,17;332,25\n',
    ['WRONG_MAPPING column_mapping'],
  ],
  [
    'amounts in two currencies are asked about beside a column of currencies too',
    'utf-8',
    'Data;Valor (R$);Valor (US$);Descrição;Moeda\n20/07/2024;-300,52;-58,33;Posto;BRL\n21/07/2024;60,84;12,30;Rend;BRL\n',
    ['WRONG_MAPPING column_mapping'],
  ],
];

describe('traits of bank exports that only their own bank has', () => {
  test.each([...DATES, ...NUMBERS, ...TEXTS, ...SHAPES])('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
