import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { mondayOf } from '../../kernel/dates.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';

/** Random ledgers, and every report of them against a slow reading of the contract (10.1.4, 10.5.3 to 10.5.6). */

const LIST = '/api/v1/transactions';
const GROUPINGS = [
  'category',
  'category_primary',
  'month',
  'week',
  'day',
  'category_month',
  'account',
  'user',
  'counterparty',
  'tag',
  'year',
  'kind',
  'category,month',
  'category,month,user',
  'counterparty,kind',
  'tag,week',
  'account,tag,year',
  'day,counterparty,category_primary',
  'user,account,kind',
] as const;
type Grouping = (typeof GROUPINGS)[number];
type Single =
  | 'category'
  | 'category_primary'
  | 'kind'
  | 'month'
  | 'week'
  | 'day'
  | 'year'
  | 'account'
  | 'user'
  | 'counterparty'
  | 'tag';

interface Row {
  id: string;
  date: string;
  amount: string;
  iso_currency_code: string | null;
  account_id: string;
  account_name: string;
  user_id: string | null;
  name: string;
  merchant_name: string | null;
  counterparty_id: string | null;
  counterparty_short_id: string | null;
  counterparty_name: string;
  counterparty_logo_url: string | null;
  category: Category | null;
  tags: string[];
  pending: boolean;
  excluded_from_totals: string | null;
}
interface Category {
  id: string;
  slug: string;
  name: string;
  kind: string;
  parent_id: string | null;
}
interface World {
  app: TestApp;
  /** Live rows, newest first. */
  rows: Row[];
  categories: Map<string, Category>;
  members: Map<string, string>;
}

const NAMES = ['Baker', 'BAKER', 'Bäcker', 'Cafe Zoë', 'CAFE ZOE', 'SQ *77', 'a_b', 'Netflix'];
const CENTS = [1, -1, 10, 33, 99, 100, -100, 999_999_999_999, -999_999_999_999, 0];

const rowsOf = fc.array(
  fc.record({
    account: fc.nat({ max: 3 }),
    day: fc.nat({ max: 75 }),
    amount_cents: fc.oneof(fc.constantFrom(...CENTS), fc.integer({ min: -50_000, max: 50_000 })),
    name: fc.constantFrom(...NAMES),
    merchant_name: fc.option(fc.constantFrom(...NAMES), { nil: null, freq: 2 }),
    iso_currency_code: fc.constantFrom('USD', 'USD', 'EUR', 'JPY', null),
    category: fc.nat({ max: 5 }),
    counterparty: fc.nat({ max: 5 }),
    attributed: fc.nat({ max: 5 }),
    tags: fc.subarray([0, 1, 2]),
    pending: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
    isDeleted: fc.constantFrom(false, false, false, false, true),
  }),
  { minLength: 60, maxLength: 150 },
);
type Drawn = typeof rowsOf extends fc.Arbitrary<infer T> ? T : never;

async function world(app: TestApp, drawn: Drawn): Promise<World> {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const accounts = [
    await addAccount(app, ana, { name: 'Joint' }),
    await addAccount(app, ben, { name: 'Joint', override: ana }),
    await addAccount(app, ben, { name: 'Excluded', excluded: true }),
    await addAccount(app, ben, { name: 'Copies', dependent: true }),
  ];
  const twin = (await app.request('POST', '/api/v1/categories', { body: { name: 'Coffee Shops' } })).json as Made;
  const slugs = ['food_and_drink', 'food_and_drink_coffee', 'income_wages', 'transfer_out_savings'];
  const categories = [null, twin, ...(await Promise.all(slugs.map((slug) => categoryBySlug(app, slug))))];
  const counterparties = [await addCounterparty(app, 'Bakery'), await addCounterparty(app, 'Cafe Zoe')];
  const tags = [await addTag(app, 'red'), await addTag(app, 'blue'), await addTag(app, 'green')];
  await addTransactions(
    app,
    drawn.map(({ day, account, category, counterparty, attributed, tags: carried, pending, isDeleted, ...row }) => ({
      ...row,
      account: accounts[account] as Made,
      date: new Date(Date.UTC(2025, 11, 1 + day)).toISOString().slice(0, 10),
      category: categories[category] ?? null,
      counterparty: counterparties[counterparty] ?? null,
      attributed: attributed === 0 ? ben : null,
      tags: carried.map((tag) => tags[tag] as Made),
      columns: {
        pending,
        ...(isDeleted ? { deleted_at: '2026-03-01T00:00:00.000Z', deleted_cause: 'person' as const } : {}),
      } as NewTransaction['columns'] & object,
    })),
  );
  const get = async <T>(path: string): Promise<T> => (await app.request('GET', path)).json as T;
  const { transactions } = await get<{ transactions: Row[] }>(`${LIST}?limit=500`);
  expect(transactions).toHaveLength(drawn.filter(({ isDeleted }) => !isDeleted).length);
  const known = await get<Category[]>('/api/v1/categories');
  const people = await get<{ short_id: string; name: string }[]>('/api/v1/users');
  return {
    app,
    rows: transactions,
    categories: new Map(known.map((category) => [category.id, category])),
    members: new Map(people.map((one) => [one.short_id, one.name])),
  };
}

