import { expect, test } from 'vitest';

import { listed, sendBytes, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { ofxFile, type OfxEntry } from '../../../../test/harness/bank-files/ofx-files.ts';
import { asCamt, asMt940 } from '../../../../test/harness/bank-files/statement-files.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const COFFEE: OfxEntry = { id: 'A1', date: '2026-01-02', amount: '-3.50', text: 'COFFEE' };
const SALARY: OfxEntry = { id: 'A2', date: '2026-01-05', amount: '900.00', text: 'SALARY' };
const BETTER: OfxEntry = {
  id: 'A3',
  date: '2026-01-03',
  amount: '-4.50',
  text: 'COFFEE HOUSE',
  corrects: ['REPLACE', 'A1'],
};
const GONE: OfxEntry = { id: 'A4', date: '2026-01-06', amount: '-3.50', text: 'COFFEE', corrects: ['DELETE', 'A1'] };

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  async function send(app: TestApp, entries: readonly OfxEntry[], fields: Fields = {}): Promise<Answer> {
    const done = await sendBytes(app, ofxFile({ entries }), fields);
    expect([done.status, done.json.error?.message]).toEqual([201, undefined]);
    return done;
  }

  function outcomes(answer: Answer): string[] {
    return answer.json.skipped_rows.map(
      (row: Record<string, string>) => `${row['line']} ${row['outcome']} ${row['reason']}`,
    );
  }

  test('a record that the bank replaces is changed and keeps its id, however the file is cut', async () => {
    const app = await household();
    await send(app, [COFFEE, SALARY]);
    const ids = await rowsOf(app.app.instance.database, 'select id from transactions order by id');
    const better = await send(app, [BETTER]);
    expect([better.json.counts, outcomes(better)]).toMatchObject([
      { updated: 1, added: 0 },
      ['1 updated CHANGED_BY_BANK'],
    ]);
    const wanted = ['2026-01-05 SALARY -900.00', '2026-01-03 COFFEE HOUSE 4.50'];
    expect(await listed(app)).toEqual(wanted);
    expect(await rowsOf(app.app.instance.database, 'select id from transactions order by id')).toEqual(ids);
    for (const entries of [[BETTER], [COFFEE, SALARY], [COFFEE, SALARY, BETTER], [BETTER, SALARY, COFFEE]]) {
      const again = await send(app, entries);
      expect(again.json.change_set_id).toBeNull();
      expect(await listed(app)).toEqual(wanted);
    }
  });

  test('a German account is the same by its IBAN and by its bank code and number', async () => {
    const statement = {
      account: 'DE89370400440532013000',
      openingCents: 10_000,
      openingDate: '2026-01-01',
      closingCents: 9_500,
      closingDate: '2026-01-31',
      entries: [{ date: '2026-01-02', cents: 500, text: 'COFFEE', id: 'A1' }],
    };
    const shortly = { ...statement, account: '37040044/532013000' };
    for (const files of [
      [asCamt([statement]), asMt940([shortly])],
      [asMt940([shortly]), asCamt([statement])],
    ]) {
      const app = await household();
      for (const file of files) expect((await sendBytes(app, file)).status).toBe(201);
      expect(await listed(app)).toEqual(['2026-01-02 COFFEE 5.00']);
      const other = asMt940([{ ...statement, account: '37040044/532013001' }]);
      expect((await sendBytes(app, other)).json.counts).toMatchObject({ added: 1 });
    }
  });

  test('a replacement counts alone if what it replaces is in its own file, or unknown', async () => {
    for (const files of [[[COFFEE, BETTER]], [[BETTER, COFFEE]], [[BETTER]], [[BETTER], [COFFEE]]]) {
      const app = await household();
      for (const entries of files) await send(app, entries);
      expect(await listed(app)).toEqual(['2026-01-03 COFFEE HOUSE 4.50']);
    }
    const app = await household();
    const both = await send(app, [COFFEE, BETTER]);
    expect([both.json.counts, outcomes(both)]).toMatchObject([
      { total: 2, added: 1, skipped: 1 },
      ['1 skipped STATUS_IGNORED'],
    ]);
    const later: OfxEntry = {
      id: 'A5',
      date: '2026-03-30',
      amount: '-5.00',
      text: 'COFFEE',
      corrects: ['REPLACE', 'A3'],
    };
    expect((await send(app, [later])).json.counts).toMatchObject({ updated: 1, added: 0 });
    expect(await listed(app)).toEqual(['2026-03-30 COFFEE 5.00']);
  });

  test('a record that the bank deletes is removed, and comes back with a revert', async () => {
    const app = await household();
    await send(app, [COFFEE, SALARY]);
    const gone = await send(app, [GONE]);
    expect([gone.json.counts, outcomes(gone)]).toMatchObject([
      { total: 1, updated: 1, removed: 1, added: 0 },
      ['1 updated CHANGED_BY_BANK'],
    ]);
    expect(await listed(app)).toEqual(['2026-01-05 SALARY -900.00']);
    const again = await send(app, [GONE]);
    expect([outcomes(again), again.json.change_set_id]).toEqual([['1 duplicate SAME_BANK_ID'], null]);
    expect((await app.request('POST', `/api/v1/change-sets/${gone.json.change_set_id}/revert`)).status).toBe(200);
    expect(await listed(app)).toEqual(['2026-01-05 SALARY -900.00', '2026-01-02 COFFEE 3.50']);
    const unknown = await send(app, [{ ...GONE, corrects: ['DELETE', 'Z9'] }]);
    expect(outcomes(unknown)).toEqual(['1 skipped UNSUPPORTED_RECORD']);
  });

  test('a deletion also counts within its own file, and leaves alone what a person deleted', async () => {
    const app = await household();
    const within = await send(app, [COFFEE, SALARY, GONE]);
    expect([within.json.counts, outcomes(within)]).toMatchObject([
      { total: 3, added: 1, skipped: 2 },
      ['1 skipped STATUS_IGNORED', '3 skipped STATUS_IGNORED'],
    ]);
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    await app.request('DELETE', `/api/v1/transactions/${transactions[0].id}`);
    const gone = await send(app, [{ ...GONE, corrects: ['DELETE', 'A2'] }]);
    expect(outcomes(gone)).toEqual(['1 deleted DELETED_BY_PERSON']);
  });

  test('a replaced row keeps what a person decided about it', async () => {
    const app = await household();
    await send(app, [COFFEE]);
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const path = `/api/v1/transactions/${transactions[0].id}`;
    await app.request('PATCH', `${path}/category`, { body: { category_slug: 'food_and_drink_coffee' } });
    const before = (await app.request('GET', path)).json;
    await send(app, [BETTER]);
    expect((await app.request('GET', path)).json).toMatchObject({ category: before.category, amount: '4.50' });
  });
});
