import { describe, expect, test } from 'vitest';

import { encoded, readingOf } from '../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

/** What a file is and has, the file, and what a person reads in it. */
type Sample = readonly [trait: string, encoding: string, file: string, expected: readonly string[]];

const NAMES: readonly Sample[] = [
  [
    'money out and in may be called funds',
    'utf-8',
    `Date,Transaction Details,Funds Out,Funds In
01/15/2024,INTERAC E-TRANSFER SEND,100.00,
01/16/2024,PAYROLL DEPOSIT,,2000.00
`,
    ['2024-01-15 100.00 - INTERAC E-TRANSFER SEND', '2024-01-16 -2000.00 - PAYROLL DEPOSIT'],
  ],
  [
    'a Chilean account names cheques and charges, deposits and credits',
    'utf-8',
    `Fecha;Detalle Movimiento;Cheque o Cargo;Depósito o Abono;Saldo
15/01/2024;Pago Lider;25.000;;1.175.000
16/01/2024;Traspaso De:Juan;;100.000;1.275.000
`,
    ['2024-01-15 25000.00 - Pago Lider', '2024-01-16 -100000.00 - Traspaso De:Juan'],
  ],
  [
    'an Italian account names the amount of what goes out and of what comes in',
    'utf-8',
    `Data operazione;Descrizione movimento;Importo entrate;Importo uscite;Saldo progressivo
12/07/2026;BONIFICO DA EDILCAVE;12.300,00;;45.210,77
13/07/2026;PAGAMENTO F24;;1.250,00;43.960,77
`,
    ['2026-07-12 -12300.00 - BONIFICO DA EDILCAVE', '2026-07-13 1250.00 - PAGAMENTO F24'],
  ],
  [
    'a Romanian account has a date of entry and a debited and a credited sum',
    'utf-8',
    `Data înregistrare,Data tranzacției,Suma debit,Suma credit,Detalii
28/01/2022,27/01/2022,1400.00,,plata materiale
31/01/2022,31/01/2022,,615.28,INCASARE transfer
`,
    ['2022-01-28 1400.00 - plata materiale', '2022-01-31 -615.28 - INCASARE transfer'],
  ],
  [
    'the day of booking of a Norwegian account',
    'utf-8',
    `Utført dato;Bokført dato;Beskrivelse;Ut fra konto;Inn på konto
12.03.2026;14.03.2026;Rema 1000;450,00;
13.03.2026;15.03.2026;Lønn;;12000,00
`,
    ['2026-03-14 450.00 - Rema 1000', '2026-03-15 -12000.00 - Lønn'],
  ],
  [
    'an Israeli card names the shop, and the charged amount beside the one at the shop: it is spent unless it has a minus',
    'utf-8',
    `תאריך עסקה,שם בית העסק,סכום חיוב,מטבע חיוב,סכום עסקה מקורי,מטבע עסקה מקורי
09-04-2026,מאפיית בראשית,17,₪,17,₪
19-04-2026,NETFLIX,40.5,₪,10.99,$
21-04-2026,זיכוי זארה,-50,₪,-50,₪
`,
    ['2026-04-09 17.00 ILS מאפיית בראשית', '2026-04-19 40.50 ILS NETFLIX', '2026-04-21 -50.00 ILS זיכוי זארה'],
  ],
  [
    'an amount used is spent on a Korean card, and a number of approval is no amount',
    'utf-8',
    `이용일자,승인번호,가맹점명,이용금액
2026.02.01,12345678,스타벅스,"6,500"
2026.02.13,12345679,이마트,"45,000"
2026.02.14,12345680,이마트 취소,"-5,000"
`,
    ['2026-02-01 6500.00 - 스타벅스', '2026-02-13 45000.00 - 이마트', '2026-02-14 -5000.00 - 이마트 취소'],
  ],
  [
    'an amount used is spent on a Japanese card, and a column name may give the currency as a word',
    'utf-8',
    `ご利用日,ご利用先など,ご利用金額(Yen)
2026/06/12,架空ストア,"1,200"
2026/06/13,架空書店,"3,400"
2026/06/15,返品 架空ストア,-200
`,
    ['2026-06-12 1200.00 JPY 架空ストア', '2026-06-13 3400.00 JPY 架空書店', '2026-06-15 -200.00 JPY 返品 架空ストア'],
  ],
  [
    'a card of a German savings bank gives the currency of the booked amount beside the one of the purchase',
    'utf-8',
    `Belegdatum;Buchungsdatum;Originalbetrag;Originalwährung;Buchungsbetrag;Buchungswährung;Transaktionsbeschreibung
12.09.26;14.09.26;-16,00;USD;-13,99;EUR;NETFLIX.COM
02.09.26;02.09.26;310,55;EUR;310,55;EUR;LASTSCHRIFT
`,
    ['2026-09-14 13.99 EUR NETFLIX.COM', '2026-09-02 -310.55 EUR LASTSCHRIFT'],
  ],
  [
    'a total in the money of the account is its amount beside the amount in the money of the purchase',
    'utf-8',
    `Payee,Description,Subtotal (Transaction Currency),Currency,Fee (AUD),Round Up (AUD),Total (AUD),Settled Date
Woolworths,Woolworths,-12.50,AUD,0,-0.50,-13.00,2021-11-29
Steam,Steam,-10.20,USD,0,0,-15.00,2021-11-29
Employer,Salary,500.00,AUD,0,0,500.00,2021-11-30
`,
    ['2021-11-29 13.00 AUD Woolworths', '2021-11-29 15.00 AUD Steam', '2021-11-30 -500.00 AUD Salary'],
  ],
  [
    'a Polish title says more than the kind of operation beside it',
    'utf-8',
    `#Data księgowania;#Data operacji;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Kwota;#Saldo po operacji
2026-01-05;2026-01-04;ZAKUP PRZY UŻYCIU KARTY;BIEDRONKA;;-45,20;954,80
2026-01-16;2026-01-16;PRZELEW ZEWNĘTRZNY PRZYCHODZĄCY;WYNAGRODZENIE;ACME;2 000,00;2 954,80
2026-01-18;2026-01-18;OPŁATA ZA KARTĘ;;;-5,00;2 949,80
`,
    ['2026-01-05 45.20 - BIEDRONKA', '2026-01-16 -2000.00 - WYNAGRODZENIE', '2026-01-18 5.00 - OPŁATA ZA KARTĘ'],
  ],
  [
    'the day on which a Polish bank booked a row comes before the day of the transaction',
    'utf-8',
    `Data transakcji,Data zaksięgowania,Kwota,Waluta,Opis,Status
2026-01-05,2026-01-06,-45.20,PLN,ZAKUPY,Zaksięgowane
2026-01-16,2026-01-16,2000.00,PLN,PENSJA,Zaksięgowane
`,
    ['2026-01-06 45.20 PLN ZAKUPY', '2026-01-16 -2000.00 PLN PENSJA'],
  ],
];

