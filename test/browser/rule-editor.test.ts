import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addAccount, addTransactions, categoryBySlug, type Made, type NewTransaction } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** Rules as a person writes them. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let household: Promise<{ ana: SignedIn; vic: SignedIn; account: Made }> | undefined;
    const people = () =>
      (household ??= (async () => {
        const ana = await signIn(dashboard.app, { name: 'Ana' });
        const vic = await signIn(dashboard.app, { name: 'Vic', role: 'viewer' });
        return { ana, vic, account: await addAccount(dashboard.app, ana.member, { name: 'Giro', currency: 'EUR' }) };
      })());
    const add = async (...rows: (Partial<NewTransaction> & { name: string })[]): Promise<Made[]> => {
      const { account } = await people();
      return addTransactions(
        dashboard.app,
        rows.map((row) => ({ account, date: '2026-04-02', amount_cents: 1_250, iso_currency_code: 'EUR', ...row })),
      );
    };
    const open = async (path: string, who: 'ana' | 'vic' = 'ana'): Promise<Page> =>
      dashboard.open(path, { as: (await people())[who] });
    const get = async (path: string) => (await dashboard.app.request('GET', `/api/v1${path}`)).json;
    const ruleNamed = async (name: string) => (await get(`/rules?search=${encodeURIComponent(name)}`)).rules[0];

    test('what the preview counts is what applying changes, and one undo takes all of it back', async () => {
      const coffee = await categoryBySlug(dashboard.app, 'food_and_drink_coffee');
      const rows = await add(
        { name: 'REWE 114', merchant_name: 'REWE' },
        { name: 'REWE 115', merchant_name: 'REWE', date: '2026-04-03' },
        { name: 'Rewe online', merchant_name: 'REWE' },
        { name: 'EDEKA' },
      );
      await dashboard.app.request('POST', '/api/v1/transactions/bulk-update', {
        body: { transaction_ids: [rows[2]?.id], changes: { category_id: coffee.id } },
      });
      const page = await open('/rules/new');
      await page.getByRole('textbox', { name: 'Name' }).fill('REWE is groceries');
      await page.getByRole('textbox', { name: 'Value' }).fill('rewe');
      await page.getByRole('button', { name: /^Category: / }).click();
      await page.getByRole('combobox', { name: 'Category' }).fill('groceries');
      await page.keyboard.press('Enter');
      const preview = page.getByRole('region', { name: 'What it would do now' });
      await expect.poll(() => preview.innerText()).toMatch(/3 transactions match[^]*2 would change/);
      await expect.poll(() => preview.innerText()).toContain('1 keeps something as it is');
      await preview.getByText('→').first().waitFor();
      await expectGoodLooks(page, 'rule-new');
      await page.getByRole('button', { name: 'Save and apply' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('2 of 3 transactions that match will change.').waitFor();
      await expectGoodLooks(page, 'rule-apply');
      await dialog.getByRole('button', { name: 'Save and change 2' }).click();
      await page.getByText('Rule created, 2 transactions changed').waitFor();
      const categories = async () =>
        Promise.all(rows.map(async ({ id }) => (await get(`/transactions/${id}`)).category?.slug ?? null));
      expect(await categories()).toEqual([
        'food_and_drink_groceries',
        'food_and_drink_groceries',
        'food_and_drink_coffee',
        null,
      ]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(categories).toEqual([null, null, 'food_and_drink_coffee', null]);
      await expect.poll(() => ruleNamed('REWE is groceries')).toBeUndefined();
    });
  },
  ['SQLite'],
);
