import { expect, test } from 'vitest';

import { allRows, rowsOf } from '../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../test/harness/test-app.ts';
import { formatCents } from '../src/kernel/money.ts';
import { generateHousehold, type Household } from './household.ts';
import { writeHousehold } from './write-household.ts';

const UNTIL = '2026-04-25';

async function write(app: TestApp, transactions: number, seed = 7): Promise<Household> {
  const household = generateHousehold({ seed, transactions, until: UNTIL });
  expect(await writeHousehold(app.app.instance, household)).toBe(transactions);
  return household;
}

async function count(app: TestApp, from: string): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(app.app.instance.database, `select count(*) as n from ${from}`);
  return row?.n ?? -1;
}

forEachDatabase((database) => {
  test('the same seed writes the same household, row by row in date order', async () => {
    const inOrder = async (app: TestApp) =>
      rowsOf(
        app.app.instance.database,
        `select t.date, t.amount_cents, t.name, a.name as account from transactions t
          join accounts a on a.id = t.account_id order by t.id`,
      );
    const [first, second] = [await database.open(), await database.open()];
    const household = await write(first, 3_000);
    await write(second, 3_000);
    const rows = await inOrder(first);
    expect(rows).toEqual(await inOrder(second));
    const names = new Map(household.accounts.map(({ key, name }) => [key, name]));
    expect(rows).toEqual(
      [...household.transactions()].map(({ date, amount_cents, name, account }) => ({
        date,
        amount_cents,
        name,
        account: names.get(account),
      })),
    );
  });

  test('everything of a household is there, and is served', async () => {
    const app = await database.open();
    const household = await write(app, 3_000);
    const rows = [...household.transactions()];
    const get = async (path: string, query = {}) => (await app.request('GET', `/api/v1/${path}`, { query })).json;

    const users = (await get('users')) as { name: string; kind: string; email: string | null }[];
    expect(users.map(({ name, kind, email }) => ({ name, kind, email }))).toEqual(
      household.members.map(({ name, kind, email }) => ({ name, kind, email })),
    );
    const accounts = (await get('accounts')) as { id: string; name: string; user_id: string }[];
    expect(accounts).toHaveLength(household.accounts.length);
    for (const made of household.accounts) {
      const account = accounts.find(({ name }) => name === made.name);
      expect(account).toMatchObject({
        display_name: made.display_name,
        balance_current: formatCents(made.balance_current_cents),
        is_excluded: made.is_excluded,
        connection_status: 'active',
      });
      const { balances } = await get(`accounts/${account?.id}/balances`);
      const reported = household.balances.filter(({ account }) => account === made.key);
      expect(balances.map((one: { date: string }) => one.date)).toEqual(reported.map(({ date }) => date));
      expect(balances.at(-1).balance_current).toBe(formatCents(made.balance_current_cents));
    }

    const totals = (await get('transactions/count', { uncategorized: true })).count;
    expect(totals).toBe(rows.filter(({ category_slug }) => category_slug === null).length);
    const tagged = rows.filter(({ tags }) => tags.includes('needs-review')).length;
    expect((await get('transactions/count', { tag: 'needs-review' })).count).toBe(tagged);
    expect((await get('transactions/count', { flagged: true })).count).toBe(rows.filter((row) => row.flagged).length);
    expect((await get('transactions/count', { pending: true })).count).toBe(rows.filter((row) => row.pending).length);
    const known = rows.find(({ counterparty, series }) => counterparty !== null && series !== null);
    const found = await get('transactions', { search: known?.name, search_mode: 'contains', limit: 500 });
    expect(found.transactions.length).toBeGreaterThan(0);
    expect(found.transactions.every((row: { name: string }) => row.name.includes(known?.name ?? '-'))).toBe(true);
    expect(found.transactions[0]).toMatchObject({
      counterparty_name: known?.counterparty,
      category: { slug: known?.category_slug },
      category_source: known?.category_source,
    });

    expect(await count(app, 'transaction_tags')).toBe(rows.reduce((sum, { tags }) => sum + tags.length, 0));
    expect(await count(app, 'comments')).toBe(rows.filter(({ comment }) => comment !== null).length);
    expect(await count(app, 'tags')).toBe(household.tags.length);
    expect(await count(app, 'series')).toBe(household.series.length);
    expect(await count(app, 'counterparties')).toBe(household.counterparties.length);
    expect(await count(app, `transactions where locks = '["category"]'`)).toBe(
      rows.filter(({ category_source }) => category_source === 'person' || category_source === 'agent').length,
    );
    const noted = rows.filter(({ tags }) => tags.includes('tax-deductible') || tags.includes('reimbursable'));
    expect(noted.length).toBeGreaterThan(0);
    expect(await count(app, `transactions where metadata <> '{}'`)).toBe(noted.length);
  });

  test('rows of providers are known by their ids, in their own namespace', async () => {
    const app = await database.open();
    const household = await write(app, 1_000);
    const providers = new Map(household.connections.map(({ key, provider }) => [key, provider]));
    const accounts = new Map(household.accounts.map(({ key, connection }) => [key, providers.get(connection)]));
    const expected = [...household.transactions()]
      .map(({ account, external_id }) => [accounts.get(account), external_id])
      .filter(([provider]) => provider !== 'csv');
    const stored = await rowsOf<{ namespace: string; external_id: string }>(
      app.app.instance.database,
      'select namespace, external_id from transaction_aliases order by transaction_id',
    );
    expect(stored.map(({ namespace, external_id }) => [namespace, external_id])).toEqual(expected);
    const named = household.accounts.filter(({ connection }) => providers.get(connection) !== 'csv');
    expect(await count(app, 'account_aliases')).toBe(named.length);
  });

  test('the rows carry their change set; what they refer to is journaled', async () => {
    const app = await database.open();
    const household = await write(app, 1_000);
    const { database: ledger } = app.app.instance;
    const sets = await rowsOf<{ id: string; created_count: number; summary: string }>(
      ledger,
      `select id, created_count, summary from change_sets where action = 'setup.demo'`,
    );
    expect(sets).toHaveLength(1);
    expect(await count(app, `transactions where created_change_set_id = '${sets[0]?.id}'`)).toBe(1_000);
    const recorded = await rowsOf<{ entity_type: string; n: number }>(
      ledger,
      `select entity_type, count(*) as n from changes where change_set_id = '${sets[0]?.id}' group by entity_type`,
    );
    const counts = Object.fromEntries(recorded.map(({ entity_type, n }) => [entity_type, n]));
    const { members, connections, accounts, counterparties, series, tags } = household;
    expect(counts).toEqual({
      user: members.length,
      connection: connections.length,
      account: accounts.length,
      counterparty: counterparties.length,
      series: series.length,
      tag: tags.length - 1,
      ...(counts['comment'] === undefined ? {} : { comment: await count(app, 'comments') }),
    });
    const journaled = recorded.reduce((sum, { n }) => sum + n, 0);
    expect(sets[0]).toMatchObject({ created_count: 1_000 + journaled });
  });

  test('a stopped writing leaves nothing of the change set it was in', async () => {
    const app = await database.open();
    const before = await allRows(app.app.instance.database);
    const household = generateHousehold({ seed: 1, transactions: 5_000, until: UNTIL });
    const stopping = writeHousehold(app.app.instance, household, {
      onProgress: (written) => {
        if (written >= 4_000) throw new Error('stop');
      },
    });
    await expect(stopping).rejects.toThrow('stop');
    expect(await allRows(app.app.instance.database)).toEqual(before);
  });

  if (database.name === 'SQLite') {
    test('a large household is written in several change sets, with progress', async () => {
      const app = await database.open();
      const seen: number[] = [];
      const household = generateHousehold({ seed: 1, transactions: 51_000, until: UNTIL });
      await writeHousehold(app.app.instance, household, { onProgress: (written) => void seen.push(written) });
      expect([seen[0], seen[24], seen.at(-1)]).toEqual([2_000, 50_000, 51_000]);
      expect(await count(app, `change_sets where action = 'setup.demo'`)).toBe(2);
      expect(await count(app, 'transactions where created_change_set_id is not null')).toBe(51_000);
      expect(await count(app, 'accounts')).toBe(household.accounts.length);
    });
  }
});
