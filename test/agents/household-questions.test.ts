import { beforeAll, describe, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { QUESTIONS, type QuestionCall } from '../../src/features/agent-tools/guides/questions.ts';
import { compareCodePoints, fold } from '../../src/kernel/fold.ts';
import { askTool } from '../harness/agents/agents.ts';
import { addTransactions } from '../harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';
import { cents, decimal, seriesByHand, type ByHand, type ExportedRow } from './series-by-hand.ts';

/**
 * The questions of the guide (contract 70.6), each call made literally as the guide shows it, on demo households and on an
 * empty one. The answers are compared with sums over the exported rows, which share no code with the service.
 */

const TODAY = '2026-04-26';
const TOKENS_MAX = 8_000;
/** A usual estimate for JSON. */
const CHARS_PER_TOKEN = 4;
const DAYS: Readonly<Record<string, string>> = {
  '{T}': TODAY,
  '{M}': '2026-04-01',
  '{Y}': '2026-01-01',
  '{L}': '2026-03-01',
  '{E}': '2026-03-31',
};

// oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
type Result = any;

interface World {
  app: TestApp;
  rows: ExportedRow[];
  parents: Map<string, string>;
  members: Map<string, string>;
  counterparties: { id: string; name: string }[];
  series: { id: string; short_id: string; name: string; type: string }[];
}

async function exported(app: TestApp): Promise<World> {
  const get = async (path: string): Promise<Result> => {
    const { status, json, text } = await app.request('GET', `/api/v1/${path}`);
    expect(status, text).toBe(200);
    return json;
  };
  const categories: Result[] = await get('categories');
  const { counterparties } = await get('counterparties');
  const { series } = await get('series');
  return {
    app,
    rows: await get('transactions/export?format=json'),
    parents: new Map(
      categories.map((one) => [one.slug, categories.find(({ id }) => id === one.parent_id)?.slug ?? one.slug]),
    ),
    members: new Map((await get('users')).map((one: Result) => [one.short_id, one.name])),
    counterparties,
    series,
  };
}

const counts = (row: ExportedRow): boolean => !row.pending && row.excluded_from_totals === null;
const isSpent = (row: ExportedRow): boolean =>
  counts(row) && (row.category === null ? cents(row) > 0 : row.category.kind === 'expense');
const between =
  (from: string, to = '9999-12-31') =>
  (row: ExportedRow): boolean =>
    row.date >= from && row.date <= to;
const currencyOf = ({ iso_currency_code: code }: { iso_currency_code?: string | null }): string => code ?? 'none';

/** Decimals per group. */
function sums(rows: readonly ExportedRow[], keyOf: (row: ExportedRow) => string): Record<string, string> {
  const groups = Map.groupBy(rows, keyOf);
  return Object.fromEntries(
    [...groups].map(([key, all]) => [key, decimal(all.reduce((sum, row) => sum + cents(row), 0))]),
  );
}

const shown = (rows: readonly Result[], keyOf: (row: Result) => string): Record<string, string> =>
  Object.fromEntries(rows.map((row) => [keyOf(row), row.total_amount]));

const refunds = (rows: readonly ExportedRow[]): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(rows, currencyOf)].map(([code, all]) => [
      code,
      decimal(all.reduce((sum, row) => sum + Math.max(0, -cents(row)), 0)),
    ]),
  );

/** What the answer to a call must be, from the rows. */
type Judge = (world: World, answer: Result) => Promise<void> | void;

const topOf = ({ parents }: World, { category }: ExportedRow): string =>
  category === null ? 'none' : (parents.get(category.slug) as string);

function merchantOf({ counterparties }: World, row: ExportedRow): string {
  if (row.counterparty_id !== null) return row.counterparty_id;
  const text = fold(row.merchant_name ?? row.name);
  return counterparties.find(({ name }) => fold(name) === text)?.id ?? text;
}

/** Largest first per currency, as `currency total count`: merchants of one name are one. */
function merchantsOf(world: World, rows: readonly ExportedRow[], limit = Infinity): string[] {
  const groups = Map.groupBy(rows, (row) => `${currencyOf(row)}\n${merchantOf(world, row)}`);
  const totals = [...groups].map(([key, all]) => {
    const [code = ''] = key.split('\n');
    return { code, cents: all.reduce((sum, row) => sum + cents(row), 0), count: all.length };
  });
  totals.sort((a, b) => compareCodePoints(a.code, b.code) || b.cents - a.cents || b.count - a.count);
  return [...Map.groupBy(totals, ({ code }) => code).values()].flatMap((one) =>
    one.slice(0, limit).map(({ code, cents: sum, count }) => `${code} ${decimal(sum)} ${count}`),
  );
}

