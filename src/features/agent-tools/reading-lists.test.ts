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
    for (const tool of ['query_transactions', 'list_rules', 'list_change_sets', 'list_imports', 'list_proposals'])
      expect(await refused(tool, { cursor: '' })).toBe(
        'cursor: must not be empty: after an empty next_cursor there is no further page',
      );
    const [optional, required] = [{ date_from: null }, { transaction_id: null }];
    expect(await refused('query_transactions', optional)).toBe(
      'date_from: must be a string, not null. Leave it out instead.',
    );
    expect(await refused('get_transaction', required)).toBe('transaction_id: must be a string');
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

  test('list_series tells what comes next and what became dearer', async () => {
    const row = (date: string, amount_cents: number, more: object = {}) => ({
      account: savings,
      date,
      amount_cents,
      name: 'FILMS',
      ...more,
    });
    const euros = { iso_currency_code: 'EUR' };
    const films = await addTransactions(app, [
      row('2026-01-03', 999),
      row('2026-02-03', 999),
      row('2026-02-20', 555, euros),
      row('2026-03-03', 1299),
      row('2026-04-03', 1399, { columns: { pending: 1 } }),
    ]);
    const ids = films.map(({ id }) => id);
    const made = await send('POST', 'series', { name: 'Films', transaction_ids: ids });
    await send('POST', 'series', { name: 'Nothing yet', type: 'bill' });
    const power = await addTransactions(app, [row('2026-01-01', 100), row('2026-02-01', 100), row('2026-03-01', 90)]);
    await send('POST', 'series', { name: 'Power', type: 'bill', transaction_ids: power.map(({ id }) => id) });

    const { series } = await ask('list_series');
    const { json: detail } = await app.request('GET', `/api/v1/series/${made.id}`);
    expect(series.map(({ name }: { name: string }) => name)).toEqual(['Power', 'Films', 'Nothing yet']);
    expect(series[0]).toMatchObject({ previous_amount: '1.00', last_amount: '0.90', next_date: '2026-03-29' });
    const { short_id: _, ...shown } = detail;
    expect(series[1]).toEqual({ ...shown, id: detail.short_id, previous_amount: '9.99', next_date: '2026-04-20' });
    expect(series[2]).not.toHaveProperty('next_date');
    expect((await ask('list_series', { type: 'bill', search: 'pow' })).series).toHaveLength(1);
    const one = await ask('list_series', { series_id: made.short_id });
    expect(one.series).toMatchObject([{ name: 'Films', previous_amount: '9.99', transaction_count: 5 }]);
    expect(one.series[0].transactions).toHaveLength(5);
    expect(one.series[0].transactions[0]).toMatchObject({ date: '2026-04-03', amount: '13.99', pending: true });
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
