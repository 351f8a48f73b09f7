import { beforeAll, describe, expect, test } from 'vitest';

import {
  addAccount,
  addCounterparty,
  addMember,
  addTransactions,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const LIST = '/api/v1/transactions';

/** The vectors of contract 10.1.5: a text, and what it is folded to. */
const FOLDED = [
  ['Crème  BRÛLÉE', 'creme brulee'],
  ['Straße', 'strasse'],
  ['ŁÓDŹ', 'lodz'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ＡＢＣ', 'abc'],
  ['McDonald’s', "mcdonald's"],
  ['Æbleskiver Øl Ðað Þorn ħ ı', 'aebleskiver ol dad thorn h i'],
  ['“Quote” – dash—dash‐dash', '"quote" - dash-dash-dash'],
  ['ﬁne ½', 'fine 1⁄2'],
] as const;

/** The vectors of contract 10.4.2: term, text, whether they are similar enough, whether the one is in the other. */
const SIMILAR = [
  ['starbuks', 'Starbucks Coffee', true, false],
  ['netflx', 'NETFLIX.COM', true, false],
  ['wholefoods', 'Whole Foods Market', true, false],
  ['groceries', 'Grocery Outlet', true, false],
  ['amazon', 'AMZN MKTP US*2X4', false, false],
  ['coffee', 'SQ *BLUE BOTTLE COFFEE OAKLAND CA 0423', true, true],
] as const;

forEachDatabase((database) => {
  let app: TestApp;
  let account: Made;
  beforeAll(async () => {
    app = await database.open();
    account = await addAccount(app, await addMember(app, 'Ana'));
  });

  const add = (names: readonly (string | Partial<NewTransaction>)[]): Promise<Made[]> =>
    addTransactions(
      app,
      names.map((name) => ({
        account,
        date: '2026-04-20',
        amount_cents: 450,
        name: 'none',
        ...(typeof name === 'string' ? { name } : name),
      })),
    );
  const idsOf = async (query: Record<string, string>): Promise<Set<string>> => {
    const { status, json, text } = await app.request('GET', LIST, { query: { limit: '500', ...query } });
    expect(status, text).toBe(200);
    return new Set((json.transactions as Made[]).map(({ id }) => id));
  };

  test('every vector of folding finds its text, and each text finds its folded form', async () => {
    const rows = await add(FOLDED.map(([text]) => text));
    const plain = await add(FOLDED.map(([, folded]) => folded));
    for (const [index, [text, folded]] of FOLDED.entries()) {
      const both = [rows[index]?.id, plain[index]?.id];
      for (const search of [text, folded, text.toUpperCase()]) {
        for (const search_mode of ['contains', 'words', 'fuzzy']) {
          const found = await idsOf({ search, search_mode });
          expect([search, search_mode, both.map((id) => found.has(String(id)))]).toEqual([
            search,
            search_mode,
            [true, true],
          ]);
        }
        const left = await idsOf({ exclude_search: search });
        expect([search, both.some((id) => left.has(String(id)))]).toEqual([search, false]);
      }
    }
  });

  test('every vector of similarity finds its text or does not, by name, merchant and counterparty alike', async () => {
    for (const [term, text, isSimilar, isIn] of SIMILAR) {
      const party = await addCounterparty(app, text);
      const rows = await add([text, { merchant_name: text }, { counterparty: party }]);
      for (const [search_mode, isExpected] of [
        ['fuzzy', isSimilar],
        ['contains', isIn],
        ['words', isIn],
      ] as const) {
        const found = await idsOf({ search: term, search_mode });
        expect([term, search_mode, rows.map(({ id }) => found.has(id))]).toEqual([
          term,
          search_mode,
          rows.map(() => isExpected),
        ]);
      }
    }
  });

  describe('words', () => {
    test('may be in different texts of a row; a term may not', async () => {
      const party = await addCounterparty(app, 'Gardener Grün');
      const [row] = (await add([{ name: 'RGN 0423', merchant_name: 'Hof Lind', counterparty: party }])) as [Made];
      await add(['Sonstiges Zeug']);
      for (const [search, modes] of [
        ['rgn sonstiges', []],
        ['hof lind', ['contains', 'words']],
        ['lind hof', ['words']],
        ['grun rgn lind', ['words']],
        ['rgn missing', []],
      ] as const) {
        for (const search_mode of ['contains', 'words']) {
          const found = await idsOf({ search, search_mode });
          expect([search, search_mode, found.has(row.id)]).toEqual([
            search,
            search_mode,
            (modes as readonly string[]).includes(search_mode),
          ]);
        }
      }
    });
  });

  test('terms are split at commas, trimmed, and limited in number and length', async () => {
    const [one, two] = (await add(['Kirschen', 'Pflaumen'])) as [Made, Made];
    expect(await idsOf({ search: ' kirschen , pflaumen ,' })).toEqual(new Set([one.id, two.id]));
    expect(await idsOf({ search: 'kirschen,kirschen,KIRSCHEN' })).toEqual(new Set([one.id]));
    const many = Array.from({ length: 20 }, (_, index) => `term${index}`);
    expect(await idsOf({ search: many.join(',') })).toEqual(new Set());
    expect(await idsOf({ search: 'x'.repeat(200) })).toEqual(new Set());
    for (const [query, name] of [
      [{ search: ',,' }, 'search'],
      [{ search: '  ' }, 'search'],
      [{ search: 'a' }, 'search'],
      [{ search: 'kirschen,b' }, 'search'],
      [{ search: '́́' }, 'search'],
      [{ search: 'x'.repeat(201) }, 'search'],
      [{ search: [...many, 'one-more'].join(',') }, 'search'],
      [{ exclude_search: ',' }, 'exclude_search'],
      [{ exclude_search: 'a' }, 'exclude_search'],
      [{ search: 'kirschen', search_mode: 'CONTAINS' }, 'search_mode'],
      [{ search_mode: 'like' }, 'search_mode'],
    ] as const) {
      for (const path of ['', '/count', '/export', '/merchants', '/summary']) {
        const more = path === '/summary' ? { group_by: 'month' } : {};
        const { status, json } = await app.request('GET', `${LIST}${path}`, { query: { ...query, ...more } });
        expect([path, query, status, json.error?.details?.[0]?.path]).toEqual([path, query, 400, name]);
      }
    }
    expect((await app.request('GET', LIST, { query: { search_mode: 'words' } })).status).toBe(200);
  });

  test('sorted by amount or name, 600 rows come in one answer, or the first of them', async () => {
    const many = await addAccount(app, await addMember(app, 'Ben'));
    const random = (index: number): number => (index * 7_919) % 601;
    await addTransactions(
      app,
      Array.from({ length: 600 }, (_, index) => ({
        account: many,
        date: '2026-04-20',
        amount_cents: random(index) - 300,
        name: `Shop ${random(index)}`,
      })),
    );
    for (const sort of ['amount', 'name']) {
      const query = { account_id: many.id, sort };
      const whole = (await app.request('GET', LIST, { query })).json;
      expect(whole).toMatchObject({ next_cursor: '', has_more: false, limit: null });
      expect(whole.transactions).toHaveLength(600);
      const some = (await app.request('GET', LIST, { query: { ...query, limit: '100' } })).json;
      expect(some).toMatchObject({ next_cursor: '', has_more: true, limit: 100 });
      expect(some.transactions).toEqual(whole.transactions.slice(0, 100));
      const turned = (await app.request('GET', LIST, { query: { ...query, order: sort === 'name' ? 'desc' : 'asc' } }))
        .json;
      expect(turned.transactions).toEqual(whole.transactions.toReversed());
    }
    const last = await app.request('GET', LIST, { query: { account_id: many.id, sort: 'amount', limit: '500' } });
    expect(last.json).toMatchObject({ has_more: true, limit: 500 });
  });
});