type Query = Readonly<Record<string, string>>;
type Told = Record<string, unknown>;

/** The rows that match and count (10.1.4); `end_date` and `tag` stand for all other filters. */
function counting({ rows }: World, query: Query): Row[] {
  const selects = (choice: string | undefined, isSet: boolean): boolean =>
    choice === 'include' || (choice === 'only') === isSet;
  return rows.filter((row) => {
    const spent = cents(row) > 0n && row.category?.kind !== 'transfer';
    return (
      selects(query['excluded_accounts'], row.excluded_from_totals === 'account_excluded') &&
      selects(query['dependent_accounts'], row.excluded_from_totals === 'dependent_account') &&
      (query['pending'] === undefined
        ? query['include_pending'] === 'true' || !row.pending
        : row.pending === (query['pending'] === 'true')) &&
      (query['spending_only'] !== 'true' || spent) &&
      (query['end_date'] === undefined || row.date < query['end_date']) &&
      (query['tag'] === undefined || row.tags.includes(query['tag']))
    );
  });
}

function cents({ amount }: Row): bigint {
  return BigInt(amount.replace('.', ''));
}

function money(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(3, '0');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function total(rows: readonly Row[]): Told {
  const [sum, out] = rows.reduce(
    ([all, spent], row) => [all + cents(row), cents(row) > 0n ? spent + cents(row) : spent],
    [0n, 0n],
  );
  return {
    iso_currency_code: rows[0]?.iso_currency_code,
    transaction_count: rows.length,
    total_amount: money(sum),
    money_out: money(out),
    money_in: money(out - sum),
  };
}

function grouped<K>(rows: readonly Row[], keysOf: (row: Row) => K[]): { key: K; rows: Row[] }[] {
  const groups = new Map<string, { key: K; rows: Row[] }>();
  for (const row of rows) {
    for (const key of keysOf(row)) {
      const name = JSON.stringify([key, row.iso_currency_code]);
      const group = groups.get(name);
      if (group) group.rows.push(row);
      else groups.set(name, { key, rows: [row] });
    }
  }
  return [...groups.values()];
}

/** Ascending, null last; sums descending. */
function byText(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (typeof a !== 'string') return 1;
  return typeof b === 'string' ? compareCodePoints(a, b) : -1;
}
const sumOf = (rows: readonly Row[]): bigint => rows.reduce((all, row) => all + cents(row), 0n);
const bySum = (a: readonly Row[], b: readonly Row[]): number =>
  sumOf(a) === sumOf(b) ? 0 : sumOf(a) > sumOf(b) ? -1 : 1;
const currencyOf = (rows: readonly Row[]): unknown => rows[0]?.iso_currency_code;

function totals(rows: readonly Row[]): Told[] {
  return grouped(rows, () => [null])
    .map((group) => total(group.rows))
    .sort((a, b) => byText(a['iso_currency_code'], b['iso_currency_code']));
}

interface Key {
  ids: (string | null)[];
  period: string | null;
}

function singles(by: Grouping): Single[] {
  return (by === 'category_month' ? 'category,month' : by).split(',') as Single[];
}

const PERIOD_OF: Readonly<Record<string, (date: string) => string>> = {
  day: (date) => date,
  week: mondayOf,
  month: (date) => date.slice(0, 7),
  year: (date) => date.slice(0, 4),
};

const IDS_OF: Readonly<Record<string, (row: Row) => (string | null)[]>> = {
  category: ({ category }) => [category?.id ?? null],
  category_primary: ({ category }) => [category?.parent_id ?? category?.id ?? null],
  kind: ({ category }) => [category?.kind ?? null],
  account: ({ account_id: id }) => [id],
  user: ({ user_id: id }) => [id],
  counterparty: ({ counterparty_id: id }) => [id],
  tag: ({ tags }) => (tags.length === 0 ? [null] : tags),
};

function keysOf(row: Row, by: readonly Single[]): Key[] {
  const period = by.map((one) => PERIOD_OF[one]?.(row.date)).find((found) => found !== undefined) ?? null;
  let ids: (string | null)[][] = [[]];
  for (const one of by) {
    const found = IDS_OF[one]?.(row);
    if (found) ids = ids.flatMap((before) => found.map((id) => [...before, id]));
  }
  return ids.map((list) => ({ ids: list, period }));
}

function summary(w: World, rows: readonly Row[], by: Grouping): Told[] {
  const groups = grouped(rows, (row) => keysOf(row, singles(by)));
  // Members and tags are ordered by UUIDs that their groups do not show: a tie of theirs has no place here.
  const byIds = (a: Key, b: Key): number => a.ids.map((id, i) => byText(id, b.ids[i])).find((sign) => sign !== 0) ?? 0;
  const compare = (a: (typeof groups)[number], b: (typeof groups)[number]): number =>
    byText(b.key.period, a.key.period) ||
    byText(currencyOf(a.rows), currencyOf(b.rows)) ||
    (a.key.ids.length === 0 ? 0 : bySum(a.rows, b.rows) || byIds(a.key, b.key));
  return groups.sort(compare).map((group) => ({
    ...described(w, by, group.key, group.rows[0] as Row),
    ...(group.key.period === null ? {} : { period: group.key.period }),
    ...total(group.rows),
  }));
}

function described(w: World, by: Grouping, { ids }: Key, row: Row): Told {
  const named = singles(by).filter((one) => IDS_OF[one] !== undefined);
  return Object.assign({}, ...named.map((one, index) => describedBy(w, one, ids[index] ?? null, row))) as Told;
}

function describedBy(w: World, by: Single, id: string | null, row: Row): Told {
  if (by === 'category' || by === 'category_primary') {
    const category = id === null ? undefined : w.categories.get(id);
    return {
      category_id: id,
      category_slug: category?.slug ?? null,
      category_name: category?.name ?? null,
      category_kind: category?.kind ?? null,
      parent_id: category?.parent_id ?? null,
    };
  }
  if (by === 'kind') return { category_kind: id };
  if (by === 'account') return { account_id: id, account_name: row.account_name };
  if (by === 'user') return { user_id: id, user_name: w.members.get(id ?? '') ?? null };
  if (by === 'tag') return { tag_slug: id, tag_name: id };
  const name = id === null ? null : row.counterparty_name;
  return { counterparty_id: id, counterparty_short_id: row.counterparty_short_id, counterparty_name: name };
}

/** Totals of a summary: with a period among the groups, each says how many there are and what comes to one (10.5.4). */
function summaryTotals(rows: readonly Row[], by: Grouping, query: Query): Told[] {
  const period = singles(by).find((one) => PERIOD_OF[one] !== undefined);
  const told = totals(rows);
  if (period === undefined) return told;
  const DAY = 86_400_000;
  const of = PERIOD_OF[period] as (date: string) => string;
  return told.map((one) => {
    const dates = rows.filter((row) => row.iso_currency_code === one['iso_currency_code']).map((row) => row.date);
    const open = query['end_date'] === undefined ? undefined : Date.parse(query['end_date']) - DAY;
    const last = open === undefined ? dates.toSorted().at(-1) : new Date(open).toISOString().slice(0, 10);
    const walked = new Set<string>();
    for (let at = Date.parse(dates.toSorted()[0] as string); at <= Date.parse(last as string); at += DAY) {
      walked.add(of(new Date(at).toISOString().slice(0, 10)));
    }
    const sum = sumOf(rows.filter((row) => row.iso_currency_code === one['iso_currency_code']));
    const [size, sign, count] = [sum < 0n ? -sum : sum, sum < 0n ? -1n : 1n, BigInt(walked.size)];
    const average = money(sign * ((2n * size + count) / (2n * count)));
    return { ...one, period_count: walked.size, average_amount: average };
  });
}

function merchants(rows: readonly Row[], minCount: number): { rows: Told[]; counted: Row[] } {
  const groups = grouped(rows, (row) => [row.counterparty_id ?? `text:${fold(row.merchant_name ?? row.name)}`]).filter(
    (group) => group.rows.length >= minCount,
  );
  const told = groups.map(({ key, rows: members }) => {
    // The rows come newest first.
    const [newest, oldest] = [members[0] as Row, members.at(-1) as Row];
    const isBound = newest.counterparty_id !== null;
    const [sum, count] = [sumOf(members), BigInt(members.length)];
    const [size, sign] = sum < 0n ? [-sum, -1n] : [sum, 1n];
    return {
      key,
      members,
      row: {
        merchant: isBound ? newest.counterparty_name : (newest.merchant_name ?? newest.name),
        counterparty_id: newest.counterparty_id,
        counterparty_short_id: newest.counterparty_short_id,
        counterparty_logo_url: newest.counterparty_logo_url,
        iso_currency_code: newest.iso_currency_code,
        transaction_count: members.length,
        total_amount: money(sum),
        avg_amount: money(sign * ((2n * size + count) / (2n * count))),
        first_date: oldest.date,
        last_date: newest.date,
      },
    };
  });
  told.sort(
    (a, b) =>
      byText(a.row.iso_currency_code, b.row.iso_currency_code) ||
      bySum(a.members, b.members) ||
      b.members.length - a.members.length ||
      compareCodePoints(fold(a.row.merchant), fold(b.row.merchant)) ||
      byText(a.row.counterparty_id, b.row.counterparty_id),
  );
  return { rows: told.map(({ row }) => row), counted: groups.flatMap((group) => group.rows) };
}

const queries = fc
  .record({
    excluded_accounts: fc.constantFrom(undefined, undefined, 'include', 'exclude', 'only'),
    dependent_accounts: fc.constantFrom(undefined, undefined, 'include', 'only'),
    include_pending: fc.constantFrom(undefined, 'true'),
    pending: fc.constantFrom(undefined, undefined, undefined, 'true', 'false'),
    spending_only: fc.constantFrom(undefined, undefined, 'true'),
    end_date: fc.constantFrom(undefined, '2026-01-05'),
    tag: fc.constantFrom(undefined, undefined, undefined, 'red'),
  })
  .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as Query);

