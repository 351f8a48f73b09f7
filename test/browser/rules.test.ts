import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import {
  browserTest,
  expectForFinger,
  expectGoodLooks,
  expectNoSidewaysScrolling,
} from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
import { setLimit } from '../harness/limits.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** Rules as sentences, in the order in which they run: seen, switched, applied and taken back. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let viewer: SignedIn;
    let account: Made;
    let market: Made;

    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana' });
      viewer = await signIn(app, { name: 'Vera', role: 'viewer' });
      account = await addAccount(app, await addMember(app, 'Ben'), { name: 'Joint account' });
      const row = { account, date: '2026-04-20', amount_cents: 2_340 };
      await addTransactions(app, [
        ...Array.from({ length: 3 }, () => ({ ...row, name: 'CORNER MARKET 114' })),
        { ...row, name: 'Corner Cafe' },
      ]);
      await created(app, '/tags', { name: 'Food', slug: 'food' });
      market = await created(app, '/rules', {
        name: 'Markets',
        priority: 50,
        condition: {
          and: [
            { field: 'name', op: 'contains', value: 'market' },
            { field: 'amount', op: 'gt', value: 0 },
          ],
        },
        actions: [
          { type: 'set_category', category_slug: GROCERIES },
          { type: 'add_tag', tag_slug: 'food' },
        ],
      });
      await created(app, '/rules', {
        name: 'Cafes of the joint account',
        condition: {
          and: [
            { field: 'account_id', op: 'eq', value: account.id },
            {
              or: [
                { field: 'name', op: 'contains', value: 'cafe' },
                { field: 'pending', op: 'eq', value: true },
              ],
            },
          ],
        },
        actions: [{ type: 'set_category', category_slug: COFFEE }],
      });
    });

    const rule = async (id: string) => (await browser.app.request('GET', `/api/v1/rules/${id}`)).json;
    const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
    const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' });

    test('rules are sentences in the order in which they run, with names for ids', async () => {
      const page = await browser.open('/rules', { as: ana });
      const first = rowOf(page, 'Markets');
      const text = (name: string) => rowOf(page, name).getByRole('rowheader').innerText();
      await expect
        .poll(() => text('Markets'))
        .toMatch(/When the text contains market and money goes out\s*→[^]*Groceries, tag Food/);
      await expect
        .poll(() => text('Cafes'))
        .toMatch(/the account is Joint account and \(the text contains cafe or it is pending\)/);
      await first.getByText('Never', { exact: true }).waitFor();
      const names = page.getByRole('rowheader').getByRole('link');
      await expect
        .poll(() => names.allInnerTexts())
        .toEqual(['Mark new transactions for review', 'Markets', 'Cafes of the joint account']);
      await expectGoodLooks(page, 'rules');
    });

    test('a switch holds at once, is saved, and can be undone; what others changed of the rule stays', async () => {
      const page = await browser.open('/rules', { as: ana });
      const row = rowOf(page, 'Markets');
      const onOff = row.getByRole('switch', { name: '“Markets” is on' });
      await expect.poll(() => onOff.isChecked()).toBe(true);
      const other = await browser.app.request('PATCH', `/api/v1/rules/${market.id}`, { body: { priority: 40 } });
      expect(other.status, other.text).toBe(200);
      await onOff.uncheck();
      await toasts(page).getByText('“Markets” is switched off').waitFor();
      expect(await rule(market.id)).toMatchObject({ enabled: false, priority: 40 });
      await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(() => onOff.isChecked()).toBe(true);
      expect(await rule(market.id)).toMatchObject({ enabled: true, priority: 40 });
    });

    test('a switch that fails is taken back', async () => {
      const page = await browser.open('/rules', { as: ana });
      const onOff = rowOf(page, 'Markets').getByRole('switch');
      await expect.poll(() => onOff.isChecked()).toBe(true);
      await page.route(`**/api/v1/rules/${market.id}`, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'It broke.' } } })
          : route.continue(),
      );
      await onOff.click();
      await toasts(page).getByText('“Markets” is as it was.').waitFor();
      await expect.poll(() => onOff.isChecked()).toBe(true);
      expect((await rule(market.id)).enabled).toBe(true);
    });

    test('filters are in the address, and an empty answer offers to clear them', async () => {
      const page = await browser.open('/rules?state=never&creator_type=agent', { as: ana });
      await page.getByText('No rule matches the filters').waitFor();
      await expectGoodLooks(page, 'rules-none-found');
      await page.getByRole('button', { name: 'Clear filters' }).last().click();
      await rowOf(page, 'Markets').waitFor();
      await page.getByLabel('Name').fill('CAFES');
      await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
      expect(new URL(page.url()).searchParams.get('search')).toBe('CAFES');
      await page.getByLabel('Name').fill('');
      await page.getByLabel('Sets the category').selectOption({ label: '\u2003Groceries' });
      await expect.poll(() => page.getByRole('rowheader').getByRole('link').allInnerTexts()).toEqual(['Markets']);
      await page.getByLabel('State').selectOption('Expired');
      await page.getByText('No rule matches the filters').waitFor();
    });

    test('a viewer sees the rules, and why the switch is not theirs', async () => {
      const page = await browser.open('/rules', { as: viewer });
      const onOff = rowOf(page, 'Markets').getByRole('switch');
      await onOff.click({ force: true });
      await expect.poll(() => onOff.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => onOff.isChecked()).toBe(true);
      await expect.poll(() => onOff.getAttribute('title')).toContain('Viewers cannot make changes');
      const phone = await browser.open('/rules', { as: viewer, width: 360 });
      await rowOf(phone, 'Markets').getByRole('switch').waitFor();
      await expectForFinger(rowOf(phone, 'Markets').locator('label'));
    });

    test('a rule says how it is set, which rules meet it, and what was done with it', async () => {
      const { app } = browser;
      await created(app, '/rules', {
        name: 'Corners are coffee',
        priority: 200,
        condition: { field: 'name', op: 'starts_with', value: 'corner' },
        actions: [{ type: 'set_category', category_slug: COFFEE }],
        triggers: ['sync'],
      });
      const page = await browser.open('/rules', { as: ana });
      await page.getByRole('link', { name: 'Markets', exact: true }).click();
      await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
      const main = page.getByRole('main');
      await main.getByText('When the text contains market and money goes out').waitFor();
      await main
        .getByText(/meets it on 3 transactions\. The other one wins: category Coffee Shops, not Groceries/)
        .waitFor();
      await main.getByText('It has not matched in any run that is still kept.').waitFor();
      await main.getByText('Created the rule Markets').waitFor();
      await main.getByText('It leaves that as it is').waitFor();
      await expectGoodLooks(page, 'rule');
      await main.getByRole('link', { name: '“Corners are coffee”' }).click();
      await page.getByRole('heading', { name: 'Corners are coffee', level: 1 }).waitFor();
      await expect
        .poll(() => main.getByRole('button', { name: 'Apply' }).getAttribute('title'))
        .toContain('not to be applied');
    });

    test('it is applied after its counts were seen, and the run can be undone', async () => {
      const page = await browser.open(`/rules/${market.short_id}`, { as: ana });
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('3 transactions would change.').waitFor();
      await dialog.getByText('3 of 4 transactions match.').waitFor();
      await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(false);
      await expectGoodLooks(page, 'rule-apply');
      await dialog.getByRole('button', { name: 'Change 3 transactions' }).click();
      const panel = page.getByRole('region', { name: 'Run of rules' });
      await panel.getByRole('heading', { name: '“Markets” is applied' }).waitFor();
      await panel.getByText('3 of 4 transactions changed.').waitFor();
      await expect.poll(() => categories()).toEqual([GROCERIES, GROCERIES, GROCERIES, null]);
      await page.getByRole('row').filter({ hasText: 'Applied alone' }).waitFor();
      await expectGoodLooks(page, 'rule-applied');
      await panel.getByRole('button', { name: /^Undo/ }).click();
      await panel.getByRole('button', { name: 'Undo 3 changes' }).click();
      await expect.poll(() => categories()).toEqual([null, null, null, null]);
      await panel.getByText('Undone', { exact: true }).waitFor();
    });

    test('a change of the rule is undone from its history', async () => {
      const change = await browser.app.request('PATCH', `/api/v1/rules/${market.id}`, { body: { name: 'Shops' } });
      expect(change.status, change.text).toBe(200);
      const page = await browser.open(`/rules/${market.short_id}`, { as: ana });
      await page.getByRole('button', { name: 'Undo: Changed the rule Shops' }).click();
      await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
      expect((await rule(market.id)).name).toBe('Markets');
      // The history leads back to the rule by its name.
      await page.getByRole('link', { name: 'Created the rule Markets' }).click();
      const main = page.getByRole('main');
      await main.getByText('Condition: the text contains market and money goes out').waitFor();
      await main.getByText('Actions: Groceries, tag Food').waitFor();
      await main.getByText('Runs on: New and changed · Apply all · By hand').waitFor();
      await expectGoodLooks(page, 'rule-made');
      await page.getByRole('link', { name: 'Markets', exact: true }).click();
      await page.getByRole('heading', { name: 'How it is set' }).waitFor();
    });

    test('all rules are applied as a job, which is found again, and cancelling it keeps what is complete', async () => {
      setLimit('ruleChunkRows', 2);
      const goOn = holdAfterFirstChunk();
      const page = await browser.open('/rules', { as: ana });
      await page.getByRole('button', { name: 'Apply all' }).click();
      const dialog = page.getByRole('dialog');
      await expect.poll(() => dialog.innerText()).toContain('4 transactions would change.');
      await expectGoodLooks(page, 'rules-apply-all');
      await dialog.getByRole('button', { name: 'Change 4 transactions' }).click();
      const panel = page.getByRole('region', { name: 'Run of rules' });
      await panel.getByText('2 of 4 transactions looked at.').waitFor();
      await page.reload();
      await panel.getByText('2 of 4 transactions looked at.').waitFor();
      await expectGoodLooks(page, 'rules-running');
      const asked = page.waitForResponse(/\/cancel$/);
      await panel.getByRole('button', { name: 'Cancel' }).click();
      await asked;
      goOn();
      await panel.getByRole('heading', { name: 'The run of all rules was cancelled' }).waitFor();
      await panel.getByText('2 transactions were changed before that, and stay so.').waitFor();
      expect((await categories()).filter((slug) => slug !== null)).toHaveLength(2);
      await expectGoodLooks(page, 'rules-cancelled');
      await panel.getByRole('button', { name: 'Dismiss' }).click();
      await panel.waitFor({ state: 'detached' });
    });

    test('rules that the household’s own choices suggest are previewed in one click', async () => {
      const { app } = browser;
      const rows = await addTransactions(
        app,
        Array.from({ length: 5 }, () => ({
          account,
          date: '2026-04-22',
          amount_cents: 990,
          name: 'PET WORLD',
          columns: { merchant_name: 'Pet World' },
        })),
      );
      for (const { id } of rows.slice(0, 3)) {
        const body = { category_slug: 'general_merchandise_pet_supplies' };
        const edit = await app.request('PATCH', `/api/v1/transactions/${id}/category`, { body });
        expect(edit.status, edit.text).toBe(200);
      }
      const page = await browser.open('/rules', { as: ana });
      await page.getByText('Suggested rules').click();
      const list = page.getByRole('list', { name: 'Suggested rules' });
      await list.getByText(/When the merchant is Pet World/).waitFor();
      await list.getByText('Filed by hand 3 times, last on 22 Apr 2026. It would change 2 now.').waitFor();
      await list.getByRole('button', { name: 'Preview: Pet World' }).click();
      await list.getByText(/5 transactions match, 2 would change\. On 3 something stays as it is/).waitFor();
      await expectGoodLooks(page, 'rules-suggested');
      await list.getByRole('link', { name: 'Make this rule' }).click();
      await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
      await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Pet World: Pet Supplies');
    });

    test('a rule is edited where it stands, and a copy of it begins like it', async () => {
      const page = await browser.open(`/rules/${market.short_id}`, { as: ana });
      await page.getByRole('link', { name: 'Edit' }).click();
      const name = page.getByLabel('Name', { exact: true });
      await expect.poll(() => name.inputValue()).toBe('Markets');
      await name.fill('Markets and stalls');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Markets and stalls', level: 1 }).waitFor();
      await page.getByText('When the text contains market and money goes out').waitFor();
      await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
      await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
      await expect.poll(() => name.inputValue()).toBe('Markets (copy)');
    });

    test('a rule is found in the palette', async () => {
      const page = await browser.open('/', { as: ana });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('dialog').getByRole('combobox');
      await field.fill('cafes of');
      await page.getByRole('option', { name: /Cafes of the joint account/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Cafes of the joint account', level: 1 }).waitFor();
    });

    test('a rule is deleted after a question, and can come back; that of Homeledger is switched off instead', async () => {
      const page = await browser.open(`/rules/${market.short_id}`, { as: ana });
      const act = async (): Promise<void> => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
      };
      await act();
      await page.getByRole('heading', { name: 'Delete the rule “Markets”?' }).waitFor();
      await page.getByRole('dialog').getByText('What it has changed stays as it is.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
      await expect.poll(() => rowOf(page, 'Markets').count()).toBe(0);
      await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
      await rowOf(page, 'Markets').waitFor();
      await page.getByRole('link', { name: 'Mark new transactions for review' }).click();
      await act();
      await page.getByRole('heading', { name: 'Switch “Mark new transactions for review” off?' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
      await page.getByRole('button', { name: 'Switch on' }).waitFor();
    });

    test('a page that cannot be read says so, and is read again', async () => {
      const page = await browser.open('/', { as: ana });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const failed = { status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'It broke.' } } };
      await page.route(/\/api\/v1\/rules\?/, (route) => route.fulfill(failed));
      await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
      await page.getByText('It broke.').waitFor();
      await expectGoodLooks(page, 'rules-error');
      await page.unroute(/\/api\/v1\/rules\?/);
      await page.getByRole('button', { name: 'Try again' }).click();
      await rowOf(page, 'Markets').waitFor();
      for (const path of ['/rules', `/rules/${market.short_id}`]) {
        await page.setViewportSize({ width: 320, height: 780 });
        await page.goto(browser.address + path);
        await page.getByText('When the text contains market').first().waitFor();
        await expectNoSidewaysScrolling(page);
      }
    });

    test('a long sentence is cut, and opens', async () => {
      const page = await browser.open('/internal/components', { as: ana });
      await page.getByRole('tab', { name: 'Rules' }).click();
      await page.getByText('When the text contains rewe and more than €100.00 goes out').waitFor();
      await expect.poll(() => page.getByText('Corner shop 40').count()).toBe(0);
      await expectGoodLooks(page, 'rule-samples');
      await page.getByRole('button', { name: 'Show all of it' }).click();
      await page.getByText('Corner shop 40').waitFor();
    });

    test('a thousand rules are read page by page', async () => {
      const { app } = browser;
      const names = Array.from({ length: 1_000 }, (_, index) => `Shop ${index}`);
      for (let at = 0; at < names.length; at += 50) {
        const rules = names.slice(at, at + 50).map((name) => ({
          name,
          condition: {
            or: [
              { field: 'name', op: 'contains', value: name },
              { field: 'merchant_name', op: 'eq', value: name },
            ],
          },
          actions: [{ type: 'set_category', category_slug: GROCERIES }],
        }));
        await created(app, '/rules/batch', { rules });
      }
      const page = await browser.open('/rules', { as: ana });
      await rowOf(page, 'Markets').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('link', { name: 'Shop 60', exact: true }).waitFor();
      await expect.poll(() => page.getByRole('rowheader').count()).toBe(50);
    });

    /** Until it is called, a run waits after its first chunk, and lets everybody else read and write. */
    function holdAfterFirstChunk(): () => void {
      const { instance } = browser.app.app;
      const { database, failpoint } = instance;
      const read = database.read.bind(database);
      const gate = Promise.withResolvers<void>();
      instance.failpoint = (point) => {
        if (point !== 'rules:chunk-committed') return;
        instance.failpoint = failpoint;
        // The next that reads is the run, which looks whether it was cancelled.
        const waiting: typeof read = async (work) => {
          Object.assign(database, { read });
          await gate.promise;
          return read(work) as never;
        };
        Object.assign(database, { read: waiting });
      };
      onTestFinished(() => gate.resolve());
      return () => gate.resolve();
    }

    const categories = async (): Promise<(string | null)[]> => {
      const { transactions } = (await browser.app.request('GET', '/api/v1/transactions', { query: { sort: 'name' } }))
        .json;
      return transactions
        .filter(({ name }: { name: string }) => /corner/i.test(name))
        .map(({ category }: { category: { slug: string } | null }) => category?.slug ?? null)
        .toSorted((a: string | null, b: string | null) => Number(b !== null) - Number(a !== null));
    };
  },
  ['SQLite'],
);
