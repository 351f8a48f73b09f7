import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  addAccount,
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';
import { seededRandom } from '../../kernel/random.ts';
import { areSimilar } from '../../../test/harness/ledgers/similarity.ts';
import { trigramsOf } from '../../kernel/trigrams.ts';

/** Random filters over a random ledger, compared with a slow reading of the contract (10.4, 10.5). */

const LIST = '/api/v1/transactions';
const NAMES = [
  'SQ *CAFÉ ZOË 04',
  'Starbucks Coffee',
  'STARBUCKS 100%',
  'Straße & Söhne',
  'a_b',
  'axb',
  'Netflix.com',
  '東京ラーメン',
  '7-ELEVEN 32',
];
const TERMS = [
  'cafe',
  'starbuks',
  'coffee star',
  'a_b',
  '100%',
  'strasse',
  'ラー',
  'netflx',
  'eleven',
  'zz',
  'corner',
  '%%',
];
const ROWS = 160;

interface Row {
  id: string;
  date: string;
  amount: string;
  account_id: string;
  user_id: string | null;
  category: { slug: string; kind: string; parent_id: string | null } | null;
  name: string;
  merchant_name: string | null;
  counterparty_id: string | null;
  counterparty_name: string;
  tags: string[];
  pending: boolean;
  flagged_at: string | null;
  iso_currency_code: string | null;
  excluded_from_totals: string | null;
}

interface World {
  app: TestApp;
  rows: Row[];
  members: Made[];
  accounts: Made[];
  food: Made;
}

async function world(app: TestApp): Promise<World> {
  const random = seededRandom(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  const members = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const [ana, ben] = members as [Made, Made];
  const accounts = [
    await addAccount(app, ana, { name: 'A' }),
    await addAccount(app, ben, { name: 'B', override: ana }),
    await addAccount(app, ben, { name: 'C', excluded: true }),
    await addAccount(app, ben, { name: 'D', dependent: true }),
  ];
  const categories = [
    null,
    await categoryBySlug(app, 'food_and_drink'),
    await categoryBySlug(app, 'food_and_drink_coffee'),
    await categoryBySlug(app, 'transfer_out'),
    await categoryBySlug(app, 'income_wages'),
  ];
  const tags = [await addTag(app, 'red'), await addTag(app, 'blue')];
  const corner = await addCounterparty(app, 'Corner Cafe');
  await addTransactions(
    app,
    Array.from({ length: ROWS }, () => ({
      account: pick(accounts),
      date: `2025-0${1 + Math.floor(random.next() * 3)}-${String(1 + Math.floor(random.next() * 28)).padStart(2, '0')}`,
      amount_cents: Math.floor(random.next() * 4_000) - 1_000,
      name: pick(NAMES),
      merchant_name: random.next() < 0.4 ? pick(NAMES) : null,
      counterparty: random.next() < 0.2 ? corner : null,
      category: pick(categories),
      iso_currency_code: pick(['USD', 'EUR', null]),
      attributed: random.next() < 0.1 ? ben : null,
      tags: tags.filter(() => random.next() < 0.3),
      columns: {
        pending: random.next() < 0.1 ? (1 as const) : (0 as const),
        flagged_at: random.next() < 0.1 ? '2025-04-01T00:00:00.000Z' : null,
      },
    })),
  );
  const { json } = await app.request('GET', LIST, { query: { limit: 500 } });
  const rows = (json as { transactions: Row[] }).transactions;
  return { app, rows, members, accounts, food: categories[1] as Made };
}

type Query = Record<string, string>;

function matches(w: World, row: Row, query: Query): boolean {
  const cents = Math.round(Number(row.amount) * 100);
  const list = (value: string): string[] => value.split(',');
  const inTree = (slug: string, children: boolean): boolean =>
    row.category?.slug === slug || (children && slug === 'food_and_drink' && row.category?.parent_id === w.food.id);
  const tests: Record<string, (value: string) => boolean> = {
    date_from: (value) => row.date >= value,
    end_date: (value) => row.date < value,
    amount_min: (value) => cents >= Math.round(Number(value) * 100),
    amount_abs_max: (value) => Math.abs(cents) <= Math.round(Number(value) * 100),
    account_id: (value) => list(value).includes(row.account_id),
    user_id: (value) => row.user_id === value,
    category_slug: (value) => list(value).some((slug) => inTree(slug, query['include_children'] !== 'false')),
    category_kind: (value) => list(value).includes(row.category?.kind ?? 'none'),
    include_children: () => true,
    uncategorized: (value) => (row.category === null) === (value === 'true'),
    tag: (value) => list(value).some((tag) => row.tags.includes(tag)),
    tags_all: (value) => list(value).every((tag) => row.tags.includes(tag)),
    tags_none: (value) => !list(value).some((tag) => row.tags.includes(tag)),
    pending: (value) => row.pending === (value === 'true'),
    flagged: (value) => (row.flagged_at !== null) === (value === 'true'),
    iso_currency_code: (value) => row.iso_currency_code !== null && list(value).includes(row.iso_currency_code),
    excluded_accounts: (value) =>
      value === 'include' || (value === 'only') === (row.excluded_from_totals === 'account_excluded'),
    search: (value) => list(value).some((term) => found(row, fold(term), query['search_mode'] ?? 'contains')),
    search_mode: () => true,
    exclude_search: (value) => !list(value).some((term) => found(row, fold(term), 'contains')),
  };
  return Object.entries(query).every(([name, value]) => tests[name]?.(value) === true);
}

function found(row: Row, term: string, mode: string): boolean {
  const texts = [row.name, row.merchant_name, row.counterparty_id === null ? null : row.counterparty_name]
    .filter((text) => text !== null)
    .map(fold);
  if (mode === 'words') return term.split(' ').every((word) => texts.some((text) => text.includes(word)));
  if (texts.some((text) => text.includes(term))) return true;
  return mode === 'fuzzy' && texts.some((text) => areSimilar(trigramsOf(term), trigramsOf(text)));
}

/** Any value, or the filter left out: most random questions should have an answer. */
function maybe(values: readonly string[]): fc.Arbitrary<string | undefined> {
  return fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
}

forEachDatabase(({ open }) => {
  describe('random filters', () => {
    let w: World;
    beforeAll(async () => {
      w = await world(await open());
    });

    it('find, page, count and add up exactly the rows that the contract says', async () => {
      const queries = fc.record({
        date_from: maybe(['2025-01-15', '2025-02-10']),
        end_date: maybe(['2025-03-20', '2025-03-01']),
        amount_min: maybe(['-5', '0', '10.5']),
        amount_abs_max: maybe(['8', '25.00']),
        account_id: maybe([
          w.accounts[0]?.id ?? '',
          w.accounts
            .slice(1)
            .map(({ id }) => id)
            .join(','),
        ]),
        user_id: maybe(w.members.map(({ short_id }) => short_id)),
        category_slug: maybe(['food_and_drink', 'food_and_drink_coffee,transfer_out']),
        category_kind: maybe(['expense', 'transfer,income', 'none', 'none,expense', 'none,transfer,income,expense']),
        include_children: maybe(['false', 'true']),
        tag: maybe(['red', 'red,blue']),
        tags_all: maybe(['red,blue']),
        tags_none: maybe(['blue']),
        pending: maybe(['true', 'false']),
        flagged: maybe(['true', 'false']),
        iso_currency_code: maybe(['EUR', 'USD,EUR']),
        excluded_accounts: maybe(['include', 'exclude', 'only']),
        search: maybe([...TERMS, TERMS.slice(0, 4).join(',')]),
        search_mode: maybe(['contains', 'words', 'fuzzy']),
        exclude_search: maybe(['starbucks', '7-', 'cafe,netflix']),
      });
      await fc.assert(
        fc.asyncProperty(
          queries,
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 1, max: 40 }),
          async (drawn, order, limit) => {
            const kept = Object.entries(drawn).filter((entry): entry is [string, string] => entry[1] !== undefined);
            // A handful of filters at once: all of them together would match nothing.
            const query: Query = Object.fromEntries(kept.slice(0, 4));
            const expected = w.rows
              .filter((row) => matches(w, row, query))
              .sort((a, b) => compareCodePoints(a.date + a.id, b.date + b.id))
              .map(({ id }) => id);
            if (order === 'desc') expected.reverse();
            expect(await walk(w.app, { ...query, order, limit: String(limit) })).toEqual(expected);
            const count = await w.app.request('GET', `${LIST}/count`, { query });
            expect((count.json as { count: number }).count).toBe(expected.length);
            await totalsAgree(w, query);
          },
        ),
        { numRuns: 60, seed: 20_260_426 },
      );
    });
  });
});

