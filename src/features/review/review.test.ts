import { expect, test } from 'vitest';

import {
  addAccount,
  addCounterparty,
  addMember,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp, type TestDatabase } from '../../../test/harness/test-app.ts';
import { LIMITS } from '../../kernel/limits.ts';

interface Group {
  key: string;
  reason: string;
  label: string;
  transaction_ids: string[];
  sample: { id: string }[];
  guess: object | null;
  [field: string]: unknown;
}

async function review(app: TestApp, query: Record<string, string> = {}) {
  const answer = await app.request('GET', '/api/v1/review', { query, key: app.readOnlyKey });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as {
    groups: Group[];
    total_groups: number;
    total_rows: Record<'needs_review' | 'uncategorized' | 'flagged', number>;
    truncated: boolean;
  };
}

async function openHome(database: TestDatabase) {
  const app = await database.open();
  const ana = await addMember(app, 'Ana');
  const account = await addAccount(app, ana);
  const tag = (await app.request('GET', '/api/v1/tags/needs-review')).json as Made;
  const row = (name: string, more: Partial<NewTransaction> = {}): NewTransaction => ({
    account,
    date: '2026-04-01',
    amount_cents: 1_000,
    name,
    ...more,
  });
  return { app, ana, account, tag, row };
}

const FLAGGED = { flagged_at: '2026-04-21T00:00:00.000Z' };
const idsOf = (rows: readonly Made[]): string[] => rows.map(({ id }) => id);

