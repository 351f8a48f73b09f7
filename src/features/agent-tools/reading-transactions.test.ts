import { beforeAll, describe, expect, test } from 'vitest';

import { askTool } from '../../../test/harness/agents/agents.ts';
import { storeProposal } from '../../../test/harness/agents/stored-proposal.ts';
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
import { forEachDatabase, TEST_START, type TestApp } from '../../../test/harness/test-app.ts';

const GROCERIES = 'food_and_drink_groceries';
const COFFEE = 'food_and_drink_coffee';

interface Household {
  ana: Made;
  ben: Made;
  checking: Made;
  card: Made;
  copies: Made;
  cafe: Made;
  review: Made;
}

/** Two members, three accounts that count and one that repeats another's card, and rows of two months. */
async function fill(app: TestApp): Promise<Household> {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const checking = await addAccount(app, ana, { name: 'Checking' });
  const card = await addAccount(app, ben, { name: 'Card', currency: 'EUR', type: 'credit' });
  const copies = await addAccount(app, ben, { name: 'Shared card', dependent: true });
  const [groceries, coffee] = [await categoryBySlug(app, GROCERIES), await categoryBySlug(app, COFFEE)];
  const cafe = await addCounterparty(app, 'Corner Cafe');
  const review = await addTag(app, 'to-look-at');
  const row = (
    account: Made,
    date: string,
    amount_cents: number,
    name: string,
    more: Partial<NewTransaction> = {},
  ) => ({
    account,
    date,
    amount_cents,
    name,
    ...more,
  });
  const euros = { iso_currency_code: 'EUR' };
  await addTransactions(app, [
    row(checking, '2026-03-02', 1250, 'CORNER MARKET', { category: groceries, tags: [review] }),
    row(checking, '2026-03-05', 1250, 'CORNER MARKET', { category: groceries, attributed: ben }),
    row(checking, '2026-03-20', 1250, 'Corner Market', { category: groceries }),
    row(checking, '2026-04-02', 420, 'SQ *CAFE 1', { counterparty: cafe, category: coffee }),
    row(checking, '2026-04-02', 420, 'SQ *CAFE 2', { counterparty: cafe, category: coffee, comment: 'Ours?' }),
    row(checking, '2026-04-03', -250000, 'SALARY'),
    row(checking, '2026-04-04', 999, 'STREAMING', { columns: { pending: 1 } }),
    row(card, '2026-04-06', 3000, 'BOOKS', { ...euros }),
    row(card, '2026-04-07', 3000, 'BOOKS', { ...euros }),
    row(copies, '2026-03-02', 1250, 'CORNER MARKET', { category: groceries }),
  ]);
  return { ana, ben, checking, card, copies, cafe, review };
}