forEachDatabase(({ open }) => {
  describe('random ledgers', () => {
    it('add up in every grouping, by merchant, in count and in the export', async () => {
      await fc.assert(
        fc.asyncProperty(rowsOf, fc.array(queries, { minLength: 4, maxLength: 6 }), async (drawn, asked) => {
          const app = await open();
          const w = await world(app, drawn);
          for (const query of [{}, ...asked] as Query[]) await reportsAgree(w, query);
          await exportsAgree(w);
          await app.close();
        }),
        { numRuns: 4, seed: 20_260_426, endOnFailure: true },
      );
    });
  });
});

async function reportsAgree(w: World, query: Query): Promise<void> {
  const ask = async (path: string, more: Query): Promise<Told> => {
    const answer = await w.app.request('GET', `${LIST}${path}`, { query: { ...query, ...more } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as Told;
  };
  const rows = counting(w, query);
  const what = JSON.stringify(query);
  for (const by of GROUPINGS) {
    const told = await ask('/summary', { group_by: by, limit: '5000' });
    const expected = summary(w, rows, by);
    expect(told['totals'], `${by} ${what}`).toEqual(summaryTotals(rows, by, query));
    expect([told['row_count'], told['truncated']]).toEqual([expected.length, false]);
    const sorted = (list: Told[]): Told[] =>
      by.includes('user') || by.includes('tag') ? list.toSorted(byContent) : list;
    expect(sorted(told['summary'] as Told[]), `${by} ${what}`).toEqual(sorted(expected));
  }
  for (const minCount of [1, 3]) {
    const told = await ask('/merchants', { min_count: String(minCount), limit: '5000' });
    const expected = merchants(rows, minCount);
    expect(told['merchants'], what).toEqual(expected.rows);
    expect(told['totals'], what).toEqual(totals(expected.counted));
  }
  // What a list would refuse, and how many rows it would walk: pending ones and all accounts are in it.
  const { spending_only: isSpending, ...listed } = query;
  if (isSpending !== undefined) return;
  const counted = await w.app.request('GET', `${LIST}/count`, { query: { ...listed, include_totals: 'true' } });
  const { include_pending: _pending, ...filters } = listed;
  const walked = await w.app.request('GET', LIST, { query: { ...filters, limit: '500' } });
  expect(counted.json, what).toEqual({
    count: (walked.json as { transactions: Row[] }).transactions.length,
    totals: totals(rows),
  });
}

function byContent(a: Told, b: Told): number {
  return compareCodePoints(JSON.stringify(a), JSON.stringify(b));
}

/** The same rows in the same order as the list, live and deleted. */
async function exportsAgree({ app, rows }: World): Promise<void> {
  for (const query of [{}, { sort: 'amount' }, { sort: 'name', order: 'desc' }, { deleted: 'true' }] as Query[]) {
    const list = await app.request('GET', LIST, { query: { order: 'asc', limit: '500', ...query } });
    const file = await app.request('GET', `${LIST}/export`, { query: { ...query, format: 'json' } });
    expect(file.json).toEqual((list.json as { transactions: Row[] }).transactions);
    const lines = await app.request('GET', `${LIST}/export`, { query: { ...query, format: 'ndjson' } });
    expect(
      lines.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(file.json);
    const csv = await app.request('GET', `${LIST}/export`, { query: { ...query, fields: 'amount' } });
    const amounts = (file.json as Row[]).map(({ id, amount }) => [id, amount]);
    expect(
      csv.text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(','))
        .map(([id, , amount]) => [id, amount]),
    ).toEqual(amounts);
  }
  const whole = await app.request('GET', `${LIST}/export`, { query: { format: 'json', order: 'desc' } });
  expect(whole.json).toEqual(rows);
}
