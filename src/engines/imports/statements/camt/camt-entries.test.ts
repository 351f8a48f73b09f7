import { describe, expect, test } from 'vitest';

import {
  analyse,
  camtEntry,
  camtFile,
  rows,
  type CamtParts,
} from '../../../../../test/harness/bank-files/statement-files.ts';
import type { AnalysedRow } from '../../analysis.ts';

function only(parts: CamtParts): AnalysedRow {
  const [row] = rows(camtFile(camtEntry(parts)));
  if (!row) throw new Error('no row');
  return row;
}

describe('an entry', () => {
  test.each<[string, CamtParts, unknown[]]>([
    ['a debit is money out', {}, ['2025-01-15', 1_000]],
    ['a credit is money in', { mark: 'CRDT' }, ['2025-01-15', -1_000]],
    [
      'a reversal keeps the direction it states',
      { mark: 'CRDT', more: '<RvslInd>true</RvslInd>' },
      ['2025-01-15', -1_000],
    ],
    ['no decimals', { amount: '10' }, ['2025-01-15', 1_000]],
    ['one decimal, white space', { amount: ' 10.5 ' }, ['2025-01-15', 1_050]],
    ['five decimals of zeros', { amount: '10.50000' }, ['2025-01-15', 1_050]],
    ['zero', { amount: '0.00' }, ['2025-01-15', 0]],
    ['a third decimal', { amount: '10.505' }, ['invalid', 'AMOUNT_PRECISION']],
    ['a decimal comma', { amount: '10,50' }, ['invalid', 'AMOUNT_INVALID']],
    ['a sign', { amount: '-10.50' }, ['invalid', 'AMOUNT_INVALID']],
    ['no amount', { amount: '' }, ['invalid', 'AMOUNT_MISSING']],
    ['too much', { amount: '10000000000.00' }, ['invalid', 'AMOUNT_OUT_OF_RANGE']],
    ['no direction', { mark: '' }, ['invalid', 'DIRECTION_UNKNOWN']],
    ['a date with a zone', { date: '<BookgDt><Dt>2025-01-15+01:00</Dt></BookgDt>' }, ['2025-01-15', 1_000]],
    ['a date and time', { date: '<BookgDt><DtTm>2025-01-15T23:59:00-08:00</DtTm></BookgDt>' }, ['2025-01-15', 1_000]],
    ['a value date only', { date: '<ValDt><Dt>2025-01-16</Dt></ValDt>' }, ['2025-01-16', 1_000]],
    ['no date', { date: '' }, ['invalid', 'DATE_MISSING']],
    ['no day of the calendar', { date: '<BookgDt><Dt>2025-02-30</Dt></BookgDt>' }, ['invalid', 'DATE_INVALID']],
    ['another century', { date: '<BookgDt><Dt>1925-02-03</Dt></BookgDt>' }, ['invalid', 'DATE_OUT_OF_RANGE']],
    ['booked', { status: '<Sts>BOOK</Sts>' }, ['2025-01-15', 1_000]],
    ['booked, as a code', { status: '<Sts><Cd>BOOK</Cd></Sts>' }, ['2025-01-15', 1_000]],
    ['pending', { status: '<Sts>PDNG</Sts>' }, ['skipped', 'PENDING']],
    ['pending, as a code', { status: '<Sts><Cd>PDNG</Cd></Sts>' }, ['skipped', 'PENDING']],
    ['information', { status: '<Sts>INFO</Sts>' }, ['skipped', 'STATUS_IGNORED']],
    ['future', { status: '<Sts><Cd>FUTR</Cd></Sts>' }, ['skipped', 'STATUS_IGNORED']],
  ])('%s', (_, parts, expected) => {
    const row = only(parts);
    expect(row.outcome === 'row' ? [row.date, row.amount_cents] : [row.outcome, row.reason]).toEqual(expected);
  });

  test('has an instant only where a time with a zone stands', () => {
    const at = (text: string) => only({ date: `<BookgDt><DtTm>${text}</DtTm></BookgDt>` }).datetime;
    expect(at('2025-01-15T23:59:00-08:00')).toBe('2025-01-16T07:59:00.000Z');
    expect(at('2025-01-15T23:59:00')).toBeNull();
    expect(at('2025-01-15T00:00:00+01:00')).toBeNull();
  });

  test.each([
    ['eur', ['row', 'EUR', null]],
    ['€', ['row', 'EUR', null]],
    ['', ['row', 'EUR', null]],
    ['EURO', ['invalid', 'EUR', 'CURRENCY_INVALID']],
    ['XAU', ['invalid', 'EUR', 'CURRENCY_INVALID']],
  ])('states its currency as "%s"', (word, expected) => {
    const [row] = rows(camtFile(camtEntry()).replaceAll('Ccy="EUR"', `Ccy="${word}"`));
    expect([row?.outcome, row?.iso_currency_code, row?.reason]).toEqual(expected);
  });

  test('of an unknown status counts as posted, with a warning', () => {
    const content = camtFile(camtEntry({ status: '<Sts>XXXX</Sts>' }));
    expect(analyse(content).warnings).toMatchObject([{ code: 'UNKNOWN_STATUS_WORD', lines: [1] }]);
    expect(rows(content)[0]?.outcome).toBe('row');
  });

  test('is identified by the reference of the bank, else by its own, never by a counter', () => {
    const ids = (...references: string[]): unknown[] => {
      const found = analyse(camtFile(references.map((more) => camtEntry({ more })).join('')));
      return [found.bank_id_namespace, ...[...found.rows()].map((row) => row.bank_id)];
    };
    expect(ids('<AcctSvcrRef>A1</AcctSvcrRef>', '<NtryRef>N2</NtryRef>')).toEqual(['camt:acctsvcrref', 'A1', null]);
    expect(ids('<NtryRef>N1</NtryRef>', '<NtryRef>2</NtryRef>')).toEqual(['camt:ntryref', 'N1', null]);
    expect(ids('<AcctSvcrRef>NOTPROVIDED</AcctSvcrRef><NtryRef>N1</NtryRef>')).toEqual(['camt:ntryref', 'N1']);
  });

  test('keeps what else it says with the raw record', () => {
    const detail = '<Refs><EndToEndId>E1</EndToEndId></Refs><RmtInf><Ustrd>Text</Ustrd></RmtInf>';
    const { fields } = only({
      more: `<ValDt><Dt>2025-01-17</Dt></ValDt><Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0.35</TtlChrgsAndTaxAmt></Chrgs><NtryDtls><TxDtls>${detail}</TxDtls></NtryDtls>`,
    });
    expect(fields).toMatchObject({
      'ValDt/Dt': '2025-01-17',
      'Chrgs/TtlChrgsAndTaxAmt': '0.35',
      'TxDtls/Refs/EndToEndId': 'E1',
    });
  });
});

