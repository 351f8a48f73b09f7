import fc from 'fast-check';
import { expect, it } from 'vitest';

import {
  addAccount,
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { areSimilar } from '../../../test/harness/ledgers/similarity.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';
import { trigramsOf } from '../../kernel/trigrams.ts';
import { idsOfMatches } from './filters/index-choice.queries.ts';
import { readFilters, resolveFilters } from './filters/resolve-filters.ts';

/** Random ledgers and searches, page by page in both directions, against a slow reading of the contract (10.4.2). */

const LIST = '/api/v1/transactions';
const TEXTS = [
  'AMAZON.COM SEATTLE',
  'Amazon',
  'Ama',
  'AMZN MKTP US*2X4',
  'Café Amazonas',
  'Starbucks Coffee',
  'STARBUCKS #12',
  'star market',
  'Netflix',
  'a_b 100%',
  'axb',
  'Ünder, the bridge',
  'ab',
  '日本 ストア',
  '𝒜maz',
  '---',
];
const TERMS = [
  'amazon',
  'amazom',
  'starbuks',
  'star',
  'ar',
  'a_',
  '0%',
  'netflx',
  'bridge',
  'zz',
  'cafe',
  'mkt',
  'us*2',
];
TERMS.push('ab', 'abc', 'amazon seattle', 'coffee star', '日本', 'ストア', '𝒜m', '--', 'st ma');

const rowsOf = fc.array(
  fc.record({
    day: fc.nat({ max: 12 }),
    name: fc.constantFrom(...TEXTS),
    merchant: fc.option(fc.constantFrom(...TEXTS), { nil: null, freq: 2 }),
    counterparty: fc.nat({ max: 4 }),
    account: fc.nat({ max: 2 }),
    category: fc.nat({ max: 2 }),
    amount_cents: fc.integer({ min: -3, max: 3 }),
    isTagged: fc.boolean(),
    pending: fc.constantFrom(0 as const, 0 as const, 1 as const),
    isDeleted: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 20, maxLength: 60 },
);
type Drawn = typeof rowsOf extends fc.Arbitrary<(infer T)[]> ? T : never;

const day = fc.nat({ max: 12 });
/** Other filters, one or two at a time. */
const others = fc.oneof(
  day.map((from) => ({ from })),
  day.map((to) => ({ to })),
  fc.constantFrom([0], [0, 2]).map((accounts) => ({ accounts })),
  fc.constant({ category: 1 }),
  fc.constant({ isTagged: true }),
  fc.constant({ amount: 2 }),
  fc.constantFrom('market', 'star').map((excluded) => ({ excluded })),
  fc.constant({ deleted: true }),
);
const NO_OTHERS = {
  from: null as number | null,
  to: null as number | null,
  accounts: null as readonly number[] | null,
  category: null as number | null,
  isTagged: null as boolean | null,
  amount: null as number | null,
  excluded: null as string | null,
  deleted: false,
};
const searches = fc
  .record({
    terms: fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 3 }),
    search_mode: fc.constantFrom('contains', 'contains', 'words', 'fuzzy'),
    limit: fc.constantFrom(2, 3, 5, 7, 50),
    others: fc.array(others, { maxLength: 2 }),
  })
  .map(
    ({ others: some, ...search }) => Object.assign({}, NO_OTHERS, search, ...some) as typeof NO_OTHERS & typeof search,
  );
type Search = typeof searches extends fc.Arbitrary<infer T> ? T : never;

/** From "every step of the plans is taken" to "as in operation". */
const sizes = fc.record({
  searchTextsListed: fc.constantFrom(0, 1, 3, 1_000),
  pageRowsTried: fc.constantFrom(1, 5, 2_000),
  pageRowsSorted: fc.constantFrom(0, 4, 500),
  searchRowsMerged: fc.constantFrom(1, 8, 20, 1_500),
  searchRowsSorted: fc.constantFrom(1, 4, 100_000),
  trigramTexts: fc.constantFrom(0, 2, 1_000),
});

const dateOf = (day: number): string => `2026-03-${String(day + 1).padStart(2, '0')}`;

interface World {
  app: TestApp;
  rows: (Drawn & { id: string; texts: string[] })[];
  accounts: readonly Made[];
}

