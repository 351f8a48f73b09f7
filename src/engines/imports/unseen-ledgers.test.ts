import { describe, expect, test } from 'vitest';

import { encoded, readingOf } from '../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/** What another program or bank exports, a small file of it, and what a person reads in it. */
type Sample = readonly [trait: string, file: string, expected: readonly string[]];

const PROGRAMS: readonly Sample[] = [
  [
    'money out and in are named as expense and income',
    `Date,Account,Category,Expense amount,Income amount,Currency,Description
21/6/26,Cash,Food,12.34,0,AUD,Lunch
22/6/26,Bank,Salary,0,100.00,AUD,Pay
`,
    ['2026-06-21 12.34 AUD Lunch', '2026-06-22 -100.00 AUD Pay'],
  ],
  [
    'a column of directions has words of several pairs',
    `Date\tAccount\tCategory\tNote\tIncome/Expense\tAmount\tCurrency
05/23/2026\tCash\tFood\tLunch\tExp.\t12.50\tEUR
05/22/2026\tCash\tSalary\tMay\tIncome\t1200.00\tEUR
05/21/2026\tCash\tBank\tATM\tTransfer-In\t50.00\tEUR
05/20/2026\tCash\tBank\tBack\tTransfer-Out\t20.00\tEUR
`,
    [
      '2026-05-23 12.50 EUR Lunch',
      '2026-05-22 -1200.00 EUR May',
      '2026-05-21 -50.00 EUR ATM',
      '2026-05-20 20.00 EUR Back',
    ],
  ],
  [
    'what is bought and paid is an increase or a decrease of the account',
    'Date,Description,Increase,Decrease,Balance\n2026-01-20,Petrol,,10.00,990.00\n2026-01-25,Pay,2000.00,,2990.00\n',
    ['2026-01-20 10.00 - Petrol', '2026-01-25 -2000.00 - Pay'],
  ],
  [
    'a name ends in the sign of an unnamed dollar',
    'Transaction Date,Description,Price $,Amount $\n04/15/26,Sold,202.18,-20.00\n04/14/26,Salary,10.00,35.00\n',
    ['2026-04-15 20.00 - Sold', '2026-04-14 -35.00 - Salary'],
  ],
  [
    'a transfer has a purpose beside the name of the other side',
    'Datum;Name;Verwendungszweck;Betrag\n13.05.2026;Markt;Bestellung 1;-25,99\n14.05.2026;Kunde;Lohn;1200,00\n',
    ['2026-05-13 25.99 - Bestellung 1', '2026-05-14 -1200.00 - Lohn'],
  ],
];

const SERVICES: readonly Sample[] = [
  [
    'what was paid with is no account, and payments that did not happen are no rows',
    `Transaction ID,Date,Transaction Type,Currency,Amount,Fee,Net Amount,Status,Notes,Name of sender/receiver,Account
a1,2026-09-10 20:15:00 EDT,P2P,USD,-$25.00,$0,-$25.00,PAYMENT SENT,tacos,Maria,Visa Debit 4321
a2,2026-09-11 09:00:00 EDT,P2P,USD,$40.00,$0,$40.00,PAYMENT DEPOSITED,gas,Luis,Your Cash
a3,2026-09-13 09:00:00 EDT,Cash out,USD,-$200.00,-$3.00,-$203.00,TRANSFER SENT,,,Visa Debit 4321
a4,2026-09-14 09:00:00 EDT,P2P,USD,-$15.00,$0,-$15.00,PAYMENT CANCELED,,Maria,Visa Debit 4321
`,
    [
      '2026-09-10 25.00 USD Maria',
      '2026-09-11 -40.00 USD Luis',
      '2026-09-13 203.00 USD Cash out',
      'line 5 STATUS_IGNORED',
    ],
  ],
  [
    'a charge beside the amount is a fee',
    `Transaction ID,Date,Transaction Type,Amount,Charge,Counterparty,Balance
9AB1,2026-05-13 10:11,Send Money,500.00,5.00,Ana,1495.00
9AB2,2026-05-14 10:11,Received Money,1000.00,0.00,Ben,2495.00
9AB3,2026-05-15 10:11,Cash Out,300.00,5.55,Cy,2189.45
`,
    ['2026-05-13 505.00 - Ana', '2026-05-14 -1000.00 - Ben', '2026-05-15 305.55 - Cy'],
  ],
  [
    'a total amount has the fee beside it in it',
    `Date completed (UTC),ID,Type,Description,Payment currency,Amount,Total amount,Fee,Balance
2026-07-30,r1,TRANSFER,Incoming,GBP,285.00,285.00,0.00,1520.44
2026-07-31,r2,CARD_PAYMENT,Amazon,GBP,-42.15,-42.35,0.20,1478.09
`,
    ['2026-07-30 -285.00 GBP Incoming', '2026-07-31 42.35 GBP Amazon'],
  ],
];

