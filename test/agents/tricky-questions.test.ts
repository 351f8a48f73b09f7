import { beforeAll, describe, expect, test } from 'vitest';

import { askTool } from '../harness/agents/agents.ts';
import {
  addAccount,
  addCounterparty,
  addMember,
  addTag,
  addTransactions,
  categoryBySlug,
  type Made,
  type NewTransaction,
} from '../harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

/** Questions in which a naive sum goes wrong, asked of a small household over MCP; the right answers were added up by hand. */

// oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
type Result = any;
type More = Partial<NewTransaction>;

/** Today is 2026-04-26. */
const MARCH = { date_from: '2026-03-01', date_to: '2026-03-31' };
const APRIL = { date_from: '2026-04-01', date_to: '2026-04-26' };
const EUR = { iso_currency_code: 'EUR' } as const;
const PENDING = { columns: { pending: 1 as const } };

async function household(app: TestApp): Promise<void> {
  await app.request('PATCH', '/api/v1/config/instance.timezone', { body: { value: 'UTC' } });
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const checking = await addAccount(app, ana, { name: 'Checking' });
  const savings = await addAccount(app, ana, { name: 'Savings' });
  const card = await addAccount(app, ana, { name: 'Card', type: 'credit' });
  const copies = await addAccount(app, ben, { name: 'Card of Ben', type: 'credit', dependent: true });
  const euros = await addAccount(app, ben, { name: 'Euros', currency: 'EUR' });
  const secret = await addAccount(app, ben, { name: 'Secret', excluded: true });
  const category = (slug: string): Promise<Made> => categoryBySlug(app, slug);
  const [groceries, shopping] = [await category('food_and_drink_groceries'), await category('general_merchandise')];
  const [wages, transfer] = [await category('income_wages'), await category('transfer_out_savings')];
  const donations = await category('general_services');
  const transferIn = await category('transfer_in_savings');
  const amazon = await addCounterparty(app, 'Amazon');
  const deductible = await addTag(app, 'tax-deductible');
  await addTag(app, 'refund-expected');
  const row = (account: Made, date: string, cents: number, name: string, more: More = {}): NewTransaction => ({
    account,
    date,
    amount_cents: cents,
    name,
    ...more,
  });
  await addTransactions(app, [
    // A year before: the first days of April, and a day after them.
    row(checking, '2025-04-10', 8_000, 'MARKET', { category: groceries }),
    row(checking, '2025-04-27', 99_900, 'MARKET', { category: groceries }),
    // March
    row(checking, '2026-03-02', 20_000, 'MARKET', { category: groceries }),
    row(card, '2026-03-05', 12_000, 'AMZN MKTP', { category: shopping, counterparty: amazon }),
    row(card, '2026-03-19', -4_500, 'AMAZON', { category: shopping }),
    row(card, '2026-03-20', 2_500, 'Amazon'),
    row(checking, '2026-03-25', -300_000, 'ACME PAYROLL', { category: wages }),
    row(checking, '2026-03-26', 50_000, 'TO SAVINGS', { category: transfer }),
    row(savings, '2026-03-26', -50_000, 'FROM CHECKING', { category: transferIn }),
    row(euros, '2026-03-10', 7_000, 'BÄCKER', { category: groceries, ...EUR }),
    row(euros, '2026-03-12', 3_000, 'ROTES KREUZ', { category: donations, tags: [deductible], ...EUR }),
    row(checking, '2026-03-13', 10_000, 'RED CROSS', { category: donations, tags: [deductible] }),
    row(secret, '2026-03-14', 66_600, 'SECRET', { category: shopping }),
    // The same purchase, as the card of the other member shows it.
    row(copies, '2026-03-05', 12_000, 'AMZN MKTP', { category: shopping, counterparty: amazon }),
    // April, until the 26th
    row(checking, '2026-04-03', 15_000, 'MARKET', { category: groceries }),
    row(checking, '2026-04-20', 1_000, 'MARKET', { category: groceries, ...PENDING }),
    row(card, '2026-04-11', 40_000, 'BIKE SHOP', { category: shopping }),
    row(card, '2026-04-12', 40_000, 'BIKE SHOP', { category: shopping }),
    row(euros, '2026-04-04', 7_700, 'BÄCKER', { category: groceries, ...EUR }),
  ]);
  const streaming = await addTransactions(
    app,
    ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'].map((month, index) =>
      row(card, `${month}-07`, index < 4 ? 1_799 : 1_999, 'STREAMFLIX', { category: shopping }),
    ),
  );
  const body = { name: 'Streamflix', transaction_ids: streaming.map(({ id }) => id) };
  expect((await app.request('POST', '/api/v1/series', { body })).status).toBe(201);
}

