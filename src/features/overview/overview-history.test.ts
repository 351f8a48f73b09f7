import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { addDays } from '../../kernel/dates.ts';
import { formatCents } from '../../kernel/money.ts';

const HISTORY = '/api/v1/overview/history';
const TODAY = '2026-04-26';

type Query = Record<string, string | readonly string[]>;

async function ask(app: TestApp, query: Query) {
  const answer = await app.request('GET', HISTORY, { query, key: app.readOnlyKey });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function setBalance(app: TestApp, account: Made, date: string, cents: number, currency?: string): Promise<void> {
  const body = {
    balance_current: formatCents(cents),
    ...(currency === undefined ? {} : { iso_currency_code: currency }),
  };
  const answer = await app.request('PUT', `/api/v1/accounts/${account.id}/balances/${date}`, { body });
  expect(answer.status, answer.text).toBe(200);
}

async function openInUtc(database: { open: () => Promise<TestApp> }): Promise<TestApp> {
  const app = await database.open();
  await app.request('PATCH', '/api/v1/config/instance.timezone', { body: { value: 'UTC' } });
  return app;
}

/** An account of the drawn household, and everything known about it. */
interface Known {
  account: Made;
  owner: Made;
  isLiability: boolean;
  counts: boolean;
  snapshots: { date: string; currency: string | null; cents: number }[];
  rows: { date: string; currency: string | null; cents: number }[];
}

/** The contract read a day at a time (80.2). */
function slowHistory(all: readonly Known[], from: string, to: string, interval: string) {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const next = addDays(day, 1);
    const isEnd =
      interval === 'day' ||
      (interval === 'week' && new Date(day).getUTCDay() === 0) ||
      (interval === 'month' && next.endsWith('-01'));
    if (isEnd || day === to) days.push(day);
  }
  const known = all.flatMap(({ snapshots }) => snapshots.map(({ currency }) => currency));
  const currencies = [...new Set(known)].sort((a, b) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1));
  const series = currencies.map((currency) => ({ currency, points: days.map((day) => pointOn(all, currency, day)) }));
  return series
    .filter(({ points }) => points.some(({ isAny }) => isAny))
    .map(({ currency, points }) => ({
      iso_currency_code: currency,
      points: points.map(({ isAny: _isAny, ...point }) => point),
    }));
}

function pointOn(all: readonly Known[], currency: string | null, day: string) {
  const sum = { assets: 0, liabilities: 0, derived: false, isAny: false };
  for (const one of all) {
    const balance = balanceOn(one, currency, day);
    if (!balance) continue;
    sum.isAny = true;
    sum[one.isLiability ? 'liabilities' : 'assets'] += balance.cents;
    sum.derived ||= balance.derived;
  }
  const [assets, liabilities] = [formatCents(sum.assets), formatCents(sum.liabilities)];
  return {
    date: day,
    assets,
    liabilities,
    net: formatCents(sum.assets - sum.liabilities),
    derived: sum.derived,
    isAny: sum.isAny,
  };
}

function balanceOn(one: Known, currency: string | null, day: string): { cents: number; derived: boolean } | undefined {
  const eves = one.rows.map(({ date }) => addDays(date, -1));
  const first = [...one.snapshots.map(({ date }) => date), ...eves].sort()[0];
  const snapshots = one.snapshots
    .filter((snapshot) => snapshot.currency === currency)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  const newest = snapshots.at(-1);
  if (!newest || first === undefined || day < first) return undefined;
  if (day >= newest.date) return { cents: newest.cents, derived: false };
  const exact = snapshots.find(({ date }) => date === day);
  if (exact) return { cents: exact.cents, derived: false };
  const effectOf = (date: string): number =>
    one.rows
      .filter((row) => row.currency === currency && row.date === date)
      .reduce((sum, row) => sum + (one.isLiability ? row.cents : -row.cents), 0);
  const earlier = snapshots.findLast(({ date }) => date < day);
  if (earlier) {
    let { cents } = earlier;
    for (let at = addDays(earlier.date, 1); at <= day; at = addDays(at, 1)) cents += effectOf(at);
    return { cents, derived: true };
  }
  const oldest = snapshots[0] as Known['snapshots'][number];
  let { cents } = oldest;
  for (let at = oldest.date; at > day; at = addDays(at, -1)) cents -= effectOf(at);
  return { cents, derived: true };
}

const KINDS = [
  { type: 'depository' },
  { type: 'credit' },
  { type: 'loan', currency: 'EUR' },
  { type: 'depository', currency: null },
  { type: 'depository', excluded: true },
  { type: 'brokerage', dependent: true },
] as const;

