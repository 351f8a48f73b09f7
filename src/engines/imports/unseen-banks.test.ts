import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/csv-reading.ts';

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
];

describe('exports of banks that nobody had tried', () => {
  test.each([...NAMES, ...MARKS, ...STATES])('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