forEachDatabase((database) => {
  describe('a small household', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await database.open();
      await household(app);
    });
    const ask = (tool: string, input: Record<string, unknown>): Promise<Result> => askTool(app, tool, input);
    const spent = (input: Record<string, unknown>) =>
      ask('transaction_summary', { group_by: 'category_primary', spending_only: true, ...input });
    const amounts = (rows: readonly Result[], ...names: string[]): unknown[][] =>
      rows.map((row) => names.map((name) => row[name]));

    test('1. spending is net of refunds, and says what came back', async () => {
      const { summary, totals } = await spent({ ...MARCH, iso_currency_code: 'USD' });
      expect(amounts(summary, 'category_slug', 'total_amount', 'refunded')).toEqual([
        ['food_and_drink', '200.00', '0.00'],
        ['general_services', '100.00', '0.00'],
        ['general_merchandise', '94.99', '45.00'],
        [undefined, '25.00', '0.00'],
      ]);
      expect(totals).toMatchObject([{ total_amount: '419.99', money_out: '464.99', refunded: '45.00' }]);
    });

    test('2. transfers between own accounts are no spending, and cancel out in cash flow', async () => {
      const { summary } = await ask('transaction_summary', {
        group_by: 'month,kind',
        ...MARCH,
        iso_currency_code: 'USD',
      });
      expect(amounts(summary, 'category_kind', 'total_amount')).toEqual([
        ['expense', '394.99'],
        [undefined, '25.00'],
        ['transfer', '0.00'],
        ['income', '-3000.00'],
      ]);
      expect((await spent(MARCH)).summary.map((row: Result) => row.category_slug)).not.toContain('transfer_out');
    });

    test('3. two currencies are never added up', async () => {
      const { totals } = await spent(MARCH);
      expect(amounts(totals, 'iso_currency_code', 'total_amount')).toEqual([
        ['EUR', '100.00'],
        ['USD', '419.99'],
      ]);
    });

    test('4. a shared card counts once', async () => {
      const found = await ask('query_transactions', { search: 'amzn', ...MARCH });
      expect(found).toMatchObject({ totals: [{ transaction_count: 1, total_amount: '120.00' }] });
      expect(found.left_out).toEqual({ pending: 0, excluded_account: 0, dependent_account: 1 });
      const secret = await ask('query_transactions', { category_slug: 'general_merchandise', ...MARCH });
      expect(secret.left_out).toEqual({ pending: 0, excluded_account: 1, dependent_account: 1 });
    });

    test('5. pending rows are left out, and said to be', async () => {
      const april = { ...APRIL, category_slug: 'food_and_drink_groceries', iso_currency_code: 'USD' };
      const found = await ask('query_transactions', april);
      expect(found).toMatchObject({ totals: [{ total_amount: '150.00' }], left_out: { pending: 1 } });
      expect((await spent({ ...april, include_pending: true })).totals).toMatchObject([{ total_amount: '160.00' }]);
      const pending = await ask('query_transactions', { pending: 'true' });
      expect(pending.totals).toMatchObject([{ total_amount: '10.00' }]);
    });

    test('6. the average of months leaves out the month that is not over', async () => {
      const asked = { group_by: 'month', date_from: '2026-01-01', iso_currency_code: 'USD', spending_only: true };
      const { totals } = await ask('transaction_summary', asked);
      // 17.99 in January and in February, 419.99 in March; 969.99 so far in April.
      expect(totals).toMatchObject([
        { total_amount: '1425.96', period_count: 3, average_amount: '151.99', partial_period: '2026-04' },
      ]);
    });

    test('7. the same days last year', async () => {
      const { totals, filters } = await spent({ ...APRIL, iso_currency_code: 'USD', compare_to: 'previous_year' });
      expect(filters).toMatchObject({ date_to: '2026-04-26', compare_to: '2025-04-01..2025-04-26' });
      expect(totals).toMatchObject([
        { total_amount: '969.99', compared: { total_amount: '80.00', change: '889.99', percent: '1112.5' } },
      ]);
    });

    test('8. subscriptions that changed price', async () => {
      const { price_changes: changes } = await ask('audit_bills', {});
      expect(changes).toMatchObject([
        {
          name: 'Streamflix',
          date: '2026-03-07',
          old_amount: '17.99',
          new_amount: '19.99',
          confirmed: true,
          change: '2.00',
          percent: '11.1',
          yearly_effect: '24.00',
        },
      ]);
      const { series, yearly_totals } = await ask('list_series', { type: 'subscription' });
      expect(series).toMatchObject([{ name: 'Streamflix', yearly_cost: '239.88', next_expected_date: '2026-05-07' }]);
      expect(yearly_totals).toMatchObject([{ direction: 'out', yearly_cost: '239.88' }]);
    });

    test('9. the biggest change comes first, also of what is no longer bought', async () => {
      const { summary } = await spent({
        date_from: '2026-04-01',
        date_to: '2026-04-30',
        compare_to: 'previous_period',
      });
      const shown = summary.map((row: Result) => [
        row.iso_currency_code,
        row.category_slug,
        row.total_amount,
        row.compared.total_amount,
        row.compared.change,
      ]);
      expect(shown).toEqual([
        ['EUR', 'general_services', '0.00', '30.00', '-30.00'],
        ['EUR', 'food_and_drink', '77.00', '70.00', '7.00'],
        ['USD', 'general_merchandise', '819.99', '94.99', '725.00'],
        ['USD', 'general_services', '0.00', '100.00', '-100.00'],
        ['USD', 'food_and_drink', '150.00', '200.00', '-50.00'],
        ['USD', undefined, '0.00', '25.00', '-25.00'],
      ]);
      expect(summary.at(-1).compared).toMatchObject({ transaction_count: 1, percent: '-100.0' });
    });

    test('10. charged twice', async () => {
      const found = await ask('query_transactions', { repeats_within_days: '3', date_from: '2026-03-01' });
      expect(amounts(found.transactions, 'date', 'name')).toEqual([
        ['2026-04-12', 'BIKE SHOP'],
        ['2026-04-11', 'BIKE SHOP'],
      ]);
      expect(new Set(found.transactions.map((row: Result) => row.repeat_group)).size).toBe(1);
    });

    test('11. cash flow: what came in and what went out, each month', async () => {
      const asked = { group_by: 'month', date_from: '2026-03-01', iso_currency_code: 'USD' };
      const { summary } = await ask('transaction_summary', asked);
      expect(amounts(summary, 'period', 'money_out', 'money_in', 'total_amount')).toEqual([
        ['2026-04', '969.99', '0.00', '969.99'],
        ['2026-03', '964.99', '3545.00', '-2580.01'],
      ]);
    });

    test('12. tax-deductible by tag, per currency', async () => {
      const { totals } = await spent({ tag: 'tax-deductible', date_from: '2026-01-01' });
      expect(amounts(totals, 'iso_currency_code', 'total_amount')).toEqual([
        ['EUR', '30.00'],
        ['USD', '100.00'],
      ]);
      const { summary } = await ask('transaction_summary', { group_by: 'tag', spending_only: true, ...MARCH });
      expect(summary.find((row: Result) => row.tag_slug && row.iso_currency_code === 'USD')).toMatchObject({
        total_amount: '100.00',
      });
    });

    test('a merchant is one row, as its rows add up: bound, by name, and what came back', async () => {
      const { merchants } = await ask('merchant_summary', { spending_only: true, ...MARCH, iso_currency_code: 'USD' });
      const amazon = merchants.filter((one: Result) => /amazon|amzn/i.test(one.merchant));
      expect(amazon).toMatchObject([
        { merchant: 'Amazon', transaction_count: 3, total_amount: '100.00', refunded: '45.00' },
      ]);
      for (const one of merchants) {
        const found = await ask('query_transactions', {
          spending_only: true,
          ...MARCH,
          iso_currency_code: 'USD',
          ...(one.counterparty_id ? { search: 'amazon,amzn' } : { search: one.merchant }),
        });
        expect(found.totals, one.merchant).toMatchObject([
          { transaction_count: one.transaction_count, total_amount: one.total_amount, refunded: one.refunded },
        ]);
      }
    });
  });
});
