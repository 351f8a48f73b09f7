import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { listed, sendBytes, takeFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

interface FieldCase {
  readonly id: string;
  readonly steps: readonly { readonly file: string; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly expect: readonly (readonly [date: string, amount: string, currency: string])[];
}

const FIELD = 'test/fixtures/field';
const CASES = JSON.parse(readFileSync(`${FIELD}/cases.json`, 'utf8')) as FieldCase[];
const OVER_SEVERAL_FILES = ['h01', 'h02', 'h03', 'h12'];

forEachDatabase((database) => {
  async function rows(app: TestApp): Promise<string[]> {
    const { json } = await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } });
    return json.transactions
      .map((one: Record<string, string>) => `${one['date']} ${one['amount']} ${one['iso_currency_code']}`)
      .sort();
  }

  test.for(OVER_SEVERAL_FILES)(
    '%s: every row once, twice imported changes nothing, reverted leaves nothing',
    async (id) => {
      const app = await openHousehold(database);
      const one = CASES.find((known) => known.id === id) as FieldCase;
      const wanted = one.expect.map((row) => row.join(' ')).sort();
      const imports: string[] = [];
      for (const round of [1, 2]) {
        for (const { file, fields } of one.steps) {
          app.clock.advance(1_000);
          const { status, json } = await sendBytes(app, readFileSync(`${FIELD}/${file}`), fields);
          expect(status, JSON.stringify(json)).toBe(201);
          if (round === 1) imports.push(json.id);
          else expect(json.change_set_id).toBeNull();
        }
        expect(await rows(app)).toEqual(wanted);
      }
      // Twice: what comes over to an import that changed nothing itself goes with that (36.11).
      for (const at of [...imports.toReversed(), ...imports.toReversed()])
        await app.request('POST', `/api/v1/imports/${at}/revert`, { body: {} });
      expect(await rows(app)).toEqual([]);
    },
  );

  const pendingFile = (...lines: readonly string[]): string => `Date,Description,Amount,Status\n${lines.join('\n')}\n`;
  const BEFORE = ['2026-03-01,START,-1.00,Posted', '2026-03-03,HOTEL HOLD,-90.00,Pending'];
  const AFTER = ['2026-03-12,GRAND HOTEL LISBON,-90.00,Posted', '2026-03-31,END,-2.00,Posted'];

  test('a pending row that files cover for 15 days is gone, and what was posted in other words stands once', async () => {
    const app = await openHousehold(database);
    const options = { pending: 'import' };
    await takeFile(app, pendingFile(...BEFORE, '2026-03-09,LAST,-3.00,Posted'), options);
    const next = await takeFile(app, pendingFile('2026-03-10,FIRST,-4.00,Posted', ...AFTER), options);
    expect(next.counts).toMatchObject({ added: 3, removed: 1 });
    expect((await listed(app)).filter((row) => row.endsWith('90.00'))).toEqual(['2026-03-12 GRAND HOTEL LISBON 90.00']);
  });

  test('a pending row that no file covers stays, and the posted one beside it is named', async () => {
    const app = await openHousehold(database);
    const options = { pending: 'import' };
    await takeFile(app, pendingFile(...BEFORE, '2026-03-05,LAST,-3.00,Posted'), options);
    const held = (await app.request('GET', '/api/v1/transactions')).json.transactions.find(
      (one: { pending: boolean }) => one.pending,
    );
    const next = await takeFile(app, pendingFile('2026-03-10,FIRST,-4.00,Posted', ...AFTER), options);
    expect(next.counts).toMatchObject({ added: 3, removed: 0 });
    expect(next.warnings).toContainEqual(expect.objectContaining({ code: 'PROBABLE_DUPLICATES', lines: [3] }));
    const { json } = await app.request('GET', `/api/v1/imports/${next.id}/rows`);
    expect(json.rows[1]).toMatchObject({ match: 'probable', beside_transaction_id: held.id });
  });

  test('two equal purchases of one day, one in each of two files whose balances follow each other, are two', async () => {
    const app = await openHousehold(database);
    const file = (...lines: readonly string[]): string => `Date,Description,Amount,Balance\n${lines.join('\n')}\n`;
    await takeFile(app, file('2026-03-01,START,-1.00,99.00', '2026-03-03,COFFEE,-3.50,95.50'));
    const next = await takeFile(app, file('2026-03-03,COFFEE,-3.50,92.00', '2026-03-05,END,-2.00,90.00'));
    expect(next.counts).toMatchObject({ added: 2, duplicate: 0 });
  });
});
