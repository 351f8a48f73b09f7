import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/** The accounts that a file fills, with the number of their rows, and the columns with the accounts of other people. */
function accountsIn(file: string): { accounts: string[]; otherSide: string[] } {
  const { accounts, mapping } = analyseCsv(new TextEncoder().encode(file), {}, CONTEXT);
  return {
    accounts: accounts.map(({ file_value: value, stated, row_count: rows }) => {
      const mask = stated?.mask ?? '-';
      return `${value ?? `number ends in ${mask}`}: ${rows}`;
    }),
    otherSide: (mapping['counterparty_account']?.columns ?? []).map(({ name }) => name),
  };
}

/** A trait of some bank's export, a small file that has it, the accounts it fills, the other side's account. */
type Sample = readonly [trait: string, file: string, accounts: readonly string[], otherSide: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'the account beside a bank code, behind the name of the other side, is not the own one',
    `"Kontonummer:";"DE12500105170648489890 / Girokonto";

"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";
"30.01.2026";"30.01.2026";"Lastschrift";"REWE SAGT DANKE";"Debitk.1";"DE89370400440532013000";"COBADEFFXXX";"-23,45";
"28.01.2026";"28.01.2026";"Lohn, Gehalt, Rente";"ACME GmbH";"Gehalt";"DE89370400440532013001";"COBADEFFXXX";"2.000,00";
`,
    ['number ends in 9890: 2'],
    ['Kontonummer'],
  ],
  [
    'the own account is found in spite of it',
    `Auftragskonto;Buchungstag;Empfänger;Verwendungszweck;Konto;BIC;Betrag
DE12500105170648489890;30.01.2026;REWE;Debitk.1;DE89370400440532013000;COBADEFFXXX;-23,45
DE12500105170648489890;28.01.2026;ACME;Gehalt;DE89370400440532013001;COBADEFFXXX;2000,00
`,
    ['DE12500105170648489890: 2'],
    ['Konto'],
  ],
  [
    'an own account in front has a bank code too',
    `Kontonummer;BLZ;Buchungstag;Empfänger;Verwendungszweck;Betrag
1234567;12030000;30.01.2026;REWE;Debitk.1;-23,45
7654321;12030000;28.01.2026;ACME;Gehalt;2000,00
`,
    ['1234567: 1', '7654321: 1'],
    [],
  ],
  [
    'an account next to the name of the other side, which card payments lack',
    `Date,Payee,Account Number,Reference,Amount
2026-01-30,Grocer,,,-23.45
2026-01-28,Acme,DE89370400440532013000,Pay,2000.00
`,
    ['number ends in -: 2'],
    ['Account Number'],
  ],
  [
    'the same in a form of a known bank without a column that it had once',
    `"Datum","Empfänger","Kontonummer","Transaktionstyp","Verwendungszweck","Betrag (EUR)","Betrag (Fremdwährung)"
"2026-01-28","Acme","DE89370400440532013000","Gutschrift","Gehalt","2000.0",""
`,
    ['number ends in -: 1'],
    ['Kontonummer'],
  ],
  [
    'an own account next to the name of the other side, which all rows have',
    `Date,Payee,Account Number,Reference,Amount
2026-01-30,Grocer,12345678,,-23.45
2026-01-28,Acme,87654321,Pay,2000.00
`,
    ['12345678: 1', '87654321: 1'],
    [],
  ],
  [
    'accounts of one holder, told apart by their numbers',
    `Date, Type, Description, Value, Account Name, Account Number
30/01/2026,D/D,EDF ENERGY,-45.00,MR J DOE,601234-12345678
28/01/2026,INT,INTEREST,1.00,MR J DOE,601234-87654321
`,
    ['601234-12345678: 1', '601234-87654321: 1'],
    [],
  ],
  [
    'accounts told apart by their names',
    `Date, Type, Description, Value, Account Name, Account Number
30/01/2026,D/D,EDF ENERGY,-45.00,CURRENT,601234-12345678
28/01/2026,INT,INTEREST,1.00,SAVER,601234-87654321
`,
    ['CURRENT: 1', 'SAVER: 1'],
    [],
  ],
  [
    'IBAN Kontoinhaber',
    `Buchungstag;Umsatzart;Buchungstext;Betrag;Währung;IBAN Kontoinhaber
30.01.2026;Lastschrift;REWE MARKT;-12,34;EUR;DE12500105170648489890
28.01.2026;Gutschrift;Sparen;100,00;EUR;DE37500105170648489891
`,
    ['DE12500105170648489890: 1', 'DE37500105170648489891: 1'],
    [],
  ],
  [
    'IBAN Auftragskonto',
    `IBAN Auftragskonto;Buchungstag;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;Verwendungszweck;Betrag;Waehrung
DE12500105170648489890;30.01.2026;Telekom;DE89370400440532013000;Handy;-30,00;EUR
DE37500105170648489891;28.01.2026;Max;DE12500105170648489890;Sparen;100,00;EUR
`,
    ['DE12500105170648489890: 1', 'DE37500105170648489891: 1'],
    ['IBAN Zahlungsbeteiligter'],
  ],
  [
    'Bank Account',
    `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Categories
032000123456,30/01/2026,EFTPOS DEBIT COLES,45.60,,EFT
032000999999,29/01/2026,INTEREST PAID,,2.00,INT
`,
    ['032000123456: 1', '032000999999: 1'],
    [],
  ],
];