const CARDS: readonly Sample[] = [
  [
    'the amount of the purchase stands beside what is due this month',
    `利用日,利用店名・商品名,支払方法,利用金額,手数料/利息,支払総額
2026/06/28,セブン,1回払い,2000,0,2000
2026/06/27,スーパー,1回払い,5000,0,5000
2026/06/26,返品,1回払い,-500,0,-500
`,
    ['2026-06-28 2000.00 - セブン', '2026-06-27 5000.00 - スーパー', '2026-06-26 -500.00 - 返品'],
  ],
  [
    'two rows and a footer are a list where the date has its usual name',
    `年月日,お引出し,お預入れ,お取り扱い内容,残高
2026/2/27,19277,,カード,836420
2026/2/25,,281450,給料振込,855697
`,
    ['2026-02-27 19277.00 - カード', '2026-02-25 -281450.00 - 給料振込'],
  ],
];

describe('a list of another program', () => {
  test.each(PROGRAMS)('%s', (_, file, expected) => {
    expect(readingOf(file, 'utf-8')).toEqual(expected);
  });
});

describe('a list of a payment service', () => {
  test.each(SERVICES)('%s', (_, file, expected) => {
    expect(readingOf(file, 'utf-8')).toEqual(expected);
  });

  test('a tax beside the fee is charged as the fee is', () => {
    const file = `date;description;type;amount;fee;tax;currency
2026-10-23;Uranium;Buy;-587,20;0,00;0,00;EUR
2026-10-22;Uranium;Sell;146,80;1,00;12,23;EUR
2026-10-21;Dividend;Distribution;10,00;0,00;2,50;EUR
`;
    expect(readingOf(file, 'utf-8')).toContain('AMBIGUOUS_FORMAT fee_mode');
    expect(readingOf(file.replace('1,00;12,23', '0,00;12,23'), 'utf-8')).toContain('AMBIGUOUS_FORMAT fee_mode');
    const read = [...analyseCsv(encoded(file, 'utf-8'), { fee_mode: 'separate' }, CONTEXT).rows()];
    expect(read.map(({ amount_cents: cents }) => cents)).toEqual([58_720, -13_357, -750]);
  });

  test('each of the source accounts is an account', () => {
    const file = 'Date,Description,Amount,Source Account\n2026-07-30,Uber,-5.00,One\n2026-07-31,Rent,-7.00,Two\n';
    const { accounts } = analyseCsv(encoded(file, 'utf-8'), {}, CONTEXT);
    expect(accounts.map(({ file_value: value }) => value)).toEqual(['One', 'Two']);
  });
});

test('an IBAN that never changes is the account’s own beside another for the other side', () => {
  const file = `IBAN;Buchungsdatum;Betrag;Umsatztext;Name des Partners;Kontoverbindung des Partners
AT611904300234573201;31.12.2025;-40,51;Abschluss;;
AT611904300234573201;30.12.2025;-52,32;Spende;Verein;AT483200000012345864
`;
  const { accounts, mapping } = analyseCsv(encoded(file, 'utf-8'), {}, CONTEXT);
  expect(accounts.map(({ file_value: value }) => value)).toEqual(['AT611904300234573201']);
  expect(mapping['counterparty_account']?.columns[0]?.index).toBe(5);
});

describe('a list of Japan', () => {
  test.each(CARDS)('%s', (_, file, expected) => {
    expect(readingOf(file, 'utf-8')).toEqual(expected);
  });
});

