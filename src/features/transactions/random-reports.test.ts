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
import {
  counting,
  GROUPINGS,
  merchants,
  summary,
  summaryTotals,
  totals,
  type Category,
  type Counterparty,
  type Query,
  type Row,
  type ReportFields,
  type World,
} from '../../../test/harness/ledgers/reports.ts';
import { askTool } from '../../../test/harness/agents/agents.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { compareCodePoints, fold } from '../../kernel/fold.ts';

/** Random ledgers, and every report of them against a slow reading of the contract (10.1.4, 10.5.3 to 10.5.6). */

const LIST = '/api/v1/transactions';

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
  const { counterparties: merchantsKnown } = await get<{ counterparties: Counterparty[] }>('/api/v1/counterparties');
  const people = await get<{ short_id: string; name: string }[]>('/api/v1/users');
  return {
    app,
    rows: transactions,
    categories: new Map(known.map((category) => [category.id, category])),
    members: new Map(people.map((one) => [one.short_id, one.name])),
    counterparties: new Map(merchantsKnown.map((one) => [fold(one.name), one])),
  };
}

const queries = fc
  .record({
    excluded_accounts: fc.constantFrom(undefined, undefined, 'include', 'exclude', 'only'),
    dependent_accounts: fc.constantFrom(undefined, undefined, 'include', 'only'),
    include_pending: fc.constantFrom(undefined, 'true'),
    pending: fc.constantFrom(undefined, undefined, undefined, 'true', 'false'),
    spending_only: fc.constantFrom(undefined, undefined, 'true'),
    date_from: fc.constantFrom(undefined, undefined, '2025-12-01', '2025-12-09', '2026-01-01'),
    end_date: fc.constantFrom(undefined, undefined, '2026-01-05', '2026-02-01', '2026-02-10'),
    uncategorized: fc.constantFrom(undefined, undefined, undefined, 'true', 'false'),
    iso_currency_code: fc.constantFrom(undefined, undefined, undefined, 'EUR'),
    user_id: fc.constantFrom(undefined, undefined, undefined, 'Ana', 'Ben'),
    counterparty_id: fc.constantFrom(undefined, undefined, undefined, undefined, 'Bakery'),
    category_slug: fc.constantFrom(undefined, undefined, undefined, 'food_and_drink', 'transfer_out'),
    category_kind: fc.constantFrom(undefined, undefined, 'none', 'expense,income,none', 'transfer'),
    tag: fc.constantFrom(undefined, undefined, undefined, 'red'),
  })
  // A category filter and uncategorized=true exclude each other.
  .map((drawn) =>
    drawn.uncategorized === 'true' ? { ...drawn, category_slug: undefined, category_kind: undefined } : drawn,
  )
  .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as Query);

/** What whole months, their edges and the rows must each answer, whatever is drawn. */
const ALWAYS: readonly Query[] = [
  {},
  { spending_only: 'true' },
  { date_from: '2025-12-09', end_date: '2026-02-10', include_pending: 'true' },
  { user_id: 'Ana', category_slug: 'food_and_drink' },
  { category_kind: 'income,none' },
];

forEachDatabase(({ open }) => {
  describe('random ledgers', () => {
    it('add up in every grouping, by merchant, in count and in the export', async () => {
      await fc.assert(
        fc.asyncProperty(rowsOf, fc.array(queries, { minLength: 2, maxLength: 3 }), async (drawn, asked) => {
          const app = await open();
          const w = await world(app, drawn);
          for (const query of [...ALWAYS, ...asked]) await reportsAgree(w, query);
          await exportsAgree(w);
          await app.close();
        }),
        { numRuns: 4, seed: 20_260_426, endOnFailure: true },
      );
    }, 120_000);
  });
});

/** Members and counterparties by the ids that the service knows them by. */
function withIds({ members, rows }: World, query: Query): Query {
  const member = [...members].find(([, name]) => name === query['user_id'])?.[0];
  const bound = rows.find((row) => row.counterparty_name === query['counterparty_id'])?.counterparty_short_id;
  return { ...query, ...(member ? { user_id: member } : {}), ...(bound ? { counterparty_id: bound } : {}) };
}

async function reportsAgree(w: World, named: Query): Promise<void> {
  const query = withIds(w, named);
  const ask = async (path: string, more: Query): Promise<ReportFields> => {
    const answer = await w.app.request('GET', `${LIST}${path}`, { query: { ...query, ...more } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as ReportFields;
  };
  const rows = counting(w, named);
  const what = JSON.stringify(query);
  for (const by of GROUPINGS) {
    const told = await ask('/summary', { group_by: by, limit: '5000' });
    const expected = summary(w, rows, by);
    expect(told['totals'], `${by} ${what}`).toEqual(summaryTotals(rows, by, query));
    expect([told['row_count'], told['truncated']]).toEqual([expected.length, false]);
    const sorted = (list: ReportFields[]): ReportFields[] =>
      by.includes('user') || by.includes('tag') ? list.toSorted(byContent) : list;
    expect(sorted(told['summary'] as ReportFields[]), `${by} ${what}`).toEqual(sorted(expected));
  }
  for (const minCount of [1, 3]) {
    const told = await ask('/merchants', { min_count: String(minCount), limit: '5000' });
    const expected = merchants(w, rows, minCount);
    expect(told['merchants'], what).toEqual(expected.rows);
    expect(told['totals'], what).toEqual(totals(expected.counted));
  }
  await netAgrees(w, named);
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

/** What was spent, as agents read it: from whole months and from rows, by group and by merchant. */
async function netAgrees(w: World, named: Query): Promise<void> {
  const asked = { ...withIds(w, named), spending_only: true };
  const { include_pending: pending } = named;
  const input = pending === undefined ? asked : { ...asked, include_pending: true };
  const rows = counting(w, { ...named, spending_only: 'net' });
  const what = JSON.stringify(input);
  const expected = totals(rows).map(({ money_in: refunded, iso_currency_code: code, ...total }): ReportFields => ({
    ...total,
    ...(code === null ? {} : { iso_currency_code: code }),
    money_in: refunded,
    refunded,
  }));
  for (const group_by of ['category', 'month', 'day', 'tag']) {
    const told = await askTool(w.app, 'transaction_summary', { ...input, group_by });
    const sums = (told.totals as ReportFields[]).map(
      ({ period_count: _count, average_amount: _average, partial_period: _partial, ...total }) => total,
    );
    expect(sums, `${group_by} ${what}`).toEqual(expected);
  }
  const told = await askTool(w.app, 'merchant_summary', { ...input, limit: 5_000 });
  expect(told.totals, what).toEqual(expected);
  expect(
    told.merchants.map((one: ReportFields) => [one['merchant'], one['total_amount'], one['last_date']]),
    what,
  ).toEqual(merchants(w, rows, 1).rows.map((one) => [one['merchant'], one['total_amount'], one['last_date']]));
}

function byContent(a: ReportFields, b: ReportFields): number {
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
