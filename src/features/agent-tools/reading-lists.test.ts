import { beforeAll, expect, test } from 'vitest';

import { askTool, refusalOf } from '../../../test/harness/agents/agents.ts';
import { openLinkedAccounts } from '../../../test/harness/ledgers/linked-accounts.ts';
import { addAccount, addCounterparty, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  let app: TestApp;
  let ana: Made;
  let savings: Made;
  let loan: Made;

  beforeAll(async () => {
    app = await database.open();
    ana = await addMember(app, 'Ana');
    const ben = await addMember(app, 'Ben');
    savings = await addAccount(app, ana, { name: 'Savings' });
    loan = await addAccount(app, ana, { name: 'Loan', type: 'loan', override: ben });
    const secret = await addAccount(app, ben, { name: 'Secret', excluded: true });
    for (const [account, balance] of [
      [savings, '1000.00'],
      [loan, '400.00'],
      [secret, '5.00'],
    ] as const) {
      await send('PUT', `accounts/${account.id}/balances/2026-04-01`, { balance_current: balance });
    }
  });

  const send = async (method: string, path: string, body: object): Promise<Made> => {
    const { status, json, text } = await app.request(method, `/api/v1/${path}`, { body });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const ask = async (tool: string, input: Record<string, unknown> = {}) => askTool(app, tool, input);

  test('a refusal names the tool that shows what to send instead', async () => {
    const look = (what: string, tool: string): string => `See the ${what} with ${tool}.`;
    for (const [tool, input, next] of [
      ['list_accounts', { user_id: 'Ana' }, look('ids of household members', 'get_overview')],
      ['query_transactions', { connection_id: 'Bank' }, look('ids of connections', 'get_sync_status')],
      ['query_transactions', { category_slug: 'Food' }, look('slugs of categories', 'list_categories')],
      ['get_sync_status', { connection_id: 'Bank' }, look('ids of connections', 'get_sync_status')],
      ['list_rules', { rule_id: 'aaaaaaaa' }, look('ids of rules', 'list_rules')],
      ['list_change_sets', { transaction_id: 'x' }, look('ids of transactions', 'query_transactions')],
      ['list_change_sets', { workflow_run_id: 'x' }, look('ids of runs', 'list_workflows')],
      ['review_match', { match_id: 'x', decision: 'reject' }, look('ids of transaction matches', 'list_account_links')],
    ] as const) {
      const { message } = await refusalOf(ask(tool, input));
      expect(message).toMatch(new RegExp(` ${next}$`));
    }
    const [row] = await addTransactions(app, [{ account: loan, date: '2026-04-01', amount_cents: 100, name: 'FEE' }]);
    const operations = [{ transaction_id: row?.id, category_slug: 'Food' }];
    const { message, members } = await refusalOf(ask('update_transactions', { operations }));
    const told = JSON.stringify([message, members['details'], members['results']]);
    expect(told.split(look('slugs of categories', 'list_categories'))).toHaveLength(4);
    const { results } = await ask('update_transactions', { operations, on_error: 'continue' });
    expect(results[0].error.message).toContain(look('slugs of categories', 'list_categories'));
  });

  test('what agents often send is taken, or the refusal says what to do', async () => {
    const listed = await ask('transaction_summary', { group_by: ['category', 'month'] });
    expect(listed).toEqual(await ask('transaction_summary', { group_by: 'category,month' }));
    const refused = async (tool: string, input: Record<string, unknown>): Promise<string> =>
      (await refusalOf(ask(tool, input))).message;
    expect(await refused('transaction_summary', {})).toBe('group_by: is required');
    // Models that must send every argument send these where they have nothing to say.
    const nothing = { cursor: '', limit: '50', search: null, date_from: '', pending: 'any', tag: [] };
    expect(await ask('query_transactions', nothing)).toEqual(await ask('query_transactions'));
    expect(await ask('list_reports', { read: 'any', kind: '' })).toEqual(await ask('list_reports'));
    expect(await ask('query_transactions', { category_kind: 'income, expense', pending: 'false', limit: '2' })).toEqual(
      await ask('query_transactions', { category_kind: ['income', 'expense'], pending: false, limit: 2 }),
    );
    expect(await refused('get_transaction', { transaction_id: null })).toBe('transaction_id: must be a string');
  });

  test('list_accounts shows what is where, whose it is, and what it adds up to', async () => {
    const { accounts, totals } = await ask('list_accounts');
    expect(accounts).toMatchObject([
      { name: 'Loan', type: 'loan', balance_current: '400.00', provider: 'csv', is_excluded: false },
      { name: 'Savings', user_id: ana.short_id, institution_name: 'First Bank', connection_status: 'active' },
      { name: 'Secret', is_excluded: true },
    ]);
    expect(accounts[0].user_id).not.toBe(ana.short_id);
    expect(accounts[0]).not.toHaveProperty('created_at');
    const { balances } = await ask('get_overview');
    expect(totals).toEqual(balances);
    expect(totals).toEqual([
      { iso_currency_code: 'USD', assets: '1000.00', liabilities: '400.00', net: '600.00', account_count: 2 },
    ]);
    const own = await ask('list_accounts', { user_id: ana.short_id });
    expect(own.totals).toMatchObject([{ net: '1000.00', account_count: 1 }]);
  });

  test('list_accounts shows one in full, with its balance history when asked', async () => {
    const { accounts, totals } = await ask('list_accounts', { account_id: savings.short_id, balances: true });
    expect(accounts).toMatchObject([
      { id: savings.short_id, name: 'Savings', balances: [{ date: '2026-04-01', balance_current: '1000.00' }] },
    ]);
    expect(totals).toMatchObject([{ assets: '1000.00' }]);
    const later = await ask('list_accounts', { account_id: savings.id, balances: true, date_from: '2026-04-02' });
    expect(later.accounts[0].balances).toEqual([]);
  });

  test('list_categories has parents before their children, and archived ones only when asked', async () => {
    await send('PATCH', 'categories/food_and_drink_coffee', { archived: true });
    const { categories } = await ask('list_categories', { kind: 'expense' });
    const slugs = categories.map(({ slug }: { slug: string }) => slug);
    for (const { slug, parent } of categories) {
      if (parent !== undefined) expect(slugs.indexOf(parent)).toBeLessThan(slugs.indexOf(slug));
    }
    expect(slugs).toContain('food_and_drink_groceries');
    expect(slugs).not.toContain('food_and_drink_coffee');
    const all = await ask('list_categories', { include_archived: true });
    expect(all.categories).toContainEqual({
      slug: 'food_and_drink_coffee',
      name: 'Coffee Shops',
      kind: 'expense',
      parent: 'food_and_drink',
      archived: true,
    });
  });

  test('list_series tells what comes next, what it costs and what became dearer', async () => {
    const row = (date: string, amount_cents: number, more: object = {}) => ({
      account: savings,
      date,
      amount_cents,
      name: 'FILMS',
      ...more,
    });
    const months = (first: number, amounts: readonly number[], day = '03') =>
      amounts.map((cents, index) => row(`2025-${String(first + index).padStart(2, '0')}-${day}`, cents));
    const recent = [row('2026-01-03', 1_299), row('2026-02-03', 1_299), row('2026-03-03', 1_299)];
    const pending = row('2026-04-03', 1_399, { columns: { pending: 1 } });
    const seriesOf = async (name: string, type: string, rows: readonly ReturnType<typeof row>[]) => {
      const made = await addTransactions(app, rows);
      return send('POST', 'series', { name, type, transaction_ids: made.map(({ id }) => id) });
    };
    const films = await seriesOf('Films', 'subscription', [
      ...months(1, [799, 799, 999, 999, 999, 1_299, 1_299, 1_299, 1_299, 1_299, 1_299, 1_299]),
      ...recent,
      pending,
    ]);
    await seriesOf('Power', 'bill', [row('2026-02-01', 100), row('2026-03-01', 90), row('2026-04-01', 120)]);
    await seriesOf('Gym', 'subscription', months(1, [4_900, 4_900, 4_900, 4_900]));
    const pay = [row('2026-02-27', -90_000), row('2026-03-27', -90_000), row('2026-04-24', -90_000)];
    await seriesOf('Pay', 'other', pay);
    await send('POST', 'series', { name: 'Nothing yet', type: 'bill' });

    const { series, yearly_totals: totals } = await ask('list_series');
    expect(series.map(({ name }: { name: string }) => name)).toEqual(['Films', 'Power', 'Pay', 'Nothing yet']);
    const { json: detail } = await app.request('GET', `/api/v1/series/${films.id}`);
    const { short_id: _, ...shown } = detail;
    const prices = series[0].prices;
    expect(series[0]).toEqual({ ...shown, id: detail.short_id, prices });
    expect(series[0]).toMatchObject({ status: 'late', next_expected_date: '2026-04-03', yearly_cost: '155.88' });
    // Since a year before 2026-04-26, and the price in force then.
    expect(prices.map(({ from, amount }: { from: string; amount: string }) => [from, amount])).toEqual([
      ['2025-03-03', '9.99'],
      ['2025-06-03', '12.99'],
    ]);
    expect(series[1]).toMatchObject({ amount_kind: 'variable', yearly_cost: '12.00', prices: [] });
    expect(series[3]).not.toHaveProperty('next_expected_date');
    expect(totals).toEqual([
      { iso_currency_code: 'USD', direction: 'in', series_count: 1, yearly_cost: '10800.00' },
      { iso_currency_code: 'USD', direction: 'out', series_count: 2, yearly_cost: '167.88' },
    ]);
    const namesOf = async (input: Record<string, unknown>) =>
      (await ask('list_series', input)).series.map(({ name }: { name: string }) => name);
    expect(await namesOf({ direction: 'in' })).toEqual(['Pay']);
    expect(await namesOf({ status: 'ended' })).toEqual(['Gym']);
    expect(await namesOf({ status: 'all', type: 'subscription' })).toEqual(['Films', 'Gym']);
    expect(await namesOf({ type: 'bill', search: 'pow' })).toEqual(['Power']);
    const one = await ask('list_series', { series_id: films.short_id });
    expect(one.series).toMatchObject([{ name: 'Films', transaction_count: 16, prices }]);
    expect(one.series[0].transactions[0]).toMatchObject({ date: '2026-04-03', amount: '13.99', pending: true });
    const gym = await ask('list_series', { search: 'gym', status: 'all' });
    expect(gym).toMatchObject({ series: [{ status: 'ended' }], yearly_totals: [] });

    const audit = await ask('audit_bills', {});
    const change = { old_amount: '9.99', new_amount: '12.99', change: '3.00', percent: '30.0', yearly_effect: '36.00' };
    expect(audit.price_changes).toMatchObject([{ name: 'Films', date: '2025-06-03', ...change, confirmed: true }]);
    expect(audit.late).toMatchObject([{ name: 'Films', expected_date: '2026-04-03', yearly_cost: '155.88' }]);
    expect(audit.ended).toMatchObject([{ name: 'Gym', last_date: '2025-04-03', yearly_cost: '588.00' }]);
    expect(audit).toMatchObject({ doubled: [], yearly_totals: [{ direction: 'out', yearly_cost: '167.88' }] });
    const later = await ask('audit_bills', { since: '2025-06-04', direction: 'any' });
    expect(later).toMatchObject({ price_changes: [], ended: [], yearly_totals: totals });
    expect(later.late[0]).toMatchObject({ series_id: films.short_id, account_id: savings.short_id });
  });

  test('audit_bills shows both rows of what was charged twice, and no copies of a shared card', async () => {
    const home = await database.open();
    const ana = await addMember(home, 'Ana');
    const ben = await addMember(home, 'Ben');
    const card = await addAccount(home, ana, { name: 'Card' });
    const bens = await addAccount(home, ben, { name: "Ben's card" });
    const copies = await addAccount(home, ana, { name: 'Copies', dependent: true });
    const charge = (account: Made, date: string, name = 'STREAMING') => ({ account, date, name, amount_cents: 1_000 });
    const inSeries = async (name: string, rows: readonly ReturnType<typeof charge>[]): Promise<Made[]> => {
      const made = await addTransactions(home, rows);
      const body = { name, transaction_ids: made.map(({ id }) => id) };
      expect((await home.request('POST', '/api/v1/series', { body })).status).toBe(201);
      return made;
    };
    const dates = ['2026-01-10', '2026-02-10', '2026-03-10', '2026-03-12', '2026-04-10'];
    const [, , third, doubled] = await inSeries('Streaming', [
      ...dates.map((date) => charge(card, date)),
      ...dates.map((date) => charge(copies, date)),
    ]);
    const [again] = await inSeries('Streaming of Ben', [charge(bens, '2026-04-11')]);
    await addTransactions(home, [charge(card, '2026-04-12')]);
    const audit = (input: object) => askTool(home, 'audit_bills', { ...input });
    const { doubled: found } = await audit({});
    expect(found).toMatchObject([
      { name: 'Streaming of Ben', amount: '10.00', transactions: [{ date: '2026-04-10' }, { id: again?.short_id }] },
      { name: 'Streaming', transactions: [{ id: third?.short_id }, { id: doubled?.short_id }] },
    ]);
    expect(found[0]).toHaveProperty('other_series_id');
    expect(found[1]).not.toHaveProperty('other_series_id');
    expect((await audit({ since: '2026-03-13' })).doubled).toHaveLength(1);
    expect((await audit({ user_id: ben.short_id })).doubled).toEqual([]);
    expect((await audit({ account_id: [card.short_id, copies.short_id] })).doubled).toHaveLength(1);
  });

  test('list_counterparties lists them by name, and one with its totals', async () => {
    const cafe = await addCounterparty(app, 'Corner Cafe');
    await addCounterparty(app, 'Corner Market');
    await send('PATCH', `counterparties/${cafe.id}`, { category_id: 'food_and_drink_groceries' });
    await addTransactions(app, [
      { account: savings, date: '2026-03-04', amount_cents: 420, name: 'CAFE', counterparty: cafe },
    ]);
    const first = await ask('list_counterparties', { search: 'corner', limit: 1 });
    expect(first).toEqual({
      counterparties: [{ id: cafe.short_id, name: 'Corner Cafe', category: 'food_and_drink_groceries' }],
      has_more: true,
    });
    const one = await ask('list_counterparties', { counterparty_id: cafe.short_id });
    expect(one.counterparties).toMatchObject([{ transaction_count: 1, totals: [{ total_amount: '4.20' }] }]);
    const bar = await addCounterparty(app, 'Coffee Bar');
    await send('POST', `counterparties/${cafe.id}/merge`, { from_counterparty_id: bar.id });
    const merged = await ask('list_counterparties', { counterparty_id: bar.id });
    expect(merged.counterparties).toMatchObject([{ id: bar.short_id, canonical_counterparty_id: cafe.short_id }]);
  });

  test('get_transaction shows the copy of a row on a linked account', async () => {
    const world = await openLinkedAccounts(database);
    const [primary] = await world.primary(['2026-03-04', 1_000, 'Bakery']);
    const [dependent] = await world.dependent(['2026-03-04', 1_000, 'Bakery']);
    await world.reconcile();
    for (const id of [primary, dependent]) {
      const found = await askTool(world.app, 'get_transaction', { transaction_id: id, include: ['matches'] });
      expect(found.matches).toMatchObject([{ confidence: 'auto', primary: { name: 'Bakery', amount: '10.00' } }]);
      expect(found).not.toHaveProperty('timeline');
    }
    const [match] = await world.matches();
    await world.decide(match, 'reject');
    const rejected = await askTool(world.app, 'get_transaction', { transaction_id: primary, include: ['matches'] });
    expect(rejected.matches).toEqual([]);
  });
});