describe('the texts of an entry', () => {
  const text = (detail: string, more = '', mark = 'DBIT'): unknown[] => {
    const row = only({ mark, more: `<NtryDtls><TxDtls>${detail}</TxDtls></NtryDtls>${more}` });
    return [row.description, row.merchant_name, row.counterparty_account];
  };
  const parties =
    '<RltdPties><Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>NL00 PAYER</IBAN></Id></DbtrAcct><Cdtr><Nm>Payee</Nm></Cdtr><CdtrAcct><Id><Othr><Id>77</Id></Othr></Id></CdtrAcct></RltdPties>';

  test.each([
    ['all free texts', '<RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd></RmtInf>', '', ['one two', null, null]],
    [
      'the reference of the creditor',
      '<RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf><AddtlTxInf>more</AddtlTxInf>',
      '',
      ['RF18539007547034', null, null],
    ],
    [
      'the text of the detail',
      '<AddtlTxInf>detail</AddtlTxInf>',
      '<AddtlNtryInf>entry</AddtlNtryInf>',
      ['detail', null, null],
    ],
    ['the text of the entry', '', '<AddtlNtryInf>entry</AddtlNtryInf>', ['entry', null, null]],
    ['the creditor of money out', parties, '', ['Payee', 'Payee', '77']],
    [
      'the party of a newer version',
      '<RltdPties><Cdtr><Pty><Nm>New Payee</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>x</Ustrd></RmtInf>',
      '',
      ['x', 'New Payee', null],
    ],
    ['nothing at all', '', '', ['(no description)', null, null]],
  ])('%s', (_, detail, more, expected) => {
    expect(text(detail, more)).toEqual(expected);
  });

  test('the debtor of money in', () => {
    expect(text(parties, '', 'CRDT')).toEqual(['Payer', 'Payer', 'NL00PAYER']);
  });

  test('entities and CDATA', () => {
    expect(text('<RmtInf><Ustrd>M&amp;S &lt;&#228;&#x20AC;&gt;<![CDATA[ & <b>]]></Ustrd></RmtInf>')[0]).toBe(
      'M&S <ä€> & <b>',
    );
  });
});