forEachDatabase((database) => {
  let app: TestApp;
  let household: Household;

  beforeAll(async () => {
    app = await database.open();
    household = await fill(app);
  });

  const rest = async (path: string, query: Record<string, string | boolean | number> = {}) => {
    const { status, json, text } = await app.request('GET', `/api/v1/${path}`, { query });
    expect(status, text).toBe(200);
    return json;
  };
  const find = async (input: object) => askTool(app, 'query_transactions', input as Record<string, unknown>);
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
  const namesOf = ({ transactions }: any) => transactions.map(({ name }: { name: string }) => name);
  const refused = async (tool: string, input: Record<string, unknown>): Promise<string> =>
    askTool(app, tool, input).then(
      () => 'accepted',
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    );

  describe('query_transactions', () => {
    test('shows compact rows, and the totals of all matches on the first page', async () => {
      const first = await find({ limit: 2, date_to: '2026-04-05' });
      expect(first).toMatchObject({ has_more: true, totals: [{ iso_currency_code: 'USD', total_amount: '-2454.10' }] });
      expect(first.transactions[0]).toEqual({
        id: expect.stringMatching(/^[0-9A-Za-z]{8}$/) as string,
        date: '2026-04-04',
        amount: '9.99',
        iso_currency_code: 'USD',
        name: 'STREAMING',
        counterparty_name: 'STREAMING',
        account_id: household.checking.short_id,
        user_id: household.ana.short_id,
        tags: [],
        pending: true,
        flagged: false,
      });
      const { totals } = await rest('transactions/count', {
        date_to: '2026-04-05',
        include_totals: true,
        dependent_accounts: 'exclude',
      });
      expect(first.totals).toEqual(totals);
      const second = await find({ limit: 2, date_to: '2026-04-05', cursor: first.next_cursor });
      expect(second).not.toHaveProperty('totals');
      expect(namesOf(second)).toEqual(['SQ *CAFE 2', 'SQ *CAFE 1']);
      expect(second.transactions[0]).toMatchObject({ counterparty_name: 'Corner Cafe', category_slug: COFFEE });
    });

    test.each(['date', 'amount', 'name'])(
      'pages by %s in both directions show each row once, as REST sorts',
      async (sort) => {
        for (const order of ['asc', 'desc']) {
          const wanted = await rest('transactions', { sort, order, dependent_accounts: 'exclude', limit: 100 });
          const seen: string[] = [];
          let cursor: string | undefined;
          do {
            const page = await find({ sort, order, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
            seen.push(...page.transactions.map(({ id }: Made) => id));
            cursor = page.has_more ? page.next_cursor : undefined;
          } while (cursor !== undefined);
          expect(seen).toEqual(wanted.transactions.map((one: Made) => one.short_id));
        }
      },
    );

    test('leaves out the copies of a shared card unless they are asked for', async () => {
      const filter = { search: 'corner market', date_to: '2026-03-02' };
      expect(await find({ ...filter, count_only: true })).toMatchObject({ count: 1 });
      const all = await find({ ...filter, count_only: true, dependent_accounts: 'include' });
      expect(all).toMatchObject({ count: 2, totals: [{ transaction_count: 2 }] });
    });

    test('takes the filters of REST as JSON values', async () => {
      const same: [object, Record<string, string | boolean>][] = [
        [
          { amount_min: 12.5, pending: false },
          { amount_min: '12.50', pending: false },
        ],
        [{ category_slug: [GROCERIES, COFFEE] }, { category_slug: `${GROCERIES},${COFFEE}` }],
        [{ user_id: household.ben.short_id }, { user_id: household.ben.short_id }],
        [
          { start_date: '2026-03-05', end_date: '2026-04-02' },
          { date_from: '2026-03-05', date_to: '2026-04-01' },
        ],
        [{ tag: 'to-look-at' }, { tag: 'to-look-at' }],
        [{ counterparty_id: household.cafe.short_id, has_comment: true }, { has_comment: true }],
      ];
      for (const [input, query] of same) {
        const { transactions } = await rest('transactions', { ...query, dependent_accounts: 'exclude' });
        const found = await find(input);
        expect(found.transactions.length).toBeGreaterThan(0);
        expect(found.transactions.map(({ id }: Made) => id)).toEqual(transactions.map((one: Made) => one.short_id));
      }
    });

    test('shows the fields that are asked for', async () => {
      const { transactions } = await find({ search: 'cafe 2', fields: ['date', 'category_slug', 'flagged'] });
      expect(transactions).toEqual([
        { id: transactions[0].id, date: '2026-04-02', category_slug: COFFEE, flagged: false },
      ]);
      const full = await find({ search: 'cafe 2', fields: 'full' });
      expect(full.transactions[0]).toMatchObject({
        category: { slug: COFFEE },
        account_name: 'Checking',
        provider: 'csv',
      });
      expect(await refused('query_transactions', { fields: 'colour' })).toMatch(/^INVALID_PARAMETER fields: "colour"/);
    });

    test('finds what may be charged twice', async () => {
      const near = await find({ repeats_within_days: 3, sort: 'date', order: 'asc' });
      expect(namesOf(near)).toEqual(['CORNER MARKET', 'CORNER MARKET', 'SQ *CAFE 1', 'SQ *CAFE 2', 'BOOKS', 'BOOKS']);
      const groups = near.transactions.map((row: { repeat_group: string }) => row.repeat_group);
      const [market, , cafe, , books] = near.transactions.map(({ id }: Made) => id);
      expect(groups).toEqual([market, market, cafe, cafe, books, books]);
      expect(near.totals).toMatchObject([
        { iso_currency_code: 'EUR', total_amount: '60.00' },
        { iso_currency_code: 'USD', total_amount: '33.40' },
      ]);
      expect(namesOf(await find({ repeats_within_days: 0 }))).toEqual(['SQ *CAFE 2', 'SQ *CAFE 1']);
      expect(namesOf(await find({ repeats_within_days: 7, date_from: '2026-04-07' }))).toEqual(['BOOKS']);
      const open = { date_from: '2026-04-07', date_to: '9999-12-31' };
      expect(namesOf(await find({ repeats_within_days: 7, ...open }))).toEqual(['BOOKS']);
    });

    test('tells what is proposed by anybody, or was refused to the agent within 90 days', async () => {
      const { transactions } = await find({ search: 'books' });
      const key = await rest('api-keys');
      const own = key.find(({ scope }: { scope: string }) => scope === 'full_access');
      const [open, refusedLately] = transactions.map(({ id }: Made) => id) as [string, string];
      await storeProposal(app, own.id, [open], { status: 'proposed', decided_at: null });
      const day = new Date(app.clock.now()).toISOString();
      await storeProposal(app, own.id, [refusedLately], { status: 'rejected', decided_at: day });
      await storeProposal(app, 'somebody else', [(await find({ search: 'salary' })).transactions[0].id], {
        status: 'proposed',
        decided_at: null,
      });
      expect(namesOf(await find({ proposed: true }))).toEqual(['BOOKS', 'BOOKS', 'SALARY']);
      expect(namesOf(await find({ proposed: false, date_from: '2026-04-03' }))).toEqual(['STREAMING']);
      app.clock.advance(91 * 24 * 60 * 60 * 1000);
      expect(namesOf(await find({ proposed: true }))).toEqual(['BOOKS', 'SALARY']);
      app.clock.set(TEST_START);
    });
  });

  test('a cursor belongs to its question', async () => {
    const { next_cursor: cursor } = await find({ sort: 'name', limit: 1 });
    expect(await refused('query_transactions', { sort: 'amount', limit: 1, cursor })).toMatch(/^INVALID_CURSOR/);
    expect(await refused('query_transactions', { sort: 'name', repeats_within_days: 3, cursor })).toMatch(
      /^INVALID_CURSOR/,
    );
    expect(await refused('query_transactions', { cursor: 'nonsense' })).toMatch(/^INVALID_CURSOR/);
  });

  test('transaction_summary and merchant_summary add up as REST does', async () => {
    const byKind = await askTool(app, 'transaction_summary', { group_by: 'month,kind' });
    const restKind = await rest('transactions/summary', { group_by: 'month,kind' });
    expect(restKind.totals[1]).toMatchObject({ period_count: 2, average_amount: '-1227.05' });
    // April is not over: it is in the total, but not in the average.
    const { average_amount: _average, period_count: _count, ...sums } = restKind.totals[1];
    const march = { period_count: 1, average_amount: '37.50', partial_period: '2026-04' };
    expect(byKind.totals[1]).toEqual({ ...sums, ...march });
    expect(byKind.totals[0]).toMatchObject({ iso_currency_code: 'EUR', partial_period: '2026-04' });
    expect(byKind.totals[0]).not.toHaveProperty('average_amount');
    expect(byKind.meaning).toContain('gross');
    expect(byKind).toMatchObject({ group_by: 'month,kind', row_count: restKind.row_count, truncated: false });
    const perPerson = await askTool(app, 'transaction_summary', {
      group_by: 'category,month,user',
      category_slug: GROCERIES,
    });
    expect(perPerson.summary).toMatchObject([
      { category_slug: GROCERIES, period: '2026-03', user_name: 'Ana', total_amount: '25.00' },
      { category_slug: GROCERIES, period: '2026-03', user_name: 'Ben', total_amount: '12.50' },
    ]);
    const merchants = await askTool(app, 'merchant_summary', { spending_only: true });
    const restMerchants = await rest('transactions/merchants', { spending_only: true });
    expect(merchants.totals).toEqual(restMerchants.totals.map((one: object) => ({ ...one, refunded: '0.00' })));
    expect(merchants.meaning).toContain('net of refunds');
    expect(merchants.merchants.map(({ merchant }: { merchant: string }) => merchant)).toEqual(
      restMerchants.merchants.map(({ merchant }: { merchant: string }) => merchant),
    );
    expect(merchants.merchants[2]).toMatchObject({ merchant: 'Corner Cafe', counterparty_id: household.cafe.short_id });
  });

  test('the limit of both summaries counts in each currency', async () => {
    const { merchants, row_count, truncated } = await askTool(app, 'merchant_summary', { limit: 2 });
    expect(merchants.map((one: { iso_currency_code: string }) => one.iso_currency_code)).toEqual(['EUR', 'USD', 'USD']);
    expect({ row_count, truncated }).toEqual({ row_count: 4, truncated: true });
    const { summary, ...found } = await askTool(app, 'transaction_summary', { group_by: 'category', limit: 1 });
    expect(summary.map((one: { iso_currency_code: string }) => one.iso_currency_code)).toEqual(['EUR', 'USD']);
    expect(found).toMatchObject({ row_count: 4, truncated: true });
    const all = await askTool(app, 'transaction_summary', { group_by: 'category', limit: 3 });
    expect([all.summary.length, all.truncated]).toEqual([4, false]);
  });

  test('query_transactions says what its totals leave out, and why', async () => {
    const of = async (input: object) => (await find({ count_only: true, ...input })).left_out;
    expect(await of({})).toEqual({ pending: 1, excluded_account: 0, dependent_account: 1 });
    expect(await of({ pending: 'true' })).toMatchObject({ pending: 0 });
    expect(await of({ dependent_accounts: 'include' })).toMatchObject({ dependent_account: 0 });
    expect(await of({ search: 'corner' })).toEqual({ pending: 0, excluded_account: 0, dependent_account: 1 });
    expect(await of({ account_id: household.copies.short_id })).toMatchObject({ dependent_account: 1 });
    const page = await find({ limit: 1 });
    expect(page.left_out).toEqual({ pending: 1, excluded_account: 0, dependent_account: 1 });
    expect(await find({ limit: 1, cursor: page.next_cursor })).not.toHaveProperty('left_out');
  });

  test('compare_to is refused where nothing can be compared', async () => {
    const compared = (input: object) =>
      refused('transaction_summary', { group_by: 'kind', compare_to: 'previous_year', ...input });
    expect(await compared({})).toMatch(/^VALIDATION_ERROR compare_to: needs date_from and date_to/);
    const days = { start_date: '2026-03-01', end_date: '2026-04-01', group_by: 'month,kind' };
    expect(await compared(days)).toMatch(/^VALIDATION_ERROR compare_to: cannot/);
  });

  test('merchant_summary finds merchants that were never seen before, whatever dates are asked for', async () => {
    const merchantsOf = async (input: object): Promise<string[]> => {
      const { merchants } = await askTool(app, 'merchant_summary', { spending_only: true, ...input });
      return merchants.map(({ merchant }: { merchant: string }) => merchant);
    };
    expect(await merchantsOf({ new_since: '2026-03-05' })).toEqual(['BOOKS', 'Corner Cafe']);
    expect(await merchantsOf({ new_since: '2026-03-02' })).toEqual(['BOOKS', 'Corner Market', 'Corner Cafe']);
    expect(await merchantsOf({ new_since: '2026-03-05', date_from: '2026-03-10' })).toEqual(['BOOKS', 'Corner Cafe']);
    expect(await merchantsOf({ new_since: '2026-04-07', date_from: '2026-04-07' })).toEqual([]);
    // Ana's first visit was before, Ben's was not: the other filters stay.
    expect(await merchantsOf({ new_since: '2026-03-05', user_id: household.ben.id })).toEqual([
      'BOOKS',
      'CORNER MARKET',
    ]);
  });

  test('get_transaction shows one row with what happened to it', async () => {
    const [{ id }] = (await find({ has_comment: true })).transactions;
    const one = await askTool(app, 'get_transaction', { transaction_id: id, include: ['timeline', 'comments'] });
    expect(one.transaction).toMatchObject({ id, name: 'SQ *CAFE 2', account_name: 'Checking', pending: false });
    expect(one.comments).toMatchObject([{ body: 'Ours?', author_name: 'Test' }]);
    expect(one.timeline.at(-1)).toMatchObject({ kind: 'comment', body: expect.stringContaining('Ours?') as string });
    const after = await askTool(app, 'get_transaction', { transaction_id: id, after: one.timeline.at(-1).id });
    expect(after).toMatchObject({ timeline: [] });
    expect(after).not.toHaveProperty('comments');
    const explained = await askTool(app, 'explain_transaction', { transaction_id: id });
    expect(explained).toMatchObject({ transaction_id: id, rules: [], would_change: [] });
    expect(explained.fields[0]).toMatchObject({ field: 'category', source: 'person' });
  });

  test('get_overview has a history when asked', async () => {
    const overview = await askTool(app, 'get_overview', {});
    expect(overview).toMatchObject({ counts: { transactions: 10, accounts: 3 }, backlog: { uncategorized_count: 4 } });
    expect(overview).not.toHaveProperty('history');
    const { history } = await askTool(app, 'get_overview', { history: 'month', date_from: '2026-01-01' });
    expect(history).toEqual((await rest('overview/history', { interval: 'month', date_from: '2026-01-01' })).series);
    expect(await refused('get_overview', { date_from: '2026-01-01' })).toBe(
      'INVALID_PARAMETER date_from has no effect without history.',
    );
  });

  test('wrong arguments are refused, not ignored or cut', async () => {
    const cases: [tool: string, input: Record<string, unknown>, error: RegExp][] = [
      ['query_transactions', { colour: 'red' }, /^VALIDATION_ERROR colour: unknown field/],
      ['query_transactions', { limit: 501 }, /^VALIDATION_ERROR limit: /],
      ['query_transactions', { limit: 'few' }, /^VALIDATION_ERROR limit: /],
      ['query_transactions', { pending: 'yes' }, /^VALIDATION_ERROR pending: /],
      ['query_transactions', { repeats_within_days: '8' }, /^VALIDATION_ERROR repeats_within_days: /],
      ['audit_bills', { since: 'yesterday' }, /^VALIDATION_ERROR since: /],
      ['audit_bills', { account_id: 'aaaaaaaa' }, /^INVALID_PARAMETER account_id/],
      ['list_series', { status: 'dead' }, /^VALIDATION_ERROR status: /],
      ['query_transactions', { account_id: 'aaaaaaaa' }, /^INVALID_PARAMETER account_id/],
      ['query_transactions', { account_id: [''] }, /^VALIDATION_ERROR account_id/],
      ['query_transactions', { category_slug: 'fod' }, /^INVALID_PARAMETER category_slug/],
      ['query_transactions', { amount_min: 1.234 }, /^INVALID_PARAMETER amount_min/],
      ['query_transactions', { repeats_within_days: 8 }, /^VALIDATION_ERROR repeats_within_days: /],
      ['query_transactions', { search: 'a\0b' }, /^VALIDATION_ERROR search/],
      ['get_transaction', { transaction_id: 'aaaaaaaa' }, /^NOT_FOUND/],
      ['get_transaction', { transaction_id: 'x'.repeat(300) }, /^NOT_FOUND/],
      ['explain_transaction', { transaction_id: 'aaaaaaaa' }, /^NOT_FOUND/],
      ['transaction_summary', { group_by: 'colour' }, /^INVALID_PARAMETER group_by/],
      ['transaction_summary', { group_by: 'month', limit: 5001 }, /^VALIDATION_ERROR limit: /],
      ['merchant_summary', { new_since: 'yesterday' }, /^VALIDATION_ERROR new_since: /],
      ['merchant_summary', { user_id: 'nobody' }, /^INVALID_PARAMETER user_id/],
      ['list_accounts', { account_id: 'aaaaaaaa' }, /^NOT_FOUND/],
      ['list_accounts', { balances: true }, /^INVALID_PARAMETER balances has no effect without account_id/],
      ['list_series', { series_id: 'aaaaaaaa' }, /^NOT_FOUND/],
      ['list_counterparties', { counterparty_id: 'aaaaaaaa' }, /^NOT_FOUND/],
      ['list_counterparties', { limit: 0 }, /^VALIDATION_ERROR limit: /],
    ];
    for (const [tool, input, error] of cases) expect(await refused(tool, input), JSON.stringify(input)).toMatch(error);
  });
});