async function walk(app: TestApp, query: Query): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const answer = await app.request('GET', LIST, {
      query: { ...query, fields: 'minimal', ...(cursor === '' ? {} : { cursor }) },
    });
    expect(answer.status, answer.text).toBe(200);
    const page = answer.json as { transactions: { id: string }[]; next_cursor: string };
    ids.push(...page.transactions.map(({ id }) => id));
    if (page.next_cursor === '') return ids;
    cursor = page.next_cursor;
  }
}

/** The summary's totals against a sum over the rows that count. */
async function totalsAgree(w: World, query: Query): Promise<void> {
  const counting = w.rows.filter((row) => {
    const isIn = query['excluded_accounts'] !== undefined || row.excluded_from_totals !== 'account_excluded';
    return (
      matches(w, row, query) &&
      isIn &&
      row.excluded_from_totals !== 'dependent_account' &&
      (query['pending'] !== undefined || !row.pending)
    );
  });
  const sums = new Map<string | null, number>();
  for (const row of counting) {
    sums.set(row.iso_currency_code, (sums.get(row.iso_currency_code) ?? 0) + Math.round(Number(row.amount) * 100));
  }
  for (const group of ['category', 'account', 'user', 'week']) {
    const answer = await w.app.request('GET', `${LIST}/summary`, {
      query: { ...query, group_by: group, limit: '5000' },
    });
    expect(answer.status, answer.text).toBe(200);
    const body = answer.json as Record<
      'totals' | 'summary',
      { iso_currency_code: string | null; total_amount: string }[]
    >;
    for (const part of [body.totals, body.summary]) {
      const told = new Map<string | null, number>();
      for (const row of part) {
        told.set(
          row.iso_currency_code,
          (told.get(row.iso_currency_code) ?? 0) + Math.round(Number(row.total_amount) * 100),
        );
      }
      expect(told, group).toEqual(sums);
    }
  }
}