const MARKS: readonly Sample[] = [
  [
    'amounts with the mark of the tenge',
    'utf-8',
    `Дата,Сумма,Операция
15.01.24,- 4 520.00 ₸,Покупка
16.01.24,+ 200 000.00 ₸,Пополнение
`,
    ['2024-01-15 4520.00 KZT Покупка', '2024-01-16 -200000.00 KZT Пополнение'],
  ],
  [
    'amounts with the letters of the ringgit',
    'utf-8',
    `Date,Details,Amount
15/01/2024,Transfer,-RM 100.00
16/01/2024,Salary,RM 2000.00
`,
    ['2024-01-15 100.00 MYR Transfer', '2024-01-16 -2000.00 MYR Salary'],
  ],
];

const STATES: readonly Sample[] = [
  [
    'a Peruvian card says that a row is in process',
    'utf-8',
    `Fecha,Descripción,Monto,Moneda,Estado
13/10/2026,PEDIDOSYA FOOD,-87.2,PEN,EN PROCESO
02/10/2026,PAGO DE TARJETA,140.0,PEN,
`,
    ['line 2 PENDING', '2026-10-02 -140.00 PEN PAGO DE TARJETA'],
  ],
  [
    'a Japanese date has its units, and the sign of the yen may be a backslash (Orico)',
    'utf-8',
    `ご利用日,ご利用先など,ご利用金額,手数料
2025年8月19日,コンビニ,"\\1,234",\\0
2025年10月2日,架空書店,\\210,\\0
`,
    ['2025-08-19 1234.00 - コンビニ', '2025-10-02 210.00 - 架空書店'],
  ],
  [
    'a Korean date has its units, and may have a time',
    'utf-8',
    `거래일시,적요,출금,입금
2024년 1월 5일 12:30,이마트,"45,000",
2024년 12월 31일 9:05,급여,,"3,000,000"
`,
    ['2024-01-05 45000.00 - 이마트', '2024-12-31 -3000000.00 - 급여'],
  ],
];

