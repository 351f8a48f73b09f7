import { describe, expect, test } from 'vitest';

import { AppError } from '../../../../kernel/errors.ts';
import { readOfx } from './ofx.ts';
import type { Statement, StatementEntry, StatementFile } from '../statement.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };
const HEADER = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`;

function read(content: string | Uint8Array): StatementFile {
  return readOfx(typeof content === 'string' ? new TextEncoder().encode(content) : content, {}, CONTEXT);
}

/** A bank statement with some entries; `rest` stands behind the list. */
function bank(entries: string, rest = '', head = ''): string {
  return `${HEADER}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>${head || '<CURDEF>EUR<BANKACCTFROM><BANKID>10020030<ACCTID>1234567890<ACCTTYPE>CHECKING</BANKACCTFROM>'}<BANKTRANLIST>${entries}</BANKTRANLIST>${rest}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

function entry(fields: Record<string, string>): string {
  const all = { TRNTYPE: 'DEBIT', DTPOSTED: '20250131', TRNAMT: '-1.00', FITID: 'f1', NAME: 'Shop', ...fields };
  return `<STMTTRN>${Object.entries(all)
    .map(([name, value]) => (value === '' ? '' : `<${name}>${value}\n`))
    .join('')}</STMTTRN>`;
}

function only(content: string | Uint8Array): StatementEntry {
  const [first] = read(content).statements[0]?.entries ?? [];
  if (!first) throw new Error('no entry');
  return first;
}

function statement(content: string): Statement {
  const [first] = read(content).statements;
  if (!first) throw new Error('no statement');
  return first;
}

