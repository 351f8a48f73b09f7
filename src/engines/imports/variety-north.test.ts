import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A file in the shape of one bank's export, and every row (date, amount, currency, text) or the refusal it gives. */
type Sample = readonly [bank: string, encoding: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'swedbank ee',
    'utf-8',
    `"Kliendi konto","Reatüüp","Kuupäev","Saaja/Maksja","Selgitus","Summa","Valuuta","Deebet/Kreedit","Arhiveerimistunnus","Tehingu tüüp","Viitenumber","Dokumendi number",
"EE382200221020145685","10","01.01.2024","","Algsaldo","100.00","EUR","K","","AS","","",
"EE382200221020145685","20","05.01.2024","RIMI","Ost","12.50","EUR","D","2024010500001","K","","",
"EE382200221020145685","20","06.01.2024","FIRMA OU","Palk","1000.00","EUR","K","2024010500002","MK","","",
"EE382200221020145685","82","31.01.2024","","Käive","12.50","EUR","D","","K2","","",
"EE382200221020145685","82","31.01.2024","","Käive","1000.00","EUR","K","","K2","","",
"EE382200221020145685","86","31.01.2024","","Lõppsaldo","1087.50","EUR","K","","LS","","",
`,
    [
      'line 2 OPENING_BALANCE',
      '2024-01-05 12.50 EUR Ost',
      '2024-01-06 -1000.00 EUR Palk',
      'line 5 NOT_A_ROW',
      'line 6 NOT_A_ROW',
      'line 7 STATED_BALANCE',
    ],
  ],
  [
    'swedbank lv',
    'utf-8',
    `"Klienta konts";"Ieraksta tips";"Datums";"Saņēmējs/Maksātājs";"Informācija saņēmējam";"Summa";"Valūta";"Debets/Kredīts";"Arhīva kods";"Maksājuma veids";"Refernces numurs";"Dokumenta numurs";
"LV80HABA0551000000000";"10";"01.01.2024";"";"Sākuma atlikums";"100,00";"EUR";"K";"";"AS";"";"";
"LV80HABA0551000000000";"20";"05.01.2024";"RIMI";"PIRKUMS";"12,50";"EUR";"D";"2024010500001";"K";"";"";
"LV80HABA0551000000000";"20";"06.01.2024";"SIA FIRMA";"Alga";"1000,00";"EUR";"K";"2024010500002";"MK";"";"";
"LV80HABA0551000000000";"82";"31.01.2024";"";"Apgrozījums";"12,50";"EUR";"D";"";"K2";"";"";
"LV80HABA0551000000000";"82";"31.01.2024";"";"Apgrozījums";"1000,00";"EUR";"K";"";"K2";"";"";
"LV80HABA0551000000000";"86";"31.01.2024";"";"Beigu atlikums";"1087,50";"EUR";"K";"";"LS";"";"";
`,
    [
      'line 2 OPENING_BALANCE',
      '2024-01-05 12.50 EUR PIRKUMS',
      '2024-01-06 -1000.00 EUR Alga',
      'line 5 NOT_A_ROW',
      'line 6 NOT_A_ROW',
      'line 7 STATED_BALANCE',
    ],
  ],
  [
    'swedbank lt',
    'utf-8 with mark',
    `"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Įrašo Nr.","Kodas","Įmokos kodas","Dok. Nr.",
"LT097300010000000000","10","2024-01-01","","Likutis pradžiai","100.00","EUR","K","","LS","","",
"LT097300010000000000","20","2024-01-05","MAXIMA","PIRKINYS","12.50","EUR","D","2024010500001","MK","","",
"LT097300010000000000","20","2024-01-06","UAB FIRMA","Atlyginimas","1000.00","EUR","K","2024010500002","MK","","",
"LT097300010000000000","82","2024-01-31","","Apyvarta","12.50","EUR","D","","TT","","",
"LT097300010000000000","82","2024-01-31","","Apyvarta","1000.00","EUR","K","","TT","","",
"LT097300010000000000","86","2024-01-31","","Likutis pabaigai","1087.50","EUR","K","","LS","","",
`,
    [
      'line 2 OPENING_BALANCE',
      '2024-01-05 12.50 EUR PIRKINYS',
      '2024-01-06 -1000.00 EUR Atlyginimas',
      'line 5 NOT_A_ROW',
      'line 6 NOT_A_ROW',
      'line 7 STATED_BALANCE',
    ],
  ],
  [
    'seb lt',
    'utf-8',
    `"SĄSKAITOS (LT117044060007946123) IŠRAŠAS"
DOK NR.;DATA;VALIUTA;SUMA;MOKĖTOJO ARBA GAVĖJO PAVADINIMAS;MOKĖTOJO ARBA GAVĖJO IDENTIFIKACINIS KODAS;SĄSKAITA;KREDITO ĮSTAIGOS PAVADINIMAS;KREDITO ĮSTAIGOS SWIFT KODAS;MOKĖJIMO PASKIRTIS;TRANSAKCIJOS KODAS;DOKUMENTO DATA;TRANSAKCIJOS TIPAS;NUORODA;DEBETAS/KREDITAS;SUMA SĄSKAITOS VALIUTA;SĄSKAITOS NR;SĄSKAITOS VALIUTA;
"1";2024-01-05;EUR;12,50;"MAXIMA";"";"";"";"";"Pirkinys";"RO001";2024-01-04;"Kortele";"";D;12,50;"LT117044060007946123";EUR;
"2";2024-01-06;EUR;1000,00;"UAB FIRMA";"";"LT22";"";"";"Atlyginimas";"RO002";2024-01-06;"Pervedimas";"";C;1000,00;"LT117044060007946123";EUR;
`,
    ['2024-01-05 12.50 EUR Pirkinys', '2024-01-06 -1000.00 EUR Atlyginimas'],
  ],
  [
    'lhv',
    'utf-8',
    `"Kliendi konto";"Dokumendi number";"Kuupäev";"Saaja/maksja konto";"Saaja/maksja nimi";"Saaja panga kood";"Tühi";"Deebet/Kreedit (D/C)";"Summa";"Viitenumber";"Arhiveerimistunnus";"Selgitus";"Teenustasu";"Valuuta";"Isikukood või registrikood";"Saaja/maksja BIC"
"EE827700771001000000";"";"2024-01-05";"";"RIMI";"";"";"D";"-12.50";"";"A1";"Ost";"0.00";"EUR";"";""
"EE827700771001000000";"";"2024-01-06";"EE38";"FIRMA OU";"";"";"C";"1000.00";"";"A2";"Palk";"0.00";"EUR";"";""
`,
    ['2024-01-05 12.50 EUR Ost', '2024-01-06 -1000.00 EUR Palk'],
  ],
  [
    'seb se',
    'utf-8 with mark',
    `Bokförd;Valutadatum;Text;Typ;Insättningar/uttag;Bokfört saldo
2024-01-31;2024-01-29;ICA NARA;Kortköp;-145,60;1 854,40
2024-01-25;2024-01-24;LÖN;Insättning;2 000,00;2 000,00
`,
    ['2024-01-31 145.60 - ICA NARA', '2024-01-25 -2000.00 - LÖN'],
  ],
  [
    'nordea fi',
    'utf-8',
    `Kirjauspäivä;Määrä;Maksaja;Maksunsaaja;Nimi;Otsikko;Viitenumero;Valuutta
2024/01/31;-45,60;FI21 1234 5600 0007 85;;;K-MARKET;;EUR
2024/01/25;2100,00;;FI21 1234 5600 0007 85;;ACME OY;;EUR
`,
    ['2024-01-31 45.60 EUR K-MARKET', '2024-01-25 -2100.00 EUR ACME OY'],
  ],
  [
    'nordea se',
    'utf-8 with mark',
    `Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta
2024/01/31;-145,60;1234 56 78901;;;Kortköp 240130 ICA;1854,40;SEK
2024/01/25;2000,00;;1234 56 78901;;Lön;2000,00;SEK
Reserverad;-20,00;1234 56 78901;;;Reservation Kortköp;;SEK
`,
    ['2024-01-31 145.60 SEK Kortköp 240130 ICA', '2024-01-25 -2000.00 SEK Lön', 'line 4 PENDING'],
  ],
  [
    'aib',
    'utf-8',
    `Posted Account, Posted Transactions Date, Description1, Description2, Description3, Debit Amount, Credit Amount,Balance,Posted Currency,Transaction Type,Local Currency Amount,Local Currency
"931152-12345678","31/01/2024","VDP-TESCO","","",45.60,,954.40,EUR,"Debit", 45.60,EUR
"931152-12345678","25/01/2024","ACME SALARY","","",,900.00,1000.00,EUR,"Credit", 900.00,EUR
`,
    ['2024-01-31 45.60 EUR VDP-TESCO', '2024-01-25 -900.00 EUR ACME SALARY'],
  ],
];

describe('exports of banks in the north of Europe', () => {
  test.each(SAMPLES)('%s', (_bank, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