const day = fc.nat({ max: 120 }).map((days) => addDays(TODAY, -days));
const currency = fc.constantFrom('USD', 'USD', 'EUR', null);
const cents = fc.integer({ min: -99_999, max: 99_999 });
const ledger = fc.record({
  snapshots: fc.uniqueArray(fc.record({ account: fc.nat({ max: 5 }), date: day, currency, cents }), {
    maxLength: 24,
    selector: ({ account, date, currency: code }) => `${account} ${date} ${code ?? ''}`,
  }),
  rows: fc.array(
    fc.record({
      account: fc.nat({ max: 5 }),
      date: day,
      currency,
      cents,
      state: fc.constantFrom('live', 'live', 'live', 'pending', 'deleted'),
    }),
    { minLength: 20, maxLength: 80 },
  ),
});
const query = fc.record({
  from: day,
  days: fc.nat({ max: 130 }),
  interval: fc.constantFrom('day', 'week', 'month'),
  ana: fc.constantFrom(false, false, true),
  accounts: fc.option(fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), { nil: null, freq: 2 }),
});

type Ledger = typeof ledger extends fc.Arbitrary<infer T> ? T : never;

async function household(app: TestApp, drawn: Ledger): Promise<{ ana: Made; all: Known[] }> {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const all: Known[] = [];
  for (const [index, { type, ...kind }] of KINDS.entries()) {
    const owner = index % 2 === 0 ? ana : ben;
    const account = await addAccount(app, owner, { type, ...kind, ...(index === 2 ? { override: ana } : {}) });
    all.push({
      account,
      owner,
      isLiability: type === 'credit' || type === 'loan',
      counts: !('excluded' in kind || 'dependent' in kind),
      snapshots: [],
      rows: [],
    });
  }
  for (const { account, ...snapshot } of drawn.snapshots) all[account]?.snapshots.push(snapshot);
  await app.write('test.balances', async (tx) => {
    for (const { account, snapshots } of all) {
      for (const { date, currency: code, cents: amount } of snapshots) {
        await tx.q
          .insertInto('balance_snapshots')
          .values({
            account_id: account.id,
            date,
            iso_currency_code: code ?? '',
            balance_current_cents: amount,
            balance_available_cents: null,
            balance_limit_cents: null,
            source: 'sync',
            import_id: null,
            recorded_at: tx.now,
          })
          .execute();
      }
    }
    tx.journal.allowUnjournaled('account');
  });
  await addTransactions(
    app,
    drawn.rows.map(({ account, date, currency: code, cents: amount, state }) => ({
      account: (all[account] as Known).account,
      date,
      amount_cents: amount,
      name: 'Row',
      iso_currency_code: code,
      columns: {
        pending: state === 'pending' ? 1 : 0,
        deleted_at: state === 'deleted' ? '2026-04-26T06:00:00.000Z' : null,
        deleted_cause: state === 'deleted' ? 'person' : null,
      },
    })),
  );
  for (const { account, state, ...row } of drawn.rows) if (state === 'live') all[account]?.rows.push(row);
  return { ana, all };
}

