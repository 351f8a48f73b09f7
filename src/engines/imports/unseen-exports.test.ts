import { describe, expect, test } from 'vitest';

import { readTwice, readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A trait of some bank's export, a small file that has it, and what a person reads in it. */
type Sample = readonly [trait: string, encoding: string, file: string, expected: readonly string[]];

const PARTS: readonly Sample[] = [
  [
    'the mark that keeps a spreadsheet from changing the texts of a column belongs to none of them',
    'utf-8',
    `Date,Type,Description,Value,Balance,Account Name,Account Number
15/01/2026,D/D,'GAS,-60.00,940.00,'CURRENT,'601234-12345678
16/01/2026,BAC,'PAY,2000.00,2940.00,'CURRENT,'601234-12345678
`,
    ['2026-01-15 60.00 - GAS', '2026-01-16 -2000.00 - PAY'],
  ],
  [
    'a mark that only some texts begin with is theirs',
    'utf-8',
    "Date,Description,Amount\n2026-01-15,'T KOFFIEHUIS,-60.00\n2026-01-16,PAY,2000.00\n",
    ["2026-01-15 60.00 - 'T KOFFIEHUIS", '2026-01-16 -2000.00 - PAY'],
  ],
  [
    'rows below a heading for what is pending are not booked yet, and a total is no row',
    'utf-8',
    `"Date","Description","Withdrawal","Deposit","Balance"
"Pending Transactions"
"Total Pending","","","$0.00",""
"05/19/2023","Kiosk","$13.00","",""
"Posted Transactions"
"05/14/2023","Grocer","$50.00","","$3,950.00"
"05/10/2023","Pay","","$4,000.00","$4,000.00"
`,
    [
      'line 2 NOT_A_ROW',
      'line 3 NOT_A_ROW',
      'line 4 PENDING',
      'line 5 NOT_A_ROW',
      '2023-05-14 50.00 - Grocer',
      '2023-05-10 -4000.00 - Pay',
    ],
  ],
  [
    'a heading that says nothing about it leaves rows as they are',
    'utf-8',
    'Date,Description,Amount\nThis month\n2024-05-19,Kiosk,-13.00\nLast month\n2024-04-14,Pay,50.00\n',
    ['line 2 NOT_A_ROW', '2024-05-19 13.00 - Kiosk', 'line 4 NOT_A_ROW', '2024-04-14 -50.00 - Pay'],
  ],
];

const CURRENCIES: readonly Sample[] = [
  [
    'a label above the table may have its currency in the line below',
    'utf-8',
    `#Za okres:;
01.08.2026;31.08.2026;
#Waluta;
PLN;
#Data operacji;#Opis operacji;#Kwota;#Saldo po operacji;
2026-08-02;Wynagrodzenie;10,00;10,00;
2026-08-15;Sklep;-4,50;5,50;
`,
    ['2026-08-02 -10.00 PLN Wynagrodzenie', '2026-08-15 4.50 PLN Sklep'],
  ],
  [
    'a balance above the table may have the currency beside it',
    'utf-8',
    'Kontonummer: 12 345.678.90;;\nSaldo: CHF 30593.02;;\nDatum;Buchungstext;Betrag\n28.06.24;Gutschrift;1426.4\n28.06.24;Vergütung;-205.95\n',
    ['2024-06-28 -1426.40 CHF Gutschrift', '2024-06-28 205.95 CHF Vergütung'],
  ],
  [
    'unless there are balances in several',
    'utf-8',
    'Saldo: CHF 30593.02;;\nSaldo: EUR 93.02;;\nDatum;Buchungstext;Betrag\n28.06.24;Gutschrift;1426.4\n28.06.24;Vergütung;-205.95\n',
    ['2024-06-28 -1426.40 - Gutschrift', '2024-06-28 205.95 - Vergütung'],
  ],
  [
    'the currency behind the price of the purchase is not that of the amount',
    'utf-8',
    `Date and time,Description,"Card currency amount, (UAH)",Operation amount,Operation currency,Balance
22.01.2024 14:30:00,Salary,45.00,45.00,UAH,5000.00
21.01.2024 12:00:00,Game,-410.50,-10.00,EUR,4955.00
`,
    ['2024-01-22 -45.00 UAH Salary', '2024-01-21 410.50 UAH Game'],
  ],
  [
    'what was paid comes before the price in the currency of the purchase',
    'utf-8',
    `Дата операции;Дата платежа;Сумма операции;Валюта операции;Сумма платежа;Валюта платежа;Описание
22.07.2026 20:06:27;22.07.2026;-2,00;USD;-200,00;RUB;Apple
20.07.2026 10:00:00;20.07.2026;34667,00;RUB;34667,00;RUB;Зарплата
`,
    ['2026-07-22 200.00 RUB Apple', '2026-07-20 -34667.00 RUB Зарплата'],
  ],
  [
    'the name of the currency column may be Hungarian',
    'utf-8',
    'könyvelés dátuma;partner elnevezése;összeg;összeg devizaneme;közlemény\n2026.06.22;Spar;-7291;HUF;Kártya\n2026.06.14;Kft;250000;HUF;munkabér\n',
    ['2026-06-22 7291.00 HUF Kártya', '2026-06-14 -250000.00 HUF munkabér'],
  ],
];

const NAMES: readonly Sample[] = [
  [
    'Norwegian money out and in, beside numbers that are no amounts',
    'utf-8',
    'Dato;Forklaring;Ut av konto;Inn på konto;KID\n15.03.2026;Strøm;2 500,00;;12345\n16.03.2026;Lønn;;1 500,00;67890\n17.03.2026;Gebyr;50,00;;\n',
    ['2026-03-15 2500.00 - Strøm', '2026-03-16 -1500.00 - Lønn', '2026-03-17 50.00 - Gebyr'],
  ],
  [
    'Spanish money out and in, in the singular',
    'utf-8',
    'Fecha,Concepto,Retiro,Depósito,Saldo\n15/01/2025,Tienda,100.00,,9900.00\n16/01/2025,Nómina,,50.00,9950.00\n',
    ['2025-01-15 100.00 - Tienda', '2025-01-16 -50.00 - Nómina'],
  ],
  [
    'Greek money out and in',
    'utf-8',
    'Ημ/νία;Αιτιολογία;Χρέωση;Πίστωση;Υπόλοιπο\n13/06/2026;ΕΥΔΑΠ;38,00;;1.250,00\n14/06/2026;ΜΙΣΘΟΣ;;1.000,00;2.250,00\n',
    ['2026-06-13 38.00 - ΕΥΔΑΠ', '2026-06-14 -1000.00 - ΜΙΣΘΟΣ'],
  ],
  [
    'Japanese money out and in',
    'utf-8',
    '取引日,受入金額（円）,払出金額（円）,詳細,現在（貸付）高\n20230104,,"10,000",カード,"990,000"\n20230125,"300,000",,給与,"1,290,000"\n',
    ['2023-01-04 10000.00 JPY カード', '2023-01-25 -300000.00 JPY 給与'],
  ],
  [
    'a name of two words for the same side, as in Chile',
    'utf-8',
    'Fecha;Descripción;Cheques / Cargos;Depósitos / Abonos;Saldo\n13/03/2026;COMPRA;35,00;;965,00\n20/03/2026;SUELDO;;1.200,00;2.165,00\n',
    ['2026-03-13 35.00 - COMPRA', '2026-03-20 -1200.00 - SUELDO'],
  ],
  [
    'Taiwanese money out and in, and the currency behind a wide colon',
    'utf-8',
    '111111111111 活存\n幣別：TWD\n交易日期,帳務日期,說明,提出,存入,餘額\n2024/06/01,2024/06/01,午餐,100,,4900\n2024/03/01,2024/03/01,薪水,,5000,5000\n',
    ['2024-06-01 100.00 TWD 午餐', '2024-03-01 -5000.00 TWD 薪水'],
  ],
  [
    'the names of Mercado Pago, in English below its balances',
    'utf-8',
    'INITIAL_BALANCE;CREDITS;DEBITS;FINAL_BALANCE\n1.000,00;394,84;-350,00;1.044,84\n\nRELEASE_DATE;TRANSACTION_TYPE;REFERENCE_ID;TRANSACTION_NET_AMOUNT;PARTIAL_BALANCE\n21-01-2026;Venda;111111111111;394,84;1.394,84\n21-01-2026;Pix enviado JOAO;222222222222;-350,00;1.044,84\n',
    ['2026-01-21 -394.84 - Venda', '2026-01-21 350.00 - Pix enviado JOAO'],
  ],
  [
    'Turkish money out and in',
    'utf-8',
    'İşlem Tarihi;Açıklama;Giriş;Çıkış\n01.04.2026;Havale;5.000,00;\n22.04.2026;Kira;;2.500,00\n',
    ['2026-04-01 -5000.00 - Havale', '2026-04-22 2500.00 - Kira'],
  ],
  [
    'Croatian money out and in',
    'utf-8',
    'Datum izvrsenja;Opis placanja;Isplate;Uplate;Stanje;Platitelj/Primatelj\n13.05.2026;Trgovina;23,49;;3.450,26;KAUF\n24.05.2026;Plaća;;3.177,94;6.628,20;RIMAC\n',
    ['2026-05-13 23.49 - Trgovina', '2026-05-24 -3177.94 - Plaća'],
  ],
  [
    'Czech words for the way of a payment',
    'utf-8',
    'Datum provedení;Směr úhrady;Typ úhrady;Částka v měně účtu\n14.9.2026;Odchozí;Karta;450,00\n15.9.2026;Příchozí;Výplata;32 000,00\n',
    ['2026-09-14 450.00 - Karta', '2026-09-15 -32000.00 - Výplata'],
  ],
  [
    'a description that never changes gives way to a type that tells more',
    'utf-8',
    'Run Date,Action,Security Description,Amount\n12/21/2021,TRANSFERRED TO SAVINGS,No Description,-888\n11/22/2021,DIRECT DEPOSIT ACME,No Description,1100.00\n',
    ['2021-12-21 888.00 - TRANSFERRED TO SAVINGS', '2021-11-22 -1100.00 - DIRECT DEPOSIT ACME'],
  ],
];

const CALENDARS_AND_CARDS: readonly Sample[] = [
  [
    'years of the Buddhist calendar',
    'utf-8',
    'วันที่,รายการ,ถอนเงิน,ฝากเงิน\n29/02/2567,โอนเงิน,"1,000.00",\n03/03/2567,รับโอนเงิน,,"2,500.00"\n',
    ['2024-02-29 1000.00 - โอนเงิน', '2024-03-03 -2500.00 - รับโอนเงิน'],
  ],
  [
    'a Turkish card thanks for its payment',
    'windows-1254',
    'Tarih;Açıklama;Tutar\n13.01.2026;MİGROS ŞİŞLİ;125,40 TL\n14.01.2026;KREDİ KARTI ÖDEMESİ TEŞEKKÜR EDERİZ;-125,40 TL\n',
    ['2026-01-13 125.40 TRY MİGROS ŞİŞLİ', '2026-01-14 -125.40 TRY KREDİ KARTI ÖDEMESİ TEŞEKKÜR EDERİZ'],
  ],
];

describe('exports of banks that nobody here had seen', () => {
  test.each([...PARTS, ...CURRENCIES, ...NAMES, ...CALENDARS_AND_CARDS])('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });

  test('the bank of the other side is not its name', () => {
    const file = `Kuupäev;Saaja/maksja nimi;Saaja/maksja panga BIC;Summa;Selgitus
15.03.2026;Juta;LHVBEE22;-12,50;arve
16.03.2026;Mart;LHVBEE22;2,50;palk
`;
    expect(readTwice(new TextEncoder().encode(file)).first.map((row) => row.merchant_name)).toEqual(['Juta', 'Mart']);
  });
});
