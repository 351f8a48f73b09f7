import { expect, test } from 'vitest';

import { csvOf, listed, sendBytes, takeFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const ROWS = ['2026-03-01 ONE -1.00', '2026-03-02 TWO -2.00', '2026-03-03 THREE -3.00', '2026-03-04 FOUR -4.00'];
const A = csvOf(...ROWS.slice(0, 3));
const B = csvOf(...ROWS.slice(1));
const INSIDE = csvOf(...ROWS.slice(1, 3));
const namesOf = (rows: readonly string[]): string[] => rows.map((row) => row.split(' ')[1] as string).sort();

forEachDatabase((database) => {
  const live = async (app: TestApp): Promise<string[]> => namesOf(await listed(app));
  const revert = (app: TestApp, id: string, body: object = {}): Promise<Answer> =>
    app.request('POST', `/api/v1/imports/${id}/revert`, { body });
  const undo = (app: TestApp, set: string): Promise<Answer> =>
    app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} });
  const statusOf = async (app: TestApp, id: string): Promise<string> =>
    (await app.request('GET', `/api/v1/imports/${id}`)).json.status;

  test('of two overlapping imports the first revert leaves the other’s rows, the second none', async () => {
    for (const [second, left] of [
      [B, ROWS.slice(1)],
      [INSIDE, ROWS.slice(1, 3)],
    ] as const) {
      for (const isFirstFirst of [true, false]) {
        const app = await openHousehold(database);
        const [one, two] = [await takeFile(app, A), await takeFile(app, second)];
        const order = isFirstFirst ? [one, two] : [two, one];
        if (!isFirstFirst && two.change_set_id === null) continue;
        const shown = await revert(app, order[0].id, { dry_run: true });
        expect(shown.json).toMatchObject({ kept_count: isFirstFirst ? 2 : 0 });
        const first = await revert(app, order[0].id);
        expect([first.status, first.json.import?.status], first.text).toEqual([200, 'reverted']);
        expect(await live(app)).toEqual(namesOf(isFirstFirst ? left : ROWS.slice(0, 3)));
        const next = await revert(app, order[1].id);
        expect([next.status, next.json.import?.status], next.text).toEqual([200, 'reverted']);
        expect(await live(app)).toEqual([]);
        const sets = [first, next].map(({ headers }) => String(headers['x-change-set-id']));
        for (const set of isFirstFirst ? sets : sets.toReversed()) expect((await undo(app, set)).status).toBe(200);
        expect(await live(app)).toEqual(namesOf(second === B ? ROWS : ROWS.slice(0, 3)));
        for (const { id } of order) expect(await statusOf(app, id)).toBe('completed');
      }
    }
  });

  test('of three that overlap, what the last lists stays to the end; a copy of the file holds nothing back', async () => {
    const app = await openHousehold(database);
    const [one, two, three] = [await takeFile(app, A), await takeFile(app, B), await takeFile(app, INSIDE)];
    await revert(app, one.id);
    expect(await live(app)).toEqual(namesOf(ROWS.slice(1)));
    await revert(app, two.id);
    expect(await live(app)).toEqual(namesOf(ROWS.slice(1, 3)));
    expect((await revert(app, three.id)).status).toBe(200);
    expect(await live(app)).toEqual([]);

    const other = await openHousehold(database);
    const file = await takeFile(other, A);
    await takeFile(other, A);
    expect((await revert(other, file.id)).json).toMatchObject({ deleted_count: 3, kept_count: 0 });
    expect(await live(other)).toEqual([]);
  });

  test('what a person had deleted is deleted again when the import that restored it is reverted', async () => {
    const app = await openHousehold(database);
    await takeFile(app, A);
    const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
    const { id } = transactions.find((one: { name: string }) => one.name === 'TWO');
    const restore = async (): Promise<{ id: string }> => {
      const done = await takeFile(app, B, { include_lines: [2] });
      expect(done.counts).toMatchObject({ updated: 1 });
      return done;
    };
    expect((await app.request('DELETE', `/api/v1/transactions/${id}`)).status).toBe(204);
    expect((await revert(app, (await restore()).id)).status).toBe(200);
    expect(await live(app)).toEqual(['ONE', 'THREE']);
    expect((await takeFile(app, A)).counts).toMatchObject({ duplicate: 2, deleted: 1 });

    const again = await restore();
    expect((await takeFile(app, INSIDE)).counts).toMatchObject({ duplicate: 2 });
    await revert(app, again.id);
    expect(await live(app)).toEqual(['ONE', 'THREE', 'TWO']);
  });

  test('a file read another way names the import with its rows, and is free when these are gone', async () => {
    const app = await openHousehold(database);
    const first = await takeFile(app, A);
    const again = await takeFile(app, A);
    expect(again.warnings.map(({ code }: { code: string }) => code)).toEqual(['FILE_ALREADY_IMPORTED']);
    const other = { account_name: 'Giro', sign: 'positive_is_out' };
    const refused = await sendBytes(app, A, other);
    expect([refused.status, refused.json.error]).toMatchObject([
      409,
      { code: 'ALREADY_IMPORTED', import_id: first.id, message: expect.stringContaining(first.short_id) },
    ]);
    const wider = await takeFile(app, B);
    await revert(app, first.id);
    expect((await sendBytes(app, A, other)).json.error).toMatchObject({ import_id: wider.id });
    await revert(app, wider.id);
    const taken = await sendBytes(app, A, other);
    expect([taken.status, taken.json.counts?.added], taken.text).toEqual([201, 3]);
  });

  test('a copy of a file counts as a delivery if the file was imported again after its revert', async () => {
    const app = await openHousehold(database);
    const first = await takeFile(app, A);
    await takeFile(app, A);
    const wider = await takeFile(app, B);
    await revert(app, first.id);
    const third = await takeFile(app, A);
    expect(third.counts).toMatchObject({ added: 1, duplicate: 2 });
    await revert(app, wider.id);
    expect(await live(app)).toEqual(namesOf(ROWS.slice(0, 3)));
    await revert(app, third.id);
    expect(await live(app)).toEqual([]);
  });
});