const shownMerchants = ({ merchants }: Result): string[] =>
  merchants.map((one: Result) => `${currencyOf(one)} ${one.total_amount} ${one.transaction_count}`);

function comparedWith(world: World, answer: Result, now: ExportedRow[], then: ExportedRow[]): void {
  const keyOf = (row: ExportedRow): string => `${currencyOf(row)} ${topOf(world, row)}`;
  const [current, former] = [sums(now, keyOf), sums(then, keyOf)];
  const keys = [...new Set([...Object.keys(current), ...Object.keys(former)])];
  const shownKey = (row: Result): string => `${currencyOf(row)} ${row.category_slug ?? 'none'}`;
  const told = Object.fromEntries(
    answer.summary.map((row: Result) => [shownKey(row), [row.total_amount, row.compared.total_amount]]),
  );
  expect(told).toEqual(Object.fromEntries(keys.map((key) => [key, [current[key] ?? '0.00', former[key] ?? '0.00']])));
  const [all, before] = [sums(now, currencyOf), sums(then, currencyOf)];
  for (const row of answer.totals) {
    const [one, other] = [all[currencyOf(row)] ?? '0.00', before[currencyOf(row)] ?? '0.00'];
    expect([row.total_amount, row.compared.total_amount]).toEqual([one, other]);
    expect(row.compared.change).toBe(decimal(cents({ amount: one }) - cents({ amount: other })));
    const percent = (cents({ amount: row.compared.change }) / Math.abs(cents({ amount: other }))) * 100;
    if (row.compared.percent !== undefined) expect(Number(row.compared.percent)).toBeCloseTo(percent, 0);
  }
  for (const [index, row] of answer.summary.entries()) {
    const before_ = answer.summary[index - 1];
    if (!before_ || currencyOf(before_) !== currencyOf(row)) continue;
    expect(Math.abs(Number(before_.compared.change))).toBeGreaterThanOrEqual(Math.abs(Number(row.compared.change)));
  }
}

/** All series with their rows; what the service knows until when is what its rows and syncs say. */
async function allSeries({ app, rows, series }: World): Promise<(ByHand & World['series'][number])[]> {
  const { json: accounts } = await app.request('GET', '/api/v1/accounts');
  const { json: connections } = await app.request('GET', '/api/v1/connections');
  const known = (accountId: string): string => {
    const own = rows.filter((row) => row.account_id === accountId && !row.pending).map(({ date }) => date);
    const bank = accounts.find(({ id }: Result) => id === accountId)?.connection_id;
    const connection = connections.find(({ id, provider }: Result) => id === bank && provider !== 'csv');
    const synced = connection?.last_sync_at?.slice(0, 10) ?? '';
    const day = [synced, ...own].sort(compareCodePoints).at(-1) as string;
    return day < TODAY ? day : TODAY;
  };
  return series.map((one) => ({
    ...one,
    ...seriesByHand(
      rows.filter((row) => row.series_id === one.id),
      known,
    ),
  }));
}