const FEES: readonly Sample[] = [
  [
    'a row may have nothing but a fee, and the rarer sign gives one back',
    'utf-8',
    `Posting Date,Description,Category,Money In,Money Out,Fee,Balance
2026-07-01,Salary,Salary,40000.00,,,40000.00
2026-07-02,Grocer One Cityville,Groceries,,-515.00,,39485.00
2026-07-03,SMS Notification Fee,Fees,,,-0.35,39484.65
2026-07-04,Correction: SMS Notification Fee,Fees,,,0.35,39485.00
2026-07-05,Monthly Account Admin Fee,Fees,,,-7.50,39477.50
2026-07-06,Cash Withdrawal,Cash,,-500.00,-10.00,38967.50
`,
    [
      '2026-07-01 -40000.00 - Salary',
      '2026-07-02 515.00 - Grocer One Cityville',
      '2026-07-03 0.35 - SMS Notification Fee',
      '2026-07-04 -0.35 - Correction: SMS Notification Fee',
      '2026-07-05 7.50 - Monthly Account Admin Fee',
      '2026-07-06 510.00 - Cash Withdrawal',
    ],
  ],
  [
    'fees that are alone in their rows need no question whether they are part of an amount',
    'utf-8',
    `Date,Description,Money Out,Money In,Fee
2026-07-01,Salary,,40000.00,
2026-07-03,SMS Notification Fee,,,0.35
`,
    ['2026-07-01 -40000.00 - Salary', '2026-07-03 0.35 - SMS Notification Fee'],
  ],
  [
    'a row with neither an amount nor a fee is still unreadable',
    'utf-8',
    `Date,Description,Money Out,Money In,Fee
2026-07-01,Salary,,40000.00,
2026-07-03,Notice,,,0.00
`,
    ['INVALID_ROWS skip_invalid'],
  ],
  [
    'an amount after fees needs no question about them (Cash App, Stripe)',
    'utf-8',
    `Date,Transaction Type,Currency,Amount,Fee,Net Amount
2026-01-15,Cash Card Debit,USD,-$12.50,$0,-$12.50
2026-01-16,Received P2P,USD,$50.00,$0,$50.00
2026-01-17,Cash Out,USD,-$40.00,-$0.60,-$40.60
`,
    ['2026-01-15 12.50 USD Cash Card Debit', '2026-01-16 -50.00 USD Received P2P', '2026-01-17 40.60 USD Cash Out'],
  ],
];

