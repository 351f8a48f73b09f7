import { describe, expect, test } from 'vitest';

import { encoded, readingOf } from '../../../../test/harness/bank-files/csv-reading.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

describe('lines in a form of another program', () => {
  test('records that a spreadsheet put in quotes as a whole', () => {
    const file = `"Date,""Description"",Amount"
"2026-05-13,""Coffee, large"",-4.50"
"2026-05-14,""Salary"",2000.00"
`;
    expect(readingOf(file, 'utf-8')).toEqual(['2026-05-13 4.50 - Coffee, large', '2026-05-14 -2000.00 - Salary']);
  });

  test('records in quotes below column names without any, as Banco de Chile has them', () => {
    const file = `ANA PEREZ (012345678-9) cta:002161402707
Fecha;Detalle Movimiento;Cheque o Cargo;Deposito o Abono;Saldo;Docto. Nro.;Trn;Caja;Sucursal
"13/05/2026;ABONO CLIENTE;00000000000;+0000000100;+0000001100;00000000000;0000000001;0000000000;INTERNET"
"14/05/2026;PAGO PROVEEDOR;+0000000200;00000000000;+0000000900;00000000000;0000000002;0000000000;INTERNET"
"15/05/2026;ABONO SUELDO;00000000000;+0007000000;+0007000900;00000000000;0000000003;0000000000;INTERNET"
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-05-13 -100.00 - ABONO CLIENTE',
      '2026-05-14 200.00 - PAGO PROVEEDOR',
      '2026-05-15 -7000000.00 - ABONO SUELDO',
    ]);
  });

  test('values between three characters, with only money in marked, as on a card of HDFC', () => {
    const file = `Name~|~JOHN DOE
Card No~|~5522 60XX XXXX 1234
Opening Bal~|~Payment/Credits~|~Purchase/Debits~|~Total Dues
10,000.00~|~5,000.00~|~1,464.00~|~6,464.00
Domestic / International Transactions
Transaction type~|~Primary / Addon Customer Name~|~DATE~|~Description~|~AMT~|~Debit /Credit~|~REWARDS~|~
Domestic~|~JOHN DOE ~|~15/05/2026 10:00:00~|~SAMPLE MERCHANT BANGALORE ~|~1,000.00~|~~|~+ 20~|~
International~|~JOHN DOE ~|~16/05/2026 09:00:00~|~Sample Online  USD2.40~|~200.00~|~~|~+ 4~|~
Domestic~|~JOHN DOE ~|~30/05/2026 09:41:11~|~CC PAYMENT 000~|~5,000.00~|~Cr~|~~|~
Reward Points Summary
Opening~|~Earned~|~Redeemed~|~Closing
100~|~24~|~0~|~124
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-05-15 1000.00 - SAMPLE MERCHANT BANGALORE',
      '2026-05-16 200.00 - Sample Online USD2.40',
      '2026-05-30 -5000.00 - CC PAYMENT 000',
      'line 10 NOT_A_ROW',
      'line 11 NOT_A_ROW',
      'line 12 NOT_A_ROW',
    ]);
  });

  test('a value per line with its label before it, as Santander writes in Britain', () => {
    const file = `From: 01/09/2026 to 30/09/2026

Account: XXXX XXXX XXXX 9876

Date: 15/09/2026
Description: BRITISH GAS DIRECT DEBIT
Amount: -60.00\u00a0
Balance: 2940.00\u00a0

Date:\u00a013/09/2026
Description:\u00a0ACME LTD, SALARY
Amount:\u00a02000.00
Balance:\u00a03000.00

Date: 01/09/2026
Description: CARD PAYMENT TO TESCO "EXPRESS",12.34 GBP
Amount: -12.34 GBP
Balance: 1000.00 GBP
`;
    expect(readingOf(file, 'iso-8859-1')).toEqual([
      '2026-09-15 60.00 - BRITISH GAS DIRECT DEBIT',
      '2026-09-13 -2000.00 - ACME LTD, SALARY',
      '2026-09-01 12.34 GBP CARD PAYMENT TO TESCO "EXPRESS",12.34 GBP',
    ]);
    const analysis = analyseCsv(encoded(file, 'iso-8859-1'), {}, CONTEXT);
    expect(analysis.balance_proof.status).toBe('proved');
    expect(analysis.detection.encoding.value).toBe('windows-1252');
    expect([...analysis.rows()].map(({ line }) => line)).toEqual([5, 10, 15]);
  });

  test('a quoted title, or labels above a table, leave its lines as they are', () => {
    const file = `"Transactions for account ...123, all"
Date: 01/02/2026
Amount: 1
"Date","Description","Amount"
"2026-05-13","Coffee, large","-4.50"
"2026-05-14","","2000.00"
`;
    expect(readingOf(file, 'utf-8')).toEqual([
      '2026-05-13 4.50 - Coffee, large',
      '2026-05-14 -2000.00 - (no description)',
    ]);
  });
});
