import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { callTool } from '../harness/agents/agent-clients.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
import { browserTest, expectForFinger, expectGoodLooks, isFocused } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const HOSTILE = '<b>Approve at once</b> <script>alert(1)</script>';

/** What an agent proposes is looked at row by row, and decided by a person. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let rows: readonly Made[];
    let agent: string;

    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana' });
      const account = await addAccount(app, await addMember(app, 'Ben'));
      const names = ['CORNER MARKET', 'CORNER MARKET', 'CORNER CAFE', 'PET FOOD'];
      const row = { account, date: '2026-04-20' };
      rows = await addTransactions(
        app,
        names.map((name, index) => ({ ...row, name, amount_cents: 1_250 * (index + 1) })),
      );
      agent = (await app.newKey({ scope: 'propose' })).key;
    });

    const id = (index: number): string => (rows[index] as Made).id;
    const categoryOf = async (index: number): Promise<string | null> =>
      (await browser.app.request('GET', `/api/v1/transactions/${id(index)}`)).json.category?.slug ?? null;
    const propose = (operations: readonly object[], more: object = {}) =>
      callTool(browser.app, 'update_transactions', { operations, ...more }, { key: agent });
    const into = (index: number, slug: string) => ({ transaction_id: id(index), category_slug: slug });
    const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).last().click();
    const tick = (page: Page, name: RegExp) => page.getByRole('checkbox', { name });

    test('there is nothing to decide at first', async () => {
      const page = await browser.open('/proposals', { as: ana });
      await page.getByText('Nothing to decide').waitFor();
      await expectGoodLooks(page, 'proposals-empty');
    });

    test('a plan is shown by what happens, with the words of the agent as its own', async () => {
      const { proposal_id: plan } = await callTool(
        browser.app,
        'save_category',
        { name: 'Pets', kind: 'expense' },
        { key: agent },
      );
      await propose([into(0, GROCERIES), into(1, GROCERIES), into(2, COFFEE)], { proposal_id: plan, reason: HOSTILE });
      const page = await browser.open('/proposals', { as: ana });
      await page.getByText(/3 transactions/).waitFor();
      await expectGoodLooks(page, 'proposals');
      await page.getByRole('link', { name: 'Save category' }).click();
      await page.getByRole('heading', { name: /Category: none.*Groceries/ }).waitFor();
      await page.getByText(HOSTILE).waitFor();
      await page.getByText('20 Apr 2026').first().waitFor();
      await expectGoodLooks(page, 'proposal');
      expect(await categoryOf(0)).toBeNull();
    });

    test('on a phone, ticks and the way back are large enough for a finger', async () => {
      const page = await browser.open('/proposals', { as: ana, width: 360 });
      await page.getByRole('link', { name: 'Save category' }).click();
      const row = page.getByRole('listitem').filter({ hasText: 'CORNER CAFE' });
      await expectForFinger(row.locator('label'));
      await expectForFinger(page.getByRole('main').getByRole('link', { name: 'Proposals' }));
      await row.scrollIntoViewIfNeeded();
      const { x, y } = (await row.locator('label').boundingBox()) ?? { x: 0, y: 0 };
      await page.touchscreen.tap(x + 3, y + 3);
      await expect.poll(() => tick(page, /CORNER CAFE/).isChecked()).toBe(false);
    });

    test('what is not ticked is not applied, and the rest can be undone', async () => {
      const page = await browser.open('/proposals', { as: ana });
      await page.getByRole('link', { name: 'Save category' }).click();
      await tick(page, /CORNER CAFE/).uncheck();
      await press(page, 'Approve 3 changes');
      await page.getByRole('heading', { name: 'Approve 3 changes?' }).waitFor();
      await expectGoodLooks(page, 'proposal-approve');
      await press(page, 'Approve');
      await page.getByText('Approved', { exact: true }).first().waitFor();
      expect([await categoryOf(0), await categoryOf(1), await categoryOf(2)]).toEqual([GROCERIES, GROCERIES, null]);
      await press(page, 'Undo');
      await expect.poll(() => categoryOf(0)).toBeNull();
      // Wherever the plan is shown, it says what has become of it.
      await page.getByText('Undone', { exact: true }).waitFor();
      await page.getByRole('link', { name: /^Applied|^Approved/ }).waitFor();
      await page.goto(`${browser.address}/proposals?status=applied`);
      await page.getByRole('row').filter({ hasText: 'Save category' }).getByText('Undone', { exact: true }).waitFor();
    });

    test('a change that is out of date is shown with the present value, and is left out', async () => {
      await propose([into(2, GROCERIES), into(3, GROCERIES)]);
      const edit = await browser.app.request('PATCH', `/api/v1/transactions/${id(2)}/category`, {
        body: { category_slug: 'general_merchandise_pet_supplies' },
      });
      expect(edit.status, edit.text).toBe(200);
      const page = await browser.open('/proposals', { as: ana });
      await page.getByText('1 change is out of date').waitFor();
      await page.getByRole('link', { name: 'Update transactions' }).click();
      await page.getByText(/now:/).waitFor();
      await expectGoodLooks(page, 'proposal-conflict');
      await press(page, 'Approve 1 change of 2');
      await press(page, 'Approve');
      await page.getByText('Approved', { exact: true }).first().waitFor();
      expect([await categoryOf(2), await categoryOf(3)]).toEqual(['general_merchandise_pet_supplies', GROCERIES]);
    });

    test('a plan that has grown is looked at again before it is approved', async () => {
      const { proposal_id: plan } = await propose([into(0, GROCERIES)]);
      const page = await browser.open(`/proposals/${plan}`, { as: ana });
      await page.getByRole('heading', { name: /Groceries/ }).waitFor();
      await propose([into(1, COFFEE)], { proposal_id: plan });
      await press(page, 'Approve 1 change');
      await press(page, 'Approve');
      await page
        .getByText(/has grown/)
        .first()
        .waitFor();
      await page.getByRole('heading', { name: /Coffee/ }).waitFor();
      expect(await categoryOf(0)).toBeNull();
    });

    test('a plan that was decided elsewhere meanwhile is shown as decided', async () => {
      const { proposal_id: plan } = await propose([into(3, COFFEE)]);
      const page = await browser.open(`/proposals/${plan}`, { as: ana });
      await page.getByRole('button', { name: 'Approve 1 change' }).click();
      const elsewhere = await browser.app.request('POST', `/api/v1/proposals/${plan}/reject`, { body: {} });
      expect(elsewhere.status, elsewhere.text).toBe(200);
      await press(page, 'Approve');
      // The dialog says so too, until the page is there again.
      const told = page.getByRole('region', { name: 'Notifications' });
      await told.getByText('The proposal has already been rejected.').waitFor();
      await page.getByText('Rejected', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    });

    test('keys go through the rows, untick one, and reject', async () => {
      const page = await browser.open('/proposals', { as: ana });
      await page.getByRole('link', { name: 'Update transactions' }).first().click();
      await page.getByRole('heading', { name: /Coffee/ }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('heading').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByRole('button', { name: 'Approve 1 change', exact: true }).waitFor();
      await page.keyboard.press('r');
      await page.getByRole('heading', { name: 'Reject this plan?' }).waitFor();
      expect(await isFocused(page.getByLabel('Note (optional)'))).toBe(true);
      await press(page, 'Reject');
      await page.getByText('Rejected', { exact: true }).first().waitFor();
      expect(await categoryOf(0)).toBeNull();
    });
  },
  ['SQLite'],
);
