import { expect, test } from 'vitest';

import { listed, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import {
  camtBalance,
  camtEntry,
  camtFile,
  mt940Statement,
} from '../../../../test/harness/bank-files/statement-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

/** ä, ö, ü and é as DOS programs write them. */
const DOS: Readonly<Record<string, number>> = { ä: 0x84, ö: 0x94, ü: 0x81, é: 0x82 };

function inDos(text: string): Uint8Array {
  return Uint8Array.from(text, (one) => DOS[one] ?? one.charCodeAt(0));
}

const dated = (date: string): string => camtEntry({ date: `<BookgDt><Dt>${date}</Dt></BookgDt>` });
const UNDATED = camtEntry({ date: '' });

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function take(app: TestApp, content: string | Uint8Array): Promise<Answer['json']> {
    const { status, json } = await sendBytes(app, content);
    expect(status, JSON.stringify(json)).toBe(201);
    return json;
  }

  test('a securities account with open orders gives its cash movements', async () => {
    const app = await household();
    const entry = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20250110<TRNAMT>1000<FITID>24<NAME>AT&amp;amp;T</STMTTRN>';
    const trade = '<BUYSTOCK><INVBUY><INVTRAN><FITID>23<DTTRADE>20250105</INVTRAN><TOTAL>-5</INVBUY></BUYSTOCK>';
    const order = '<OOBUYSTOCK><OO><FITID>9<DTPLACED>20250120<UNITS>1</OO><BUYTYPE>BUY</OOBUYSTOCK>';
    const list = `<INVTRANLIST>${trade}<INVBANKTRAN>${entry}</INVBANKTRAN></INVTRANLIST>`;
    const json = await take(
      app,
      `<OFX><INVSTMTRS><CURDEF>USD<INVACCTFROM><BROKERID>b<ACCTID>1</INVACCTFROM>${list}<INVOOLIST>${order}</INVOOLIST></INVSTMTRS></OFX>`,
    );
    expect(json.counts).toMatchObject({ total: 2, added: 1, skipped: 1 });
    expect(await listed(app)).toEqual(['2025-01-10 AT&T -1000.00']);
  });

  test('an undated entry in a statement of one day gets that day', async () => {
    const app = await household();
    const balances = camtBalance('OPBD', '100.00', '2025-01-14') + camtBalance('CLBD', '80.00', '2025-01-15');
    const json = await take(app, camtFile(balances + dated('2025-01-15') + UNDATED));
    expect([json.counts.added, json.balance_proof.status]).toEqual([2, 'proved']);
  });

  test('an undated entry in a statement of a month is invalid, with its number', async () => {
    const app = await household();
    const file = camtFile(dated('2025-01-10') + dated('2025-01-15') + UNDATED);
    const { status, json } = await sendBytes(app, file);
    expect([status, json.error.code, json.error.details]).toEqual([
      422,
      'INVALID_ROWS',
      [{ path: 'line 3: date', message: 'the entry has neither a booking date nor a value date' }],
    ]);
    const taken = await sendBytes(app, file, { skip_invalid: true });
    expect([taken.status, taken.json.counts]).toMatchObject([201, { added: 2, invalid: 1 }]);
    expect(taken.json.skipped_rows).toMatchObject([{ line: 3, outcome: 'invalid', reason: 'DATE_MISSING' }]);
  });

  test('a Dutch text from a DOS program gives the counterparty and the purpose', async () => {
    const app = await household();
    const text = ':61:2501150115D10,00NTRFNONREF\n:86:/EREF/NOTPROVIDED/BENM//NAME/Café Müller/REMI/huur januari';
    const json = await take(app, inDos(mt940Statement(text, 'C250101EUR100,00', 'C250131EUR90,00')));
    expect([json.detection.encoding.value, json.balance_proof.status]).toEqual(['ibm850', 'proved']);
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    expect(transactions).toMatchObject([{ name: 'huur januari', merchant_name: 'Café Müller' }]);
  });
});
