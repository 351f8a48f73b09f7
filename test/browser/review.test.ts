import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';

import {
  browserTest,
  expectAccessible,
  expectForFinger,
  expectGoodLooks,
  photograph,
} from '../harness/browser/browser.ts';
import { addAccount, addTransactions, categoryBySlug, type Made, type NewTransaction } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const FLAGGED = { flagged_at: '2026-04-21T00:00:00.000Z' };

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    let account: Made;
    let groceries: Made;
    let coffee: Made;
    let tag: Made;
    let serial = 0;

    /** A household that looks at nothing but what the test adds. */
    beforeEach(async () => {
      const { app } = dashboard;
      if (serial === 0) {
        ana = await signIn(app, { name: 'Ana' });
        [groceries, coffee] = [
          await categoryBySlug(app, 'food_and_drink_groceries'),
          await categoryBySlug(app, 'food_and_drink_coffee'),
        ];
        tag = (await app.request('GET', '/api/v1/tags/needs-review')).json as Made;
      }
      const clear = (filter: object, changes: object) =>
        app.request('POST', '/api/v1/transactions/bulk-update', { body: { filter, changes } });
      await clear({ tag: ['needs-review'] }, { tags_to_remove: ['needs-review'] });
      await clear({ uncategorized: true }, { category_id: null });
      await clear({ flagged: true }, { flagged: false });
      account = await addAccount(app, ana.member, { name: `Giro ${(serial += 1)}`, currency: 'EUR' });
    });

    const add = (...rows: (Partial<NewTransaction> & { name: string })[]): Promise<Made[]> =>
      addTransactions(
        dashboard.app,
        rows.map((row) => ({ account, date: '2026-04-02', amount_cents: 1_250, iso_currency_code: 'EUR', ...row })),
      );
    const get = async (row: Made | undefined) =>
      (await dashboard.app.request('GET', `/api/v1/transactions/${row?.id}`)).json;
    const press = async (page: Page, ...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const current = (page: Page) => page.locator('[aria-current=true]', { has: page.getByText('Skip') });
    /** Waits until what was decided is written and read again. */
    const settled = async (
      rows: readonly (Made | undefined)[],
      seen: (row: Awaited<ReturnType<typeof get>>) => unknown,
      want: unknown,
    ) =>
      expect
        .poll(async () => Promise.all(rows.map(async (row) => seen(await get(row)))), { timeout: 10_000 })
        .toEqual(rows.map(() => want));

    test('group by group: right, another category, skip, undo of several steps, and all looked at', async () => {
      await add({ name: 'x', merchant_name: 'REWE', category: groceries, date: '2026-03-01' });
      const rewe = await add(
        { name: 'a', merchant_name: 'REWE', tags: [tag] },
        { name: 'b', merchant_name: 'Rewe', tags: [tag], date: '2026-04-05' },
        { name: 'c', merchant_name: 'rewe', tags: [tag] },
      );
      const [cafe] = await add({ name: 'CORNER CAFE 12', category: coffee, tags: [tag] });
      const [open] = await add({ name: 'Nobody knows' });
      const [flagged] = await add({ name: 'Why', category: coffee, columns: FLAGGED });
      const page = await dashboard.open('/review', { as: ana });
      const main = page.getByRole('main');
      await main.getByText('6 rows to look at: 4 new, 1 without category, 1 flagged').waitFor();
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('Rewe, 3 rows');
      await main.getByText('chosen once before').waitFor();
      await expectGoodLooks(page, 'review');

      await press(page, 'Enter');
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('CORNER CAFE 12, 1 row');
      await settled(rewe, ({ tags, category_id: id }) => [tags, id], [[], groceries.id]);
      await press(page, 's');
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('Nobody knows, 1 row');
      await press(page, 'c');
      await page.getByRole('combobox', { name: 'Category of Nobody knows, 1 row' }).waitFor();
      await page.keyboard.type('groc');
      await press(page, 'Enter');
      await settled([open], ({ category_id: id, category_source: by }) => [id, by], [groceries.id, 'person']);
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('Why, 1 row');
      await press(page, 'r');
      await settled([flagged], ({ flagged_at: at }) => at, null);
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('CORNER CAFE 12, 1 row');
      await press(page, 'r');
      await settled([cafe], ({ tags }) => tags, []);
      await main.getByText('All looked at').waitFor();
      await main.getByText('4 decisions about 6 rows. Categories given: Groceries (4).').waitFor();
      await expectGoodLooks(page, 'review-done');

      await press(page, 'z');
      await settled([cafe], ({ tags }) => tags, ['needs-review']);
      await expect.poll(() => current(page).getAttribute('aria-label')).toBe('CORNER CAFE 12, 1 row');
      await press(page, 'z', 'z');
      await settled([flagged], ({ flagged_at: at }) => at !== null, true);
      await settled([open], ({ category_id: id, category_source: by }) => [id, by], [null, null]);
      await expect.poll(() => main.getByText('3 rows to look at').count()).toBe(1);
    });

    test('one decision changes exactly the rows shown, without those ticked off', async () => {
      const rows = await add(
        { name: 'x', merchant_name: 'Deli', category: coffee, tags: [tag], date: '2026-04-01' },
        { name: 'x', merchant_name: 'Deli', category: coffee, tags: [tag], date: '2026-04-02' },
        { name: 'x', merchant_name: 'Deli', category: coffee, tags: [tag], date: '2026-04-03' },
        { name: 'x', merchant_name: 'Deli', category: coffee, tags: [tag], date: '2026-04-04' },
      );
      const [other] = await add({
        name: 'x',
        merchant_name: 'Deli',
        category: coffee,
        tags: [tag],
        amount_cents: -500,
      });
      const page = await dashboard.open('/review', { as: ana });
      await current(page).waitFor();
      await press(page, ' ');
      await page.getByRole('list', { name: 'Rows of Deli' }).getByRole('checkbox').nth(3).waitFor();
      await page.getByRole('checkbox', { name: 'Deli, 4 Apr 2026' }).uncheck();
      await page.getByText('3 of 4 ticked').waitFor();
      await expectGoodLooks(page, 'review-rows');
      await page.getByRole('button', { name: 'Right' }).click();
      await settled(rows.slice(0, 3), ({ tags }) => tags, []);
      await settled([rows[3], other], ({ tags }) => tags, ['needs-review']);
      // What was ticked off comes again, at the end.
      await expect.poll(() => page.getByRole('main').getByText('2 rows to look at').count()).toBe(1);
      const groups = page.getByRole('list', { name: 'Groups' });
      await expect.poll(() => groups.innerText()).toMatch(/5\.00[^]*12\.50/);
      await expect.poll(() => current(page).innerText()).toContain('5.00');
      await press(page, 'j');
      await expect.poll(() => current(page).innerText()).toContain('12.50');
    });

    test('the rule as well: saved and run, and undone with the decision', async () => {
      const [old] = await add({ name: 'x', merchant_name: 'Bakery', columns: { category_source: null } });
      const others = await add({
        name: 'x',
        merchant_name: 'Bakery',
        amount_cents: 300,
        tags: [tag],
        date: '2026-04-09',
      });
      const { app } = dashboard;
      const page = await dashboard.open('/review?reason=needs_review', { as: ana });
      await current(page).waitFor();
      await current(page).getByText('The rule: 2 rows in all').waitFor();
      await press(page, 'R');
      await page.getByRole('combobox', { name: 'Category of Bakery, 1 row' }).waitFor();
      await page.keyboard.type('groc');
      await press(page, 'Enter');
      await settled(others, ({ category_source: by, tags }) => [by, tags], ['person', []]);
      await settled([old], ({ category_id: id, category_source: by }) => [id, by], [groceries.id, 'rule']);
      const named = async () => {
        const { json } = await app.request('GET', '/api/v1/rules', { query: { search: 'Bakery' } });
        return json.rules.map(({ name }: { name: string }) => name);
      };
      expect(await named()).toEqual(['Bakery: Groceries']);
      await page.getByText('1 decision about 1 row. Categories given: Groceries (1). 1 rule made.').waitFor();
      await press(page, 'z');
      await settled(others, ({ category_id: id, tags }) => [id, tags], [null, ['needs-review']]);
      await settled([old], ({ category_id: id }) => id, null);
      await expect.poll(named).toEqual([]);
    });

    test('after a correction a rule is offered: previewed, saved and run in one step, which one Undo takes back', async () => {
      const { app } = dashboard;
      const rows = await add({ name: 'a', merchant_name: 'REWE' }, { name: 'b', merchant_name: 'rewe' });
      const rule = {
        condition: { field: 'merchant_name', op: 'eq', value: 'REWE' },
        actions: [{ type: 'set_category', category_id: groceries.id }],
      };
      const preview = await app.request('POST', '/api/v1/rules/preview', { body: rule });
      const others = `${preview.json.change_count} other rows`;
      const page = await dashboard.open('/internal/components', { as: ana });
      await page.getByRole('tab', { name: 'Rows' }).click();
      await expect
        .poll(() => page.getByText('Always file REWE').allInnerTexts())
        .toEqual([`Always file REWE under Groceries? ${others}.`]);
      await press(page, 'R');
      const toast = page.getByRole('region', { name: 'Notifications' });
      await toast.getByText(`REWE is always filed under Groceries: ${others} changed.`).waitFor();
      await settled(rows, ({ category_id: id, category_source: by }) => [id, by], [groceries.id, 'rule']);
      await toast.getByRole('button', { name: 'Undo' }).click();
      await settled(rows, ({ category_id: id }) => id, null);
      const found = async (): Promise<unknown> =>
        (await app.request('GET', '/api/v1/rules', { query: { search: 'REWE' } })).json.rules;
      await expect.poll(found).toEqual([]);
    });

    test('a group whose rows changed meanwhile is loaded anew, and nothing is written', async () => {
      const rows = await add(
        { name: 'x', merchant_name: 'Kiosk', tags: [tag] },
        { name: 'x', merchant_name: 'Kiosk', tags: [tag] },
      );
      const page = await dashboard.open('/review', { as: ana });
      await current(page).waitFor();
      const { app } = dashboard;
      await app.request('PATCH', `/api/v1/transactions/${rows[0]?.id}/category`, { body: { category_id: coffee.id } });
      await press(page, 'Enter');
      await page.getByText('Kiosk has changed meanwhile, so nothing was written. Look at it again.').waitFor();
      await settled(rows, ({ tags }) => tags, ['needs-review']);
      await expect.poll(() => page.getByRole('main').getByText('2 rows to look at').count()).toBe(1);
      await press(page, 'Enter', 'Enter');
      await settled(rows, ({ tags }) => tags, []);
      expect((await get(rows[0])).category_id).toBe(coffee.id);
    });

    test('of many rows, everything before a day is done in one step', async () => {
      const many = await add(
        ...Array.from({ length: 250 }, (_, at) => ({
          name: `Shop ${at % 9}`,
          date: '2026-02-03',
          tags: [tag],
          category: coffee,
        })),
        { name: 'New one', date: '2026-04-20', tags: [tag] },
      );
      const page = await dashboard.open('/review', { as: ana });
      const main = page.getByRole('main');
      const mark = main.getByRole('button', { name: 'Mark 250 rows' });
      await mark.waitFor();
      await expectGoodLooks(page, 'review-many');
      await mark.click();
      await main.getByText('1 row to look at').waitFor();
      await settled([many[0], many[249]], ({ tags }) => tags, []);
      expect((await get(many[250])).tags).toEqual(['needs-review']);
      await page.getByRole('main').getByRole('button', { name: 'Undo' }).click();
      await main.getByText('251 rows to look at').waitFor();
    });

    test('a comment on what is flagged; by thumb, the group is a card with both buttons', async () => {
      const [row] = await add({ name: 'Charged twice?', category: coffee, columns: FLAGGED });
      await add({ name: 'Charged 3 times', category: coffee, columns: FLAGGED });
      const page = await dashboard.open('/review', { as: ana, width: 360 });
      const card = current(page);
      await card.waitFor();
      for (const name of ['Take the flag off', 'Change', 'Skip', 'Rows']) {
        await expectForFinger(page.getByRole('button', { name, exact: true }));
      }
      await expect.poll(() => page.getByRole('list', { name: 'Groups' }).getByRole('listitem').count()).toBe(1);
      if (!(await card.innerText()).includes('twice'))
        await page.getByRole('button', { name: 'Skip', exact: true }).click();
      await page.getByRole('button', { name: 'Comment' }).click();
      await page.getByRole('textbox', { name: 'Comment on these rows' }).fill('Asked the shop');
      await page.keyboard.press('Enter');
      const comments = async () =>
        (await dashboard.app.request('GET', `/api/v1/transactions/${row?.id}/comments`)).json.map(
          ({ body }: { body: string }) => body,
        );
      await expect.poll(comments).toEqual(['Asked the shop']);
      expect((await get(row)).flagged_at).not.toBeNull();
    });

    test('what fails is said with a way to try again; the page fits the smallest screens', async () => {
      await add({ name: 'A rather long name of a shop in the text of the bank, which goes on and on', tags: [tag] });
      const page = await dashboard.open('/help', { as: ana });
      await page.route('**/api/v1/review*', (route) =>
        route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'Something broke.' } } }),
      );
      await page.goto(`${dashboard.address}/review`);
      await page.getByRole('alert').getByText('Something broke.').waitFor();
      await expectGoodLooks(page, 'review-error');
      await page.unroute('**/api/v1/review*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await current(page).waitFor();
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 780 });
        await photograph(page, `review-${width}`);
        expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
        await expectAccessible(page);
      }
    });

    test('a viewer sees everything and can decide nothing; an empty review says so', async () => {
      const vic = await signIn(dashboard.app, { name: 'Vic', role: 'viewer' });
      const empty = await dashboard.open('/review', { as: ana });
      await empty.getByText('Nothing to look at').waitFor();
      await expectGoodLooks(empty, 'review-empty');
      const [row] = await add({ name: 'Seen', tags: [tag] });
      const page = await dashboard.open('/review', { as: vic });
      const right = page.getByRole('button', { name: 'Right' });
      await right.waitFor();
      await expect.poll(() => right.getAttribute('aria-disabled')).toBe('true');
      await press(page, 'Enter', 'c', 'R');
      expect(await page.getByRole('combobox').count()).toBe(0);
      expect((await get(row)).tags).toEqual(['needs-review']);
    });
  },
  ['SQLite'],
);