describe('whose account a column names', () => {
  test.each(SAMPLES)('%s', (_trait, file, accounts, otherSide) => {
    expect(accountsIn(file)).toEqual({ accounts, otherSide });
  });
});

describe('words of a status', () => {
  test('a direct debit that the bank refused is no transaction', () => {
    const file = `Volgnummer;Uitvoeringsdatum;Bedrag;Rekeningnummer;Details;Status
2026-00003;30/01/2026;-45,10;BE68539007547034;COLRUYT;Geaccepteerd
2026-00002;28/01/2026;1000,00;BE68539007547034;ACME;Geaccepteerd
2026-00001;27/01/2026;-99,00;BE68539007547034;TELENET;Geweigerd
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-01-30 45.10 - COLRUYT',
      '2026-01-28 -1000.00 - ACME',
      'line 4 STATUS_IGNORED',
    ]);
  });

  test('a payment that is only authorised is pending', () => {
    const file = `Data_Operazione;Entrate;Uscite;Descrizione;Stato
30/01/2026;;-45,67;CONAD;Contabilizzato
28/01/2026;1500,00;;ACME;Contabilizzato
31/01/2026;;-12,00;Netflix;Autorizzato
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-01-30 45.67 - CONAD',
      '2026-01-28 -1500.00 - ACME',
      'line 4 PENDING',
    ]);
  });

  test('a reservation has a word in place of its date', () => {
    const file = `Bokföringsdag;Belopp;Rubrik;Saldo;Valuta
Reserverat;-50,00;Kortköp ICA;;SEK
2026/01/30;-120,50;Kortköp COOP;1 879,50;SEK
2026/01/28;1 500,00;Lön;2 000,00;SEK
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      'line 2 PENDING',
      '2026-01-30 120.50 SEK Kortköp COOP',
      '2026-01-28 -1500.00 SEK Lön',
    ]);
  });
});

test('a payment that a card thanks for is money in', () => {
  const file = `Datum,Beschreibung,Karteninhaber,Konto #,Betrag
30/01/2026,REWE MARKT,MAX MUSTER,-12345,"23,45"
28/01/2026,ZAHLUNG ERHALTEN. BESTEN DANK.,MAX MUSTER,-12345,"-500,00"
`;
  expect(readingOf(file, 'utf-8')).toEqual([
    '2026-01-30 23.45 - REWE MARKT',
    '2026-01-28 -500.00 - ZAHLUNG ERHALTEN. BESTEN DANK.',
  ]);
});

describe('the day of a booking', () => {
  test.each([
    ['Booked At;Text;Amount;Valuta Date', '2026-01-28 00:00:00.0;Migros;-45.60;2026-01-30 00:00:00.0'],
    ['Date started (UTC),Date completed (UTC),Description,Amount', '2026-01-26,2026-01-28,Migros,-45.60'],
    ['Valutadatum;Uitvoeringsdatum;Details;Bedrag', '30/01/2026;28/01/2026;Migros;-45.60'],
  ])('%s', (header, row) => {
    expect(readingOf(`${header}\n${row}\n`, 'utf-8')).toEqual(['2026-01-28 45.60 - Migros']);
  });
});
