import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A trait of some bank's export, a small file that has it, and what a person reads in it. */
type Sample = readonly [trait: string, encoding: string, file: string, expected: readonly string[]];

const DIRECTIONS: readonly Sample[] = [
  [
    'an amount in a currency is no amount that comes in',
    'utf-8',
    'Date,Description,Amount in EUR\n2023-03-13,Shop,-12.50\n2023-03-14,Baker,-2.50\n2023-03-15,Corner,-5.00\n',
    ['2023-03-13 12.50 EUR Shop', '2023-03-14 2.50 EUR Baker', '2023-03-15 5.00 EUR Corner'],
  ],
  [
    'charges beside an amount and its direction are not the amount',
    'utf-8',
    'Date,Description,Amount,Dr/Cr,Charges\n2023-03-13,Shop,12.50,Dr,0.00\n2023-03-14,Pay,2000.50,Cr,0.00\n2023-03-15,Rent,200.50,Dr,1.50\n',
    ['2023-03-13 12.50 - Shop', '2023-03-14 -2000.50 - Pay', '2023-03-15 200.50 - Rent'],
  ],
  [
    'a credit transfer is a transfer, whichever way it goes',
    'utf-8',
    'Date,Description,Type,Amount\n2023-03-13,Rent to Bob,SEPA Credit Transfer,800.00\n2023-03-14,Power,SEPA Direct Debit,60.00\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'what is sent back is no purchase',
    'utf-8',
    'Fecha,Concepto,Tipo,Importe\n13/03/2023,Zara,Compra,12.50\n14/03/2023,Zara,Devolución compra,12.50\n15/03/2023,Luz,Adeudo,60.00\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'letters of a channel are no directions',
    'utf-8',
    'Date,Description,Amount,Channel\n2023-03-13,Shop,12.50,O\n2023-03-14,Baker,22.50,I\n2023-03-15,Corner,5.00,O\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'a text such as Balance or Solde is a movement where no row is the label of a balance',
    'utf-8',
    'Date,Description,Amount\n2023-03-13,Balance,-12.50\n2023-03-14,Turnover,-20.50\n2023-03-15,Solde,-3.00\n2023-03-16,Shop,-3.00\n',
    ['2023-03-13 12.50 - Balance', '2023-03-14 20.50 - Turnover', '2023-03-15 3.00 - Solde', '2023-03-16 3.00 - Shop'],
  ],
  [
    'a last column of O and I tells the direction, with a stray word in it',
    'utf-8',
    `18.09.2023;MARKET HALL POS 0527;33,87;O
19.09.2023;Refund of fee;24,00;I
20.09.2023;MARKET HALL POS 0528;12,10;O
21.09.2023;Baker;2,10;O
21.09.2023;Baker;2,20;O
22.09.2023;Baker;2,30;O
23.09.2023;Baker;2,40;O
25.09.2023;Baker;2,50;O
26.09.2023;Baker;2,60;O
27.09.2023;Baker;2,70;O
`,
    [
      '2023-09-18 33.87 - MARKET HALL POS 0527',
      '2023-09-19 -24.00 - Refund of fee',
      '2023-09-20 12.10 - MARKET HALL POS 0528',
      '2023-09-21 2.10 - Baker',
      '2023-09-21 2.20 - Baker',
      '2023-09-22 2.30 - Baker',
      '2023-09-23 2.40 - Baker',
      '2023-09-25 2.50 - Baker',
      '2023-09-26 2.60 - Baker',
      '2023-09-27 2.70 - Baker',
    ],
  ],
  [
    'D and K are debit and kredit, and turnover is no movement',
    'utf-8',
    `"Account No","Date","Beneficiary","Details","Amount","Currency","D/K"
"LT001","2023-10-01","","Opening balance","100.00","EUR","K"
"LT001","2023-10-01","Shop","Card 1","15.31","EUR","D"
"LT001","2023-10-06","Employer","Pay","2863.63","EUR","K"
"LT001","2023-10-06","","Turnover","15.31","EUR","D"
"LT001","2023-10-06","","Turnover","2863.63","EUR","K"
"LT001","2023-10-06","","Closing balance","2948.32","EUR","K"
`,
    [
      'line 2 OPENING_BALANCE',
      '2023-10-01 15.31 EUR Card 1',
      '2023-10-06 -2863.63 EUR Pay',
      'line 5 NOT_A_ROW',
      'line 6 NOT_A_ROW',
      'line 7 STATED_BALANCE',
    ],
  ],
  [
    'words of an unknown pair are asked about, whatever a few descriptions say',
    'utf-8',
    `Date,Description,Amount,D/C
2023-10-02,POS Market,15.31,Zu
2023-10-03,Employer,2863.63,Weg
2023-10-04,POS Baker,3.10,Zu
2023-10-05,POS Cinema,13.10,Zu
`,
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'debit and credit in a column of cards are kinds of card',
    'utf-8',
    `id,created,amount,currency,description,card_funding
ch_1,2023-02-03 01:10,25.00,cad,Ticket 1,credit
ch_2,2023-02-03 02:10,27.50,cad,Ticket 2,debit
ch_3,2023-02-04 03:10,25.00,cad,Ticket 3,credit
`,
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'kinds of movement tell the direction of amounts without a sign',
    'utf-8',
    `Date,Description,Type,Amount
2023-03-13,Shop,Purchase,12.50
2023-03-14,Acme,Refund,2.50
2023-03-15,Corner,Credit card fee,5.00
`,
    ['2023-03-13 12.50 - Shop', '2023-03-14 -2.50 - Acme', '2023-03-15 5.00 - Corner'],
  ],
  [
    'but not when one of them could be either',
    'utf-8',
    'Date,Description,Type,Amount\n2023-03-13,Shop,Purchase,12.50\n2023-03-14,Acme,Payment,2.50\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'the other half of a lone column of money out is money in',
    'utf-8',
    'Date,Description,Charges,Payments\n2023-03-13,Shop,12.50,\n2023-03-14,Thanks,,100.00\n',
    ['2023-03-13 12.50 - Shop', '2023-03-14 -100.00 - Thanks'],
  ],
  [
    'a lone inflow column with both signs is a signed one',
    'utf-8',
    `Date;Payee;Inflow;Currency
18.09.2023;Market;-33,87;EUR
19.09.2023;Baker;-3,10;EUR
20.09.2023;Employer;2400,00;EUR
`,
    ['2023-09-18 33.87 EUR Market', '2023-09-19 3.10 EUR Baker', '2023-09-20 -2400.00 EUR Employer'],
  ],
  [
    'amounts out and in stand in two columns named by compound words',
    'utf-8',
    `Datum der Transaktion,Referenz,Zahlungsreferenz,Zahlungsbetrag ausgehend,Zahlungsbetrag eingehend,Zahlungswährung
"29.12.23, 13:56",Anna,Miete,840.12,0.00,EUR
"15.03.23, 09:19",Ben,Taschengeld,0.00,40.00,EUR
`,
    ['2023-12-29 840.12 EUR Miete', '2023-03-15 -40.00 EUR Taschengeld'],
  ],
  [
    'a few words in the texts say nothing of the amounts beside other texts',
    'utf-8',
    'Date,Description,Amount\n2024-03-01,Power,75.30\n2024-03-02,ACME PAYROLL,16.70\n2024-03-03,Trader,8.10\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'where only money in is marked with CR, the rest is money out',
    'utf-8',
    'Transaction Date,Details,Amount\n03/12/2024,Power,75.30\n14/12/2024,Payment,1608.70 CR\n15/12/2024,Shop,8.10\n',
    ['2024-12-03 75.30 - Power', '2024-12-14 -1608.70 - Payment', '2024-12-15 8.10 - Shop'],
  ],
  [
    'where some money out is marked with DR, an amount without mark says nothing',
    'utf-8',
    'Date,Details,Amount\n2024-03-01,Power,75.30 DR\n2024-03-02,Shop,8.10\n2024-03-03,Pay,8.10 CR\n',
    ['INVALID_ROWS skip_invalid'],
  ],
  [
    'debit and credit letters of a channel are channels',
    'utf-8',
    'Data,Kanał,Opis,Kwota\n2024-03-01,C,Sklep,75.30\n2024-03-02,D,Apteka,16.70\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'words of an unknown pair are asked about, although the balances would fit with all money out',
    'utf-8',
    `Fecha,Concepto,Importe,Debe/Haber,Saldo
01/03/2024,Intereses,1842.60,H,6815.66
15/03/2024,Alquiler,90.96,D,6724.70
16/03/2024,Gasolina,18.25,D,6706.45
`,
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'a direction is asked about where only the total below has a sign',
    'utf-8',
    'Date,Description,Way,Amount,Balance\n2024-03-01,Pay,+,130.94,900.00\n2024-03-02,Shop,-,168.13,731.87\n,Total,,-37.19,\n',
    ['AMBIGUOUS_FORMAT sign'],
  ],
  [
    'marks of the direction hold although a sum below has a sign',
    'utf-8',
    'Date,Details,Amount\n2024-03-01,Power,75.30 DR\n2024-03-02,Pay,50.00 CR\n2024-03-03,Shop,8.10 DR\n,Total,-33.40\n',
    ['2024-03-01 75.30 - Power', '2024-03-02 -50.00 - Pay', '2024-03-03 8.10 - Shop', 'line 5 NOT_A_ROW'],
  ],
  [
    'a row that only notes an authorization moved no money, whatever its status',
    'utf-8',
    'Date,Name,Status,Amount,Balance,Balance Impact\n2024-01-15,Cafe,Completed,-20.00,80.00,Debit\n2024-01-15,Shop,Completed,-30.00,80.00,Memo\n2024-01-16,Shop,Completed,-30.00,50.00,Debit\n2024-01-17,Ann,Completed,5.00,55.00,Credit\n',
    ['2024-01-15 20.00 - Cafe', 'line 3 STATUS_IGNORED', '2024-01-16 30.00 - Shop', '2024-01-17 -5.00 - Ann'],
  ],
  [
    'a text such as memo is none beside other words',
    'utf-8',
    'Date,Name,Amount,Kind\n2024-01-15,Cafe,-20.00,Memo\n2024-01-16,Shop,-30.00,Debit\n2024-01-17,Ann,5.00,Gift\n',
    ['2024-01-15 20.00 - Cafe', '2024-01-16 30.00 - Shop', '2024-01-17 -5.00 - Ann'],
  ],
  [
    'most of what the holder of a card paid is money out, with and without a refund',
    'utf-8',
    'Date,Merchant,Amount,Cardholder\n2024-01-15,Staples,45.12,Ann\n2024-01-19,Uber,18.20,Bob\n2024-01-22,Staples,-10.00,Ann\n',
    ['2024-01-15 45.12 - Staples', '2024-01-19 18.20 - Uber', '2024-01-22 -10.00 - Staples'],
  ],
  [
    'purchases of the holder of a card may have a minus',
    'utf-8',
    'Date,Merchant,Amount,Card Holder\n2024-01-15,Staples,-45.12,Ann\n2024-01-19,Uber,-18.20,Bob\n2024-01-22,Staples,10.00,Ann\n',
    ['2024-01-15 45.12 - Staples', '2024-01-19 18.20 - Uber', '2024-01-22 -10.00 - Staples'],
  ],
];

describe('which way the money went', () => {
  test.each(DIRECTIONS)('%s', (_trait, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
