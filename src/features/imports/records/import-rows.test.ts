import { expect, test } from 'vitest';

import { csvOf, importFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

interface Row {
  line: number;
  part: number;
  outcome: string;
  reason: string | null;
}

const JANUARY = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00', '2026-01-09 RENT -800.00');

forEachDatabase((database) => {
  const rowsPage = (app: TestApp, id: string, query: Record<string, string | number> = {}): Promise<Answer> =>
    app.request('GET', `/api/v1/imports/${id}/rows`, { query, key: app.readOnlyKey });

  async function pages(app: TestApp, id: string, query: Record<string, string | number> = {}): Promise<Row[]> {
    const found: Row[] = [];
    let cursor = '';
    for (;;) {
      const { status, json } = await rowsPage(app, id, { ...query, ...(cursor === '' ? {} : { cursor }) });
      expect(status).toBe(200);
      found.push(...json.rows);
      expect([json.has_more, json.next_cursor !== '']).toEqual([json.has_more, json.has_more]);
      if (json.has_more !== true) return found;
      cursor = json.next_cursor;
    }
  }

  test('every record of a file has an outcome, by line; pages of one row visit each once', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    await importFile(app, JANUARY, { account_name: 'Checking' });
    const more = `${csvOf('2026-01-02 COFFEE -3.50', '2026-01-12 FUEL -40.00')}2026-13-45,NONSENSE,-1.00,EUR\n${csvOf('2026-01-09 RENT -800.00', '2026-01-13 BOOKS -12.00').split('\n').slice(1).join('\n')}`;
    const done = await importFile(app, more, { account_name: 'Checking', skip_invalid: true, exclude_lines: [6] });
    expect(done.status).toBe(201);
    const { id, short_id: shortId } = done.json.import;
    const whole = (await rowsPage(app, id)).json;
    expect(whole).toMatchObject({ next_cursor: '', has_more: false, limit: 50 });
    expect(whole.rows.map(({ line, part, outcome, reason }: Row) => [line, part, outcome, reason])).toEqual([
      [2, 1, 'duplicate', 'SAME_CONTENT'],
      [3, 1, 'added', null],
      [4, 1, 'invalid', 'DATE_INVALID'],
      [5, 1, 'duplicate', 'SAME_CONTENT'],
      [6, 1, 'skipped', 'EXCLUDED'],
    ]);
    expect(await pages(app, id, { limit: 1 })).toEqual(whole.rows);
    expect(await pages(app, shortId, { limit: 2 })).toEqual(whole.rows);
    const lines = async (query: Record<string, string | number>): Promise<number[]> =>
      (await pages(app, id, query)).map(({ line }) => line);
    expect(await lines({ outcome: 'duplicate,added', limit: 1 })).toEqual([2, 3, 5]);
    expect(await lines({ reason: 'EXCLUDED,DATE_INVALID' })).toEqual([4, 6]);
    expect(await lines({ outcome: 'added', reason: 'EXCLUDED' })).toEqual([]);
    const [added] = (await rowsPage(app, id, { outcome: 'added' })).json.rows;
    const listed = (await app.request('GET', '/api/v1/transactions', { query: { import_id: id } })).json.transactions;
    expect(listed.map((one: { id: string }) => one.id)).toEqual([added.transaction_id]);
    expect(added).toMatchObject({ amount: '40.00', description: 'FUEL', iso_currency_code: 'EUR', raw: null });
    const [invalid] = (await rowsPage(app, id, { outcome: 'invalid' })).json.rows;
    expect(invalid.raw).toContain('NONSENSE');
  });

  test('unknown filters and imports are refused', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id } = (await importFile(app, JANUARY)).json.import;
    const other = (await importFile(app, csvOf('2026-03-01 TEA -2.00'))).json.import.id;
    for (const query of [{ outcome: 'nonsense' }, { reason: 'nonsense' }, { limit: '0' }, { limit: '501' }] as const) {
      const answer = await rowsPage(app, id, query);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
    }
    const { next_cursor: cursor } = (await rowsPage(app, id, { limit: 1 })).json;
    const numberless = Buffer.from(
      JSON.stringify([JSON.parse(Buffer.from(cursor, 'base64url').toString())[0], 'x', '1']),
    );
    for (const [place, query] of [
      [id, { cursor: 'nonsense' }],
      [id, { cursor: numberless.toString('base64url') }],
      [id, { cursor, outcome: 'added' }],
      [other, { cursor }],
    ] as const) {
      const answer = await rowsPage(app, place, query);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_CURSOR']);
    }
    for (const unknown of ['zzzzzzzz', '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10', 'x']) {
      expect((await rowsPage(app, unknown)).status).toBe(404);
    }
  });
});