forEachDatabase((database) => {
  test('any household, range and interval agree with a day-by-day reading, and today with the overview', async () => {
    await fc.assert(
      fc.asyncProperty(ledger, fc.array(query, { minLength: 6, maxLength: 6 }), async (drawn, asked) => {
        const app = await openInUtc(database);
        const { ana, all } = await household(app, drawn);
        for (const { from, days, interval, ana: isAnas, accounts } of asked) {
          const to = addDays(from, days);
          const named = accounts?.map((index) => all[index] as Known);
          const held = (named ?? all.filter(({ counts }) => counts)).filter(({ owner }) => !isAnas || owner === ana);
          const told = await ask(app, {
            date_from: from,
            date_to: to,
            interval,
            ...(isAnas ? { user_id: ana.short_id } : {}),
            ...(named ? { account_id: named.map(({ account }) => account.id) } : {}),
          });
          expect(told).toEqual({
            interval,
            date_from: from,
            date_to: to,
            series: slowHistory(held, from, to, interval),
          });
        }
        for (const user of [{}, { user_id: ana.id }]) {
          const { balances } = (await app.request('GET', '/api/v1/overview', { query: user })).json;
          const { series } = await ask(app, user);
          expect(series.map(lastPoint)).toEqual(balances.map(withoutCount));
        }
        await app.close();
      }),
      { numRuns: 3, seed: 20_261_122, endOnFailure: true },
    );
  });

  test('a purchase before the only balance is added back, and the day is marked as derived', async () => {
    const app = await openInUtc(database);
    const account = await addAccount(app, await addMember(app, 'Ana'));
    await setBalance(app, account, '2026-04-10', 10_000);
    await addTransactions(app, [{ account, date: '2026-04-09', amount_cents: 3_000, name: 'Shoes' }]);
    const told = await ask(app, { date_from: '2026-04-07', date_to: '2026-04-11' });
    const point = (date: string, net: string, derived: boolean) => ({
      date,
      assets: net,
      liabilities: '0.00',
      net,
      derived,
    });
    // The account counts from the eve of its first row.
    expect(told.series).toEqual([
      {
        iso_currency_code: 'USD',
        points: [
          point('2026-04-07', '0.00', false),
          point('2026-04-08', '130.00', true),
          point('2026-04-09', '100.00', true),
          point('2026-04-10', '100.00', false),
          point('2026-04-11', '100.00', false),
        ],
      },
    ]);
  });

  test('a balance dated after today is the balance of today', async () => {
    const app = await openInUtc(database);
    const account = await addAccount(app, await addMember(app, 'Ana'));
    await setBalance(app, account, '2026-04-20', 10_000);
    await setBalance(app, account, TODAY, 20_000);
    await setBalance(app, account, '2026-04-27', 30_000);
    const { series } = await ask(app, { date_from: '2026-04-25', date_to: '2026-04-28' });
    const nets = series[0].points.map(({ net, derived }: { net: string; derived: boolean }) => [net, derived]);
    expect(nets).toEqual([
      ['100.00', true],
      ['300.00', false],
      ['300.00', false],
      ['300.00', false],
    ]);
  });

  test('defaults to a year of weeks up to today, and chooses the interval by the length', async () => {
    const app = await openInUtc(database);
    const account = await addAccount(app, await addMember(app, 'Ana'));
    await setBalance(app, account, '2020-01-01', 100);
    const dates = async (asked: Query): Promise<[string, string, string, string[]]> => {
      const { interval, date_from: from, date_to: to, series } = await ask(app, asked);
      return [interval, from, to, series[0].points.map(({ date }: { date: string }) => date)];
    };
    const [interval, from, to, weeks] = await dates({});
    expect([interval, from, to, weeks.length, weeks[0], weeks.at(-1)]).toEqual([
      'week',
      '2025-04-27',
      TODAY,
      53,
      '2025-04-27',
      TODAY,
    ]);
    const lengths = [
      ['2026-01-25', 'day'],
      ['2026-01-24', 'week'],
      ['2024-04-26', 'week'],
      ['2024-04-25', 'month'],
    ] as const;
    for (const [first, chosen] of lengths)
      expect([first, (await dates({ date_from: first }))[0]]).toEqual([first, chosen]);
    const months = await dates({ date_from: '2024-01-31', date_to: '2024-04-02', interval: 'month' });
    expect(months[3]).toEqual(['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-02']);
    expect((await ask(app, { date_to: '0001-01-05' })).date_from).toBe('0001-01-01');
    expect((await dates({ date_from: '9999-12-30', date_to: '9999-12-31', interval: 'week' }))[3]).toEqual([
      '9999-12-31',
    ]);
    const refused = [
      { date_from: '2026-04-27' },
      { date_from: '2026-02-02', date_to: '2026-02-01' },
      { date_from: '2016-04-18', date_to: '2026-04-26' },
      { date_from: '2026-02-30' },
      { interval: 'year' },
      { account_id: 'nobody' },
      { user_id: 'nobody' },
    ];
    for (const query of refused) {
      const answer = await app.request('GET', HISTORY, { query });
      const [field] = Object.keys(query);
      expect([query, answer.status, answer.json.error.code]).toEqual([query, 400, 'INVALID_PARAMETER']);
      expect(answer.json.error.details.map(({ path }: { path: string }) => path)).toEqual([field]);
    }
    expect((await ask(app, { date_from: '2016-04-19', date_to: TODAY })).interval).toBe('month');
  });
});

function lastPoint({ iso_currency_code, points }: { iso_currency_code: string; points: Record<string, unknown>[] }) {
  const { date: _date, derived: _derived, ...worth } = points.at(-1) ?? {};
  return { iso_currency_code, ...worth };
}

function withoutCount({ account_count: _count, ...balance }: Record<string, unknown>) {
  return balance;
}