async function world(app: TestApp, drawn: readonly Drawn[]): Promise<World> {
  const member = await addMember(app, 'Ana');
  const accounts = [await addAccount(app, member), await addAccount(app, member), await addAccount(app, member)];
  const category = await categoryBySlug(app, 'food_and_drink_coffee');
  const names = ['Amazon Marketplace', 'Star Markt'];
  const parties = [await addCounterparty(app, names[0] as string), await addCounterparty(app, names[1] as string)];
  const tag = await addTag(app, 'seen');
  const made = await addTransactions(
    app,
    drawn.map(({ day, merchant, counterparty, account, isTagged, isDeleted, pending, ...row }) => ({
      name: row.name,
      amount_cents: row.amount_cents,
      date: dateOf(day),
      merchant_name: merchant,
      account: accounts[account] as Made,
      category: row.category === 1 ? category : null,
      counterparty: parties[counterparty] ?? null,
      tags: isTagged ? [tag] : [],
      columns: {
        pending,
        ...(isDeleted ? { deleted_at: '2026-04-01T00:00:00.000Z', deleted_cause: 'person' as const } : {}),
      } as NewTransaction['columns'] & object,
    })),
  );
  const rows = drawn.map((row, index) => ({
    ...row,
    id: (made[index] as Made).id,
    texts: [row.name, row.merchant, names[row.counterparty] ?? null].flatMap((text) =>
      text === null ? [] : [fold(text)],
    ),
  }));
  return { app, rows, accounts };
}

function matches(texts: readonly string[], term: string, mode: string): boolean {
  const isIn = (word: string): boolean => texts.some((text) => text.includes(word));
  if (mode === 'words') return term.split(' ').every(isIn);
  return isIn(term) || (mode === 'fuzzy' && texts.some((text) => areSimilar(trigramsOf(term), trigramsOf(text))));
}

/** The ids that a naive filter finds, oldest first. */
function expected({ rows }: World, search: Search): string[] {
  const { from, to, accounts, category, isTagged, amount, excluded, deleted, search_mode: mode } = search;
  return rows
    .filter((row) => row.isDeleted === deleted)
    .filter((row) => (from === null || row.day >= from) && (to === null || row.day <= to))
    .filter((row) => accounts === null || accounts.includes(row.account))
    .filter((row) => category === null || row.category === category)
    .filter((row) => isTagged === null || row.isTagged)
    .filter((row) => amount === null || row.amount_cents >= amount)
    .filter((row) => excluded === null || !matches(row.texts, excluded, 'contains'))
    .filter((row) => search.terms.some((term) => matches(row.texts, fold(term), mode)))
    .sort((a, b) => a.day - b.day || compareCodePoints(a.id, b.id))
    .map(({ id }) => id);
}

function queryOf({ accounts }: World, search: Search): Record<string, string> {
  const { from, to, excluded } = search;
  return {
    search: search.terms.join(','),
    search_mode: search.search_mode,
    ...(from === null ? {} : { date_from: dateOf(from) }),
    ...(to === null ? {} : { date_to: dateOf(to) }),
    ...(search.accounts ? { account_id: search.accounts.map((one) => (accounts[one] as Made).id).join(',') } : {}),
    ...(search.category === null ? {} : { category_slug: 'food_and_drink_coffee' }),
    ...(search.isTagged === null ? {} : { tag: 'seen' }),
    ...(search.amount === null ? {} : { amount_min: `0.0${search.amount}` }),
    ...(excluded === null ? {} : { exclude_search: excluded }),
    ...(search.deleted ? { deleted: 'true' } : {}),
  };
}

async function pages(app: TestApp, query: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (;;) {
    const { status, json, text } = await app.request('GET', LIST, { query: cursor ? { ...query, cursor } : query });
    expect(status, text).toBe(200);
    found.push(...(json.transactions as Made[]).map(({ id }) => id));
    expect(json.has_more).toBe(json.next_cursor !== '');
    if (!json.has_more) return found;
    cursor = json.next_cursor as string;
  }
}

/** What a bulk change of all rows that match would change, newest first. */
async function idsFound(app: TestApp, query: Record<string, string>): Promise<string[]> {
  return app.app.instance.database.read(async (tx) =>
    idsOfMatches(tx, await resolveFilters(tx, readFilters(query), 'include')),
  );
}

forEachDatabase(({ open }) => {
  it('searches find what a filter over all rows finds, in the same order, on all pages in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf,
        fc.array(searches, { minLength: 12, maxLength: 16 }),
        sizes,
        async (drawn, asked, limits) => {
          for (const [name, value] of Object.entries(limits)) setLimit(name as keyof typeof limits, value);
          const app = await open();
          const w = await world(app, drawn);
          for (const search of asked) {
            if (search.from !== null && search.to !== null && search.from > search.to) continue;
            const wanted = expected(w, search);
            const query = queryOf(w, search);
            const limit = String(search.limit);
            const told = JSON.stringify({ query, limits });
            expect(await pages(app, { ...query, limit, order: 'asc' }), told).toEqual(wanted);
            expect(await pages(app, { ...query, limit }), told).toEqual(wanted.toReversed());
            const count = await app.request('GET', `${LIST}/count`, { query });
            if (!search.deleted) expect(count.json, told).toEqual({ count: wanted.length });
            expect(await idsFound(app, query), told).toEqual(wanted.toReversed());
          }
          await app.close();
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  }, 120_000);
});