const LISTS: readonly Sample[] = [
  [
    'the amount in the currency of the account is the one that was booked',
    `Номер карты/счета/договора;Дата операции;Дата обработки;Сумма операции;Валюта операции;Сумма пересчитанная в валюту счета;Валюта счета;Основание
'462235******7428;2019-07-06 00:00:00;2019-07-08;-4,50;EUR;-336,15;RUR;Cafe
'462235******7428;2019-07-05 00:00:00;2019-07-07;-300,00;RUR;-300,00;RUR;Phone
`,
    ['2019-07-06 336.15 RUB Cafe', '2019-07-05 300.00 RUB Phone'],
  ],
  [
    'the amount behind the exchange rate, in the currency that its name states, is the one that was booked',
    `kredietkaart;kaarthouder;datum verrichting;datum verrekening;bedrag;credit;debet;munt;koers;bedrag in EUR;handelaar
1234567890123456;SMITH JOHN;21/02/2020;23/02/2020;-16,52;;-16,52;EUR;1;-16,52;Bakker
1234567890123456;SMITH JOHN;20/02/2020;22/02/2020;-20,00;;-20,00;USD;1,1;-18,18;Books
1234567890123456;;24/01/2020;24/01/2020;35,77;35,77;;EUR;1;35,77;Payment from account
`,
    ['2020-02-23 16.52 EUR Bakker', '2020-02-22 18.18 EUR Books', '2020-01-24 -35.77 EUR Payment from account'],
  ],
  [
    'a currency beside the price abroad is the one of that price, and a list with places and such prices is one of a card',
    `Transaktionsexport;;;;;;2026-04-21 16:14:59
;;;;;;
Totalt övriga händelser;;;;;;
Datum;Bokfört;Specifikation;Ort;Valuta;Utl. belopp;Belopp
2026-02-03;2026-02-04;Inbetalning;;SEK;0;-25000
2026-02-05;2026-02-05;ÅRSAVGIFT;;SEK;0;2335
;;Summa övriga;;;;-22665
Totalt belopp;;;;;;73296.08
;;;;;;
Köp/uttag;;;;;;
Datum;Bokfört;Specifikation;Ort;Valuta;Utl. belopp;Belopp
2026-02-01;2026-02-02;ICA SUPERMARKET;OSTERSUND;SEK;0;125.50
2026-02-03;2026-02-05;AMAZON UK;LONDON;GBP;12.34;150.20
`,
    [
      '2026-02-04 -25000.00 SEK Inbetalning',
      '2026-02-05 2335.00 SEK ÅRSAVGIFT',
      'line 7 NOT_A_ROW',
      'line 8 NOT_A_ROW',
      'line 10 NOT_A_ROW',
      'line 11 REPEATED_HEADER',
      '2026-02-02 125.50 SEK ICA SUPERMARKET',
      '2026-02-05 150.20 SEK AMAZON UK',
    ],
  ],
  [
    'the currency behind the price abroad and its rate is the one of that price, which at home is the amount itself',
    `TransactionDate;Text;Type;Currency Amount;Currency Rate;Currency;Amount;Merchant Area;Merchant Category;BookDate;ValueDate
14.08.2022;ORLEN STACJA NR 790;Einkauf;-182,52;0,214880561;PLN;-39,22;SZCZECIN;Service Stations;15.08.2022;01.09.2022
16.08.2022;REWE SAGT DANKE;Einkauf;-15,00;1;EUR;-15,00;BERLIN;Food Stores;17.08.2022;01.09.2022
20.08.2022;Einzahlung;Einzahlung;100,00;1;EUR;100,00;;;20.08.2022;20.08.2022
`,
    [
      '2022-08-15 39.22 EUR ORLEN STACJA NR 790',
      '2022-08-17 15.00 EUR REWE SAGT DANKE',
      '2022-08-20 -100.00 EUR Einzahlung',
    ],
  ],
  [
    'the currency of the account is the one that is named so',
    `Data operacji,Opis,Kwota,Waluta,Kwota w walucie rachunku,Waluta rachunku
2026-09-15,Sklep,"-20,00",USD,"-72,18",PLN
2026-09-16,Czynsz,"-500,00",PLN,"-500,00",PLN
`,
    ['2026-09-15 72.18 PLN Sklep', '2026-09-16 500.00 PLN Czynsz'],
  ],
  [
    'where only the rows abroad have a currency, that of the card is not stated',
    `Datum;Bokfört;Specifikation;Ort;Valuta;Kurs;Utl.belopp/moms;Belopp
2026-03-10;2026-03-11;OKQ8 STATION;STOCKHOLM;;;;650,00
2026-03-12;2026-03-13;AMAZON UK;LONDON;GBP;12,16;12,34;150,00
2026-03-28;2026-03-28;BETALT BG DATUM 260328;;;;;-800,00
`,
    [
      '2026-03-11 650.00 - OKQ8 STATION',
      '2026-03-13 150.00 - AMAZON UK',
      '2026-03-28 -800.00 - BETALT BG DATUM 260328',
    ],
  ],
  [
    'marks of Arabic currencies stand beside the amounts, with and without a point',
    'Date,Payee,Outflow,Inflow\n2022/11/13,Shop,د.ا.4.750,د.ا.0.000\n2022/12/11,Pay,د.ا.0.000,93.210 د.ا\n',
    ['2022-11-13 4.75 JOD Shop', '2022-12-11 -93.21 JOD Pay'],
  ],
  [
    'rows that wait have a word in place of the day of processing',
    `Date Processed,Description,Amount,
Pending,Kiosk,£67.40,
13-Dec-2019,Insurance,"£1,183.23",
12-Dec-2019,Deli,£18.89,
02-Dec-2019,PAYMENT RECEIVED - THANK YOU,"+ £1,100.00",CR
`,
    [
      'line 2 PENDING',
      '2019-12-13 1183.23 GBP Insurance',
      '2019-12-12 18.89 GBP Deli',
      '2019-12-02 -1100.00 GBP PAYMENT RECEIVED - THANK YOU',
    ],
  ],
  [
    'most rows name a card, so most of them are purchases',
    `Datum;Beschreibung;Karte;Währung;Betrag;Status
26/06/2023;Buchladen;**2748;CHF;39.64;Verarbeitet
23/06/2023;Kiosk;**2748;CHF;3.75;Verarbeitet
21/06/2023;Buchladen;**2748;CHF;-22.35;Verarbeitet
19/06/2023;Einzahlung;;CHF;-447.30;Verarbeitet
16/06/2023;Reise;**2748;CHF;604.50;Verarbeitet
13/06/2023;Kiosk;**2748;CHF;6.50;Verarbeitet
`,
    [
      '2023-06-26 39.64 CHF Buchladen',
      '2023-06-23 3.75 CHF Kiosk',
      '2023-06-21 -22.35 CHF Buchladen',
      '2023-06-19 -447.30 CHF Einzahlung',
      '2023-06-16 604.50 CHF Reise',
      '2023-06-13 6.50 CHF Kiosk',
    ],
  ],
  [
    'amounts with three decimals have their point where the exchange rates have it',
    `Date,Card ID,Amount,Currency,Merchant,Exchange Rate
2025-06-21,1,53.100,CHF,Cafe,1.000000
2025-06-21,1,475.000,CHF,Shop,1.000000
2025-06-18,1,12.850,CHF,Books,0.837934
`,
    ['2025-06-21 53.10 CHF Cafe', '2025-06-21 475.00 CHF Shop', '2025-06-18 12.85 CHF Books'],
  ],
  [
    'amounts of debit and credit in Italian, with their currency, and the day of booking',
    `Data di registrazione;Data valuta;Testo;Importo di addebito (EUR);Importo di accredito (EUR);Saldo (EUR)
21.10.2024;20.10.2024;Omega;961.94;;170111.10
21.10.2024;21.10.2024;Nova;;366.00;171073.04
`,
    ['2024-10-21 961.94 EUR Omega', '2024-10-21 -366.00 EUR Nova'],
  ],
  [
    'movements of debit and credit, and the balance at their end, in Indonesian',
    `NOREK;3333333333
TGL_TRAN;DESK_TRAN;MUTASI_DEBET;MUTASI_KREDIT;SALDO_AKHIR_MUTASI
2026-08-01;Setor;0;500000;1500000
2026-08-02;Tarik;200000;0;1300000
`,
    ['2026-08-01 -500000.00 - Setor', '2026-08-02 200000.00 - Tarik'],
  ],
  [
    'a card thanks for its payment in German',
    `TransactionId,CardId,Date,Amount,Currency,MerchantName,Details
T1,X1,2026-09-15T10:11:12,105.45,CHF,Muster Shop,Muster Shop
T2,X1,2026-09-20T00:00:00,-300.00,CHF,,Ihre Zahlung - Danke
`,
    ['2026-09-15 105.45 CHF Muster Shop', '2026-09-20 -300.00 CHF Ihre Zahlung - Danke'],
  ],
];

describe('a list of a payment service, a bank or a card', () => {
  test.each(LISTS)('%s', (_, file, expected) => {
    expect(readingOf(file, 'utf-8')).toEqual(expected);
  });
});
