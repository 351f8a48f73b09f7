import fc from 'fast-check';
import { expect, test } from 'vitest';

import { csvOf, listed, takeFile } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const A = csvOf('2026-03-01 ONE -1.11', '2026-03-02 TWO -2.22', '2026-03-03 THREE -3.33', '2026-03-04 FOUR -4.44');
/** The bank writes other words. */
const B = csvOf(
  '2026-03-02 B TWO -2.22',
  '2026-03-03 B THREE -3.33',
  '2026-03-04 B FOUR -4.44',
  '2026-03-05 B FIVE -5.55',
);
/** A day later. */
const LATER = csvOf(
  '2026-03-02 ONE -1.11',
  '2026-03-03 TWO -2.22',
  '2026-03-04 THREE -3.33',
  '2026-03-05 FOUR -4.44',
  '2026-03-09 NINE -9.99',
);

/** Windows and steps: rows that an import brought back which it does not own. */
const TAKEN_OUT_TWICE: [{ from: number; length: number }[], number[]] = [
  [
    { from: 1, length: 6 },
    { from: 1, length: 3 },
    { from: 1, length: 4 },
  ],
  [0, 2, 1, 2, 2, 0, 0],
];

forEachDatabase((database) => {
  const revert = async (app: TestApp, id: string, body: object = {}): Promise<string> =>
    setOf(await app.request('POST', `/api/v1/imports/${id}/revert`, { body }));
  const undo = async (app: TestApp, set: string): Promise<string> =>
    setOf(await app.request('POST', `/api/v1/change-sets/${set}/revert`, { body: {} }));
  const setOf = ({ status, text, headers }: Answer): string => {
    expect(status, text).toBe(200);
    return String(headers['x-change-set-id']);
  };
  const rows = async (app: TestApp): Promise<string[]> => (await listed(app)).sort();

  test('a row that outlives its import has what the other file says, and its own values again after', async () => {
    const app = await openHousehold(database);
    const [one, two] = [await takeFile(app, A), await takeFile(app, B)];
    expect(two.counts).toMatchObject({ added: 1, duplicate: 3 });
    const all = await rows(app);
    const first = await revert(app, one.id);
    expect(await rows(app)).toEqual([
      '2026-03-02 B TWO 2.22',
      '2026-03-03 B THREE 3.33',
      '2026-03-04 B FOUR 4.44',
      '2026-03-05 B FIVE 5.55',
    ]);
    await undo(app, first);
    expect(await rows(app)).toEqual(all);
    const second = await revert(app, two.id);
    expect(await rows(app)).toEqual(all.filter((row) => !row.includes('FIVE')));
    await undo(app, second);
    expect(await rows(app)).toEqual(all);
  });

  test('dates a day later go over and come back, and so does the search for the texts', async () => {
    const app = await openHousehold(database);
    const [one, two] = [await takeFile(app, A), await takeFile(app, LATER)];
    expect(two.counts).toMatchObject({ added: 1, duplicate: 4 });
    const all = await rows(app);
    const first = await revert(app, one.id);
    expect(await rows(app)).toEqual([
      '2026-03-02 ONE 1.11',
      '2026-03-03 TWO 2.22',
      '2026-03-04 THREE 3.33',
      '2026-03-05 FOUR 4.44',
      '2026-03-09 NINE 9.99',
    ]);
    await undo(app, first);
    expect(await rows(app)).toEqual(all);
  });

  test('a correction gives way to what it corrected, or to a newer file that lists it', async () => {
    const withIds = (...lines: string[]): string =>
      `Date,Transaction ID,Description,Amount,Currency\n${lines.map((line) => `${line},EUR\n`).join('')}`;
    const row = (day: number, text: string, amount = `-${day}.10`): string =>
      `2026-03-0${day},t${day},${text},${amount}`;
    const plain = [1, 2, 3, 4, 5].map((day) => row(day, `SHOP ${day}`));
    const corrected = plain.with(2, row(3, 'SHOP 3 CORRECTED', '-30.00'));
    const third = async (app: TestApp): Promise<string | undefined> =>
      (await rows(app)).find((one) => one.startsWith('2026-03-03'));
    const [before, after] = ['2026-03-03 SHOP 3 3.10', '2026-03-03 SHOP 3 CORRECTED 30.00'];

    const app = await openHousehold(database);
    await takeFile(app, withIds(...plain));
    const correction = await takeFile(app, withIds(...corrected));
    expect([correction.counts.updated, await third(app)]).toEqual([1, after]);
    const out = await revert(app, correction.id);
    expect(await third(app)).toBe(before);
    await undo(app, out);
    expect(await third(app)).toBe(after);

    const newer = await takeFile(app, withIds(...corrected, row(6, 'SHOP 6')));
    const again = await revert(app, correction.id);
    expect(await third(app)).toBe(after);
    const newest = await revert(app, newer.id);
    expect(await third(app)).toBe(before);
    await undo(app, again);
    expect(await third(app)).toBe(after);
    await undo(app, newest);
    expect(await third(app)).toBe(after);
  });

  test('what people set stays, what was searched and added up follows, and a dry run changes nothing', async () => {
    const app = await openHousehold(database);
    const one = await takeFile(app, A);
    await takeFile(app, LATER);
    const list = async (query: object): Promise<Answer['json']> =>
      (await app.request('GET', '/api/v1/transactions', { query: { ...query } })).json.transactions;
    const [two] = await list({ search: 'two' });
    await app.request('POST', `/api/v1/transactions/${two.id}/comments`, { body: { body: 'Ours' } });
    await app.request('POST', `/api/v1/transactions/${two.id}/tags`, { body: { slug: 'ours' } });
    const all = await rows(app);
    await revert(app, one.id, { dry_run: true });
    expect(await rows(app)).toEqual(all);
    const accounts = (await app.request('GET', '/api/v1/accounts')).json;
    await revert(app, one.id);
    expect(await list({ search: 'two' })).toMatchObject([
      { id: two.id, date: '2026-03-03', tags: ['needs-review', 'ours'] },
    ]);
    const timeline = (await app.request('GET', `/api/v1/transactions/${two.id}/annotations`)).json;
    expect(JSON.stringify(timeline)).toContain('2026-03-03');
    const now = (await app.request('GET', '/api/v1/accounts')).json;
    expect(now.map((a: { id: string; balance: unknown }) => [a.id, a.balance])).toEqual(
      accounts.map((a: { id: string; balance: unknown }) => [a.id, a.balance]),
    );
  });

  test('whatever is reverted and restored, rows have the values of an import in force', async () => {
    const file = fc.record({ from: fc.integer({ min: 1, max: 6 }), length: fc.integer({ min: 3, max: 7 }) });
    const files = fc.array(file, { minLength: 3, maxLength: 4 });
    const steps = fc.array(fc.nat(3), { minLength: 5, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(files, steps, async (windows, order) => {
        const app = await openHousehold(database);
        const days = windows.map(({ from, length }) => Array.from({ length }, (_, n) => from + n));
        const imports: Answer['json'][] = [];
        for (const [at, own] of days.entries()) {
          imports.push(await takeFile(app, csvOf(...own.map((day) => `2026-03-${10 + day} F${at} D${day} -${day}.5`))));
        }
        const all = await rows(app);
        const inForce = new Set(days.keys());
        const sets = new Map<number, string>();
        for (const step of order) await toggle(app, step % days.length, { imports, inForce, sets, days });
        for (const at of sets.keys()) await toggle(app, at, { imports, inForce, sets, days });
        expect(await rows(app)).toEqual(all);
      }),
      {
        examples: [TAKEN_OUT_TWICE],
        numRuns: database.name === 'SQLite' ? 8 : 2,
      },
    );
  }, 180_000);

  interface Toggled {
    imports: readonly { id: string }[];
    inForce: Set<number>;
    sets: Map<number, string>;
    days: readonly (readonly number[])[];
  }

  /** Reverts an import, or the revert of it; then the ledger is that of the imports in force. */
  async function toggle(app: TestApp, at: number, { imports, inForce, sets, days }: Toggled): Promise<void> {
    const set = sets.get(at);
    if (set === undefined) {
      const done = await app.request('POST', `/api/v1/imports/${imports[at]?.id}/revert`, { body: {} });
      // An import that changed nothing, and to which nothing came over, cannot be taken back.
      if (done.status === 409) {
        expect(done.json.error.code).toBe('NOT_REVERTIBLE');
        return;
      }
      sets.set(at, setOf(done));
      inForce.delete(at);
    } else {
      await undo(app, set);
      sets.delete(at);
      inForce.add(at);
    }
    expect(namesIn(await rows(app))).toEqual(namesOf(days, inForce));
  }
});

/** Each row has the values of the import that brought it; without that one, those of the newest that lists it. */
function namesOf(days: readonly (readonly number[])[], inForce: ReadonlySet<number>): string[] {
  return [...new Set(days.flat())]
    .flatMap((day) => {
      const listers = days.flatMap((own, at) => (own.includes(day) ? [at] : []));
      const creator = listers[0] as number;
      const giver = inForce.has(creator) ? creator : listers.findLast((at) => inForce.has(at));
      return giver === undefined ? [] : [`F${giver} D${day}`];
    })
    .sort();
}

function namesIn(rows: readonly string[]): string[] {
  return rows.map((row) => row.split(' ').slice(1, -1).join(' ')).sort();
}