const JUDGES: Readonly<Record<string, Judge>> = {
  'groceries per month and person'(world, { summary, truncated }) {
    const rows = world.rows.filter((row) => counts(row) && row.category?.slug === 'food_and_drink_groceries');
    const expected = sums(
      rows.filter(between('2026-01-01')),
      (row) => `${row.date.slice(0, 7)} ${world.members.get(row.user_id ?? '')} ${currencyOf(row)}`,
    );
    expect(shown(summary, (row) => `${row.period} ${row.user_name} ${currencyOf(row)}`)).toEqual(expected);
    expect(truncated).toBe(false);
  },
  'what did we spend last month, on what'(world, { summary, totals, meaning }) {
    const rows = world.rows.filter(isSpent).filter(between('2026-03-01', '2026-03-31'));
    expect(shown(summary, (row) => `${currencyOf(row)} ${row.category_slug ?? 'none'}`)).toEqual(
      sums(rows, (row) => `${currencyOf(row)} ${topOf(world, row)}`),
    );
    expect(shown(totals, currencyOf)).toEqual(sums(rows, currencyOf));
    expect(Object.fromEntries(totals.map((one: Result) => [currencyOf(one), one.refunded]))).toEqual(refunds(rows));
    expect(meaning).toContain('net of refunds');
  },
  'this month against last month'(world, answer) {
    const rows = world.rows.filter(isSpent);
    expect(answer.filters.compare_to).toBe('2026-03-01..2026-03-26');
    comparedWith(
      world,
      answer,
      rows.filter(between('2026-04-01', TODAY)),
      rows.filter(between('2026-03-01', '2026-03-26')),
    );
  },
  'this year against last year'(world, answer) {
    const rows = world.rows.filter(isSpent);
    expect(answer.filters.compare_to).toBe('2025-01-01..2025-04-26');
    comparedWith(
      world,
      answer,
      rows.filter(between('2026-01-01', TODAY)),
      rows.filter(between('2025-01-01', '2025-04-26')),
    );
  },
  'spending per month, on average'(world, { summary, totals }) {
    const rows = world.rows.filter(isSpent).filter(between('2026-01-01'));
    expect(shown(summary, (row) => `${row.period} ${currencyOf(row)}`)).toEqual(
      sums(rows, (row) => `${row.date.slice(0, 7)} ${currencyOf(row)}`),
    );
    for (const total of totals) {
      const over = rows.filter((row) => currencyOf(row) === currencyOf(total) && row.date < '2026-04-01');
      const sum = over.reduce((all, row) => all + cents(row), 0);
      expect(total).toMatchObject({
        period_count: 3,
        average_amount: decimal(Math.round(sum / 3)),
        partial_period: '2026-04',
      });
    }
  },
  'biggest merchants'(world, answer) {
    const rows = world.rows.filter(isSpent).filter(between('2026-01-01'));
    expect(shownMerchants(answer)).toEqual(merchantsOf(world, rows, 10));
    const names = answer.merchants.map((one: Result) => `${currencyOf(one)} ${fold(one.merchant)}`);
    expect(new Set(names).size).toBe(names.length);
  },
  'largest purchases'(world, { transactions, totals }) {
    const rows = world.rows.filter((row) => isSpent({ ...row, pending: false, excluded_from_totals: null }));
    const listed = rows.filter((row) => row.excluded_from_totals !== 'dependent_account').filter(between('2026-01-01'));
    const largest = listed.map(cents).sort((a, b) => b - a);
    expect(transactions.map(cents)).toEqual(largest.slice(0, 10));
    expect(shown(totals, currencyOf)).toEqual(sums(listed.filter(counts), currencyOf));
  },
  async 'subscriptions, and what they cost; bills to come'(world, { series, yearly_totals: totals }) {
    const isFirst = series.every(({ type }: Result) => type === 'subscription');
    const all = (await allSeries(world)).filter(
      (one) => one.status !== 'ended' && (isFirst ? one.type === 'subscription' : one.direction === 'out'),
    );
    const told = series.map((one: Result) => [
      one.name,
      one.status,
      one.next_expected_date ?? null,
      one.yearly_cost ?? null,
    ]);
    expect(new Set(told.map(String))).toEqual(
      new Set(all.map((one) => String([one.name, one.status, one.next, one.yearly]))),
    );
    for (const one of series) {
      const prices = all.find(({ name }) => name === one.name)?.prices ?? [];
      const since = prices.filter(({ from }) => from >= '2025-04-26');
      const inForce = prices.filter(({ from }) => from < '2025-04-26').slice(-1);
      expect(
        one.prices.map(({ from, amount }: Result) => [from, amount]),
        one.name,
      ).toEqual([...inForce, ...since].map(({ from, amount }) => [from, amount]));
    }
    const expected = Map.groupBy(
      all.filter(({ yearly }) => yearly !== null),
      ({ payments, direction }) => `${currencyOf(payments.at(-1) as ExportedRow)} ${direction}`,
    );
    expect(
      Object.fromEntries(totals.map((one: Result) => [`${currencyOf(one)} ${one.direction}`, one.yearly_cost])),
    ).toEqual(
      Object.fromEntries(
        [...expected].map(([key, group]) => [
          key,
          decimal(group.reduce((sum, { yearly }) => sum + cents({ amount: yearly as string }), 0)),
        ]),
      ),
    );
    const urgency = series.map((one: Result) => `${one.status === 'late' ? 0 : 1} ${one.next_expected_date ?? '9999'}`);
    expect(urgency).toEqual([...urgency].sort(compareCodePoints));
  },
  async 'price rises; what is late, ended, charged twice'(world, answer) {
    const all = (await allSeries(world)).filter(({ direction }) => direction === 'out');
    const changes = all.flatMap(({ name, prices }) =>
      prices
        .filter(({ from, change }) => from >= '2025-04-26' && change !== null)
        .map(({ from, amount, change }) => [name, from, amount, change]),
    );
    const told = answer.price_changes.map((one: Result) => [one.name, one.date, one.new_amount, one.change]);
    expect(told.map(String).toSorted()).toEqual(changes.map(String).toSorted());
    const effects = answer.price_changes.map((one: Result) => Number(one.yearly_effect));
    expect(effects).toEqual(effects.toSorted((a: number, b: number) => b - a));
    const namesOf = (list: Result[]): string[] => list.map(({ name }) => name).sort(compareCodePoints);
    expect(namesOf(answer.late)).toEqual(namesOf(all.filter(({ status }) => status === 'late')));
    const ended = all.filter(
      (one) => one.status === 'ended' && (one.next ?? one.payments.at(-1)?.date ?? '') >= '2025-04-26',
    );
    expect(namesOf(answer.ended)).toEqual(namesOf(ended));
    const twice = all.flatMap(({ payments, interval }) =>
      payments.flatMap((later, index) => {
        const earlier = payments.slice(0, index).findLast((one) => one.amount === later.amount);
        const gap = earlier && (Date.parse(later.date) - Date.parse(earlier.date)) / 86_400_000;
        return gap !== undefined && gap < (interval === null ? 3 : interval / 2) && later.date >= '2025-04-26'
          ? [later.short_id]
          : [];
      }),
    );
    const own = answer.doubled.filter((one: Result) => one.other_series_id === undefined);
    expect(own.map(({ transactions }: Result) => transactions[1].id).sort()).toEqual(twice.sort());
  },
  'new subscriptions'(world, answer) {
    const groups = Map.groupBy(world.rows.filter(isSpent), (row) => `${currencyOf(row)} ${merchantOf(world, row)}`);
    const news = [...groups.values()].filter(
      (rows) => rows.length >= 2 && rows.every(({ date }) => date >= '2026-03-01'),
    );
    expect(shownMerchants(answer)).toEqual(merchantsOf(world, news.flat()));
  },
  'charged twice?'(world, { transactions, has_more: hasMore }) {
    const groups = Map.groupBy(
      world.rows.filter(counts),
      (row) => `${currencyOf(row)} ${row.amount} ${merchantOf(world, row)}`,
    );
    const isNear = (a: ExportedRow, b: ExportedRow): boolean =>
      a !== b && Math.abs(Date.parse(a.date) - Date.parse(b.date)) <= 3 * 86_400_000;
    const repeats = [...groups.values()].flatMap((rows) => rows.filter((row) => rows.some((one) => isNear(one, row))));
    const expected = repeats.filter(between('2026-03-01')).sort((a, b) => (a.date + a.id < b.date + b.id ? 1 : -1));
    expect(transactions.map(({ id }: Result) => id)).toEqual(expected.slice(0, 50).map(({ short_id: id }) => id));
    expect(hasMore).toBe(expected.length > 50);
  },
  async 'net worth, and its course'({ app }, { balances, history }) {
    const { json: accounts } = await app.request('GET', '/api/v1/accounts');
    const net = new Map<string, number>();
    for (const one of accounts) {
      if (one.is_excluded || one.is_dependent_linked || one.balance_current === null) continue;
      const sign = ['credit', 'loan'].includes(one.type) ? -1 : 1;
      net.set(
        one.iso_currency_code,
        (net.get(one.iso_currency_code) ?? 0) + sign * cents({ amount: one.balance_current }),
      );
    }
    expect(Object.fromEntries(balances.map((one: Result) => [currencyOf(one), one.net]))).toEqual(
      Object.fromEntries([...net].map(([code, sum]) => [code, decimal(sum)])),
    );
    for (const { iso_currency_code: code, points } of history) {
      expect(points.at(-1).net).toBe(decimal(net.get(code) as number));
    }
  },
  'what needs a look'({ rows }, answer) {
    const tagged = rows.filter(({ tags }) => tags.includes('needs-review'));
    if (answer.backlog) {
      const uncategorized = rows.filter(({ category }) => category === null).length;
      expect(answer.backlog).toMatchObject({ needs_review_count: tagged.length, uncategorized_count: uncategorized });
    } else expect(shown(answer.totals, currencyOf)).toEqual(sums(tagged.filter(counts), currencyOf));
  },
  async 'what changed this month'({ app }, { change_sets: sets }) {
    const { json } = await app.request('GET', '/api/v1/change-sets', {
      query: { from: '2026-04-01T00:00:00Z', limit: '500' },
    });
    expect(sets.map(({ id }: Result) => id)).toEqual(json.change_sets.slice(0, 20).map((one: Result) => one.short_id));
  },
  'cash flow'({ rows }, { summary, meaning }) {
    const expected = sums(
      rows.filter(counts).filter(between('2026-01-01')),
      (row) => `${row.date.slice(0, 7)} ${row.category?.kind ?? 'none'} ${currencyOf(row)}`,
    );
    expect(shown(summary, (row) => `${row.period} ${row.category_kind ?? 'none'} ${currencyOf(row)}`)).toEqual(
      expected,
    );
    expect(meaning).toContain('gross');
  },
  'what is pending'({ rows }, { transactions, totals, left_out: leftOut }) {
    const pending = rows.filter((row) => row.pending && row.excluded_from_totals !== 'dependent_account');
    expect(transactions.map(({ id }: Result) => id).sort()).toEqual(pending.map(({ short_id: id }) => id).sort());
    const counted = pending.filter((row) => row.excluded_from_totals === null);
    expect(shown(totals, currencyOf)).toEqual(sums(counted, currencyOf));
    expect(leftOut).toMatchObject({ pending: 0, excluded_account: pending.length - counted.length });
  },
  'refunds still open'({ rows }, { transactions }) {
    const open = rows.filter(({ tags }) => tags.includes('refund-expected'));
    expect(transactions.map(({ id }: Result) => id).sort()).toEqual(open.map(({ short_id: id }) => id).sort());
  },
};

