import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { addAccount, addMember, addTransactions, categoryBySlug, type Made } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    let ben: SignedIn;
    let groceries: Made;
    beforeAll(async () => {
      const { app } = dashboard;
      ana = await signIn(app, { name: 'Ana' });
      ben = await signIn(app, { name: 'Ben', role: 'viewer' });
      groceries = await categoryBySlug(app, 'food_and_drink_groceries');
      const member = await addMember(app, 'Cara');
      const account = await addAccount(app, member);
      const hidden = await addAccount(app, member, { excluded: true });
      const row = { account, date: '2026-04-20', amount_cents: 1_234, name: 'REWE', category: groceries };
      await addTransactions(app, [
        row,
        { ...row, amount_cents: 766 },
        { ...row, amount_cents: 500, iso_currency_code: 'EUR' },
        { ...row, amount_cents: 9_900, columns: { pending: 1 } },
        { ...row, amount_cents: 9_900, account: hidden },
        { ...row, amount_cents: 9_900, date: '2026-01-01' },
      ]);
    });
    const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).first();
    /** The row itself, without those below it. */
    const branch = (page: Page, name: string) =>
      page.getByText(name, { exact: true }).locator('xpath=ancestor::div[1]');
    const act = async (page: Page, name: string, action: string): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const categories = async (query = {}): Promise<Record<string, unknown>[]> =>
      (await dashboard.app.request('GET', '/api/v1/categories', { query })).json;

    describe('categories', () => {
      test('each has what it came to in 90 days, which leads to exactly those rows', async () => {
        const page = await dashboard.open('/categories', { as: ana });
        for (const name of ['Groceries', 'Food & Drink']) {
          const row = branch(page, name);
          await expect.poll(() => row.getByRole('link').allInnerTexts()).toHaveLength(2);
          expect((await row.getByRole('link').allInnerTexts()).map((text) => text.match(/[\d.]+/)?.[0])).toEqual(
            expect.arrayContaining(['5.00', '20.00']),
          );
        }
        const link = branch(page, 'Groceries').getByRole('link').filter({ hasText: '20.00' });
        const address = new URL((await link.getAttribute('href')) ?? '', dashboard.address);
        const query = Object.fromEntries(address.searchParams);
        const { json } = await dashboard.app.request('GET', '/api/v1/transactions', { query });
        expect(json.transactions.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['12.34', '7.66']);
        await expectGoodLooks(page, 'categories');
      });

      test('one is made below another, edited, archived, and deleted with what is in it', async () => {
        const page = await dashboard.open('/categories', { as: ana });
        await act(page, 'Food & Drink', 'New category below it');
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name', { exact: true }).fill('Farm shop');
        await dialog.getByLabel('Short form').fill('food_and_drink_groceries');
        await dialog.getByRole('button', { name: 'Make the category' }).click();
        await dialog.getByText('Is taken.').waitFor();
        await dialog.getByLabel('Short form').fill('');
        await expectGoodLooks(page, 'category-new');
        await dialog.getByRole('button', { name: 'Make the category' }).click();
        await branch(page, 'Farm shop').waitFor();

        await act(page, 'Farm shop', 'Edit or move');
        await dialog.getByLabel('Name').fill('Farm shops');
        await dialog.getByLabel('Sign').selectOption('store');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await branch(page, 'Farm shops').waitFor();
        const made = (await categories()).find(({ name }) => name === 'Farm shops');
        expect(made).toMatchObject({ icon: 'store', kind: 'expense' });

        await act(page, 'Farm shops', 'Archive');
        await expect.poll(() => branch(page, 'Farm shops').count()).toBe(0);
        await page.getByRole('button', { name: 'Show 1 archived category' }).click();
        await branch(page, 'Farm shops').getByText('Archived').waitFor();

        await act(page, 'Farm shops', 'Delete');
        await dialog.getByLabel('What is in it goes to').selectOption({ label: 'No category' });
        await dialog.getByRole('button', { name: 'Delete' }).click();
        await expect.poll(async () => (await categories()).some(({ name }) => name === 'Farm shops')).toBe(false);
        await page.getByRole('button', { name: 'Actions for Groceries', exact: true }).click();
        await page.getByText('Homeledger came with it. It can be archived.').waitFor();
      });

      test('a merge shows what its dry run counts, and moves exactly that', async () => {
        const { app } = dashboard;
        const tea = await created(app, '/categories', { name: 'Tea rooms', parent_id: 'food_and_drink' });
        const account = (await app.request('GET', '/api/v1/accounts')).json[0].id;
        const row = { account_id: account, date: '2026-04-02', amount: '3.00', name: 'Tea', category_id: tea.id };
        const ids = [await created(app, '/transactions', row), await created(app, '/transactions', row)].map(
          ({ id }) => id,
        );
        const page = await dashboard.open('/categories', { as: ana });
        await act(page, 'Tea rooms', 'Merge into another');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox').fill('Coffee Sh');
        await page.keyboard.press('Enter');
        await dialog.getByText(/Coffee Shops gets 2 transactions, 0 rules,? and 0 counterparties\./).waitFor();
        await expectGoodLooks(page, 'category-merge');
        await dialog.getByRole('button', { name: 'Merge' }).click();
        await expect.poll(async () => (await categories()).some(({ name }) => name === 'Tea rooms')).toBe(false);
        const coffee = await categoryBySlug(app, 'food_and_drink_coffee');
        const moved = (await app.request('GET', '/api/v1/transactions', { query: { category_id: coffee.id } })).json;
        expect(moved.transactions.map(({ id }: Made) => id).toSorted()).toEqual(ids.toSorted());
      });

      test('a table with one bad line brings nothing and names the line; a good one says what it brings', async () => {
        const page = await dashboard.open('/categories', { as: ana });
        const before = await categories();
        await page.getByRole('button', { name: 'As a table' }).click();
        const dialog = page.getByRole('dialog');
        const choose = (text: string) =>
          page.getByLabel('Table of categories').setInputFiles({
            name: 'categories.tsv',
            mimeType: 'text/tab-separated-values',
            buffer: Buffer.from(text),
          });
        await choose('slug\tname\tparent_slug\npets\tPets\t\npets_food\tPet food\tcats\n');
        await dialog.getByText(/line 3: parent_slug/).waitFor();
        await expectGoodLooks(page, 'categories-table');
        expect(await categories()).toEqual(before);
        await choose('slug\tname\tparent_slug\npets\tPets\t\npets_food\tPet food\tpets\n');
        await dialog.getByText('It brings: 2 categories made.').waitFor();
        await dialog.getByRole('button', { name: 'Take it over' }).click();
        await branch(page, 'Pet food').waitFor();
      });

      test('a viewer sees them, and why they cannot be changed', async () => {
        const page = await dashboard.open('/categories', { as: ben });
        const add = page.getByRole('button', { name: 'New category' });
        await add.waitFor();
        await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
      });
    });

    test('tags are made, edited and deleted; a name that is taken is shown at its field', async () => {
      const { app } = dashboard;
      const page = await dashboard.open('/tags', { as: ana });
      await page.getByRole('button', { name: 'New tag' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Tax return');
      await dialog.getByLabel('Short form').fill('needs-review');
      await dialog.getByRole('button', { name: 'Make the tag' }).click();
      await dialog.getByText('Is taken.').waitFor();
      await dialog.getByLabel('Short form').fill('');
      await expectGoodLooks(page, 'tag-new');
      await dialog.getByRole('button', { name: 'Make the tag' }).click();
      await rowOf(page, 'Tax return').getByText('tax-return').waitFor();

      await act(page, 'Tax return', 'Edit');
      await dialog.getByLabel('What it is for').fill('For the accountant');
      await dialog.getByText('cannot change').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await rowOf(page, 'Tax return').getByText('For the accountant').waitFor();
      await expectGoodLooks(page, 'tags');
      await act(page, 'Tax return', 'Delete');
      await dialog.getByText('No transaction has it.').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expect.poll(async () => (await app.request('GET', '/api/v1/tags/tax-return')).status).toBe(404);
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).last().click();
      await rowOf(page, 'Tax return').waitFor();
    });
  },
  ['SQLite'],
);
