import { expect, test } from 'vitest';

import {
  csvWithBalance,
  importFile,
  listed,
  previewFile,
  sendBytes,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import {
  asCamt,
  asMt940,
  camtBalance,
  camtEntry,
  camtFile,
  type SampleStatement,
} from '../../../../test/harness/bank-files/statement-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { ENCODINGS } from '../../../engines/imports/bytes/encoding.ts';
import { Encoding } from '../import-fields.contract.ts';

const STATEMENT: SampleStatement = {
  account: 'DE89370400440532013000',
  openingCents: 10_000,
  openingDate: '2026-01-01',
  closingCents: 8_000,
  closingDate: '2026-01-31',
  entries: [
    { date: '2026-01-02', cents: 500, text: 'COFFEE', id: 'A1' },
    { date: '2026-01-05', cents: 1_500, text: 'BOOKS', id: 'A2' },
  ],
};

// Contracts cannot import from engines, so the list is written twice.
test('a request may name exactly the encodings that files can be read in', () => {
  expect(Encoding.options).toEqual(ENCODINGS);
});

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  function codes({ json }: Answer): string[] {
    return (json.import ?? json).warnings.map((one: { code: string }) => one.code);
  }

  test.each([
    [
      'JSON',
      'movements.json',
      '[{"date":"2026-01-02","amount":-3.5},{"date":"2026-01-05","amount":9}]',
      'Choose CSV at the bank',
    ],
    ['JSON under another name', 'movements.csv', '{"transactions":[{"date":"2026-01-02"}]}', 'Choose CSV at the bank'],
    [
      'HTML called .xls',
      'movements.xls',
      '<html><body><table><tr><td>Date</td></tr></table></body></html>',
      'save it as CSV',
    ],
  ])('%s is refused, and the message says what to do', async (_how, name, text, advice) => {
    const app = await household();
    for (const send of [
      sendBytes(app, text, { file_name: name, account_name: 'Giro' }),
      importFile(app, text, { file_name: name }),
    ]) {
      const { status, json } = await send;
      expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(json.error.message).toContain(advice);
    }
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toEqual([]);
  });

  test('a statement that lacks an entry is refused, in every format', async () => {
    for (const write of [asCamt, asMt940]) {
      const app = await household();
      const lost = write([{ ...STATEMENT, entries: STATEMENT.entries.slice(1) }]);
      const refused = await sendBytes(app, lost);
      expect([refused.status, refused.json.error.code]).toEqual([422, 'BALANCE_MISMATCH']);
      expect(refused.json.error.balance_proof.results).toMatchObject([
        {
          status: 'broken',
          method: 'statement_balances',
          first_break: { difference: '-5.00', likely_cause: 'missing_row' },
        },
      ]);
      expect((await app.request('GET', '/api/v1/imports')).json.imports).toEqual([]);
      const whole = await sendBytes(app, write([STATEMENT]));
      expect(whole.json.balance_proof).toMatchObject({
        status: 'proved',
        results: [{ opening_balance: '100.00', closing_balance: '80.00', rows_checked: 2, ledger_difference: '0.00' }],
      });
      const [account] = (await app.request('GET', '/api/v1/accounts')).json;
      expect(account.balance_current).toBe('80.00');
    }
  });

  test('a gap between statements gets a warning, and the statement in between closes it', async () => {
    const month = (n: number, opening: number): SampleStatement => ({
      ...STATEMENT,
      openingCents: opening,
      openingDate: `2026-0${n}-01`,
      closingCents: opening - 1_000,
      closingDate: `2026-0${n}-28`,
      entries: [{ date: `2026-0${n}-10`, cents: 1_000, text: `RENT ${n}`, id: `R${n}` }],
    });
    const [january, february, march] = [month(1, 9_000), month(2, 8_000), month(3, 7_000)];
    const app = await household();
    const continuity = ({ json }: Answer): unknown => json.balance_proof.results[0].continuity.status;
    expect(continuity(await sendBytes(app, asCamt([january])))).toBe('first');
    const gap = await sendBytes(app, asCamt([march]));
    expect([continuity(gap), codes(gap)]).toEqual(['gap', ['GAP_BEFORE_FILE']]);
    expect(continuity(await sendBytes(app, asMt940([february])))).toBe('linked');
    expect(['linked', 'overlap']).toContain(continuity(await sendBytes(app, asCamt([march]))));
  });

  test('two entries with one FITID and different content are both kept and found again', async () => {
    const app = await household();
    const file = ofxFile({
      entries: [
        { id: 'A1', date: '2026-01-02', amount: '-3.50', text: 'COFFEE' },
        { id: 'A1', date: '2026-01-02', amount: '-9.00', text: 'BOOKS' },
      ],
    });
    const done = await sendBytes(app, file);
    expect([done.json.counts.added, codes(done)]).toEqual([2, ['BANK_ID_NOT_UNIQUE']]);
    expect((await sendBytes(app, file)).json).toMatchObject({ change_set_id: null, counts: { duplicate: 2 } });
  });

  test('every spelling of an OFX statement gives the same rows', async () => {
    const app = await household();
    const file = ofxFile({ entries: [{ id: 'A1', date: '2026-01-02', amount: '-3.50', text: 'COFFEE & TEA' }] });
    const body = file.slice(file.indexOf('<OFX>'));
    const closed = body
      .replace('COFFEE & TEA', 'COFFEE &amp; TEA')
      .replace(
        /<(CODE|SEVERITY|ORG|FID|CURDEF|BANKID|ACCTID|ACCTTYPE|TRNTYPE|DTPOSTED|TRNAMT|FITID|NAME)>([^<\n]*)/g,
        '<$1>$2</$1>',
      );
    const spellings = [
      file,
      file.replaceAll('\n', '\r\n'),
      `OFXHEADER:100\nDATA:OFXSGML\n\n${body.replaceAll('\n', '')}`,
      `<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="211"?>${closed}`,
    ];
    for (const [index, spelling] of spellings.entries()) {
      const done = await sendBytes(app, spelling);
      expect([done.status, done.json.counts.added]).toEqual([201, index === 0 ? 1 : 0]);
    }
    expect(await listed(app)).toEqual(['2026-01-02 COFFEE & TEA 3.50']);
  });

  test('QIF: amounts that point and comma give two meanings are asked about, and the answer is followed', async () => {
    const app = await household();
    const file = '!Type:Bank\nD2026-01-02\nT-1.000\nPRENT\n^\nD2026-01-05\nT2.500\nPSALARY\n^\n';
    for (const fields of [{}, { skip_invalid: true }]) {
      const { status, json } = await sendBytes(app, file, fields);
      expect([status, json.error.code, json.error.details[0].path]).toEqual([
        422,
        'AMBIGUOUS_FORMAT',
        'decimal_separator',
      ]);
      expect(json.error.candidates).toMatchObject([
        { parameter: 'decimal_separator', values: [{ read_as: '-1.00' }, { read_as: '-1000.00' }] },
      ]);
    }
    const preview = (await sendBytes(app, file, { dry_run: true })).json;
    expect([preview.ready, preview.blockers[0].parameter]).toEqual([false, 'decimal_separator']);
    expect((await sendBytes(app, file, { decimal_separator: ',' })).status).toBe(201);
    expect(await listed(app)).toEqual(['2026-01-05 SALARY -2500.00', '2026-01-02 RENT 1000.00']);
  });

  test('QIF: an ambiguous date order is asked about, and an apostrophe counts as a slash', async () => {
    const app = await household();
    const open = '!Type:CCard\nD3/4/2025\nT-3.50\nPCOFFEE\n^\n';
    const asked = await sendBytes(app, open);
    expect([asked.status, asked.json.error.code]).toEqual([422, 'AMBIGUOUS_FORMAT']);
    expect(asked.json.error.candidates[0]).toMatchObject({
      parameter: 'date_format',
      values: [{ read_as: expect.stringMatching(/^2025-0[34]-0[34]$/) }, { read_as: expect.any(String) }],
    });
    expect((await sendBytes(app, open, { date_format: 'DD/MM/YYYY' })).json.first_date).toBe('2025-04-03');
    const [card] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(card).toMatchObject({ type: 'credit', subtype: 'credit card' });
    const old = await sendBytes(app, "!Type:Bank\nD6/25'95\nT1,200.00\nPGIFT\n^\n", { account_name: 'Old' });
    expect([old.status, await listed(app)]).toEqual([201, ['2025-04-03 COFFEE 3.50', '1995-06-25 GIFT -1200.00']]);
  });

  test('pending entries of a statement are left out, or imported and later posted', async () => {
    const app = await household();
    const file = (status: string, date = '2026-01-15'): string =>
      camtFile(
        camtBalance('CLBD', '10.00', '2026-01-31') +
          camtEntry({
            status: `<Sts>${status}</Sts>`,
            date: `<BookgDt><Dt>${date}</Dt></BookgDt>`,
            more: '<NtryDtls><TxDtls><RmtInf><Ustrd>COFFEE HOUSE</Ustrd></RmtInf></TxDtls></NtryDtls>',
          }),
      );
    const left = await sendBytes(app, file('PDNG'));
    expect([left.json.counts, codes(left)]).toMatchObject([{ added: 0, skipped: 1, pending: 1 }, ['PENDING_SKIPPED']]);
    await sendBytes(app, file('PDNG'), { pending: 'import' });
    const [pending] = (await app.request('GET', '/api/v1/transactions')).json.transactions;
    expect(pending).toMatchObject({ pending: true, date: '2026-01-15' });
    const posted = await sendBytes(app, file('BOOK', '2026-01-17'), { accept_unproved: true });
    expect(posted.json.skipped_rows).toMatchObject([
      { outcome: 'updated', reason: 'POSTED', transaction_id: pending.id },
    ]);
    const [now] = (await app.request('GET', '/api/v1/transactions')).json.transactions;
    expect(now).toMatchObject({ id: pending.id, pending: false, date: '2026-01-17' });
  });

  test('a wrong sign for a file with balances is refused, and the error names the right one', async () => {
    const app = await household();
    const file = csvWithBalance(10_000, '2026-01-02 A -1.00', '2026-01-03 B -2.00', '2026-01-04 C 5.00');
    const refused = await importFile(app, file, { sign: 'positive_is_out', account_type: 'depository' });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'BALANCE_MISMATCH']);
    expect(refused.json.error.balance_proof.proves_with).toEqual([{ parameter: 'sign', value: 'positive_is_in' }]);
    const preview = await previewFile(app, file, { sign: 'positive_is_out', account_type: 'depository' });
    expect([preview.json.ready, codes(preview)]).toEqual([false, expect.arrayContaining(['SIGN_CONTRADICTS_BALANCE'])]);
  });

  test('leaving out an unreadable row of a file with balances breaks its proof', async () => {
    const app = await household();
    const rows = ['2026-01-02 A -1.00', '2026-01-03 B -2.00', '2026-01-04 C -3.00', '2026-01-05 D -4.00'];
    const file = csvWithBalance(10_000, ...rows).replace('2026-01-03', '2026-02-31');
    const fields = { skip_invalid: true, date_format: 'YYYY-MM-DD' };
    const refused = await importFile(app, file, fields);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'BALANCE_MISMATCH']);
    const taken = await importFile(app, file, { ...fields, accept_unproved: true });
    expect([taken.json.import.counts, taken.json.import.balance_proof.status]).toMatchObject([
      { total: 4, added: 3, invalid: 1 },
      'broken',
    ]);
    expect(codes(taken)).toEqual(expect.arrayContaining(['INVALID_SKIPPED', 'PROOF_OVERRIDDEN']));
    const { json } = await app.request('GET', `/api/v1/accounts/${taken.json.account_id}/balances`);
    expect(json.balances).toEqual([]);
  });

  test('no currency becomes dollars by default', async () => {
    const app = await household();
    const file = 'Date,Description,Amount\n2026-01-02,COFFEE,-$3.50\n2026-01-03,TEA,-$2.00\n';
    const done = await importFile(app, file);
    expect([done.json.import.totals[0].iso_currency_code, codes(done)]).toEqual([
      null,
      expect.arrayContaining(['CURRENCY_UNKNOWN']),
    ]);
    const stated = await importFile(app, file, { account_name: 'Other', iso_currency_code: 'usd' });
    expect(stated.json.import.totals[0].iso_currency_code).toBe('USD');
    const known = await importFile(app, file.replace('-$3.50', '-$4.70'), { account_name: 'Other' });
    expect(known.json.import.totals[0].iso_currency_code).toBe('USD');
  });
});
