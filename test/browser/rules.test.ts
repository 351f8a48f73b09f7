import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectForFinger, expectGoodLooks } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
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
  },
  ['SQLite'],
);
