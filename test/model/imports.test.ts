import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { sendBytes, type Fields } from '../harness/bank-files/bank-files.ts';
import { addMember } from '../harness/ledger.ts';
import {
  FORMATS,
  bankRows,
  windows,
  within,
  written,
  type BankRow,
  type FileFormat,
} from '../harness/bank-files/random-statements.ts';
import { forEachDatabase, type Answer, type TestApp } from '../harness/test-app.ts';

const RUNS = 8;
const SEED = 20_260_426;

type Row = Record<string, string>;

forEachDatabase((database) => {
  let app: TestApp;
  let places = 0;
  beforeAll(async () => {
    app = await database.open();
    await addMember(app, 'Ana');
  });

  /** An account that no file has named yet, with a number that only its own statements carry. */
  interface Place {
    name: string;
    number: string;
  }
  function place(): Place {
    places += 1;
    return { name: `Account ${places}`, number: `DE89370400${String(places).padStart(12, '0')}` };
  }

  async function take(
    { name, number }: Place,
    format: FileFormat,
    rows: readonly BankRow[],
    fields: Fields = {},
  ): Promise<Answer> {
    const done = await sendBytes(app, written(format, rows, number), {
      account_name: name,
      iso_currency_code: 'EUR',
      sign: format === 'csv' || format === 'balanced' ? 'positive_is_in' : undefined,
      ...fields,
    });
    expect([done.status, done.json.error?.message]).toEqual([201, undefined]);
    return done;
  }

  async function ledger({ name }: Place): Promise<Row[]> {
    const accounts = (await app.request('GET', '/api/v1/accounts')).json as Row[];
    const account = accounts.find((one) => one['name'] === name);
    if (!account) return [];
    const query = { account_id: String(account['id']), limit: 500 };
    return (await app.request('GET', '/api/v1/transactions', { query })).json.transactions;
  }

  async function texts(where: Place): Promise<string[]> {
    return (await ledger(where)).map((row) => `${row['date']} ${row['name']} ${row['amount']}`).sort();
  }

  function expected(rows: readonly BankRow[]): string[] {
    return rows.map(({ date, text, cents }) => `${date} ${text} ${(cents / 100).toFixed(2)}`).sort();
  }

  const formats = fc.constantFrom(...FORMATS);

  test('a file adds its rows, equal ones included; imported again it adds none', async () => {
    await fc.assert(
      fc.asyncProperty(bankRows, formats, async (rows, format) => {
        const where = place();
        const done = await take(where, format, rows);
        expect(done.json.counts).toMatchObject({ total: rows.length, added: rows.length });
        expect(await texts(where)).toEqual(expected(rows));
        const before = await ledger(where);
        const again = await take(where, format, rows);
        expect(again.json.counts).toMatchObject({ added: 0, updated: 0, duplicate: rows.length });
        expect(again.json.change_set_id).toBeNull();
        expect(await ledger(where)).toEqual(before);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('overlapping parts of a file, in any order, end as the whole file does', async () => {
    await fc.assert(
      fc.asyncProperty(bankRows, windows, formats, async (rows, cuts, format) => {
        const where = place();
        for (const cut of cuts) {
          const part = within(rows, cut);
          if (part.length > 0) await take(where, format, part);
        }
        expect(await texts(where)).toEqual(expected(rows));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('one statement is one set of rows, whatever formats it arrives in', async () => {
    await fc.assert(
      fc.asyncProperty(bankRows, fc.shuffledSubarray([...FORMATS], { minLength: 2 }), async (rows, order) => {
        const where = place();
        for (const [index, format] of order.entries()) {
          const done = await take(where, format, rows);
          expect([format, done.json.counts.added]).toEqual([format, index === 0 ? rows.length : 0]);
          expect(await texts(where)).toEqual(expected(rows));
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('after a revert and its own revert the ledger is the same, row by row; so it is after another import', async () => {
    await fc.assert(
      fc.asyncProperty(bankRows, windows, formats, fc.nat(), async (rows, cuts, format, pick) => {
        const where = place();
        const sets: string[] = [];
        for (const cut of cuts) {
          const part = within(rows, cut);
          const done = part.length === 0 ? null : await take(where, format, part);
          if (done?.json.change_set_id) sets.push(done.json.change_set_id);
        }
        const before = await ledger(where);
        const revert = async (id: string): Promise<string> => {
          const answer = await app.request('POST', `/api/v1/change-sets/${id}/revert`);
          expect([answer.status, answer.json.error?.message]).toEqual([200, undefined]);
          return String(answer.headers['x-change-set-id']);
        };
        const chosen = sets[pick % sets.length] as string;
        await revert(await revert(chosen));
        expect(same(await ledger(where))).toEqual(same(before));
        await revert(chosen);
        await take(where, format, rows);
        // What the other import brings back belongs to it (36.11).
        expect(withoutOwner(await ledger(where))).toEqual(withoutOwner(before));
        for (const id of sets.toReversed()) if (id !== chosen) await revert(id);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('rows entered by hand match those of a file, and are as they were once its import is reverted', async () => {
    await fc.assert(
      fc.asyncProperty(bankRows, formats, fc.array(fc.nat(), { maxLength: 6 }), async (rows, format, picks) => {
        const where = place();
        const made = await app.request('POST', '/api/v1/accounts', {
          body: { name: where.name, iso_currency_code: 'EUR' },
        });
        for (const pick of new Set(picks.map((one) => one % rows.length))) {
          const { date, text: name, cents } = rows[pick] as BankRow;
          const body = { account_id: made.json.id, date, name, amount: (cents / 100).toFixed(2), tags: ['by-hand'] };
          expect((await app.request('POST', '/api/v1/transactions', { body })).status).toBe(201);
        }
        const entered = await ledger(where);
        const done = await take(where, format, rows);
        expect(done.json.counts).toMatchObject({ added: rows.length - entered.length, duplicate: entered.length });
        expect(await texts(where)).toEqual(expected(rows));
        const again = await take(where, format, rows);
        expect([again.json.counts.duplicate, again.json.change_set_id]).toEqual([rows.length, null]);
        const set = done.json.change_set_id;
        if (set === null) return;
        const undone = await app.request('POST', `/api/v1/change-sets/${set}/revert`);
        expect([undone.status, await ledger(where)]).toEqual([200, entered]);
        await take(where, format, rows);
        expect(await texts(where)).toEqual(expected(rows));
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  test('edits and deletions by a person survive every further import', async () => {
    await fc.assert(
      fc.asyncProperty(
        bankRows,
        windows,
        formats,
        fc.array(fc.nat(), { maxLength: 5 }),
        async (rows, cuts, format, picks) => {
          const where = place();
          await take(where, format, rows);
          const known = await ledger(where);
          const gone = new Set<string>();
          for (const [step, pick] of picks.entries()) {
            const id = String(known[pick % known.length]?.['id']);
            if (gone.has(id)) continue;
            const path = `/api/v1/transactions/${id}`;
            if (step % 3 === 0) {
              gone.add(id);
              expect((await app.request('DELETE', path)).status).toBe(204);
            } else if (step % 3 === 1) {
              await app.request('POST', `${path}/comments`, { body: { content: 'mine' } });
            } else {
              const answer = await app.request('PATCH', `${path}/metadata`, { body: { set: { mine: step } } });
              expect(answer.status).toBeLessThan(300);
            }
          }
          const before = await ledger(where);
          expect(before).toHaveLength(rows.length - gone.size);
          for (const cut of cuts) {
            const part = within(rows, cut);
            const done = part.length === 0 ? null : await take(where, format, part);
            expect(done?.json.change_set_id ?? null).toBeNull();
          }
          const whole = await take(where, format, rows);
          expect(whole.json.counts).toMatchObject({ deleted: gone.size, duplicate: rows.length - gone.size });
          expect(await ledger(where)).toEqual(before);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** Everything but the stamp of the last change. */
function same(rows: readonly Row[]): unknown[] {
  return rows.map(({ updated_at: _stamp, ...row }) => row);
}

function withoutOwner(rows: readonly Row[]): unknown[] {
  return rows.map(({ updated_at: _stamp, import_id: _owner, ...row }) => row);
}
