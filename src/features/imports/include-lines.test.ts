import { expect, test } from 'vitest';

import { csvOf, listed, sendBytes, type Fields } from '../../../test/harness/bank-files.ts';
import { addMember } from '../../../test/harness/ledger.ts';
import { ofxFile } from '../../../test/harness/ofx-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

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
  async function household(): Promise<TestApp> {
    const app = await database.open();
    await addMember(app, 'Ana');
    return app;
  }

  async function load(app: TestApp, text: string, fields: Fields = {}): Promise<Answer['json']> {
    app.clock.advance(1_000);
    const sign = text.startsWith('OFX') ? {} : { sign: 'positive_is_in' };
    const { status, json } = await sendBytes(app, text, { account_name: 'Giro', ...sign, ...fields });
    expect(status, JSON.stringify(json)).toBe(201);
    return json;
  }

  test.for(Object.keys(FILES))('%s: a row that a person adds although it is known is one more, once', async (kind) => {
    const app = await household();
    const { write, line } = FILES[kind] as (typeof FILES)[string];
    await load(app, write(COFFEE));
    const both = await load(app, write(COFFEE, TEA), { include_lines: [line] });
    expect(both.counts).toMatchObject({ total: 2, added: 2, duplicate: 0 });
    const all = ['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50', '2026-01-02 COFFEE 3.50'];
    expect(await listed(app)).toEqual(all);
    for (const rows of [[COFFEE], [COFFEE, TEA], [TEA]]) {
      const again = await load(app, write(...rows));
      expect(again.counts).toMatchObject({ added: 0, updated: 0, duplicate: rows.length });
    }
    expect(await listed(app)).toEqual(all);

    const revert = await app.request('POST', `/api/v1/imports/${both.id}/revert`, { body: {} });
    expect(revert.status, revert.text).toBe(200);
    expect(await listed(app)).toEqual(['2026-01-02 COFFEE 3.50']);
    const back = await load(app, write(COFFEE, TEA));
    expect(back.counts).toMatchObject({ added: 1, duplicate: 1 });
    expect(await listed(app)).toEqual(['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50']);
  });

  test.for(Object.keys(FILES))('%s: a row that a person deleted comes back under its id on request', async (kind) => {
    const app = await household();
    const { write, line } = FILES[kind] as (typeof FILES)[string];
    await load(app, write(COFFEE, TEA));
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const { id } = transactions.find((one: { name: string }) => one.name === 'COFFEE');
    expect((await app.request('DELETE', `/api/v1/transactions/${id}`)).status).toBe(204);
    expect((await load(app, write(COFFEE, TEA))).counts).toMatchObject({ added: 0, deleted: 1, duplicate: 1 });
    const restored = await load(app, write(COFFEE, TEA), { include_lines: [line] });
    expect(restored.counts).toMatchObject({ added: 0, updated: 1, duplicate: 1, deleted: 0 });
    expect((await app.request('GET', `/api/v1/transactions/${id}`)).json).toMatchObject({
      name: 'COFFEE',
      amount: '3.50',
    });
    expect((await load(app, write(COFFEE, TEA))).counts).toMatchObject({ duplicate: 2 });
    expect(await listed(app)).toEqual(['2026-01-03 TEA 1.00', '2026-01-02 COFFEE 3.50']);
  });
});
