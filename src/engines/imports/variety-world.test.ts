import { describe, expect, test } from 'vitest';

import { readingOf } from '../../../test/harness/bank-files/csv-reading.ts';

/** A file in the shape of one bank's export, and every row (date, amount, currency, text) or the refusal it gives. */
type Sample = readonly [bank: string, encoding: string, file: string, expected: readonly string[]];

const SAMPLES: readonly Sample[] = [
  [
    'itau',
    'windows-1252',
    `data;lançamento;ag./origem;valor (R$);saldos (R$)
02/01/2024;SALDO ANTERIOR;;;1.000,00
03/01/2024;PIX TRANSF JOAO;;-150,00;
03/01/2024;RSHOP PADARIA;;-23,50;
03/01/2024;SALDO DO DIA;;;826,50
25/01/2024;TED SALARIO;;3.500,00;
25/01/2024;SALDO DO DIA;;;4.326,50
`,
    [
      'line 2 OPENING_BALANCE',
      '2024-01-03 150.00 BRL PIX TRANSF JOAO',
      '2024-01-03 23.50 BRL RSHOP PADARIA',
      'line 5 STATED_BALANCE',
      '2024-01-25 -3500.00 BRL TED SALARIO',
      'line 7 STATED_BALANCE',
    ],
  ],
  [
    'nubank card',
    'utf-8',
    `date,title,amount
2024-01-31,Ifood *Restaurante,45.60
2024-01-30,Uber *Trip,12.90
2024-01-25,Pagamento recebido,-850.00
2024-01-20,Mercado Livre - Parcela 1/3,99.90
`,
    [
      '2024-01-31 45.60 - Ifood *Restaurante',
      '2024-01-30 12.90 - Uber *Trip',
      '2024-01-25 -850.00 - Pagamento recebido',
      '2024-01-20 99.90 - Mercado Livre - Parcela 1/3',
    ],
  ],
  [
    'garanti',
    'utf-8 with mark',
    `Tarih;Açıklama;Etiket;Tutar;Bakiye
31.01.2024;MIGROS ANKARA;Market;-456,00 TL;9.544,00 TL
25.01.2024;MAAŞ ÖDEMESİ;Maaş;5.000,00 TL;10.000,00 TL
20.01.2024;TURKCELL FATURA;Fatura;-300,00 TL;5.000,00 TL
`,
    [
      '2024-01-31 456.00 TRY MIGROS ANKARA',
      '2024-01-25 -5000.00 TRY MAAŞ ÖDEMESİ',
      '2024-01-20 300.00 TRY TURKCELL FATURA',
    ],
  ],
  [
    'hdfc xls stars',
    'utf-8',
    `HDFC BANK Ltd.,,,,,,
********,***************,**********,********,**********,*********,**********
Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance
********,***************,**********,********,**********,*********,**********
03/01/24,UPI-SWIGGY,0000400312345678,03/01/24,450.00,,"99,550.00"
25/01/24,SALARY JAN,N012345678,25/01/24,,"1,25,000.00","2,24,550.00"
********,***************,**********,********,**********,*********,**********
STATEMENT SUMMARY  :-,,,,,,
Opening Balance,,Dr Count,Cr Count,Debits,Credits,Closing Bal
"1,00,000.00",,1,1,450.00,"1,25,000.00","2,24,550.00"
Generated On: 01-FEB-2024 10:11:12,,,,,,
`,
    [
      'line 4 NOT_A_ROW',
      '2024-01-03 450.00 - UPI-SWIGGY',
      '2024-01-25 -125000.00 - SALARY JAN',
      'line 7 NOT_A_ROW',
      'line 8 NOT_A_ROW',
      'line 9 NOT_A_ROW',
      'line 10 NOT_A_ROW',
      'line 11 NOT_A_ROW',
    ],
  ],
  [
    'icici',
    'utf-8',
    `,,,,,,,,
,DETAILED STATEMENT,,,,,,,
,Account Number,,,012301234567 ( INR ) - MR X,,,,
,Transaction Date from,,01/01/2024,,to,31/01/2024,,
,S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR )
,1,03/01/2024,03/01/2024,-,UPI/4003/Payment/zomato,450.00,0.0,"1,22,550.00"
,2,25/01/2024,25/01/2024,-,NEFT-SALARY,0.0,"1,00,000.00","2,22,550.00"
,3,28/01/2024,28/01/2024,-,ATM/CASH WDL,"10,000.00",0.0,"2,12,550.00"
,,,,,,,,
,Legends Used in Account Statement,,,,,,,
,1. VAT/MAT/NFS - Cash withdrawal at other bank ATM,,,,,,,
`,
    [
      '2024-01-03 450.00 INR UPI/4003/Payment/zomato',
      '2024-01-25 -100000.00 INR NEFT-SALARY',
      '2024-01-28 10000.00 INR ATM/CASH WDL',
      'line 10 NOT_A_ROW',
      'line 11 NOT_A_ROW',
    ],
  ],
  [
    'dbs sg',
    'utf-8',
    `Account Details For:,DBS Savings Account 123-4-567890
Statement as at:,05 Feb 2024
Available Balance:,SGD 1954.40
Ledger Balance:,SGD 1954.40

Transaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3
31 Jan 2024,POS,45.60, ,NTUC FAIRPRICE,TO: X,
25 Jan 2024,SAL, ,2000.00,EMPLOYER PTE LTD,SALARY,
20 Jan 2024,ICT,30.00, ,PayNow Transfer,To: JOHN,OTHR
`,
    [
      '2024-01-31 45.60 SGD NTUC FAIRPRICE TO: X',
      '2024-01-25 -2000.00 SGD EMPLOYER PTE LTD SALARY',
      '2024-01-20 30.00 SGD PayNow Transfer To: JOHN OTHR',
    ],
  ],
  [
    'ocbc',
    'utf-8',
    `Account details for:,360 Account 123-456789-001
Available Balance,"1,954.40"
Ledger Balance,"1,954.40"

Transaction History
Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)
31/01/2024,31/01/2024,POS PURCHASE NETS,45.60,
,,FAIRPRICE XTRA,,
25/01/2024,25/01/2024,GIRO SALARY,,"2,000.00"
,,EMPLOYER PTE LTD,,
20/01/2024,20/01/2024,FAST PAYMENT,30.00,
,,to JOHN,,
`,
    [
      '2024-01-31 45.60 SGD POS PURCHASE NETS FAIRPRICE XTRA',
      'line 8 NOT_A_ROW',
      '2024-01-25 -2000.00 SGD GIRO SALARY EMPLOYER PTE LTD',
      'line 10 NOT_A_ROW',
      '2024-01-20 30.00 SGD FAST PAYMENT to JOHN',
      'line 12 NOT_A_ROW',
    ],
  ],
  [
    'rbc',
    'utf-8',
    `"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"
Chequing,01234-1234567,1/3/2024,,"INTERAC PURCHASE - 1234","LOBLAWS",-45.60,,
Chequing,01234-1234567,1/15/2024,,"PAYROLL DEPOSIT","EMPLOYER",1900.00,,
Chequing,01234-1234567,1/20/2024,12,"CHEQUE","",-300.00,,
`,
    [
      '2024-01-03 45.60 CAD INTERAC PURCHASE - 1234 LOBLAWS',
      '2024-01-15 -1900.00 CAD PAYROLL DEPOSIT EMPLOYER',
      '2024-01-20 300.00 CAD CHEQUE',
    ],
  ],
  [
    'kiwibank',
    'utf-8',
    `Date, Memo/Description, Source Code (payment type), TP ref, TP part, TP code, OP ref, OP part, OP code, OP name, OP Bank Account Number, Amount (credit), Amount (debit), Amount, Balance
2024-01-31,COUNTDOWN ;,EFTPOS,,,,,,,,,,45.60,-45.60,954.40
2024-01-25,EMPLOYER ;Salary,DIRECT CREDIT,,,,,,,,,900.00,,900.00,1000.00
2024-01-20,GENESIS ;,DIRECT DEBIT,,,,,,,,,,30.00,-30.00,100.00
`,
    ['2024-01-31 45.60 - COUNTDOWN ;', '2024-01-25 -900.00 - EMPLOYER ;Salary', '2024-01-20 30.00 - GENESIS ;'],
  ],
  [
    'fidelity',
    'utf-8',
    `

Brokerage

Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date
01/31/2024,YOU BOUGHT VANGUARD (VTI) (Cash),VTI,VANGUARD,Cash,10,240.12,,,,-2401.20,598.80,02/02/2024
01/25/2024,DIVIDEND RECEIVED (SPAXX),SPAXX,FIDELITY MM,Cash,0.000,,,,,0.00,3000.00,
01/20/2024,Electronic Funds Transfer Received (Cash), ,No Description,Cash,0.000,,,,,3000.00,3000.00,

"The data and information in this spreadsheet is provided to you solely for your use"
"Date downloaded 02/05/2024 10:11 am"
`,
    [
      '2024-01-31 2401.20 - VANGUARD',
      '2024-01-25 0.00 - FIDELITY MM',
      '2024-01-20 -3000.00 - No Description',
      'line 10 NOT_A_ROW',
      'line 11 NOT_A_ROW',
    ],
  ],
  [
    'rakuten ja',
    'utf-8',
    `取引日,入出金(円),取引後残高(円),入出金内容
20240105,-3500,96500,コンビニ
20240110,250000,346500,給与
20240115,-80000,266500,家賃
`,
    ['2024-01-05 3500.00 JPY コンビニ', '2024-01-10 -250000.00 JPY 給与', '2024-01-15 80000.00 JPY 家賃'],
  ],
  [
    'wechat',
    'utf-8',
    `微信支付账单明细,,,,,,,,
微信昵称：[x],,,,,,,,
----------------------微信支付账单明细列表--------------------,,,,,,,,
交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注
2024-01-31 20:11:12,商户消费,美团,"外卖",支出,¥45.60,零钱,支付成功,"1000001\t","M1\t","/"
2024-01-25 10:00:00,微信红包,李四,"/",收入,¥100.00,/,已存入零钱,"1000002\t","M2\t","/"
`,
    ['2024-01-31 45.60 CNY 外卖', '2024-01-25 -100.00 CNY /'],
  ],
  [
    'alipay',
    'utf-8',
    `------------------------------------------------------------------------------------
导出信息：
姓名：张三
起始时间：[2024-01-01 00:00:00]    终止时间：[2024-01-31 23:59:59]
共3笔记录
------------------------------------------------------------------------------------
交易时间,交易分类,交易对方,对方账号,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号,备注,
2024-01-31 20:11:12,餐饮美食,麦当劳,abc***@x.com,午餐,支出,45.60,花呗,交易成功,2024013122001\t,T100\t,,
2024-01-25 10:00:00,转账红包,李四,138******00,转账,收入,100.00,余额,交易成功,2024012522002\t,,,
2024-01-20 10:00:00,投资理财,余额宝,,余额宝-收益,不计收支,0.50,,交易成功,2024012022003\t,,,
`,
    ['INVALID_ROWS skip_invalid'],
  ],
  [
    'kakao ko',
    'utf-8 with mark',
    `거래일시,구분,거래금액,거래 후 잔액,거래구분,내용,메모
2024.01.31 20:11:12,출금,"-4,560","95,440",체크카드결제,편의점,
2024.01.25 10:00:00,입금,"90,000","100,000",일반입금,급여,
2024.01.20 10:00:00,출금,"-3,000","10,000",이체,홍길동,
`,
    ['2024-01-31 4560.00 - 편의점', '2024-01-25 -90000.00 - 급여', '2024-01-20 3000.00 - 홍길동'],
  ],
  [
    'leumi he',
    'utf-8 with mark',
    `תאריך,תאריך ערך,תיאור,אסמכתא,בחובה,בזכות,היתרה בש"ח
31/01/24,31/01/24,שופרסל,1234,45.60,0.00,954.40
25/01/24,25/01/24,משכורת,1235,0.00,900.00,1000.00
20/01/24,20/01/24,חברת חשמל,1236,30.00,0.00,100.00
`,
    ['2024-01-31 45.60 - שופרסל', '2024-01-25 -900.00 - משכורת', '2024-01-20 30.00 - חברת חשמל'],
  ],
  [
    'CR only pipe',
    'utf-8',
    `Date|Description|Amount|Currency\r2024-01-05T10:11:12+02:00|Coffee|−12,00|EUR\r2024-01-06T23:59:00Z|Salary|+1 000,00|EUR\r2024-01-07T00:10:00-05:00|Rent|-500,50|EUR\r`,
    ['2024-01-05 12.00 EUR Coffee', '2024-01-06 -1000.00 EUR Salary', '2024-01-07 500.50 EUR Rent'],
  ],
  [
    'utf16 tab',
    'utf-16le with mark',
    `Dato\tTekst\tBeløp\tSaldo
05.01.24\tRema\t-1 234,56 kr\t8 765,44 kr
15.01.24\tLønn\t30 000,00 kr\t38 765,44 kr
16.01.24\tHusleie\t-9 000,00 kr\t29 765,44 kr
`,
    ['2024-01-05 1234.56 - Rema', '2024-01-15 -30000.00 - Lønn', '2024-01-16 9000.00 - Husleie'],
  ],
  [
    'dash placeholders',
    'utf-8',
    `Date,Description,Debit,Credit,Balance
15/01/2024,Coffee,12.00,-,88.00
16/01/2024,Salary,-,1000.00,1088.00
17/01/2024,Shop,8.00,-,1080.00
`,
    ['2024-01-15 12.00 - Coffee', '2024-01-16 -1000.00 - Salary', '2024-01-17 8.00 - Shop'],
  ],
  [
    'totals row w date',
    'utf-8',
    `Date,Description,Amount
15/01/2024,Coffee,-12.00
16/01/2024,Payroll,1000.00
17/01/2024,Shop,-8.00
31/01/2024,Closing balance,980.00
`,
    ['2024-01-15 12.00 - Coffee', '2024-01-16 -1000.00 - Payroll', '2024-01-17 8.00 - Shop', 'line 5 STATED_BALANCE'],
  ],
  [
    'ynab starting balance is no income',
    'utf-8',
    `Date,Payee,Memo,Amount
15/01/2024,Starting Balance,,1000.00
16/01/2024,Coffee,,-3.50
17/01/2024,Shop,,-8.00
`,
    ['line 2 OPENING_BALANCE', '2024-01-16 3.50 - Coffee', '2024-01-17 8.00 - Shop'],
  ],
  [
    'balance b/f',
    'utf-8',
    `Date,Description,Withdrawals,Deposits,Balance
01 Jan 2024,BALANCE B/F,,,100.00
15 Jan 2024,Coffee,12.00,,88.00
16 Jan 2024,Pay,,1000.00,1088.00
31 Jan 2024,BALANCE C/F,,,1088.00
`,
    ['line 2 OPENING_BALANCE', '2024-01-15 12.00 - Coffee', '2024-01-16 -1000.00 - Pay', 'line 5 STATED_BALANCE'],
  ],
  [
    'axis',
    'utf-8',
    `Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL
30-01-2026,-,UPI/SWIGGY," 450.00 "," "," 49550.00 ",1234
28-01-2026,-,NEFT/ACME," "," 50000.00 "," 50000.00 ",1234
`,
    ['2026-01-30 450.00 - UPI/SWIGGY', '2026-01-28 -50000.00 - NEFT/ACME'],
  ],
  [
    'isbank',
    'utf-8 with mark',
    `Tarih/Saat;Kanal/Şube;İşlem Tutarı*;Bakiye;Ek Bakiye;İşlem;İşlem Tipi;Açıklama
31/01/2024-10:11:12;Diğer;-456,00;9.544,00;0,00;POS;Alışveriş;MIGROS
25/01/2024-09:00:00;İnternet;5.000,00;10.000,00;0,00;Havale;Gelen;MAAŞ
`,
    ['2024-01-31 456.00 - MIGROS', '2024-01-25 -5000.00 - MAAŞ'],
  ],
  [
    'hapoalim',
    'utf-8 with mark',
    `תאריך,הפעולה,פרטים,אסמכתא,חובה,זכות,יתרה בש''ח,תאריך ערך,לטובת,עבור
31/01/2024,כרטיס ויזה,שופרסל,1234,145.60,,854.40,31/01/2024,,
25/01/2024,משכורת,ACME,1235,,900.00,1000.00,25/01/2024,,
`,
    ['2024-01-31 145.60 - כרטיס ויזה', '2024-01-25 -900.00 - משכורת'],
  ],
];

describe('exports of banks in the rest of the world, and odd shapes', () => {
  test.each(SAMPLES)('%s', (_bank, encoding, file, expected) => {
    expect(readingOf(file, encoding)).toEqual(expected);
  });
});
