import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks, expectNoSidewaysScrolling, focusedName } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions, categoryBySlug, type Made } from '../harness/ledger.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** The list of transactions: found by months, filters and words, corrected in place by keyboard. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let viewer: SignedIn;
    let checking: Made;
    let rows: readonly Made[];

    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana' });
      viewer = await signIn(app, { name: 'Vera', role: 'viewer' });
      const ben = await addMember(app, 'Ben');
      checking = await addAccount(app, ben, { name: 'Checking', currency: 'EUR' });
      const dollars = await addAccount(app, ben, { name: 'Travel card', currency: 'USD' });
      const hidden = await addAccount(app, ben, { name: 'Club', currency: 'EUR', excluded: true });
      const groceries = await categoryBySlug(app, GROCERIES);
      const tag = (await app.request('GET', '/api/v1/tags/needs-review')).json as Made;
      const euro = { account: checking, iso_currency_code: 'EUR' };
      rows = await addTransactions(app, [
        { ...euro, date: '2026-04-20', name: 'REWE', amount_cents: 2_340, category: groceries },
        { ...euro, date: '2026-04-20', name: 'SALARY', amount_cents: -250_000 },
        { ...euro, date: '2026-04-18', name: 'CORNER CAFE', amount_cents: 480, tags: [tag], comment: 'With Ben' },
        { account: dollars, date: '2026-04-02', name: 'DINER', amount_cents: 1_999 },
        { account: hidden, date: '2026-04-01', name: 'CLUB FEE', amount_cents: 4_999, iso_currency_code: 'EUR' },
        { ...euro, date: '2026-02-11', name: 'REWE', amount_cents: 1_110, columns: { pending: 1 } },
        { ...euro, date: '2025-12-24', name: 'TOY SHOP', amount_cents: 7_050 },
      ]);
    });

    const id = (index: number): string => (rows[index] as Made).id;
    const read = async (index: number) => (await browser.app.request('GET', `/api/v1/transactions/${id(index)}`)).json;
    const open = async (path = '/transactions', as = ana): Promise<Page> => {
      const page = await browser.open(path, { as });
      await page.getByRole('heading', { name: 'Transactions', exact: true }).waitFor();
      return page;
    };
    const row = (page: Page, index: number) => page.locator(`[data-grid-row="${id(index)}"]`);
    const names = (page: Page) => page.locator('[data-grid-row] a').allTextContents();
    const month = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
    const press = async (page: Page, ...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    test('months are sections with tables, and their totals add up to those of the header, per currency', async () => {
      const page = await open();
      await row(page, 6).waitFor();
      await expect
        .poll(() => names(page))
        .toEqual(['SALARY', 'REWE', 'CORNER CAFE', 'DINER', 'CLUB FEE', 'REWE', 'TOY SHOP']);
      const april = month(page, 'April 2026');
      await april.getByText('1 row not in totals').waitFor();
      await expect.poll(() => april.getByRole('table').getAttribute('aria-rowcount')).toBe('10');
      await expect.poll(() => april.getByRole('heading').textContent()).toContain('5');
      const totals = () => page.getByRole('list', { name: 'Totals' }).textContent();
      for (const total of ['€98.70', '+€2,500.00', 'US$19.99']) await expect.poll(totals).toContain(total);
      expect(await totals()).not.toContain('118');
      await page.getByText('7 transactions', { exact: true }).waitFor();
      await expectGoodLooks(page, 'transactions');
    });

    test('a month of the rail is one click away, in the address, and Back leads to the one before', async () => {
      const page = await open();
      const rail = page.getByRole('navigation', { name: 'Months' });
      await rail.getByRole('link', { name: 'December 2025' }).click();
      await expect.poll(() => focusedName(page)).toContain('December 2025');
      expect(new URL(page.url()).hash).toBe('#2025-12');
      await page.getByRole('status').getByText('December 2025, 1 transaction').waitFor();
    });

    test('the address alone restores a view, and each condition can be taken away', async () => {
      const page = await open(`/transactions?account_id=${checking.short_id}&amount_abs_min=10.50&search=rewe`);
      const chips = page.getByRole('list', { name: 'Filters in force' });
      await chips.getByText('Account: Checking').waitFor();
      await expect.poll(() => names(page)).toEqual(['REWE', 'REWE']);
      await chips.getByRole('button', { name: /^Remove Amount/ }).click();
      await page.getByRole('searchbox').fill('');
      await expect.poll(() => names(page)).toHaveLength(5);
      expect(new URL(page.url()).search).toBe(`?account_id=${checking.short_id}`);
      await page.goBack();
      await expect.poll(() => names(page)).toEqual(['REWE', 'REWE']);
    });

    test('an unknown name in the address is named, and so is an unknown value', async () => {
      const page = await open('/transactions?catgory_slug=x&account_id=nowhere1');
      await page.getByText('The address contains catgory_slug').waitFor();
      await page.getByRole('button', { name: 'Drop this filter' }).waitFor();
      await page.getByRole('button', { name: 'Remove from the address' }).click();
      await page.getByRole('button', { name: 'Drop this filter' }).click();
      await month(page, 'April 2026').waitFor();
      expect(new URL(page.url()).search).toBe('');
    });

    test('a search that finds nothing says so, and can be cleared', async () => {
      const page = await open('/transactions?search=zebra');
      await page.getByText('Nothing matches').waitFor();
      await expectGoodLooks(page, 'transactions-nothing');
      await page.getByRole('button', { name: 'Clear filters' }).last().click();
      await month(page, 'April 2026').waitFor();
    });

    test('by keyboard alone: find a transaction, change its category, go on to the next, undo', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      await press(page, '/');
      await page.keyboard.type('rewe');
      await expect.poll(() => names(page)).toEqual(['REWE', 'REWE']);
      await press(page, 'Escape', 'j', 'c');
      await page.keyboard.type('coffee');
      await page.getByRole('option', { name: /Coffee/ }).waitFor();
      await press(page, 'Enter');
      await expect.poll(async () => (await read(0)).category?.slug).toBe(COFFEE);
      await expect
        .poll(() => page.getByRole('status', { name: 'Saving' }).textContent())
        .toMatch(/^Saved: REWE, .*Coffee/);
      const next = page.getByRole('combobox', { name: /^Category of REWE, €11.10/ });
      await next.waitFor();
      await press(page, 'Escape');
      await expect.poll(() => focusedName(page)).toBe('REWE');
      await press(page, 'z');
      await expect.poll(async () => (await read(0)).category?.slug).toBe(GROCERIES);
    });

    test('after a correction the rule for all such rows is one key away, and g leads to a page all the same', async () => {
      const [one, other] = await addTransactions(browser.app, [
        { account: checking, iso_currency_code: 'EUR', date: '2026-03-03', name: 'BAKERY', amount_cents: 310 },
        { account: checking, iso_currency_code: 'EUR', date: '2026-03-04', name: 'BAKERY', amount_cents: 290 },
      ]);
      const categoryOf = async (made: Made | undefined) =>
        (await browser.app.request('GET', `/api/v1/transactions/${made?.id}`)).json.category?.slug;
      const page = await open('/transactions?search=bakery');
      await page.locator(`[data-grid-row="${other?.id}"]`).waitFor();
      await press(page, 'j', 'c');
      await page.getByRole('combobox', { name: /Category of BAKERY/ }).waitFor();
      await page.keyboard.type('coffee');
      const first = page.getByRole('listbox').getByRole('option').first();
      await expect.poll(() => first.innerText()).toMatch(/Coffee/);
      await press(page, 'Enter', 'Escape');
      await expect.poll(() => categoryOf(other)).toBe(COFFEE);
      await page.getByText('1 other row.').waitFor();
      await expectGoodLooks(page, 'transactions-always');
      await page.getByText('1 other row.').waitFor();
      await press(page, 'R');
      await expect.poll(() => categoryOf(one)).toBe(COFFEE);
      await page.getByText('is always filed under').waitFor();
      await press(page, 'z');
      await expect.poll(() => categoryOf(one)).toBeUndefined();
      expect(await categoryOf(other)).toBe(COFFEE);
      const rules = async () => {
        const { json } = await browser.app.request('GET', '/api/v1/rules', { query: { search: 'bakery' } });
        return json.rules.map(({ name }: { name: string }) => name);
      };
      await expect.poll(rules).toEqual([]);
      await press(page, 'z');
      await expect.poll(() => categoryOf(other)).toBeUndefined();
      await press(page, 'g', 'r');
      await page.getByRole('heading', { name: 'Reports' }).waitFor();
      for (const made of [one, other]) await browser.app.request('DELETE', `/api/v1/transactions/${made?.id}`);
    });

    test('Tab goes through the cells of a row; tags and comments are saved from their cells', async () => {
      const page = await open();
      await row(page, 3).waitFor();
      await row(page, 3)
        .getByRole('button', { name: /^Category of DINER/ })
        .click();
      await press(page, 'Tab');
      await page.getByRole('combobox', { name: /^Tags of DINER/ }).waitFor();
      await page.keyboard.type('holiday');
      await page.getByRole('option', { name: /holiday/ }).waitFor();
      await press(page, 'Enter', 'Escape');
      await expect.poll(async () => (await read(3)).tags).toEqual(['holiday']);
      await press(page, 'm');
      await page.keyboard.type('Split with Ben');
      await press(page, 'Enter', 'Escape');
      const comments = () => browser.app.request('GET', `/api/v1/transactions/${id(3)}/comments`);
      await expect
        .poll(async () => (await comments()).json.map(({ body }: { body: string }) => body))
        .toEqual(['Split with Ben']);
    });

    test('f flags and r says that a row was looked at', async () => {
      const page = await open();
      await row(page, 2).waitFor();
      await row(page, 2)
        .getByRole('button', { name: /^Category of CORNER CAFE/ })
        .focus();
      await press(page, 'f', 'r');
      await expect.poll(async () => (await read(2)).flagged_at).not.toBeNull();
      await expect.poll(async () => (await read(2)).tags).toEqual([]);
    });

    test('a row changed elsewhere meanwhile is shown with both values before it is overwritten', async () => {
      const page = await open();
      await row(page, 6).waitFor();
      browser.app.clock.advance(60_000);
      const elsewhere = await browser.app.request('PATCH', `/api/v1/transactions/${id(6)}/category`, {
        body: { category_slug: COFFEE },
      });
      expect(elsewhere.status, elsewhere.text).toBe(200);
      await row(page, 6)
        .getByRole('button', { name: /^Category of TOY SHOP/ })
        .click();
      await page.keyboard.type('groceries');
      await page
        .getByRole('option', { name: /Groceries/ })
        .first()
        .waitFor();
      await press(page, 'Enter');
      const asked = page.getByRole('dialog', { name: /TOY SHOP/ });
      await asked.getByText('Coffee').first().waitFor();
      await asked.getByText('Groceries').first().waitFor();
      expect((await read(6)).category?.slug).toBe(COFFEE);
      await expectGoodLooks(page, 'transactions-conflict');
      await asked.getByRole('button', { name: /^Use/ }).click();
      await expect.poll(async () => (await read(6)).category?.slug).toBe(GROCERIES);
    });

    test('in order of amount there are no months, and each row has its date', async () => {
      const page = await open('/transactions?sort=amount');
      await expect.poll(() => names(page)).toHaveLength(7);
      expect((await names(page))[0]).toBe('TOY SHOP');
      await row(page, 6).getByText('24 Dec 2025').waitFor();
      await row(page, 2).getByText('Has a comment').waitFor({ state: 'attached' });
      await expectGoodLooks(page, 'transactions-by-amount');
    });

    test('print has the filter, the totals and all rows that match, and no frame', async () => {
      const page = await open(`/transactions?account_id=${checking.short_id}`);
      await row(page, 0).waitFor();
      await page.evaluate('window.print = () => { globalThis.isPrinted = true; }');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('button', { name: 'Print' }).click();
      await expect.poll(() => page.evaluate('globalThis.isPrinted')).toBe(true);
      await page.emulateMedia({ media: 'print' });
      const sheet = page.getByRole('table', { name: 'Printed transactions' });
      expect(await sheet.getByRole('rowheader').allTextContents()).toEqual([
        'SALARY',
        'REWE',
        'CORNER CAFE',
        'REWE (pending)',
        'TOY SHOP',
      ]);
      await expect.poll(() => page.getByText('Account: Checking').isVisible()).toBe(true);
      await expect.poll(() => page.getByRole('list', { name: 'Totals' }).isVisible()).toBe(true);
      expect(await page.getByRole('navigation').count()).toBe(0);
      await expect.poll(() => row(page, 0).isVisible()).toBe(false);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      await page.emulateMedia({ media: 'screen' });
      await expect.poll(() => sheet.count()).toBe(0);
    });

    test('on a phone a month is chosen from a list, and nothing scrolls sideways', async () => {
      const page = await browser.open('/transactions', { as: ana, width: 360 });
      await row(page, 0).waitFor();
      await expectNoSidewaysScrolling(page);
      await page.getByLabel('Go to month').selectOption({ label: 'December 2025 (1)' });
      await expect.poll(() => focusedName(page)).toContain('December 2025');
    });

    test('what is ticked is counted first, changed in one step, and undone in one', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      await press(page, 'j', 'x', 'j', 'x');
      const bar = page.getByRole('region', { name: 'Selected transactions' });
      await bar.getByText('2 selected').waitFor();
      await expect.poll(() => bar.textContent()).toContain('+€2,500.00money out €23.40');
      await expectGoodLooks(page, 'transactions-selected');
      await bar.getByRole('button', { name: 'Tags' }).click();
      const dialog = page.getByRole('dialog', { name: 'Tags' });
      await dialog.getByRole('combobox', { name: 'Tags of all selected' }).waitFor();
      await page.keyboard.type('trip');
      await page.getByRole('option', { name: /trip/ }).waitFor();
      await press(page, 'Enter', 'Escape');
      await dialog.getByRole('button', { name: 'Change 2 transactions' }).waitFor();
      await expectGoodLooks(page, 'transactions-bulk');
      await dialog.getByRole('button', { name: 'Change 2 transactions' }).click();
      await expect.poll(async () => [(await read(0)).tags, (await read(1)).tags]).toEqual([['trip'], ['trip']]);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(async () => [(await read(0)).tags, (await read(1)).tags]).toEqual([[], []]);
    });

    test('everything that matches is changed by the filter, and only if it is still as many rows', async () => {
      const page = await open('/transactions?search=club,toy');
      await row(page, 4).waitFor();
      const sent: { body: string }[] = [];
      page.on('request', (request) => {
        const body = request.url().endsWith('/bulk-update') ? (request.postData() ?? '') : '';
        if (body.includes('expected_count')) sent.push({ body });
      });
      await press(page, 'e', 'f');
      const dialog = page.getByRole('dialog', { name: 'Flag' });
      const change = dialog.getByRole('button', { name: 'Change 2 transactions' });
      await change.waitFor();
      const [more] = await addTransactions(browser.app, [
        { account: checking, iso_currency_code: 'EUR', date: '2026-04-03', name: 'TOY TRAIN', amount_cents: 900 },
      ]);
      await change.click();
      await dialog
        .getByText(/3 transactions match|expected/i)
        .first()
        .waitFor();
      expect((await read(6)).flagged_at).toBeNull();
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.getByRole('button', { name: 'Change 3 transactions' }).click();
      await expect.poll(async () => (await read(6)).flagged_at).not.toBeNull();
      expect(JSON.parse(sent.at(-1)?.body ?? '')).toEqual({
        filter: { search: 'club,toy' },
        changes: { flagged: true },
        expected_count: 3,
      });
      const path = `/api/v1/transactions/${more?.id}`;
      expect((await browser.app.request('DELETE', path)).status).toBe(204);
    });

    test('a transaction is added by hand, with its amount calculated', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a transaction' });
      await dialog.getByLabel('What').fill('Farmers’ market');
      await dialog.getByLabel('Amount').fill('3*4,20+');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText('Must be an amount, such as 12.50 or 3*4.20.').waitFor();
      await expectGoodLooks(page, 'transactions-add');
      await dialog.getByLabel('Amount').fill('3*4,20+1');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('link', { name: 'Farmers’ market' }).waitFor();
      const { json } = await browser.app.request('GET', '/api/v1/transactions?search=farmers');
      expect(json.transactions[0].amount).toBe('13.60');
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(() => page.getByRole('link', { name: 'Farmers’ market' }).count()).toBe(0);
      await page.getByText('Undone.').waitFor();
      await press(page, 'z');
      await page.getByText('Nothing was changed here').waitFor();
    });

    test('z takes back a row added by hand, and what could not be saved is said', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a transaction' });
      await dialog.getByLabel('What').fill('Lemonade');
      await dialog.getByLabel('Amount').fill('2');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('link', { name: 'Lemonade' }).waitFor();
      await press(page, 'z');
      await expect.poll(() => page.getByRole('link', { name: 'Lemonade' }).count()).toBe(0);
      await page.route('**/api/v1/transactions/update', (route) => route.abort());
      await row(page, 1)
        .getByRole('button', { name: /^Category of SALARY/ })
        .focus();
      await press(page, 'f');
      await expect
        .poll(() => page.getByRole('alert').allTextContents())
        .toContainEqual(expect.stringContaining('Not saved: SALARY'));
      expect((await read(1)).flagged_at).toBeNull();
    });

    test('rows that were asked for before an undo, and come after it, do not bring back what was undone', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      const late = Promise.withResolvers<void>();
      const isUndone = Promise.withResolvers<void>();
      let held = 0;
      await page.route(/\/api\/v1\/transactions\?(.*&)?limit=100/, async (route) => {
        const response = await route.fetch();
        if ((await response.text()).includes('Flea market')) {
          held++;
          await late.promise;
        }
        await route.fulfill({ response }).catch(() => undefined);
      });
      page.on('response', (response) => {
        if (response.url().endsWith('/revert')) isUndone.resolve();
      });
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a transaction' });
      await dialog.getByLabel('What').fill('Flea market');
      await dialog.getByLabel('Amount').fill('5');
      await dialog.getByLabel('Day').fill('2026-04-20');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      // The first page again, and the rows of the months, for the first time.
      await expect.poll(() => held).toBeGreaterThanOrEqual(2);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await isUndone.promise;
      late.resolve();
      await page.getByText('Undone.').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('link', { name: 'Flea market' }).count()).toBe(0);
      await expect.poll(() => names(page)).toHaveLength(7);
    });

    test('what is typed while a field is loading is not lost, and marks stay on what they were on', async () => {
      const page = await browser.open('/help', { as: ana });
      const code = Promise.withResolvers<void>();
      const categories = Promise.withResolvers<void>();
      const likely = Promise.withResolvers<void>();
      const hold = async (which: RegExp, until: Promise<void>) => {
        await page.route(which, async (route) => {
          await until;
          await route.continue().catch(() => undefined);
        });
      };
      await hold(/\/assets\/(all-pickers|category-picker)-/, code.promise);
      await hold(/\/api\/v1\/categories$/, categories.promise);
      await hold(/fields=category_id/, likely.promise);
      const created: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') created.push(new URL(request.url()).pathname);
      });
      await page.goto(`${browser.address}/transactions?search=rewe`);
      await row(page, 0).waitFor();
      await press(page, 'j', 'c');
      await page.keyboard.type('coffee');
      code.resolve();
      const field = page.getByRole('combobox', { name: /^Category of REWE/ });
      await expect.poll(() => field.inputValue()).toBe('coffee');
      await expect.poll(() => row(page, 0).isVisible()).toBe(true);
      // Before it is known what there is, nothing can be chosen, and nothing is made.
      await press(page, 'Enter');
      expect(await page.locator('[role=option]').count()).toBe(0);
      categories.resolve();
      await expect.poll(() => page.locator('[role=option]').first().innerText()).toMatch(/Coffee/);
      await field.fill('');
      const marked = page.locator('[role=option][data-marked]');
      await expect.poll(() => marked.innerText()).toMatch(/Groceries/);
      await press(page, 'ArrowDown');
      await expect.poll(() => marked.innerText()).not.toMatch(/Groceries/);
      const chosen = await marked.innerText();
      likely.resolve();
      await page.getByRole('group', { name: 'Likely' }).waitFor();
      await expect.poll(() => marked.innerText()).toBe(chosen);
      await press(page, 'Escape');
      expect((await read(0)).category?.slug).toBe(GROCERIES);
      expect(created.filter((path) => path.startsWith('/api/'))).toEqual([]);
    });

    test('typing asks at most once per 250 ms, and no older answer replaces a newer one', async () => {
      const page = await open();
      await row(page, 0).waitFor();
      const asked: number[] = [];
      const late = Promise.withResolvers<void>();
      await page.route(
        /\/api\/v1\/transactions\?limit=100&search=|\/api\/v1\/transactions\?search=[^&]*&limit=100$/,
        async (route) => {
          asked.push(performance.now());
          // The first answer comes after those of what was typed since.
          if (asked.length === 1) await late.promise;
          await route.continue().catch(() => undefined);
        },
      );
      await page.getByRole('searchbox').focus();
      await page.keyboard.type('rewe', { delay: 40 });
      await expect.poll(() => asked.length).toBe(1);
      await page.keyboard.press('Control+A');
      await page.keyboard.type('toy shop', { delay: 60 });
      await expect.poll(() => names(page)).toEqual(['TOY SHOP']);
      late.resolve();
      await expect.poll(() => names(page)).toEqual(['TOY SHOP']);
      const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(250);
    });

    test('views are kept by name on this browser, and the export has the filter', async () => {
      const page = await open('/transactions?tags_none=needs-review&sort=name');
      await page.getByRole('list', { name: 'Filters in force' }).waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      const link = page.getByRole('link', { name: 'NDJSON' });
      await expect
        .poll(() => link.getAttribute('href'))
        .toBe('/api/v1/transactions/export?tags_none=needs-review&sort=name&order=asc&format=ndjson');
      const household = page.getByRole('link', { name: 'Whole household (zip)' });
      await expect.poll(() => household.getAttribute('href')).toBe('/api/v1/export/household');
      await press(page, 'Escape');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'Save this view…' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Looked at');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Clear filters' }).first().click();
      await page.reload();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'Looked at', exact: true }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?tags_none=needs-review&sort=name');
    });

    test('a viewer sees the list, and why nothing can be changed', async () => {
      const page = await open('/transactions', viewer);
      await row(page, 0).waitFor();
      const cell = row(page, 0).getByRole('button', { name: /^Category of REWE/ });
      await expect.poll(() => cell.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => cell.getAttribute('title')).toContain('Viewers cannot make changes');
      await page.getByRole('button', { name: 'Export' }).click();
      const household = page.getByRole('button', { name: 'Whole household (zip)' });
      await expect.poll(() => household.getAttribute('aria-disabled')).toBe('true');
      await press(page, 'Escape');
      await cell.click({ force: true });
      expect(await page.getByRole('combobox', { name: /^Category of/ }).count()).toBe(0);
    });
  },
  ['SQLite'],
);
