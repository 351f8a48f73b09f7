import { expect, test } from 'vitest';

import { csvOf, listed, sendBytes, takeFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import { forEachDatabase, type TestApp } from '../../../../test/harness/test-app.ts';

const COFFEE = { id: 'A1', date: '2026-01-02', text: 'COFFEE', amount: '-3.50' };
const TEA = { id: 'A2', date: '2026-01-03', text: 'TEA', amount: '-1.00' };
type Row = typeof COFFEE;

/** A file of these rows, and the line of its first one. */
const FILES: Record<string, { write: (...rows: readonly Row[]) => string; line: number }> = {
  'without ids': {
    write: (...rows) => csvOf(...rows.map(({ date, text, amount }) => `${date} ${text} ${amount}`)),
    line: 2,
  },
  'with ids of a column': {
    write: (...rows) =>
      `Transaction ID,Date,Description,Amount,Currency\n${rows.map((row) => `${row.id},${row.date},${row.text},${row.amount},EUR`).join('\n')}\n`,
    line: 2,
  },
  'with ids of OFX': { write: (...rows) => ofxFile({ entries: rows }), line: 1 },
};

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  test.for(Object.keys(FILES))('%s: a row that a person adds although it is known is one more, once', async (kind) => {
    const app = await household();
    const { write, line } = FILES[kind] as (typeof FILES)[string];
    await takeFile(app, write(COFFEE));
    const both = await takeFile(app, write(COFFEE, TEA), { include_lines: [line] });
    expect(both.counts).toMatchObject({ total: 2, added: 2, duplicate: 0 });
    const all = ['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50', '2026-01-02 COFFEE 3.50'];
    expect(await listed(app)).toEqual(all);
    for (const rows of [[COFFEE], [COFFEE, TEA], [TEA]]) {
      const again = await takeFile(app, write(...rows));
      expect(again.counts).toMatchObject({ added: 0, updated: 0, duplicate: rows.length });
    }
    expect(await listed(app)).toEqual(all);

    const revert = await app.request('POST', `/api/v1/imports/${both.id}/revert`, { body: {} });
    expect(revert.status, revert.text).toBe(200);
    // The file of the tea alone is in force and lists it.
    expect(await listed(app)).toEqual(['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50']);
    const wider = await takeFile(app, write(COFFEE, TEA, { ...TEA, id: 'T9', date: '2026-01-05' }));
    expect(wider.counts).toMatchObject({ added: 1, duplicate: 2 });
    expect(await listed(app)).toEqual(['2026-01-05 TEA 1.00', '2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50']);
  });

  test.for(Object.keys(FILES))('%s: a row that a person deleted comes back under its id on request', async (kind) => {
    const app = await household();
    const { write, line } = FILES[kind] as (typeof FILES)[string];
    await takeFile(app, write(COFFEE, TEA));
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const { id } = transactions.find((one: { name: string }) => one.name === 'COFFEE');
    expect((await app.request('DELETE', `/api/v1/transactions/${id}`)).status).toBe(204);
    expect((await takeFile(app, write(COFFEE, TEA))).counts).toMatchObject({ added: 0, deleted: 1, duplicate: 1 });
    const restored = await takeFile(app, write(COFFEE, TEA), { include_lines: [line] });
    expect(restored.counts).toMatchObject({ added: 0, updated: 1, duplicate: 1, deleted: 0 });
    expect((await app.request('GET', `/api/v1/transactions/${id}`)).json).toMatchObject({
      name: 'COFFEE',
      amount: '3.50',
    });
    expect((await takeFile(app, write(COFFEE, TEA))).counts).toMatchObject({ duplicate: 2 });
    expect(await listed(app)).toEqual(['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50']);
  });

  test('a line that cannot be included says why, at every door and in a preview', async () => {
    const app = await household();
    const file = [
      'Date,Description,Amount,Currency,Status',
      '2026-01-02,COFFEE,-3.50,EUR,Completed',
      '2026-01-03,HOTEL,-80.00,EUR,Pending',
      '2026-01-04,TAXI,-9.00,EUR,Declined',
      '2026-01-05,TEA,-1.0x,EUR,Completed',
      '',
    ].join('\n');
    const refused = {
      3: 'line 3 is pending, and pending rows are skipped. Send pending: import to take them.',
      4: 'line 4 has a status that moves no money',
      5: 'line 5 cannot be read',
      9: 'line 9 is not a data row.',
    };
    for (const [line, message] of Object.entries(refused)) {
      const fields = { account_name: 'Giro', sign: 'positive_is_in', pending: 'skip', skip_invalid: true };
      for (const dry_run of [true, false]) {
        const { status, json } = await sendBytes(app, file, { ...fields, dry_run, include_lines: [Number(line)] });
        expect([status, json.error?.details?.[0]], line).toMatchObject([
          400,
          { path: 'include_lines', message: expect.stringContaining(message) },
        ]);
      }
      // To leave out what is left out anyway is no mistake.
      const dry = await sendBytes(app, file, { ...fields, dry_run: true, exclude_lines: [4] });
      expect(dry.status, dry.text).toBe(200);
    }
    const taken = await sendBytes(app, file, {
      account_name: 'Giro',
      sign: 'positive_is_in',
      pending: 'import',
      skip_invalid: true,
      include_lines: [3],
    });
    expect([taken.status, taken.json.counts?.added], taken.text).toEqual([201, 2]);
  });
});