forEachDatabase((database) => {
  test('a row waits for the first reason that fits, and one deliberately without category waits for none', async () => {
    const { app, tag, row } = await openHome(database);
    const groceries = await categoryBySlug(app, 'food_and_drink_groceries');
    const [tagged, open, none, flagged, both, done] = await addTransactions(app, [
      row('Tagged', { tags: [tag], columns: FLAGGED }),
      row('Open', { columns: { pending: 1 } }),
      row('None', { columns: { category_source: 'person' } }),
      row('Flagged', { category: groceries, columns: FLAGGED }),
      row('Open and flagged', { columns: FLAGGED }),
      row('Done', { category: groceries }),
      row('Deleted', { tags: [tag], columns: { ...FLAGGED, deleted_at: '2026-04-02T00:00:00.000Z' } }),
    ]);
    const told = await review(app);
    expect(told.groups.map(({ reason, transaction_ids: ids }) => [reason, ids])).toEqual([
      ['needs_review', [tagged?.id]],
      ...[both, open].map((one) => ['uncategorized', [one?.id]]).sort(byKey(told.groups)),
      ['flagged', [flagged?.id]],
    ]);
    expect(told).toMatchObject({
      total_groups: 4,
      total_rows: { needs_review: 1, uncategorized: 2, flagged: 1 },
      truncated: false,
    });
    const waiting = told.groups.flatMap(({ transaction_ids: ids }) => ids);
    expect(new Set(waiting).size).toBe(waiting.length);
    expect(waiting).not.toContain(none?.id);
    expect(waiting).not.toContain(done?.id);
    const { backlog } = (await app.request('GET', '/api/v1/overview')).json;
    expect(backlog.needs_review_count).toBe(told.total_rows.needs_review);
    const only = await review(app, { reason: 'flagged,needs_review' });
    expect(only.groups.map(({ reason }) => reason)).toEqual(['needs_review', 'flagged']);
    expect(only.total_rows).toEqual({ needs_review: 1, uncategorized: 0, flagged: 1 });
  });

  test('groups have one counterparty, merchant or name key, one sign, one currency and one category', async () => {
    const { app, tag, row } = await openHome(database);
    const groceries = await categoryBySlug(app, 'food_and_drink_groceries');
    const cafe = await addCounterparty(app, 'Cafe');
    const tags = [tag];
    const [a, b, c, d, e, f, g, h, i] = await addTransactions(app, [
      row('REWE 0123', { tags, date: '2026-04-01', amount_cents: 1_010 }),
      row('Rewe  4567 CARD', { tags, date: '2026-04-03', amount_cents: 2_020 }),
      row('REWE 0123', { tags, amount_cents: -500 }),
      row('REWE 0123', { tags, iso_currency_code: 'EUR' }),
      row('REWE 0123', { tags, columns: { category_id: groceries.id, category_source: 'provider' } }),
      row('REWE 0123', { tags, merchant_name: 'Rewe' }),
      row('Whatever', { tags, merchant_name: 'REWE', date: '2026-03-01' }),
      row('REWE 0123', { tags, counterparty: cafe, merchant_name: 'Rewe' }),
      row('Other', { tags, counterparty: cafe, date: '2026-03-01' }),
    ]);
    const { groups } = await review(app);
    const sets = groups.map(({ transaction_ids: ids }) => ids);
    expect(new Set(sets.map((ids) => ids.toSorted().join(' ')))).toEqual(
      new Set(
        [[a, b], [c], [d], [e], [f, g], [h, i]].map((rows) =>
          idsOf(rows as Made[])
            .toSorted()
            .join(' '),
        ),
      ),
    );
    expect(groups.find(({ transaction_ids: ids }) => ids.includes(b?.id ?? ''))).toEqual({
      key: expect.any(String),
      reason: 'needs_review',
      label: 'Rewe  4567 CARD',
      direction: 'out',
      iso_currency_code: 'USD',
      counterparty_id: null,
      category_id: null,
      transaction_count: 2,
      total_amount: '30.30',
      first_date: '2026-04-01',
      last_date: '2026-04-03',
      transaction_ids: [b?.id, a?.id],
      sample: [expect.objectContaining({ id: b?.id, amount: '20.20' }), expect.objectContaining({ id: a?.id })],
      guess: null,
    });
    expect(groups.find(({ label }) => label === 'Cafe')).toMatchObject({ counterparty_id: cafe.id });
    expect(groups.find(({ total_amount: total }) => total === '-5.00')).toMatchObject({ direction: 'in' });
    // The largest first, then the one with the newest row.
    expect(groups.slice(0, 3).every(({ transaction_ids: ids }) => ids.length === 2)).toBe(true);
    expect(groups[0]?.['last_date']).toBe('2026-04-03');
    const few = await review(app, { limit: '2' });
    expect(few.groups).toEqual(groups.slice(0, 2));
    expect(few.total_groups).toBe(groups.length);
  });

  test('the guess is the present category, or what people chose for two thirds of the newest 20', async () => {
    const { app, tag, row } = await openHome(database);
    const groceries = await categoryBySlug(app, 'food_and_drink_groceries');
    const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
    const cafe = await addCounterparty(app, 'Cafe');
    const byRule = { category_id: groceries.id, category_source: 'rule' };
    const many = (count: number, name: (at: number) => string, more: Partial<NewTransaction>) =>
      Array.from({ length: count }, (_, at) => row(name(at), { date: `2026-02-${10 + at}`, ...more }));
    await addTransactions(app, [
      row('Present', { tags: [tag], category: coffee }),
      ...many(2, (at) => `REWE ${100 + at}`, { category: groceries }),
      ...many(1, () => 'REWE 999', { category: coffee, amount_cents: -100 }),
      row('REWE 777'),
      ...many(2, () => 'x', { merchant_name: 'Half', category: groceries }),
      ...many(2, () => 'x', { merchant_name: 'Half', category: coffee }),
      row('x', { merchant_name: 'half' }),
      ...many(3, (at) => `RULED ${100 + at}`, { columns: byRule }),
      row('Ruled 1', { category: groceries }),
      row('RULED 999'),
      // Older choices no longer count.
      ...Array.from({ length: 20 }, () => row('y', { counterparty: cafe, category: coffee, date: '2026-03-01' })),
      ...Array.from({ length: 20 }, () => row('y', { counterparty: cafe, category: groceries, date: '2025-03-01' })),
      row('z', { counterparty: cafe }),
    ]);
    const { groups } = await review(app);
    const guessFor = (label: string) => groups.find((group) => group.label === label)?.guess;
    expect(guessFor('Present')).toEqual({
      category_id: coffee.id,
      category_slug: 'food_and_drink_coffee',
      category_name: expect.any(String),
      from: 'present',
      count: null,
    });
    expect(guessFor('REWE 777')).toMatchObject({ category_id: groceries.id, from: 'history', count: 2 });
    expect(guessFor('half')).toBeNull();
    expect(guessFor('RULED 999')).toBeNull();
    expect(guessFor('Cafe')).toMatchObject({ category_id: coffee.id, from: 'history', count: 20 });
    await app.request('PATCH', `/api/v1/categories/${coffee.id}`, { body: { archived: true } });
    expect((await review(app)).groups.find(({ label }) => label === 'Cafe')?.guess).toBeNull();
  });

  test('excluded and dependent accounts have nothing without category to look at; filters are of accounts and owners', async () => {
    const { app, tag, row } = await openHome(database);
    const ben = await addMember(app, 'Ben');
    const [his, copy, excluded] = [
      await addAccount(app, ben),
      await addAccount(app, ben, { dependent: true }),
      await addAccount(app, ben, { excluded: true }),
    ];
    const [hers, attributed, own] = await addTransactions(app, [
      row('Hers'),
      row('Attributed', { attributed: ben }),
      row('His', { account: his }),
      row('Copy', { account: copy }),
      row('Excluded', { account: excluded }),
    ]);
    const [tagged] = await addTransactions(app, [row('Tagged', { account: excluded, tags: [tag] })]);
    const waiting = async (query: Record<string, string>) => {
      const { groups, total_rows: totals } = await review(app, query);
      const ids = groups.flatMap(({ transaction_ids: all }) => all);
      expect(ids).toHaveLength(totals.needs_review + totals.uncategorized + totals.flagged);
      return ids.toSorted();
    };
    expect(await waiting({})).toEqual(idsOf([hers, attributed, own, tagged] as Made[]).toSorted());
    expect(await waiting({ user_id: ben.short_id })).toEqual(idsOf([attributed, own, tagged] as Made[]).toSorted());
    expect(await waiting({ account_id: `${his.id},${excluded.short_id}` })).toEqual(
      idsOf([own, tagged] as Made[]).toSorted(),
    );
    for (const query of [{ reason: 'new' }, { user_id: 'nobody' }, { account_id: ben.id }, { limit: '501' }]) {
      const answer = await app.request('GET', '/api/v1/review', { query });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    }
  });

  test('a group has at most 5,000 rows, and groups are made of the newest 20,000', async () => {
    const { app, tag, row } = await openHome(database);
    const more = LIMITS.reviewRows + 3;
    const day = (at: number): string => new Date(Date.UTC(2020, 0, 1 + (at % 2_000))).toISOString().slice(0, 10);
    await addTransactions(
      app,
      Array.from({ length: more }, (_, at) => row(at < 6_000 ? 'REWE 123' : `Shop ${at % 7}`, { date: day(at) })),
    );
    const [newest] = await addTransactions(app, [row('Newest', { date: '2026-01-01', tags: [tag] })]);
    const told = await review(app, { limit: '500' });
    expect(told).toMatchObject({
      truncated: true,
      total_rows: { needs_review: 1, uncategorized: more, flagged: 0 },
    });
    const ids = told.groups.flatMap(({ transaction_ids: all }) => all);
    expect(ids).toHaveLength(LIMITS.reviewRows);
    expect(new Set(ids).size).toBe(LIMITS.reviewRows);
    expect(ids[0]).toBe(newest?.id);
    expect(Math.max(...told.groups.map((group) => group.transaction_ids.length))).toBe(LIMITS.reviewGroupRows);
    expect(new Set(told.groups.map(({ key }) => key)).size).toBe(told.groups.length);
  });
});

/** Orders pairs of reason and ids as the groups are. */
function byKey(groups: readonly Group[]) {
  const place = (ids: unknown) => groups.findIndex((group) => String(group.transaction_ids) === String(ids));
  return (one: unknown[], other: unknown[]) => place(one[1]) - place(other[1]);
}
