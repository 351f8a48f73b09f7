import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { write } from '../../src/journal/write.ts';
import { takeFile } from '../harness/bank-files/bank-files.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions, type Made } from '../harness/ledger.ts';
import { COFFEE, GROCERIES } from '../harness/ledgers/batches.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** What was changed, by whom, and the way back. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let rows: readonly Made[];
    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana', remember: true });
      const account = await addAccount(app, await addMember(app, 'Ben'), { name: 'Giro' });
      const common = { account, date: '2026-04-20', iso_currency_code: 'EUR' };
      const shops = Array.from({ length: 12 }, (_, index) => `CORNER MARKET ${index + 1}`);
      rows = await addTransactions(
        app,
        shops.map((name, index) => ({ ...common, name, amount_cents: 1_000 + index })),
      );
    });
    const api = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
      const answer = await browser.app.request(method, `/api/v1${path}`, {
        key: null,
        ...(body === undefined ? {} : { body }),
        headers: { ...ana.headers, 'x-change-reason': 'tidying%20up' },
      });
      expect(answer.status, answer.text).toBeLessThan(300);
      return { ...answer, set: String(answer.headers['x-change-set-id']) };
    };
    const main = (page: Page) => page.getByRole('main');
    const categoryOf = async ({ id }: Made): Promise<string | null> =>
      (await api('GET', `/transactions/${id}`)).json.category?.slug ?? null;
    const settle = async (page: Page) => page.locator('[aria-busy=true]').waitFor({ state: 'detached' });

    test('a day shows who did what, through what, why, and how many; filters are in the address', async () => {
      const some = rows.slice(0, 3).map(({ id }) => ({ transaction_id: id, category_slug: GROCERIES }));
      await api('POST', '/transactions/update', { operations: some });
      browser.app.clock.advance(86_400_000);
      await api('POST', '/tags', { name: 'Holiday' });
      const page = await browser.open('/history', { as: ana });
      await main(page)
        .getByRole('heading', { name: /Monday,? 27 April 2026/ })
        .waitFor();
      const before = main(page).getByRole('region', { name: /Sunday,? 26 April 2026/ });
      const entry = before.getByRole('listitem').filter({ hasText: 'Updated 3 transactions' });
      await expect.poll(() => entry.innerText()).toMatch(/Ana · \d\d:\d\d · in the dashboard · 3 changed\s+tidying up/);
      await expectGoodLooks(page, 'history');

      await page.getByLabel('To what').selectOption({ label: 'Tags' });
      await entry.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?entity_type=tag');
      await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Ben' });
      await main(page).getByText('No change matches the filters').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).first().click();
      await entry.waitFor();
      // A link can ask for one transaction, which no field can.
      await page.goto(`${browser.address}/history?transaction_id=${(rows[0] as Made).short_id}&source=edit`);
      await entry.waitFor();
      await main(page).getByText('Created the tag Holiday').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Not only one transaction' }).click();
      await main(page).getByText('Created the tag Holiday').waitFor();
      // Days are those of the household.
      await page.getByLabel('To', { exact: true }).fill('2026-04-26');
      await main(page).getByText('Created the tag Holiday').waitFor({ state: 'detached' });
      await entry.waitFor();
    }, 120_000);

    test('syncs in a row are folded, and older changes come fifty at a time', async () => {
      for (let count = 1; count <= 60; count++) {
        browser.app.clock.advance(1_000);
        await sync(count);
      }
      const page = await browser.open('/history', { as: ana });
      const folded = main(page).getByRole('group').first();
      await folded.getByText('50 syncs').waitFor();
      expect(await main(page).getByText('Created the tag Holiday').count()).toBe(0);
      await page.getByRole('button', { name: 'Show more' }).click();
      await folded.getByText('60 syncs').waitFor();
      await main(page).getByText('Created the tag Holiday').waitFor();
      await folded.getByText('60 syncs').click();
      await folded.getByRole('link', { name: 'Synced First Bank: 60' }).waitFor();
      await page.getByLabel('Kind').selectOption({ label: 'All but syncs' });
      await folded.waitFor({ state: 'detached' });
      await main(page).getByText('Created the tag Holiday').waitFor();
    });

    async function sync(count: number): Promise<void> {
      const actor = { type: 'system', id: null, userId: null, name: 'First Bank' } as const;
      const how = {
        surface: 'system',
        source: 'sync',
        action: 'connection.sync',
        reason: null,
        requestId: null,
      } as const;
      await write(browser.app.app.instance.database, { actor, ...how }, async (tx) => {
        const row = {
          entityType: 'transaction',
          entityId: rows[0]?.id ?? '',
          entityShortId: rows[0]?.short_id ?? '',
        } as const;
        const fields = { before: { name: 'A' }, after: { name: 'B' } };
        tx.journal.record({ ...row, operation: 'update', ...fields, revertible: false });
        tx.journal.summarise(`Synced First Bank: ${count}`);
      });
    }

    test('a bulk edit is shown in household words, and its undo restores every row or says which not', async () => {
      const edited = rows.slice(4, 9);
      const { set } = await api('POST', '/transactions/bulk-update', {
        transaction_ids: edited.map(({ id }) => id),
        changes: { category_slug: COFFEE, tags_to_add: ['holiday'] },
      });
      const [other] = edited as [Made];
      const { set: later } = await api('PATCH', `/transactions/${other.id}/category`, { category_slug: GROCERIES });
      const page = await browser.open(`/history/${set}`, { as: ana });
      await main(page).getByRole('heading', { name: 'Changes', exact: true }).waitFor();
      await main(page).getByText('Category: none').first().waitFor();
      const text = () => main(page).innerText();
      for (const words of ['Coffee Shops', 'Added the tag Holiday', 'CORNER MARKET 5', 'tidying up']) {
        await expect.poll(text).toContain(words);
      }
      // Names instead of ids and slugs.
      await expect.poll(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|food_and_drink|_id\b/);
      await expectGoodLooks(page, 'history-change');

      await main(page).getByRole('button', { name: /^Undo/ }).click();
      const plan = main(page).getByRole('group', { name: 'Before it is undone' });
      await plan.getByText(/4 changes would be undone\. 1 record would stay as it is\./).waitFor();
      await plan.getByText('It has been changed again since.').waitFor();
      await plan.getByRole('link', { name: 'CORNER MARKET 5' }).waitFor();
      await expect
        .poll(() => plan.getByRole('link', { name: 'What changed it' }).getAttribute('href'))
        .toBe(`/history/${later}`);
      expect(await Promise.all(edited.map(categoryOf))).toEqual([GROCERIES, COFFEE, COFFEE, COFFEE, COFFEE]);
      await expectGoodLooks(page, 'history-change-rehearsed');
      await plan.getByRole('button', { name: 'Undo 4 changes' }).click();
      await main(page).getByText('4 changes undone. 1 record stays as it is.').waitFor();
      await main(page).getByText('Partly undone').waitFor();
      await settle(page);
      expect(await Promise.all(edited.map(categoryOf))).toEqual([GROCERIES, null, null, null, null]);

      // Both sides lead to each other, and the undo can be undone.
      await main(page).getByRole('link', { name: 'Reverted: Updated 5 transactions' }).click();
      await main(page).getByText('It undid').waitFor();
      await main(page).getByRole('button', { name: /^Undo/ }).click();
      await main(page).getByRole('button', { name: 'Undo 4 changes' }).click();
      await main(page).getByText('Undone', { exact: true }).waitFor();
      expect(await Promise.all(edited.map(categoryOf))).toEqual([GROCERIES, COFFEE, COFFEE, COFFEE, COFFEE]);
      await main(page).getByRole('link', { name: 'Updated 5 transactions', exact: true }).click();
      await main(page).getByText('In force').waitFor();
      await page.goto(`${browser.address}/history?entity_type=transaction&source=revert`);
      await main(page).getByRole('listitem').getByText('Undone', { exact: true }).first().waitFor();
    }, 120_000);

    test('an import that people have worked on is undone around their work, or with it', async () => {
      const file = 'Date,Description,Amount,Currency\n2026-04-21,Tea,-3.00,EUR\n2026-04-22,Milk,-2.00,EUR';
      const made = await takeFile(browser.app, file, { account_name: 'Wallet', user_id: ana.member.id });
      const listed = async () => (await api('GET', `/transactions?import_id=${made.id}`)).json.transactions as Made[];
      const [worked] = (await listed()) as [Made];
      await api('PATCH', `/transactions/${worked.id}/category`, { category_slug: COFFEE });
      const page = await browser.open(`/history/${made.change_set_id}`, { as: ana });
      await main(page).getByRole('button', { name: /^Undo/ }).click();
      await main(page).getByRole('button', { name: 'Undo all of it, 1 transaction with work on it' }).waitFor();
      await expectGoodLooks(page, 'history-import');
      await main(page).getByRole('button', { name: 'Cancel' }).click();
      expect(await listed()).toHaveLength(2);
      await main(page).getByRole('button', { name: /^Undo/ }).click();
      await main(page).getByRole('button', { name: 'Undo all of it, 1 transaction with work on it' }).click();
      await main(page).getByText('Undone', { exact: true }).waitFor();
      expect(await listed()).toEqual([]);
    });

    test('a viewer reads it all, sees no values of keys and members, and is told why nothing can be undone', async () => {
      await api('POST', '/tags', { name: 'Harvest' });
      const member = await api('POST', '/users', { name: 'Cleo', email: 'cleo@example.org' });
      const vera = await signIn(browser.app, { role: 'viewer', name: 'Vera' });
      const page = await browser.open('/history', { as: vera });
      const undo = main(page).getByRole('button', { name: /^Undo/ }).first();
      await undo.waitFor();
      await expect.poll(() => undo.getAttribute('aria-disabled')).toBe('true');
      await page.goto(`${browser.address}/history/${member.set}`);
      await main(page).getByText('Cleo').first().waitFor();
      expect(await main(page).innerText()).not.toContain('cleo@example.org');
      // A change that is not there.
      await page.goto(`${browser.address}/history/ZZZZZZZZ`);
      await main(page).getByRole('alert').waitFor();
      await main(page).getByRole('link', { name: 'History', exact: true }).waitFor();
    });
  },
  ['SQLite'],
);