function literally({ arguments: sent }: QuestionCall): Record<string, unknown> | null {
  const text = JSON.stringify(sent).replaceAll(/\{[TMYLE]\}/g, (day) => DAYS[day] as string);
  return text.includes('<') ? null : (JSON.parse(text) as Record<string, unknown>);
}

async function demo(app: TestApp, seed: number): Promise<void> {
  await writeHousehold(app.app.instance, generateHousehold({ seed, transactions: 12_000, until: '2026-04-25' }));
  const { json: accounts } = await app.request('GET', '/api/v1/accounts');
  const account = accounts.find((one: Result) => one.display_name === 'Joint checking');
  // What the household has not: a new subscription, charged twice in its last month, and a refund to come.
  const made = await addTransactions(
    app,
    ['2026-03-12', '2026-04-12', '2026-04-14'].map((date) => ({
      account,
      date,
      amount_cents: 799,
      name: 'PODCASTS PLUS',
    })),
  );
  await app.request('POST', `/api/v1/transactions/${made[2]?.id}/tags`, { body: { slug: 'refund-expected' } });
}

forEachDatabase((database) => {
  describe.each([
    ['a demo household', 1],
    ['another one', 2],
    ['an empty one', null],
  ])('%s', (_name, seed) => {
    let world: World;

    beforeAll(async () => {
      const app = await database.open();
      await app.request('PATCH', '/api/v1/config/instance.timezone', { body: { value: 'UTC' } });
      if (seed !== null) await demo(app, seed);
      world = await exported(app);
    });

    test.each(QUESTIONS.map((question) => [question.asks, question] as const))('%s', async (asks, { calls }) => {
      for (const call of calls) {
        const input = literally(call);
        if (input === null) continue;
        const answer = await askTool(world.app, call.tool, input);
        expect(JSON.stringify(answer).length / CHARS_PER_TOKEN, call.tool).toBeLessThan(TOKENS_MAX);
        await (JUDGES[asks] as Judge)(world, answer);
      }
    });
  });

  test('the guide shows every question with its calls', async () => {
    const app = await database.open();
    const { markdown } = await askTool(app, 'get_guide', { topic: 'overview' });
    for (const { asks, calls } of QUESTIONS) {
      const line = markdown.split('\n').find((one: string) => one.startsWith(`| ${asks} |`));
      for (const { tool, arguments: sent } of calls) expect(line).toContain(`\`${tool} ${JSON.stringify(sent)}\``);
    }
  });
});
