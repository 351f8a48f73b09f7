import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    let account: Made;
    beforeAll(async () => {
      const { app } = dashboard;
      ana = await signIn(app, { name: 'Ana' });
      account = await addAccount(app, await addMember(app, 'Cara'));
    });
    const get = async (path: string, query: Record<string, string> = {}) =>
      (await dashboard.app.request('GET', `/api/v1/${path}`, { query })).json;
    const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first();
    const act = async (page: Page, name: string, action: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };

    test('counterparties: made, shown with their rows and rules, merged as the dry run says, deleted', async () => {
      const { app } = dashboard;
      const page = await dashboard.open('/counterparties', { as: ana });
      await page.getByText('No counterparties yet').waitFor();
      await page.getByRole('button', { name: 'New counterparty' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Corner Cafe');
      await dialog.getByLabel('Web address').fill('https://cafe.example/menu');
      await dialog.getByRole('button', { name: 'Make it' }).click();
      await rowOf(page, 'Corner Cafe').getByText('cafe.example').waitFor();

      const [{ id: cafe }] = (await get('counterparties')).counterparties;
      const counterparty = await created(app, '/counterparties', { name: 'CORNER CAFE 12' });
      const row = { account, date: '2026-04-20', amount_cents: 450, name: 'Cafe', counterparty };
      await addTransactions(app, [row, { ...row, amount_cents: 550 }, { ...row, columns: { pending: 1 } }]);
      await created(app, '/rules', {
        name: 'Cafe by name',
        condition: { field: 'name', op: 'contains', value: 'cafe' },
        actions: [{ type: 'assign_counterparty', counterparty_id: counterparty.id }],
      });
      await page.reload();
      await rowOf(page, 'CORNER CAFE 12').getByRole('link', { name: '3', exact: true }).waitFor();
      const total = rowOf(page, 'CORNER CAFE 12').getByRole('link').filter({ hasText: '10.00' });
      const address = new URL((await total.getAttribute('href')) ?? '', dashboard.address);
      const { transactions } = await get('transactions', Object.fromEntries(address.searchParams));
      expect(transactions.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['4.50', '5.50']);
      await expectGoodLooks(page, 'counterparties');

      await page.getByRole('button', { name: 'CORNER CAFE 12', exact: true }).click();
      await dialog.getByText('Cafe by name').waitFor();
      await expect.poll(() => dialog.getByRole('listitem').count()).toBe(4);
      await expectGoodLooks(page, 'counterparty');
      await page.keyboard.press('Escape');

      await page.getByRole('searchbox', { name: 'Search' }).fill('cafe 12');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await act(page, 'CORNER CAFE 12', 'Merge into another');
      await dialog.getByRole('combobox').fill('Corner Cafe');
      await page.keyboard.press('Enter');
      await dialog.getByText(/Corner Cafe gets 3 transactions and 1 rule\./).waitFor();
      await dialog.getByRole('button', { name: 'Merge' }).click();
      await expect.poll(async () => (await get(`counterparties/${cafe}`)).transaction_count).toBe(3);
      await page.getByRole('searchbox', { name: 'Search' }).fill('');
      await expect.poll(() => rowOf(page, 'CORNER CAFE 12').count()).toBe(0);
      await page.getByRole('button', { name: 'Show merged ones' }).click();
      await rowOf(page, 'CORNER CAFE 12').getByText('Merged').waitFor();

      await act(page, 'Corner Cafe', 'Delete');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText(/The counterparty is in use/).waitFor();
    });

    test('recurring: what is late, next and ended told apart, what a year costs, and each price', async () => {
      const { app } = dashboard;
      const make = async (name: string, days: readonly string[], cents: readonly number[]) => {
        const series = await created(app, '/series', { name });
        await addTransactions(
          app,
          days.map((date, at) => ({
            account,
            date,
            amount_cents: cents[at] ?? 1_000,
            name,
            columns: { series_id: series.id },
          })),
        );
      };
      const monthly = ['2025-12-15', '2026-01-15', '2026-02-15', '2026-03-15', '2026-04-15'];
      await make('Films', monthly, [1_799, 1_799, 1_799, 1_999, 1_999]);
      await make('Gym', ['2025-12-10', '2026-01-10', '2026-02-10', '2026-03-10'], []);
      await make('Old paper', ['2025-01-03', '2025-02-03', '2025-03-03'], []);
      const page = await dashboard.open('/series', { as: ana });
      await rowOf(page, 'Films').getByText('15 May 2026').waitFor();
      await rowOf(page, 'Gym').getByText('Late: 10 Apr').waitFor();
      await rowOf(page, 'Old paper').getByText('Ended').waitFor();
      const headings = async (): Promise<(string | undefined)[]> =>
        (await page.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0]);
      await expect.poll(headings).toEqual(['Late', 'Gym', 'Next', 'Films', 'Ended', 'Old paper']);
      const { series } = await get('series', { detail: 'true' });
      const yearly = series
        .map(({ yearly_cost: cost }: { yearly_cost: string | null }) => Number(cost ?? 0))
        .reduce((sum: number, cost: number) => sum + cost, 0);
      await page
        .getByText(`US$${yearly.toFixed(2)}`)
        .first()
        .waitFor();
      await expectGoodLooks(page, 'series');
      await page.getByRole('button', { name: 'Films', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Since 15 Mar 2026').waitFor();
      await dialog.getByText('(11.1 %)').waitFor();
      await expectGoodLooks(page, 'one-series');
      await page.keyboard.press('Escape');
      await act(page, 'Films', 'Delete');
      await dialog.getByText('5 transactions are taken out of it, and stay. This can be undone.').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expect.poll(() => rowOf(page, 'Films').count()).toBe(0);
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).last().click();
      await rowOf(page, 'Films').getByText('15 May 2026').waitFor();
    });
  },
  ['SQLite'],
);
