import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { csvWithBalance, importFile } from '../harness/bank-files/bank-files.ts';
import { browserTest, expectAccessible, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const FILE = csvWithBalance(
  100_000,
  '2026-04-20 Corner Market -23.40',
  '2026-04-21 Corner Market -11.10',
  '2026-04-22 Salary 2500.00',
  '2026-04-23 Streaming -9.99',
  '2026-04-24 Book shop -15.00',
  '2026-04-25 Charged twice -40.00',
);

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let bob: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
      bob = await signIn(browser.app, { name: 'Bob', role: 'viewer' });
      expect(
        (await importFile(browser.app, FILE, { account_name: 'Joint', user_id: ana.member.id })).status,
      ).toBeLessThan(300);
    });
    const call = async (method: string, path: string, body?: object) =>
      (await browser.app.request(method, `/api/v1${path}`, body ? { body } : {})).json;
    const find = async (search: string) =>
      (await call('GET', `/transactions?search=${encodeURIComponent(search)}`)).transactions[0];
    const read = async (id: string) => call('GET', `/transactions/${id}?include_deleted=true`);
    const drawer = (page: Page) => page.getByRole('dialog');
    const cell = (page: Page, field: string) => page.getByRole('button', { name: new RegExp(`^${field} of .*: `) });
    const timeline = (page: Page) => page.getByRole('list', { name: 'What happened' });
    const open = async (name: string) => {
      const page = await browser.open('/', { as: ana });
      await page.getByRole('link', { name, exact: true }).first().click();
      await drawer(page).getByRole('heading', { name, level: 2 }).waitFor();
      await timeline(page).waitFor();
      return page;
    };

    test('a row opens the drawer: amount, days, account, who decided, where it came from', async () => {
      const page = await open('Streaming');
      for (const words of ['€9.99', 'Thursday, 23 April 2026', 'Nobody has decided it', 'From bank.csv']) {
        await expect.poll(() => drawer(page).innerText()).toContain(words);
      }
      await expectGoodLooks(page, 'drawer');
    }, 120_000);

    test('the category is set by three letters and Enter, locked, and undone from the toast', async () => {
      const { id } = await find('Streaming');
      const page = await open('Streaming');
      await cell(page, 'Category').press('Enter');
      await page.keyboard.type('tv');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).category?.name).toBe('TV & Films');
      await drawer(page).getByText('Ana decided it').waitFor();
      await cell(page, 'Category').getByText('locked: rules do not change it').waitFor();
      await expect.poll(() => page.locator(':focus').innerText()).toContain('TV & Films');
      await drawer(page).getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(async () => (await read(id)).category).toBeNull();
      await drawer(page).getByText('Nobody has decided it').waitFor();
      await timeline(page).getByText('(undone)').first().waitFor();
    });

    test('"No category" is a choice of a person; Reset lets rules decide again, and they are named', async () => {
      const { id } = await find('Book shop');
      const rule = await call('POST', '/rules', {
        name: 'Books',
        condition: {
          and: [
            { field: 'name', op: 'contains', value: 'book' },
            { field: 'amount', op: 'lt', value: 50 },
          ],
        },
        actions: [{ type: 'set_category', category_slug: 'general_merchandise_bookstores_and_newsstands' }],
      });
      expect(rule.id).toBeDefined();
      const page = await open('Book shop');
      await cell(page, 'Category').press('Enter');
      await page.keyboard.type('no cat');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).category_source).toBe('person');
      expect((await read(id)).category_id).toBeNull();
      await drawer(page).getByRole('button', { name: 'Reset', exact: true }).click();
      await expect.poll(async () => (await read(id)).category_source).toBe('rule');
      await drawer(page).getByText('Rule “Books” decided it').waitFor();

      await drawer(page).getByText('What the rules say').click();
      await drawer(page).getByText('Books', { exact: true }).click();
      const conditions = drawer(page).getByRole('list', { name: 'Conditions' });
      await expect.poll(() => conditions.innerText()).toContain('name contains “book” – it is “Book shop”');
      await expect.poll(() => conditions.innerText()).toContain('amount is less than “50.00” – it is “15.00”');
      await expect
        .poll(() => drawer(page).getByRole('list', { name: 'Actions' }).innerText())
        .toContain('it already is so');
      await expectGoodLooks(page, 'drawer-explained');
    }, 120_000);

    test('a row that was changed elsewhere meanwhile shows both values before anything is overwritten', async () => {
      const { id } = await find('Salary');
      const page = await open('Salary');
      await cell(page, 'Category').press('Enter');
      browser.app.clock.advance(1_000);
      await call('PATCH', `/transactions/${id}/category`, { category_slug: 'income_other' });
      await page.keyboard.type('wages');
      await page.keyboard.press('Enter');
      const told = drawer(page).getByRole('alert').filter({ hasText: 'changed elsewhere meanwhile' });
      await told.waitFor();
      await expect
        .poll(() => told.innerText())
        .toContain('It is now Other Income. You chose Wages & Salary, which is not saved.');
      expect((await read(id)).category.slug).toBe('income_other');
      await expectGoodLooks(page, 'drawer-both-values');
      await told.getByRole('button', { name: 'Use “Wages & Salary”' }).click();
      await expect.poll(async () => (await read(id)).category.slug).toBe('income_wages');
      expect(await told.count()).toBe(0);
    }, 120_000);

    test('what was changed elsewhere in another field is taken over, and the edit is saved', async () => {
      const { id } = await find('Salary');
      const page = await open('Salary');
      await cell(page, 'Counterparty').press('Enter');
      browser.app.clock.advance(1_000);
      await call('POST', `/transactions/${id}/tags`, { slug: 'bonus' });
      await page.keyboard.type('Employer');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).counterparty_name).toBe('Employer');
      expect((await read(id)).tags).toContain('bonus');
      await cell(page, 'Tags').getByText('bonus').waitFor();
    });

    test('revert from the timeline restores the former value', async () => {
      const { id } = await find('Charged twice');
      await call('PATCH', `/transactions/${id}/category`, { category_slug: 'food_and_drink_groceries' });
      await call('PATCH', `/transactions/${id}/category`, { category_slug: 'travel_flights' });
      const page = await open('Charged twice');
      const entry = timeline(page).getByRole('listitem').filter({ hasText: 'Travel › Flights' });
      await entry.getByRole('button', { name: /^Undo: / }).click();
      await expect.poll(async () => (await read(id)).category.slug).toBe('food_and_drink_groceries');
      await entry.getByText('(undone)').waitFor();
      await cell(page, 'Category').getByText('Groceries').waitFor();
    });

    test('undoing what was part of a larger change asks first, and says how much it is', async () => {
      const page = await open('Streaming');
      const entry = timeline(page).getByRole('listitem').filter({ hasText: 'imported this transaction' });
      await entry.getByRole('button', { name: /^Undo: / }).click();
      const asked = page.getByRole('dialog', { name: 'Undo this change?' });
      await asked.waitFor();
      await expect.poll(() => asked.innerText()).toMatch(/changes \d+ records|stays as it is now/);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    });

    test('a comment is added, edited and deleted, and then its text is nowhere in the page', async () => {
      const { id } = await find('Charged twice');
      const page = await open('Charged twice');
      await page.getByRole('textbox', { name: 'New comment' }).fill('Ask the bank\nabout this');
      await page.keyboard.press('Control+Enter');
      await timeline(page).getByText('Ask the bank').waitFor();
      await page.getByRole('button', { name: 'Edit the comment' }).click();
      await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Secret of the sea');
      await page.keyboard.press('Control+Enter');
      await timeline(page).getByText('Secret of the sea').waitFor();
      await timeline(page).getByText('(edited)').waitFor();
      await page.getByRole('button', { name: 'Delete the comment' }).click();
      await page
        .getByRole('dialog', { name: 'Delete the comment?' })
        .getByRole('button', { name: 'Delete', exact: true })
        .click();
      await timeline(page).getByText('Comment deleted').waitFor();
      await expect.poll(async () => (await call('GET', `/transactions/${id}/comments`)).length).toBe(0);
      const html = await page.content();
      for (const text of ['Secret of the sea', 'Ask the bank']) expect(html).not.toContain(text);
    });

    test('a flag has a reason, which is a comment; it is taken off again', async () => {
      const { id } = await find('Charged twice');
      const page = await open('Charged twice');
      await page.getByRole('button', { name: /^Flag it: / }).press('Enter');
      await page.keyboard.type('Charged two times');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).flagged_at).not.toBeNull();
      await timeline(page).getByText('Charged two times').waitFor();
      await page.getByRole('button', { name: 'Remove the flag' }).click();
      await expect.poll(async () => (await read(id)).flagged_at).toBeNull();
    });

    test('metadata is a table whose values are edited, added and removed', async () => {
      const { id } = await find('Streaming');
      await call('PATCH', `/transactions/${id}/metadata`, { set: { invoice: 'A-17', seats: 4 } });
      const page = await open('Streaming');
      await page.getByRole('button', { name: /^seats of .*: 4/ }).press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).metadata).toEqual({ invoice: 'A-17', seats: 5 });
      await page.getByRole('button', { name: 'Remove invoice' }).click();
      await expect.poll(async () => (await read(id)).metadata).toEqual({ seats: 5 });
      await page.getByRole('button', { name: 'Add a value' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('order');
      await page.getByRole('textbox', { name: 'Value' }).fill('007');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await read(id)).metadata).toEqual({ seats: 5, order: '007' });
    });

    test('j and k go through the rows that it was opened from, and the last one has the focus afterwards', async () => {
      const page = await open('Charged twice');
      await page.keyboard.press('j');
      await drawer(page).getByRole('heading', { name: 'Book shop', level: 2 }).waitFor();
      await page.keyboard.press('j');
      await drawer(page).getByRole('heading', { name: 'Streaming', level: 2 }).waitFor();
      await page.keyboard.press('k');
      await drawer(page).getByRole('heading', { name: 'Book shop', level: 2 }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => drawer(page).count()).toBe(0);
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Book shop');
    });

    test('amounts are hidden in the drawer, too, also in the names of its controls', async () => {
      const page = await browser.open('/', { as: ana });
      await page.getByRole('link', { name: 'Streaming', exact: true }).first().waitFor();
      await page.keyboard.press('h');
      await page.getByRole('link', { name: 'Streaming', exact: true }).first().click();
      await timeline(page).waitFor();
      const text = await drawer(page).evaluate((element) => element.textContent);
      expect(text).toContain('Category of Streaming, hidden');
      expect(text).not.toContain('9.99');
    });

    test('what was typed as a comment stays while another transaction is looked at', async () => {
      const page = await open('Charged twice');
      const comment = page.getByRole('textbox', { name: 'New comment' });
      await comment.fill('Half a thought');
      await page.getByRole('button', { name: 'Next transaction (j)' }).click();
      await drawer(page).getByRole('heading', { name: 'Book shop', level: 2 }).waitFor();
      await expect.poll(() => comment.inputValue()).toBe('');
      await page.getByRole('button', { name: 'Previous transaction (k)' }).click();
      await drawer(page).getByRole('heading', { name: 'Charged twice', level: 2 }).waitFor();
      await expect.poll(() => comment.inputValue()).toBe('Half a thought');
    });

    test('an address without a transaction leads to the list', async () => {
      const page = await browser.open('/transactions/Nothing0', { as: ana });
      await page.getByText('There is no such transaction').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('main').getByRole('link', { name: 'All transactions' }).waitFor();
    });

    test('a deleted transaction is shown at its address, says so, and is restored', async () => {
      const { id, short_id: shortId } = await find('Corner Market');
      const page = await browser.open(`/transactions/${shortId}`, { as: ana });
      await page.getByRole('heading', { name: 'Corner Market', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect.poll(async () => (await read(id)).deleted_at).not.toBeNull();
      await page.reload();
      await page.getByText('This transaction is deleted').waitFor();
      await expect.poll(() => cell(page, 'Category').getAttribute('aria-disabled')).toBe('true');
      await expectGoodLooks(page, 'transaction-deleted');
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect.poll(async () => (await read(id)).deleted_at).toBeNull();
    }, 120_000);

    test('on a small screen a transaction is a page of its own', async () => {
      const page = await browser.open('/', { as: ana, width: 360 });
      await page.getByRole('link', { name: 'Streaming', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Streaming', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/transactions\/[0-9A-Za-z]{8}$/);
      expect(await page.getByRole('dialog').count()).toBe(0);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 780 });
        const widest = await page
          .locator('main *')
          .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
        expect(widest).toBeLessThanOrEqual(width);
        await expectAccessible(page);
      }
    });

    test('a correction can become a rule, which files the others like it, and one Undo takes both back', async () => {
      const rows = (await call('GET', '/transactions?search=Corner')).transactions;
      expect(rows).toHaveLength(2);
      const filed = async () =>
        (await call('GET', '/transactions?search=Corner')).transactions.map(
          ({ category }: { category: { slug: string } | null }) => category?.slug ?? null,
        );
      const page = await open('Corner Market');
      await cell(page, 'Category').press('Enter');
      await page.keyboard.type('groc');
      await page.keyboard.press('Enter');
      await drawer(page).getByText('Always file').waitFor();
      await drawer(page).getByText('1 other row').waitFor();
      await drawer(page)
        .getByRole('button', { name: /^Always/ })
        .click();
      await expect.poll(filed).toEqual(['food_and_drink_groceries', 'food_and_drink_groceries']);
      await drawer(page)
        .getByRole('region', { name: 'Notifications' })
        .getByText('is always filed under Groceries')
        .locator('..')
        .getByRole('button', { name: 'Undo' })
        .click();
      await expect.poll(async () => (await filed()).filter((slug: string | null) => slug !== null)).toHaveLength(1);
    });

    test('a row that has a copy in a linked account leads to it', async () => {
      const [{ id: joint }] = await call('GET', '/accounts');
      const copy = await importFile(browser.app, FILE, { account_name: 'Copy', user_id: bob.member.id });
      const dependent = copy.json.import.account_id as string;
      const link = { primary_account_id: joint, dependent_account_id: dependent, match_tolerance_days: 0 };
      expect((await browser.app.request('POST', '/api/v1/account-links', { body: link })).status).toBe(201);
      const page = await open('Book shop');
      await drawer(page)
        .getByText(/^(Its copy in another account|It is a copy)$/)
        .waitFor();
      const title = await drawer(page).getByRole('heading', { name: /copy/ }).innerText();
      await drawer(page).getByRole('link', { name: 'Book shop' }).click();
      const other = title === 'It is a copy' ? 'Its copy in another account' : 'It is a copy';
      await drawer(page).getByText(other, { exact: true }).waitFor();
    });

    test('a viewer reads everything, and each control says why it cannot be used', async () => {
      const { short_id: shortId } = await find('Streaming');
      const page = await browser.open(`/transactions/${shortId}`, { as: bob });
      await timeline(page).waitFor();
      for (const control of [
        cell(page, 'Category'),
        cell(page, 'Tags'),
        page.getByRole('button', { name: 'Delete' }),
      ]) {
        await expect.poll(() => control.getAttribute('aria-disabled')).toBe('true');
        await expect.poll(() => control.getAttribute('title')).toContain('Viewers cannot make changes');
      }
    });
  },
  ['SQLite'],
);
