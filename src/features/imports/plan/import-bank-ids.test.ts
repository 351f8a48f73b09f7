import { expect, test } from 'vitest';

import { listed, takeFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { asCamt, asMt940, type SampleStatement } from '../../../../test/harness/bank-files/statement-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

interface Row {
  id: string;
  date: string;
  text: string;
  amount: string;
}

/** The two formats whose rows carry the bank's own ids. */
const WRITTEN: Record<string, (...rows: readonly Row[]) => string> = {
  csv: (...rows) =>
    `Transaction ID,Date,Description,Amount\n${rows.map(({ id, date, text, amount }) => `${id},${date},${text},${amount}`).join('\n')}\n`,
  ofx: (...rows) => ofxFile({ entries: rows }),
};
/** Statements of both kinds state balances of their own; QIF has no ids, only rows. */
const STATEMENTS: typeof WRITTEN = {
  camt: (...rows) => asCamt([statementOf(rows)]),
  mt940: (...rows) => asMt940([statementOf(rows)]),
  qif: (...rows) =>
    `!Type:Bank\n${rows.map(({ date, text, amount }) => `D${date}\nT${amount}\nP${text}\n^`).join('\n')}\n`,
};

function statementOf(rows: readonly Row[]): SampleStatement {
  const entries = rows.map(({ id, date, text, amount }) => ({
    id,
    date,
    text,
    cents: -Math.round(Number(amount) * 100),
  }));
  const [first, last] = [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''];
  const closingCents = entries.reduce((sum, { cents }) => sum - cents, 500_000);
  return {
    account: 'DE89370400440532013000',
    openingCents: 500_000,
    closingCents,
    openingDate: first,
    closingDate: last,
    entries,
  };
}

const COFFEE: Row = { id: 'A1', date: '2026-01-02', text: 'COFFEE', amount: '-3.50' };
const RENT: Row = { id: 'A1', date: '2026-01-20', text: 'RENT', amount: '-800.00' };

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  const codes = (json: Answer['json']): string[] => json.warnings.map((one: { code: string }) => one.code);

  test.for(Object.keys(WRITTEN))(
    '%s: an id that the bank gives to another movement adds that one, once',
    async (format) => {
      const app = await household();
      const file = WRITTEN[format] as (...rows: readonly Row[]) => string;
      await takeFile(app, file(COFFEE));
      const second = await takeFile(app, file(RENT));
      expect([second.counts, codes(second)]).toMatchObject([
        { added: 1, updated: 0, duplicate: 0 },
        expect.arrayContaining(['BANK_ID_REUSED']),
      ]);
      const both = ['2026-01-20 RENT 800.00', '2026-01-02 COFFEE 3.50'];
      expect(await listed(app)).toEqual(both);
      for (const row of [COFFEE, RENT]) {
        expect((await takeFile(app, file(row))).counts).toMatchObject({ added: 0, updated: 0, duplicate: 1 });
      }
      const together = await takeFile(app, file(COFFEE, RENT));
      expect(together.counts).toMatchObject({ added: 0, updated: 0, duplicate: 2 });
      expect(await listed(app)).toEqual(both);
    },
  );

  test.for(Object.keys(WRITTEN))(
    '%s: an id that comes back outside the days of the file changes nothing',
    async (format) => {
      const app = await household();
      const file = WRITTEN[format] as (...rows: readonly Row[]) => string;
      await takeFile(app, file(COFFEE));
      for (const date of ['2026-02-02', '2026-03-06']) {
        const later = file({ ...COFFEE, date });
        expect((await takeFile(app, later)).counts).toMatchObject({ added: 1, updated: 0 });
        expect((await takeFile(app, later)).counts).toMatchObject({ added: 0, duplicate: 1 });
      }
      const all = ['2026-03-06 COFFEE 3.50', '2026-02-02 COFFEE 3.50', '2026-01-02 COFFEE 3.50'];
      expect(await listed(app)).toEqual(all);
    },
  );

  const EVERY = { ...WRITTEN, ...STATEMENTS };
  test.for(Object.keys(EVERY))('%s: ids that begin anew in each file overwrite nothing', async (format) => {
    const app = await household();
    const file = EVERY[format] as (...rows: readonly Row[]) => string;
    const month = (name: string, ...rows: readonly [day: string, text: string, amount: string][]): string =>
      file(...rows.map(([day, text, amount], at) => ({ id: String(at + 1), date: `${name}-${day}`, text, amount })));
    const files = [
      month('2026-03', ['03', 'RENT', '-700.00'], ['25', 'SALARY', '2000.00']),
      month('2026-04', ['03', 'RENT', '-720.00'], ['25', 'SALARY', '2100.00']),
      month('2026-05', ['04', 'RENT', '-720.00'], ['25', 'SALARY', '2100.00'], ['26', 'BAKER', '-3.00']),
    ];
    for (const [at, one] of files.entries())
      expect((await takeFile(app, one)).counts).toMatchObject({ added: at === 2 ? 3 : 2, updated: 0 });
    const [{ id }] = (await app.request('GET', '/api/v1/transactions?sort=date&order=asc')).json.transactions;
    await app.request('POST', `/api/v1/transactions/${id}/comments`, { body: { body: 'Of March' } });
    const before = (await app.request('GET', '/api/v1/transactions')).json.transactions;
    expect(before).toHaveLength(7);
    expect((await app.request('GET', `/api/v1/transactions/${id}`)).json).toMatchObject({ date: '2026-03-03' });
    for (const one of files) expect(await takeFile(app, one)).toMatchObject({ change_set_id: null });
    expect((await app.request('GET', '/api/v1/transactions')).json.transactions).toEqual(before);
    expect((await app.request('GET', `/api/v1/transactions/${id}/comments`)).json).toMatchObject([
      { body: 'Of March' },
    ]);
  });

  test.for(Object.keys(WRITTEN))('%s: the same days under new ids double nothing', async (format) => {
    const app = await household();
    const file = WRITTEN[format] as (...rows: readonly Row[]) => string;
    const days = ['02', '03', '04', '05'].map((day, at) => ({
      id: `A${at}`,
      date: `2026-01-${day}`,
      text: `SHOP ${day}`,
      amount: `-${at + 1}.10`,
    }));
    const renamed = days.map((row) => ({ ...row, id: `B${row.id}` }));
    await takeFile(app, file(...days));
    const again = await takeFile(app, file(...renamed, { ...COFFEE, id: 'BX', date: '2026-01-06' }));
    expect(again).toMatchObject({ counts: { added: 1, duplicate: 4 }, accounts: [{ bank_ids: 'ignored' }] });
    expect(codes(again)).not.toContain('PROBABLE_DUPLICATES');
    const oneDay = await takeFile(app, file({ ...COFFEE, id: 'CX', date: '2026-01-06' }, { ...RENT, id: 'CY' }));
    expect(oneDay.counts).toMatchObject({ added: 1, duplicate: 1 });
    expect(await listed(app)).toHaveLength(6);
  });

  test('a changed amount under one bank id changes the row and keeps what a person wrote', async () => {
    const app = await household();
    const file = WRITTEN['csv'] as (...rows: readonly Row[]) => string;
    await takeFile(app, file(COFFEE));
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const at = `/api/v1/transactions/${transactions[0].id}`;
    await app.request('PATCH', `${at}/category`, { body: { category_slug: 'travel' } });
    const comment = await app.request('POST', `${at}/comments`, { body: { body: 'With Ben' } });
    expect(comment.status, comment.text).toBe(201);
    const changed = await takeFile(app, file({ ...COFFEE, amount: '-3.80' }));
    expect(changed.counts).toMatchObject({ added: 0, updated: 1 });
    expect((await app.request('GET', at)).json).toMatchObject({ amount: '3.80', category: { slug: 'travel' } });
    expect((await app.request('GET', `${at}/comments`)).json).toMatchObject([{ body: 'With Ben' }]);
    expect((await takeFile(app, file({ ...COFFEE, amount: '-3.80' }))).counts).toMatchObject({
      duplicate: 1,
      updated: 0,
    });
  });

  const IN_OFX: Row = { id: 'F1', date: '2026-01-02', text: 'COFFEE ROASTERS 0042', amount: '-3.50' };

  test.for([
    ['csv', 'ofx', '2026-01-02 COFFEE'],
    ['ofx', 'csv', '2026-01-02 COFFEE ROASTERS 0042'],
  ])('%s, then %s: the words of the other source are no news when it comes again', async ([one, other, texts]) => {
    const app = await household();
    const file = (format = ''): string =>
      (WRITTEN[format] as (...rows: readonly Row[]) => string)(format === 'csv' ? COFFEE : IN_OFX);
    await takeFile(app, file(one));
    expect((await takeFile(app, file(other))).counts).toMatchObject({ added: 0 });
    for (const format of [other, one, other]) {
      const again = await takeFile(app, file(format));
      expect(again).toMatchObject({ counts: { updated: 0, duplicate: 1 }, change_set_id: null });
      expect(await listed(app)).toEqual([`${texts} 3.50`]);
    }
  });
});
