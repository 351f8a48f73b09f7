import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { dayNumber } from '../../src/kernel/dates.ts';
import { compareCodePoints } from '../../src/kernel/fold.ts';
import { askTool } from '../harness/agents/agents.ts';
import { addTransactions } from '../harness/ledger.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../harness/test-app.ts';
import { countsInTotals, isSpending, money, readLedger, sums, type LedgerRow } from './ledger-rows.ts';

/** The questions of contract 70.6, asked about the demo household; each answer is compared with the rows themselves. */

const UNTIL = '2026-04-25';
const TOKENS_MAX = 8_000;
/** A usual estimate for JSON. */
const CHARS_PER_TOKEN = 4;

// oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
type Result = any;

forEachDatabase((database) => {
  let app: TestApp;
  let ledger: LedgerRow[];

  beforeAll(async () => {
    app = await database.open();
    await writeHousehold(app.app.instance, generateHousehold({ seed: 1, transactions: 12_000, until: UNTIL }));
    await addNews(app);
    ledger = await readLedger(app);
  });

  /** What a client gets that may make so many calls, and read so much. */
  function questioner(mostCalls: number): (tool: string, input: Record<string, unknown>) => Promise<Result> {
    let [calls, chars] = [0, 0];
    onTestFinished(() => {
      expect(calls).toBeLessThanOrEqual(mostCalls);
      expect(chars / CHARS_PER_TOKEN).toBeLessThan(TOKENS_MAX);
    });
    return async (tool, input) => {
      const result = await askTool(app, tool, input);
      calls += 1;
      chars = Math.max(chars, JSON.stringify(result).length);
      return result;
    };
  }

  test('groceries per month and person', async () => {
    const ask = questioner(1);
    const { summary, truncated } = await ask('transaction_summary', {
      group_by: 'category,month,user',
      category_slug: 'food_and_drink_groceries',
    });
    expect(truncated).toBe(false);
    const groceries = ledger.filter((row) => countsInTotals(row) && row.category === 'food_and_drink_groceries');
    const expected = sums(groceries, (row) => `${row.date.slice(0, 7)} ${row.owner} ${row.currency}`);
    expect(amountsBy(summary, (row) => `${row.period} ${row.user_name} ${row.iso_currency_code}`)).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(90);
  });

  test('new subscriptions', async () => {
    const ask = questioner(2);
    const since = '2026-02-01';
    const { merchants } = await ask('merchant_summary', { new_since: since, min_count: 2, spending_only: true });
    const groups = Map.groupBy(ledger.filter(isSpending), (row) => `${row.merchant} ${row.currency}`);
    const news = [...groups.values()].filter((rows) => rows.length >= 2 && (rows.at(-1) as LedgerRow).date >= since);
    const expected = news.map((rows) => `${rows.length}: ${money(rows.reduce((sum, { cents }) => sum + cents, 0))}`);
    expect(merchants).toContainEqual(expect.objectContaining({ merchant: 'PODCASTS PLUS', total_amount: '23.97' }));
    const found = merchants.map((one: Result) => `${one.transaction_count}: ${one.total_amount}`);
    expect(found.sort()).toEqual(expected.sort());
    // It is in no series yet.
    const { series } = await ask('list_series', { search: 'podcasts' });
    expect(series).toEqual([]);
  });

  test('price rises, and bills to come', async () => {
    const ask = questioner(1);
    const { series } = await ask('list_series', {});
    const expected = outlooks(ledger);
    expect(series.map((one: Result) => [one.name, one.last_amount, one.previous_amount, one.next_date])).toEqual(
      expect.arrayContaining([...expected].map(([name, one]) => [name, one.last, one.previous, one.next])),
    );
    expect(series).toHaveLength(expected.size);
    const risen = series.filter((one: Result) => Number(one.last_amount) > Number(one.previous_amount));
    const rises = [...expected].filter(([, one]) => Number(one.last) > Number(one.previous));
    expect(risen.map(({ name }: Result) => name).sort()).toEqual(rises.map(([name]) => name).sort());
    expect(risen).not.toEqual([]);
    const dates = series.flatMap(({ next_date: next }: Result) => (next === undefined ? [] : [next]));
    expect(dates).toEqual([...dates].sort(compareCodePoints));
  });

  test('net worth, and its course', async () => {
    const ask = questioner(1);
    const { balances, history } = await ask('get_overview', { history: 'month' });
    expect(balances.map(({ iso_currency_code: code, net }: Result) => [code, net])).toEqual(await netWorth(app));
    for (const { iso_currency_code: code, points } of history) {
      expect(points.at(-1).net).toBe(balances.find((one: Result) => one.iso_currency_code === code).net);
      expect(points.length).toBeGreaterThanOrEqual(12);
      expect(points.find(({ date }: Result) => date === '2025-12-31').net).toBe(
        Object.fromEntries(await netWorth(app, '2025-12-31'))[code],
      );
    }
  });

  test('what needs a look', async () => {
    const ask = questioner(2);
    const { backlog } = await ask('get_overview', {});
    const tagged = ledger.filter(({ tags }) => tags.includes('needs-review'));
    expect(backlog).toMatchObject({
      needs_review_count: tagged.length,
      uncategorized_count: ledger.filter(({ category }) => category === null).length,
    });
    const { transactions, totals, has_more } = await ask('query_transactions', {
      tag: 'needs-review',
      proposed: false,
    });
    expect(has_more).toBe(true);
    expect(transactions.map(({ id }: Result) => id)).toEqual(tagged.slice(0, 50).map(({ id }) => id));
    expect(amountsBy(totals, currencyOf)).toEqual(sums(tagged.filter(countsInTotals), ({ currency }) => currency));
  });

  test('what changed since', async () => {
    const ask = questioner(2);
    app.clock.advance(60_000);
    const since = new Date(app.clock.now()).toISOString();
    const [row] = ledger.filter(({ category }) => category === null) as [LedgerRow];
    await app.request('PATCH', `/api/v1/transactions/${row.id}/category`, {
      body: { category_slug: 'food_and_drink_coffee' },
    });
    app.clock.set(TEST_START);
    const { change_sets: sets } = await ask('list_change_sets', { from: since });
    expect(sets).toMatchObject([{ surface: 'rest', updated_count: 1 }]);
    const { transactions } = await ask('query_transactions', { updated_since: since });
    expect(transactions).toMatchObject([{ id: row.id, category_slug: 'food_and_drink_coffee' }]);
    ledger = await readLedger(app);
  });

  test('charged twice?', async () => {
    const ask = questioner(1);
    const { transactions } = await ask('query_transactions', { repeats_within_days: 3, date_from: '2026-01-01' });
    const posted = ledger.filter(countsInTotals);
    const same = Map.groupBy(posted, (row) => `${row.merchant} ${row.currency} ${row.cents}`);
    const repeats = [...same.values()].flatMap((rows) =>
      rows.filter((row) => rows.some((one) => one !== row && Math.abs(days(one) - days(row)) <= 3)),
    );
    const recent = repeats.filter(({ date }) => date >= '2026-01-01').map(({ id }) => id);
    expect(transactions.map(({ id }: Result) => id).sort()).toEqual(recent.sort());
    const both = transactions.filter(({ name }: Result) => name === 'PODCASTS PLUS');
    expect(both).toHaveLength(2);
    expect(new Set(both.map(({ repeat_group: group }: Result) => group)).size).toBe(1);
  });

  test('biggest merchants', async () => {
    const ask = questioner(1);
    const { merchants } = await ask('merchant_summary', { spending_only: true });
    const totals = sums(ledger.filter(isSpending), (row) => `${row.currency} ${row.merchant}`);
    for (const currency of ['EUR', 'USD']) {
      const expected = Object.entries(totals).filter(([key]) => key.startsWith(currency));
      const biggest = expected.map(([, total]) => Number(total)).sort((a, b) => b - a);
      const shown = merchants.filter((one: Result) => one.iso_currency_code === currency);
      expect(shown.slice(0, 10).map((one: Result) => Number(one.total_amount))).toEqual(biggest.slice(0, 10));
    }
  });

  test('cash flow', async () => {
    const ask = questioner(1);
    const { summary } = await ask('transaction_summary', { group_by: 'month,kind', date_from: '2025-05-01' });
    const rows = ledger.filter((row) => countsInTotals(row) && row.date >= '2025-05-01');
    const keyOf = (row: Result) => `${row.period} ${row.category_kind ?? 'none'} ${row.iso_currency_code}`;
    const expected = sums(rows, (row) => `${row.date.slice(0, 7)} ${row.kind ?? 'none'} ${row.currency}`);
    expect(amountsBy(summary, keyOf)).toEqual(expected);
    expect(Object.keys(expected)).toContain('2026-03 transfer USD');
  });

  test('this month against others', async () => {
    const ask = questioner(1);
    const { summary, totals } = await ask('transaction_summary', {
      group_by: 'category_primary,month',
      spending_only: true,
      date_from: '2025-11-01',
      date_to: '2026-04-30',
    });
    const rows = ledger.filter((row) => isSpending(row) && row.date >= '2025-11-01');
    const keyOf = (row: Result) => `${row.period} ${row.category_slug ?? 'none'} ${row.iso_currency_code}`;
    expect(amountsBy(summary, keyOf)).toEqual(
      sums(rows, (row) => `${row.date.slice(0, 7)} ${row.parent ?? 'none'} ${row.currency}`),
    );
    for (const { iso_currency_code: code, average_amount: average, period_count: months } of totals) {
      const spent = rows.filter(({ currency }) => currency === code).reduce((sum, { cents }) => sum + cents, 0);
      expect([months, average]).toEqual([6, money(Math.round(spent / 6))]);
    }
  });

  test('refunds still open', async () => {
    const ask = questioner(2);
    const amazon = ledger.filter(
      (row) => countsInTotals(row) && row.name.startsWith('AMZN') && row.counterparty !== null,
    );
    const [bought] = amazon.filter(({ cents, date }) => cents > 0 && date < '2026-03-01') as [LedgerRow];
    await app.request('POST', `/api/v1/transactions/${bought.id}/tags`, { body: { slug: 'refund-expected' } });
    const { transactions } = await ask('query_transactions', {
      tag: 'refund-expected',
      fields: 'compact,counterparty_id',
    });
    expect(transactions).toMatchObject([{ id: bought.id, counterparty_id: bought.counterparty }]);
    const { transactions: refunds } = await ask('query_transactions', {
      counterparty_id: transactions[0].counterparty_id,
      amount_max: -0.01,
      date_from: bought.date,
    });
    const expected = ledger.filter(
      (row) => !row.isLeftOut && row.counterparty === bought.counterparty && row.cents < 0 && row.date >= bought.date,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(refunds.map(({ id }: Result) => id)).toEqual(expected.map(({ id }) => id));
  });
});

/** What the demo household has not: a new subscription, charged twice in its last month. */
async function addNews(app: TestApp): Promise<void> {
  const { json: accounts } = await app.request('GET', '/api/v1/accounts');
  const account = accounts.find((one: Result) => one.display_name === 'Joint checking');
  const dates = ['2026-03-12', '2026-04-12', '2026-04-14'];
  await addTransactions(
    app,
    dates.map((date) => ({ account, date, amount_cents: 799, name: 'PODCASTS PLUS' })),
  );
}

function amountsBy(rows: readonly Result[], keyOf: (row: Result) => string): Record<string, string> {
  return Object.fromEntries(rows.map((row) => [keyOf(row), row.total_amount]));
}

const currencyOf = ({ iso_currency_code: code }: Result): string => code;
const days = ({ date }: LedgerRow): number => dayNumber(date);

interface Outlook {
  last: string | undefined;
  previous: string | undefined;
  next: string | undefined;
}

/** Per series: the newest amounts, and when the next one is due by the median of the newest 24 intervals. */
function outlooks(ledger: readonly LedgerRow[]): Map<string, Outlook> {
  const members = Map.groupBy(
    ledger.filter(({ series }) => series !== null),
    ({ series }) => series as string,
  );
  return new Map(
    [...members].map(([name, rows]) => {
      const posted = rows.filter(({ pending }) => !pending);
      const [newest, before] = posted.filter(({ currency }) => currency === posted[0]?.currency);
      const dates = [...new Set(posted.map(days))].slice(0, 25);
      const gaps = dates
        .slice(1)
        .map((day, index) => (dates[index] as number) - day)
        .sort((a, b) => a - b);
      const gap = gaps.length < 2 ? undefined : gaps[Math.floor((gaps.length - 1) / 2)];
      const next = gap === undefined ? undefined : new Date((days(rows[0] as LedgerRow) + gap) * 86_400_000);
      const amountOf = (row: LedgerRow | undefined) => (row === undefined ? undefined : money(row.cents));
      return [name, { last: amountOf(newest), previous: amountOf(before), next: next?.toISOString().slice(0, 10) }];
    }),
  );
}

/** Net worth per currency from the accounts themselves, or from their balances of a day. */
async function netWorth(app: TestApp, day?: string): Promise<[currency: string, net: string][]> {
  const { json: accounts } = await app.request('GET', '/api/v1/accounts');
  const net = new Map<string, number>();
  for (const account of accounts) {
    if (account.is_excluded) continue;
    const { json } = await app.request('GET', `/api/v1/accounts/${account.id}/balances`, {
      query: { date_to: day ?? '9999-12-31' },
    });
    const { balance_current: balance, date } = json.balances.toSorted((a: Result, b: Result) =>
      a.date < b.date ? 1 : -1,
    )[0];
    if (day !== undefined) expect(date).toBe(day);
    const sign = ['credit', 'loan'].includes(account.type) ? -1 : 1;
    const { iso_currency_code: code } = account;
    net.set(code, (net.get(code) ?? 0) + sign * Math.round(Number(balance) * 100));
  }
  return [...net].sort(([a], [b]) => compareCodePoints(a, b)).map(([code, cents]) => [code, money(cents)]);
}
