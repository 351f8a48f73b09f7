import { expect, test } from 'vitest';

import { importFile, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

const NUMBER = '4111222233334444';

/** A card statement of a bank; each row as `id date amount text`. */
function cardOf(bank: string, ...rows: readonly string[]): string {
  const entries = rows.map((row) => {
    const [id, date, amount, ...text] = row.split(' ');
    return `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${date}<TRNAMT>${amount}<FITID>${bank}${id}<NAME>${text.join(' ')}</STMTTRN>`;
  });
  return [
    'OFXHEADER:100\nDATA:OFXSGML\n',
    `<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>${bank}<FID>${bank.length}</FI></SONRS></SIGNONMSGSRSV1>`,
    `<CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>${NUMBER}</CCACCTFROM>`,
    `<BANKTRANLIST>${entries.join('\n')}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
  ].join('\n');
}

/** A table whose rows name the account, with columns in the words of its bank. */
function tableOf(header: string, ...rows: readonly string[]): string {
  return `${header}\n${rows.map((row) => `${NUMBER},${row}`).join('\n')}\n`;
}

const JANUARY = ['1 20260105 -10.00 COFFEE', '2 20260112 -20.00 BOOKS', '3 20260119 -30.00 SHOES'];
const FEBRUARY = ['4 20260205 -11.00 COFFEE', '5 20260212 -21.00 BOOKS'];

forEachDatabase((database) => {
  test('one number at two banks is asked about, and each bank’s later files find their own account', async () => {
    const app = await openHousehold(database);
    const first = await sendBytes(app, cardOf('First', ...JANUARY));
    const other = cardOf('Second Bank', '7 20260207 -5.00 TEA');
    const asked = await sendBytes(app, other);
    expect([asked.status, asked.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(asked.json.error.details.map(({ path }: { path: string }) => path)).toEqual(['account_id', 'account_name']);
    const preview = await sendBytes(app, other, { dry_run: true });
    expect([preview.json.ready, preview.json.detection.account.confidence]).toEqual([false, 'ambiguous']);
    const second = await sendBytes(app, other, { account_name: 'Second' });
    expect([second.status, second.json.account_id === first.json.account_id]).toEqual([201, false]);

    const later = await sendBytes(app, cardOf('Second Bank', '8 20260307 -6.00 TEA'));
    expect([later.status, later.json.account_id]).toEqual([201, second.json.account_id]);
    const next = await sendBytes(app, cardOf('First', ...FEBRUARY));
    expect([next.status, next.json.account_id]).toEqual([201, first.json.account_id]);
    // Which of the two a file without a bank means is open.
    const plain = await importFile(app, tableOf('Account,Date,Description,Amount', '2026-04-01,RENT,-7.00'));
    expect([plain.status, plain.json.error.details.length]).toEqual([400, 3]);
  });

  test('a file of another bank goes to the account that has its rows, or that the request names', async () => {
    const app = await openHousehold(database);
    const { json } = await sendBytes(app, cardOf('First', ...JANUARY));
    const renamed = await sendBytes(app, cardOf('First Bank plc', ...JANUARY.slice(1)));
    expect([renamed.status, renamed.json.account_id]).toEqual([201, json.account_id]);
    expect(renamed.json.detection.account.evidence).toEqual(['content', 'ledger_overlap']);
    expect((await sendBytes(app, cardOf('First Bank plc', ...FEBRUARY))).json.account_id).toBe(json.account_id);
    const merged = cardOf('Third', '9 20260309 -9.00 TEA');
    const chosen = await sendBytes(app, merged, { account_id: json.account_id });
    expect([chosen.status, chosen.json.account_id]).toEqual([201, json.account_id]);
    expect((await sendBytes(app, cardOf('Third', '10 20260310 -9.50 TEA'))).json.account_id).toBe(json.account_id);
  });

  test('tables of two banks with one number, the same weeks and no row in common are asked about', async () => {
    const app = await openHousehold(database);
    const days = ['02', '09', '13', '19', '23', '27'];
    const one = tableOf('Account,Date,Description,Amount', ...days.map((day) => `2026-01-${day},COFFEE,-${day}.10`));
    const two = tableOf('Konto,Datum,Text,Betrag', ...days.map((day) => `2026-01-${day},MIETE,-${day}.90`));
    const first = await importFile(app, one);
    const asked = await importFile(app, two);
    expect([asked.status, asked.json.error?.details[0].path]).toEqual([400, 'account_id']);
    const second = await importFile(app, two, { account_name: 'Zweite' });
    expect(second.json.account_id).not.toBe(first.json.account_id);
    expect((await importFile(app, one.replaceAll('2026-01', '2026-02'))).json.account_id).toBe(first.json.account_id);
    expect((await importFile(app, two.replaceAll('2026-01', '2026-02'))).json.account_id).toBe(second.json.account_id);
    // Another form of the first bank's own rows needs no question.
    const form = tableOf('Account,Date,Payee,Amount', ...days.map((day) => `2026-01-${day},Coffee,-${day}.10`));
    expect((await importFile(app, form)).json.account_id).toBe(first.json.account_id);
    expect((await app.request('GET', '/api/v1/transactions?limit=100')).json.transactions).toHaveLength(24);
  });

  test('reverting the import that told two banks apart forgets it', async () => {
    const app = await openHousehold(database);
    await sendBytes(app, cardOf('First', ...JANUARY));
    const other = cardOf('Second', '7 20260207 -5.00 TEA');
    const { json } = await sendBytes(app, other, { account_name: 'Second' });
    await app.request('POST', `/api/v1/imports/${json.id}/revert`, { body: {} });
    expect((await sendBytes(app, cardOf('Second', '8 20260307 -6.00 TEA'))).status).toBe(400);
    expect((await sendBytes(app, other)).json.account_id).toBe(json.account_id);
  });
});