describe('a batch', () => {
  const detail = (amount: string, more = ''): string =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt>${more}<RmtInf><Ustrd>part ${amount}</Ustrd></RmtInf></TxDtls>`;
  const batch = (details: string, more = '<AcctSvcrRef>B1</AcctSvcrRef>'): unknown[] =>
    rows(
      camtFile(
        camtEntry({ amount: '60.00', more: `${more}<NtryDtls><Btch/>${details}</NtryDtls>` }) +
          camtEntry({ amount: '1.00' }),
      ),
    ).map((row) => [row.line, row.part, row.amount_cents, row.description, row.bank_id]);
  const rest = [2, 1, 100, '(no description)', null];

  test('whose three details add up gives three rows', () => {
    expect(batch(detail('10.00') + detail('20.00') + detail('30.00'))).toEqual([
      [1, 1, 1_000, 'part 10.00', 'B1/1'],
      [1, 2, 2_000, 'part 20.00', 'B1/2'],
      [1, 3, 3_000, 'part 30.00', 'B1/3'],
      rest,
    ]);
  });

  test('whose details have directions of their own adds them up by these', () => {
    const back = '<CdtDbtInd>CRDT</CdtDbtInd>';
    expect(batch(detail('70.00') + detail('10.00', back))).toEqual([
      [1, 1, 7_000, 'part 70.00', 'B1/1'],
      [1, 2, -1_000, 'part 10.00', 'B1/2'],
      rest,
    ]);
  });

  test('takes the amount that is in the currency of the entry', () => {
    const foreign = (instructed: string, own: string): string =>
      `<TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">${instructed}</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">${own}</Amt></TxAmt></AmtDtls></TxDtls>`;
    expect(batch(foreign('45.00', '40.00') + foreign('22.00', '20.00')).map((row) => (row as unknown[])[2])).toEqual([
      4_000, 2_000, 100,
    ]);
  });

  test.each([
    ['do not add up', detail('10.00') + detail('20.00')],
    ['state no amount', '<TxDtls/><TxDtls/>'],
    ['are in another currency', detail('60.00').replace('EUR', 'USD') + detail('0.00')],
  ])('whose details %s is one row', (_, details) => {
    const found = batch(details, '<AcctSvcrRef>B1</AcctSvcrRef><AddtlNtryInf>Batch</AddtlNtryInf>');
    expect(found.length).toBe(2);
    expect(found.map((row) => (row as unknown[]).slice(0, 3))).toEqual([
      [1, 1, 6_000],
      [2, 1, 100],
    ]);
    expect((found[0] as unknown[])[4]).toBe('B1');
  });

  test('without an id takes those of its details', () => {
    const named = (amount: string, id: string): string =>
      detail(amount, `<Refs><AcctSvcrRef>${id}</AcctSvcrRef></Refs>`);
    expect(batch(named('40.00', 'D1') + named('20.00', 'D2'), '').map((row) => (row as unknown[])[4])).toEqual([
      'D1',
      'D2',
      null,
    ]);
  });
});