const SHAPES: readonly Sample[] = [
  [
    'the name of an amount may stand above its currency, with the number in the next column (DEGIRO)',
    'utf-8',
    `Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id
30-01-2024,09:03,30-01-2024,,,flatex Deposit,,EUR,"500,00",EUR,"520,50",
23-01-2024,07:27,22-01-2024,VANGUARD FTSE AW,IE00B3RBWM25,Dividend,,USD,"12,34",USD,"12,34",
22-01-2024,15:00,22-01-2024,VANGUARD FTSE AW,IE00B3RBWM25,Koop 1,,EUR,"-100,50",EUR,"20,50",8c3
`,
    ['2024-01-30 -500.00 EUR flatex Deposit', '2024-01-23 -12.34 USD Dividend', '2024-01-22 100.50 EUR Koop 1'],
  ],
  [
    'the same in Czech',
    'utf-8',
    `Datum;Popis;Změna;;Saldo;
02-01-2024;Vklad;CZK;10000,00;CZK;10000,00
13-01-2024;Poplatek;CZK;-2,50;CZK;9997,50
`,
    ['2024-01-02 -10000.00 CZK Vklad', '2024-01-13 2.50 CZK Poplatek'],
  ],
  [
    'the name of the merchant shows what a card counts as money in, where there is no description (Rogers)',
    'utf-8',
    `Date,Posted Date,Activity Status,Merchant Category Description,Merchant Name,Amount
2024-01-15,2024-01-16,APPROVED,Grocery,LOBLAWS,$45.20
2024-01-14,2024-01-14,APPROVED,,PAYMENT THANK YOU,-$100.00
2024-01-17,,PENDING,Gas,ESSO,$30.00
`,
    ['2024-01-16 45.20 - LOBLAWS', '2024-01-14 -100.00 - PAYMENT THANK YOU', 'line 4 PENDING'],
  ],
  [
    'a total between the parts of a table has no date and nothing else for a text (Bradesco)',
    'utf-8',
    `Data;Lançamento;Dcto.;Crédito (R$);Débito (R$);Saldo (R$)
15/09/26;PIX RECEBIDO;123;500,00;;1.500,00
15/09/26;PAGTO CONTA;456;;-200,00;1.300,00
;Total;;500,00;-200,00;1.300,00
;Últimos Lançamentos;;;;
16/09/26;TED RECEBIDA;789;50,00;;1.350,00
;Total;;50,00;0,00;1.350,00
`,
    [
      '2026-09-15 -500.00 BRL PIX RECEBIDO',
      '2026-09-15 200.00 BRL PAGTO CONTA',
      'line 4 NOT_A_ROW',
      'line 5 NOT_A_ROW',
      '2026-09-16 -50.00 BRL TED RECEBIDA',
      'line 7 NOT_A_ROW',
    ],
  ],
  [
    'a row without a date is not a total for naming one beside other words',
    'utf-8',
    `Data;Lançamento;Crédito (R$);Débito (R$)
15/09/26;PIX RECEBIDO;500,00;
;Total Energies;;-200,00
16/09/26;TED RECEBIDA;50,00;
`,
    ['INVALID_ROWS skip_invalid'],
  ],
  [
    'a note below the rows may begin with a mark and have numbers (China Merchants Bank)',
    'utf-8',
    `交易日期,收入,支出,余额,交易备注
20260530,,12.50,323.44,美团
20260529,100.00,,335.94,张三
# 共2笔 收入1笔 100.00 支出1笔 12.50
`,
    ['2026-05-30 12.50 - 美团', '2026-05-29 -100.00 - 张三', 'line 4 NOT_A_ROW'],
  ],
  [
    'a dated label of a balance without any number is no row (FNB)',
    'utf-8',
    `Date,Description,Amount,Balance
20170315,PAYMENT FROM CLIENT,1140.00,5000.00
20170316,POS PURCHASE SHOP,-140.00,4860.00
20170318,OPENING BALANCE,,
`,
    ['2017-03-15 -1140.00 - PAYMENT FROM CLIENT', '2017-03-16 140.00 - POS PURCHASE SHOP', 'line 4 NOT_A_ROW'],
  ],
  [
    'rows without column names may all end in fields that few of them fill (Sabadell)',
    'utf-8',
    `15/01/2024|COMPRA TARJ. 5402XXXX MERCADONA|14/01/2024|-45.20|954.80|5402||
16/01/2024|NOMINA ACME|16/01/2024|2000.00|2954.80|||
17/01/2024|COMISION|17/01/2024|-3.00|2951.80|||
`,
    [
      '2024-01-15 45.20 - COMPRA TARJ. 5402XXXX MERCADONA',
      '2024-01-16 -2000.00 - NOMINA ACME',
      '2024-01-17 3.00 - COMISION',
    ],
  ],
  [
    'a card beside other accounts whose balance is always 0.00 states none (Westpac)',
    'utf-8',
    `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance
1912,14/08/2026,WOOLWORTHS,42.50,,0.00
1912,13/08/2026,PAYMENT RECEIVED,,1254.92,0.00
1912,12/08/2026,COLES,17.00,,0.00
732289824046,14/08/2026,DEPOSIT,,1254.92,9480.37
732289824046,13/08/2026,RENT,420.00,,8225.45
`,
    [
      '2026-08-14 42.50 - WOOLWORTHS',
      '2026-08-13 -1254.92 - PAYMENT RECEIVED',
      '2026-08-12 17.00 - COLES',
      '2026-08-14 -1254.92 - DEPOSIT',
      '2026-08-13 420.00 - RENT',
    ],
  ],
  [
    'a balance that stands still for an account of a few rows still proves them wrong',
    'utf-8',
    `Bank Account,Date,Narrative,Debit Amount,Credit Amount,Balance
1912,14/08/2026,WOOLWORTHS,42.50,,0.00
1912,12/08/2026,COLES,17.00,,0.00
732289824046,14/08/2026,DEPOSIT,,1254.92,9480.37
732289824046,13/08/2026,RENT,420.00,,8225.45
`,
    ['BALANCE_MISMATCH accept_unproved'],
  ],
  [
    'where the description says that there is none, the action is the text (Fidelity)',
    'utf-8',
    `Run Date,Action,Symbol,Security Description,Security Type,Quantity,Amount ($),Settlement Date
 12/21/2021, TRANSFERRED TO VS 222 (Cash), , No Description,Cash,,-888,
 11/22/2021, DIRECT DEPOSIT HEALTH (Cash), , No Description,Cash,,1100.00,
 07/30/2021, INTEREST EARNED FDIC INSURED DEPOSIT (QPCTQ) (Cash), QPCTQ, FDIC INSURED DEPOSIT,Cash,,0.01,
`,
    [
      '2021-12-21 888.00 - TRANSFERRED TO VS 222 (Cash)',
      '2021-11-22 -1100.00 - DIRECT DEPOSIT HEALTH (Cash)',
      '2021-07-30 -0.01 - INTEREST EARNED FDIC INSURED DEPOSIT (QPCTQ) (Cash)',
    ],
  ],
  [
    'a complete description comes before a short one that only names the kind (Fineco)',
    'utf-8',
    `Data_Operazione;Data_Valuta;Entrate;Uscite;Descrizione;Descrizione_Completa;Stato
16/01/2024;16/01/2024;2.000,00;;Bonifico SEPA;Ord: ACME Stipendio;Contabilizzato
15/01/2024;14/01/2024;;-45,20;Visa Debit;ESSELUNGA MILANO;Contabilizzato
17/01/2024;17/01/2024;;-10,00;Visa Debit;BAR;Autorizzato
`,
    ['2024-01-16 -2000.00 - Ord: ACME Stipendio', '2024-01-15 45.20 - ESSELUNGA MILANO', 'line 4 PENDING'],
  ],
];

describe('exports of banks that nobody had tried', () => {
  test.each([...NAMES, ...MARKS, ...STATES, ...FEES, ...SHAPES])('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});

test('a balance that never changes proves nothing, even in the column that a person or an earlier file named', () => {
  const file =
    'Date,Details,Out,In,Balance\n2026-08-14,A,4.00,,0.00\n2026-08-13,B,,9.00,0.00\n2026-08-12,C,7.00,,0.00\n';
  const options = { column_mapping: { balance: 'Balance' } };
  const analysis = analyseCsv(encoded(file, 'utf-8'), options, CONTEXT);
  expect(analysis.blockers).toEqual([]);
  expect(analysis.balance_proof.status).toBe('not_available');
});