function failure(content: string): AppError {
  try {
    read(content);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

describe('dates', () => {
  test.each([
    ['20250131', '2025-01-31', null],
    ['20250131230000[-8:PST]', '2025-01-31', '2025-02-01T07:00:00.000Z'],
    ['20250131120000.000[-5:EST]', '2025-01-31', '2025-01-31T17:00:00.000Z'],
    ['20250131000000.000[+10:AEST]', '2025-01-31', '2025-01-30T14:00:00.000Z'],
    ['20250131120000[5.5:IST]', '2025-01-31', '2025-01-31T06:30:00.000Z'],
    ['20250131120000[-03:EST]', '2025-01-31', '2025-01-31T15:00:00.000Z'],
    ['20250131120000[0:GMT]', '2025-01-31', '2025-01-31T12:00:00.000Z'],
    ['20250131120000', '2025-01-31', null],
    ['202501311200', '2025-01-31', null],
    ['20250131120000:014', '2025-01-31', null],
    ['20250131[-5:EST]', '2025-01-31', null],
    ['20250131250000[-5:EST]', '2025-01-31', null],
    ['2025-01-31', '2025-01-31', null],
    ['2025-01-31T12:00:00Z', '2025-01-31', '2025-01-31T12:00:00.000Z'],
  ])('%s is %s as written, at %s', (text, date, datetime) => {
    expect(only(bank(entry({ DTPOSTED: text })))).toMatchObject({ outcome: 'row', date, datetime });
  });

  test.each([
    ['', 'DATE_MISSING'],
    ['201120000000', 'DATE_INVALID'],
    ['20250230', 'DATE_INVALID'],
    ['31/01/2025', 'DATE_INVALID'],
    ['250131', 'DATE_INVALID'],
    ['19691231', 'DATE_OUT_OF_RANGE'],
    ['20250801', 'DATE_OUT_OF_RANGE'],
  ])('%s is not the date of a row: %s', (text, reason) => {
    expect(only(bank(entry({ DTPOSTED: text })))).toMatchObject({ outcome: 'invalid', reason });
  });

  test('the purchase date stands beside the posting date', () => {
    expect(only(bank(entry({ DTUSER: '20250129' }))).authorized_date).toBe('2025-01-29');
    expect(only(bank(entry({ DTUSER: 'x' })))).toMatchObject({ outcome: 'row', authorized_date: null });
  });
});

describe('amounts', () => {
  test.each([
    ['-12.34', 1234],
    ['+12', -1200],
    ['12', -1200],
    ['-12,34', 1234],
    ['-1.234,56', 123456],
    ['1,234.56', -123456],
    ['-1 234,56', 123456],
    ['-00000000001500.0000', 150000],
    ['-.50', 50],
    ['-,5', 50],
    ['0.00', 0],
    ['-0', 0],
    ['-12.3', 1230],
    ['$-120', 12000],
    ['12.34-', 1234],
    ['12.34 DR', 1234],
    ['-12.34 DR', 1234],
    ['12.34CR', -1234],
    ['-9999999999.99', 999999999999],
  ])('%s is %i hundredths of money out', (text, cents) => {
    const found = only(bank(entry({ TRNAMT: text })));
    expect(found).toMatchObject({ outcome: 'row', amount_cents: cents });
    expect(Object.is(found.amount_cents, -0)).toBe(false);
  });

  test.each([
    ['', 'AMOUNT_MISSING'],
    ['abc', 'AMOUNT_INVALID'],
    ['1.2.3', 'AMOUNT_INVALID'],
    ['1E5', 'AMOUNT_INVALID'],
    ['-115.8331', 'AMOUNT_PRECISION'],
    ['-99999999999.00', 'AMOUNT_OUT_OF_RANGE'],
  ])('%s is no amount: %s', (text, reason) => {
    expect(only(bank(entry({ TRNAMT: text })))).toMatchObject({ outcome: 'invalid', reason, amount_cents: null });
  });

  test.each([
    ['-1.500', '', null],
    ['-1,500', '', null],
    ['-1.500', entry({ TRNAMT: '-12,34', FITID: 'f2' }), 150000],
    ['-1.500', entry({ TRNAMT: '-12.34', FITID: 'f2' }), 150],
    ['-1,500', entry({ TRNAMT: '-1,500.00', FITID: 'f2' }), 150000],
  ])('%s beside %s is %s: never off by a thousand', (text, other, cents) => {
    const found = only(bank(entry({ TRNAMT: text }) + other));
    expect(found.amount_cents).toBe(cents);
    expect(found.reason).toBe(cents === null ? 'AMOUNT_INVALID' : null);
  });

  test.each([
    ['JPY', '-1,500', 150000],
    ['CLP', '-1.500', 150000],
    ['TND', '-12.500', 1250],
  ])('in %s, %s is %i hundredths', (currency, text, cents) => {
    const head = `<CURDEF>${currency}<BANKACCTFROM><ACCTID>1</BANKACCTFROM>`;
    expect(only(bank(entry({ TRNAMT: text }), '', head)).amount_cents).toBe(cents);
  });
});

describe('texts', () => {
  test.each([
    [{ NAME: 'Shop', MEMO: '' }, 'Shop'],
    [{ NAME: 'Shop', MEMO: 'SHOP' }, 'Shop'],
    [{ NAME: 'Shop', MEMO: 'Card payment' }, 'Shop Card payment'],
    [{ NAME: 'Card payment Shop', MEMO: 'Shop, card' }, 'Card payment Shop'],
    [{ NAME: '', MEMO: 'Only a memo' }, 'Only a memo'],
    [{ NAME: 'Short', EXTDNAME: 'A longer name', MEMO: '' }, 'A longer name'],
    [{ NAME: 'Shop', MEMO: 'one\n<MEMO>two' }, 'Shop one two'],
    [{ NAME: '', MEMO: '' }, 'DEBIT'],
    [{ NAME: '', MEMO: '', TRNTYPE: '' }, '(no description)'],
    [{ NAME: 'A &amp; B &lt;C&gt; &#233;&#xE9; &quot;d&quot; &apos;e&apos;&nbsp;f' }, `A & B <C> éé "d" 'e' f`],
    [{ NAME: 'AT&amp;amp;T &amp;#38; O&amp;apos;Neil' }, `AT&T & O'Neil`],
    [{ NAME: '<![CDATA[R&amp;D]]></NAME>' }, 'R&D'],
    [{ NAME: 'AT&T & Co; &unknown; &#0; &#99999999;' }, 'AT&T & Co; &unknown; &#0; &#99999999;'],
    [{ NAME: '5 < 6 <3 a<b' }, '5 < 6 <3 a<b'],
    [{ NAME: '<![CDATA[R&D <i>  x]]></NAME>' }, 'R&D <i> x'],
    [{ NAME: '\tTabs\tand   blanks  ' }, 'Tabs and blanks'],
    [{ NAME: '=HYPERLINK("http://x","y")' }, '=HYPERLINK("http://x","y")'],
    [{ NAME: 'Over\ntwo lines</NAME>' }, 'Over two lines'],
    [{ NAME: 'First line\nstray text' }, 'First line'],
    [{ NAME: '\n  Below' }, 'Below'],
  ])('%j reads as %s', (fields, text) => {
    expect(only(bank(entry(fields))).description).toBe(text);
  });

  test('payee, other side, check number and type', () => {
    const found = only(
      bank(
        entry({ NAME: '', TRNTYPE: 'check', CHECKNUM: '319', REFNUM: 'r', SIC: '5411' }).replace(
          '</STMTTRN>',
          '<PAYEE><NAME>ACME<ADDR1>Street 1<CITY>Town</PAYEE><BANKACCTTO><BANKID>9<ACCTID>77</BANKACCTTO><MEMO>Rent</STMTTRN>',
        ),
      ),
    );
    expect(found).toMatchObject({
      description: 'Rent',
      merchant_name: 'ACME',
      counterparty_account: '77',
      check_number: '319',
      type: 'CHECK',
    });
    expect(found.fields).toMatchObject({ REFNUM: 'r', SIC: '5411', 'PAYEE.CITY': 'Town', 'BANKACCTTO.BANKID': '9' });
  });

  test('fields of the raw row stay within a few kilobytes', () => {
    const many = Array.from({ length: 400 }, (_, i) => `<X${i}>${'y'.repeat(900)}\n`).join('');
    const found = only(bank(entry({}).replace('</STMTTRN>', `${many}</STMTTRN>`)));
    expect(JSON.stringify(found.fields).length).toBeLessThan(6_000);
    expect(found.fields).toMatchObject({ FITID: 'f1' });
  });
});

describe('ids and corrections', () => {
  test('two entries with one id and different content are both there', () => {
    const found = [...statement(bank(entry({ NAME: 'A' }) + entry({ NAME: 'B' }))).entries];
    expect(found.map((one) => [one.line, one.description, one.bank_id])).toEqual([
      [1, 'A', 'f1'],
      [2, 'B', 'f1'],
    ]);
  });

  test.each(['', '0', 'NONREF'])('the id %s is a placeholder', (id) => {
    expect(only(bank(entry({ FITID: id })))).toMatchObject({ outcome: 'row', bank_id: null });
  });

  test.each([
    ['REPLACE', 'replace'],
    ['DELETE', 'delete'],
    ['delete', 'delete'],
  ])('CORRECTACTION %s', (word, action) => {
    const found = only(bank(entry({ FITID: 'f2', CORRECTFITID: 'f1', CORRECTACTION: word })));
    expect(found).toMatchObject({ outcome: 'row', bank_id: 'f2', correction: { action, bank_id: 'f1' } });
  });
});

describe('currencies', () => {
  test('CURDEF is the currency, CURRENCY is another one, ORIGCURRENCY is not', () => {
    const own = entry({}).replace(
      '</STMTTRN>',
      '<CURRENCY><CURRATE>1.1<CURSYM>usd</CURRENCY><ORIGCURRENCY><CURRATE>2<CURSYM>GBP</ORIGCURRENCY></STMTTRN>',
    );
    const original = entry({}).replace('</STMTTRN>', '<ORIGCURRENCY><CURSYM>GBP</ORIGCURRENCY></STMTTRN>');
    const found = statement(bank(own + original));
    expect(found.iso_currency_code).toBe('EUR');
    expect([...found.entries].map((one) => one.iso_currency_code)).toEqual(['USD', 'EUR']);
    expect([...found.entries][1]?.fields).toMatchObject({ 'ORIGCURRENCY.CURSYM': 'GBP' });
  });

  test('without CURDEF there is none, and a wrong one makes the row invalid', () => {
    expect(only(bank(entry({}), '', '<CURDEF><BANKACCTFROM><ACCTID>1</BANKACCTFROM>')).iso_currency_code).toBeNull();
    const wrong = entry({}).replace('</STMTTRN>', '<CURRENCY><CURSYM>?!?</CURRENCY></STMTTRN>');
    expect(only(bank(wrong))).toMatchObject({
      outcome: 'invalid',
      reason: 'CURRENCY_INVALID',
      iso_currency_code: null,
    });
  });
});

describe('accounts', () => {
  const account = (acctType: string): string =>
    `<BANKACCTFROM><BANKID>1<ACCTID>99 8877<ACCTTYPE>${acctType}</BANKACCTFROM>`;

  test.each([
    ['CHECKING', 'depository', 'checking'],
    ['savings', 'depository', 'savings'],
    ['MONEYMRKT', 'depository', 'money market'],
    ['CD', 'depository', 'cd'],
    ['CREDITLINE', 'credit', 'line of credit'],
    ['CREDITCARD', 'credit', 'credit card'],
    ['', null, null],
    ['WHATEVER', null, null],
  ])('ACCTTYPE %s is %s %s', (word, type, subtype) => {
    expect(statement(bank(entry({}), '', account(word)))).toMatchObject({
      account_type: type,
      account_subtype: subtype,
      account_identifier: '1/998877',
      account_label: '99 8877',
      mask: '8877',
    });
  });

  test('a card, its balances and its institution', () => {
    const found = statement(
      `${HEADER}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><FI><ORG>Our Bank<FID>77</FI><INTU.BID>3000</SONRS></SIGNONMSGSRSV1><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>4111111111111111</CCACCTFROM><BANKTRANLIST>${entry({})}</BANKTRANLIST><LEDGERBAL><BALAMT>-123,45<DTASOF>20250131120000</LEDGERBAL><AVAILBAL><BALAMT>876.55<DTASOF></AVAILBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
    );
    expect(found).toMatchObject({
      account_identifier: '4111111111111111',
      account_type: 'credit',
      account_subtype: 'credit card',
      institution_name: 'Our Bank',
      institution_id: '77',
      closing: { date: '2025-01-31', cents: -12345 },
      available: { date: null, cents: 87655 },
      opening: null,
    });
  });

  test("Intuit's institution and format", () => {
    const content = bank(entry({})).replace('<OFX>', '<OFX><SONRS><INTU.ORG>B1<INTU.BID>00024</SONRS>');
    expect(read(content).format).toBe('qfx');
    expect(statement(content)).toMatchObject({ institution_name: 'B1', institution_id: '00024' });
    expect(read(bank(entry({}))).format).toBe('ofx');
  });

  test('an IBAN names the account alone', () => {
    const head = '<BANKACCTFROM><BANKID>DEUTDEFF<ACCTID>de89 3704 0044 0532 0130 00</BANKACCTFROM>';
    expect(statement(bank(entry({}), '', head)).account_identifier).toBe('DE89370400440532013000');
  });

  test('several statements; one member number with two kinds of account is two accounts', () => {
    const part = (kind: string, id: string): string =>
      `<STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>42<ACCTTYPE>${kind}</BANKACCTFROM><BANKTRANLIST>${entry({ FITID: id })}</BANKTRANLIST></STMTRS></STMTTRNRS>`;
    const two = read(`<OFX><BANKMSGSRSV1>${part('CHECKING', 'a')}${part('SAVINGS', 'b')}</BANKMSGSRSV1></OFX>`);
    expect(two.statements.map((one) => one.account_identifier)).toEqual(['1/42/CHECKING', '1/42/SAVINGS']);
    expect(two.statements.map((one) => [...one.entries].map((each) => each.line))).toEqual([[1], [2]]);
    const same = read(`<OFX><BANKMSGSRSV1>${part('CHECKING', 'a')}${part('CHECKING', 'b')}</BANKMSGSRSV1></OFX>`);
    expect(same.statements.map((one) => one.account_identifier)).toEqual(['1/42', '1/42']);
  });

  test('more than a hundred accounts are refused', () => {
    const parts = Array.from(
      { length: 101 },
      (_, i) =>
        `<STMTRS><BANKACCTFROM><BANKID>1<ACCTID>${i}</BANKACCTFROM><BANKTRANLIST>${entry({})}</BANKTRANLIST></STMTRS>`,
    );
    expect(failure(`<OFX>${parts.join('')}</OFX>`).code).toBe('INVALID_FILE');
  });
});

describe('pending entries and securities', () => {
  test('pending entries are rows that are pending', () => {
    const found = statement(
      bank(
        entry({}),
        '<BANKTRANLISTP><DTASOF>20250131<STMTTRNP><TRNTYPE>POS<DTTRAN>20250130<TRNAMT>-5.00<NAME>Cafe</STMTTRNP></BANKTRANLISTP>',
      ),
    ).entries;
    expect([...found].map((one) => [one.line, one.status, one.outcome, one.date, one.amount_cents])).toEqual([
      [1, 'posted', 'row', '2025-01-31', 100],
      [2, 'pending', 'row', '2025-01-30', 500],
    ]);
  });

  test('a pending entry among posted ones stays pending', () => {
    const found = statement(bank('<STMTTRNP><DTTRAN>20250130<TRNAMT>-5.00<NAME>Cafe</STMTTRNP>')).entries;
    expect([...found]).toMatchObject([{ status: 'pending', date: '2025-01-30' }]);
  });

  test('empty dates of a list are not securities trades', () => {
    const list = `<INVTRANLIST>\n<DTSTART>\n<DTEND>\n<INVBANKTRAN>\n${entry({})}</INVBANKTRAN></INVTRANLIST>`;
    expect([...statement(`<OFX><INVSTMTRS>${list}</INVSTMTRS></OFX>`).entries].map((one) => one.outcome)).toEqual([
      'row',
    ]);
  });

  test('open orders, positions and balances of a securities account are ignored', () => {
    const order = '<OO><FITID>o1<SECID><UNIQUEID>1</SECID><DTPLACED>20250120<UNITS>5<LIMITPRICE>50.00</OO>';
    const rest =
      '<INVPOSLIST><POSSTOCK><INVPOS><UNITS>1<DTPRICEASOF>20250131<MEMO>held</INVPOS></POSSTOCK></INVPOSLIST>' +
      '<INVBAL><AVAILCASH>200.00<BALLIST><BAL><NAME>Rate<VALUE>7.85<DTASOF>20250131</BAL></BALLIST></INVBAL>' +
      `<INVOOLIST><OOBUYSTOCK>${order}<BUYTYPE>BUY</OOBUYSTOCK><OOSELLMF>${order}</OOSELLMF></INVOOLIST>`;
    const list = `<INVTRANLIST><INVBANKTRAN>${entry({})}</INVBANKTRAN></INVTRANLIST>`;
    const found = [...statement(`<OFX><INVSTMTRS>${list}${rest}</INVSTMTRS></OFX>`).entries];
    expect(found.map((one) => [one.outcome, one.date, one.description])).toEqual([['row', '2025-01-31', 'Shop']]);
  });

  test('only the bank entries of an investment statement are rows', () => {
    const found = statement(
      `<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20250131<CURDEF>USD<INVACCTFROM><BROKERID>b.com<ACCTID>X1</INVACCTFROM><INVTRANLIST><DTSTART>20250101<DTEND>20250131<BUYMF><INVBUY><INVTRAN><FITID>t1<DTTRADE>20250115<MEMO>Bought</INVTRAN><SECID><UNIQUEID>1<UNIQUEIDTYPE>CUSIP</SECID><UNITS>1<TOTAL>-10</INVBUY><BUYTYPE>BUY</BUYMF><INVBANKTRAN>${entry({})}<SUBACCTFUND>CASH</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>`,
    );
    expect(found).toMatchObject({ account_identifier: 'B.COM/X1', account_type: 'investment' });
    expect([...found.entries].map((one) => [one.line, one.outcome, one.reason, one.date, one.description])).toEqual([
      [1, 'skipped', 'UNSUPPORTED_RECORD', '2025-01-15', 'Bought'],
      [2, 'row', null, '2025-01-31', 'Shop'],
    ]);
  });
});
