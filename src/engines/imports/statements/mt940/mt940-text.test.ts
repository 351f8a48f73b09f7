import { expect, test } from 'vitest';

import { mt940Statement, rows } from '../../../../../test/harness/bank-files/statement-files.ts';

function told(text: string, mark = 'D'): unknown[] {
  const [row] = rows(mt940Statement(`:61:2501150115${mark}1,00NTRFNONREF\n:86:${text}`));
  return [row?.description, row?.merchant_name, row?.counterparty_account];
}

test.each([
  ['/EREF/NOTPROVIDED/BENM/Jan Jansen/REMI/huur januari', ['huur januari', 'Jan Jansen', null]],
  ['/ORDP/J. de Vries/REMI//Contributie/EREF/X1', ['Contributie', 'J. de Vries', null]],
  ['/BENM//NAME/Acme/REMI/674725433 /ISDT/2013-04-03', ['674725433', 'Acme', null]],
  ['/BENM/\n/NAME/Center Parcs B.V./REMI/ICO TRF. FROM\n NL31', ['ICO TRF. FROM NL31', 'Center Parcs B.V.', null]],
  ['/ORDP//NAME/UWV/ID/34360247/REMI/DK50 1105/ISDT/2025-01-01', ['DK50 1105', 'UWV', null]],
  [
    '/BENM//NAME/Acme//IBAN/NL41RABO0325000000//ID//BIC//REMI//Invoice 4711/PURP//CD/GDDS',
    ['Invoice 4711', 'Acme', 'NL41RABO0325000000'],
  ],
  ['/RREF/3825-003/ORDP//NAME/AB AG/REMI/Inv. 10 /RCMT/EUR 100,00 /CHRG/DKK 4,00', ['Inv. 10', 'AB AG', null]],
  ['/ORDP//NAME/Doe/REMI//CDTRREFTP//CD/SCOR/ISSR/CUR/CDTRREF/12345', ['12345', 'Doe', null]],
  ['/BENM//NAME/Parcs/REMI/USTD//ICO TRF/INIT//NAME/Boss/ISDT/2025-11-07', ['ICO TRF', 'Parcs', null]],
  ['/ULTD//NAME/Son/BENM//NAME/Parcs/REMI/ICO', ['ICO', 'Parcs', null]],
  ['/TRTP/iDEAL/IBAN/NL41RABO0325000000/NAME/Shop/REMI/NOTPROVIDED', ['Shop', 'Shop', 'NL41RABO0325000000']],
  ['/NAME/Foo/BAR BV/REMI/a/b/ID/c', ['a/b/ID/c', 'Foo/BAR BV', null]],
  ['/PREF/1010854019/TRCD/586/INIT//NAME/Parks BV/ISDT/2025-11-07', ['Parks BV', 'Parks BV', null]],
  [
    '/BENM/300000003998473\n/TELEKOM AD - SKOPJE\n/5,6//026415\n/uslugi pomegu',
    ['5,6 026415 uslugi pomegu', 'TELEKOM AD - SKOPJE', '300000003998473'],
  ],
  [
    'FACTUUR 20140, 20141\nREK: NL65INGB0123456789/NAAM: PICKER B.V.',
    ['FACTUUR 20140, 20141', 'PICKER B.V.', 'NL65INGB0123456789'],
  ],
  ['SEPA CREDIT /ORDP//NAME/Anna/REMI/Rent', ['Rent', 'Anna', null]],
  ['Paid and/or received /NAME/ x', ['Paid and/or received /NAME/ x', null, null]],
  [
    'SEPA Overboeking                 IBAN: NL98ABNA0423100000\n        BIC: ABNANL2A                    Naam: J DOE\nOmschrijving: Factuur 12         Kenmerk: NOTPROVIDED',
    ['Factuur 12', 'J DOE', 'NL98ABNA0423100000'],
  ],
  [
    'SEPA OVERBOEKING                 IBAN: NL86INGB0002445588\nBIC: INGBNL2A                    NAAM: BELASTINGDIENST\nBETALINGSKENM.: 3333',
    ['3333', 'BELASTINGDIENST', 'NL86INGB0002445588'],
  ],
  ['Naam: of the cat, voor: nothing', ['Naam: of the cat, voor: nothing', null, null]],
])('%s', (text, expected) => {
  expect(told(text)).toEqual(expected);
});

test('if both sides are named, the other side is the beneficiary of money out and the orderer of money in', () => {
  const text = '/ORDP//NAME/Anna/IBAN/NL01/BENM//NAME/Bert/IBAN/NL02/REMI/Rent';
  expect(told(text, 'D')).toEqual(['Rent', 'Bert', 'NL02']);
  expect(told(text, 'C')).toEqual(['Rent', 'Anna', 'NL01']);
});
