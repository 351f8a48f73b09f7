import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { browserTest, expectGoodLooks, photographAll } from '../harness/browser/browser.ts';
import { daily, LINKS } from '../harness/ledgers/card-and-copy.ts';
import { addAccount, addMember, type Made } from '../harness/ledger.ts';
import { addRows } from '../harness/ledgers/linked-accounts.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface Household {
  ada: SignedIn;
  viewer: SignedIn;
  card: Made;
  copy: Made;
  savings: Made;
}

/** From two accounts to a link, its pairs and its end. The tests build on each other. */
forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let made: Promise<Household> | undefined;
    const household = () =>
      (made ??= (async () => {
        const { app } = dashboard;
        const ada = await signIn(app, { name: 'Ada' });
        const viewer = await signIn(app, { name: 'Cleo', role: 'viewer' });
        const members = (await app.request('GET', '/api/v1/users')).json as (Made & { name: string })[];
        const owner = members.find(({ name }) => name === 'Ada') as Made;
        const ben = await addMember(app, 'Ben');
        const card = await addAccount(app, owner, { name: 'Visa Gold' });
        const copy = await addAccount(app, ben, { name: 'Visa Gold (authorised user)' });
        const savings = await addAccount(app, ben, { name: 'Savings' });
        await addRows(app, card, [
          ...daily('2026-03-01', 24, { name: 'Corner Market' }),
          ['2026-04-02', 5_550, 'City Hotel'],
        ]);
        await addRows(app, copy, [
          ...daily('2026-03-01', 24, { name: 'CORNER MARKET', days: 1 }),
          ['2026-04-02', 5_500, 'City Hotel'],
        ]);
        await addRows(app, savings, daily('2026-03-01', 30, { cents: 700_000, name: 'Interest' }));
        return { ada, viewer, card, copy, savings };
      })());
    const openAs = async (who: 'ada' | 'viewer', path: string): Promise<Page> =>
      dashboard.open(path, { as: (await household())[who] });
    const links = async (): Promise<Made[]> => (await dashboard.app.request('GET', LINKS)).json;
    const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
    const dialog = (page: Page) => page.getByRole('dialog');

    test('accounts with nothing in common are not linked by one click', async () => {
      const page = await openAs('ada', '/account-links');
      await page.getByText('No accounts are linked').waitFor();
      await expectGoodLooks(page, 'account-links-empty');
      await page.getByRole('button', { name: 'Link two accounts' }).click();
      await dialog(page)
        .getByLabel('Primary account: the owner’s own')
        .selectOption({ label: 'Visa Gold (First Bank, Ada)' });
      await dialog(page)
        .getByLabel('Copy: the same card, seen by somebody else')
        .selectOption({ label: 'Savings (First Bank, Ben)' });
      await dialog(page).getByText('These do not look like copies of one account').waitFor();
      await photographAll(page, 'account-links-refused');
      await dialog(page).getByRole('button', { name: 'Link the accounts' }).click({ force: true });
      expect(await links()).toEqual([]);
      await dialog(page).getByRole('button', { name: 'Link anyway' }).click();
      await dialog(page).getByRole('button', { name: 'Link the accounts' }).click();
      await page.getByText('Few transactions match').waitFor();
      expect(await links()).toHaveLength(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await links()).length).toBe(0);
    });

    test('a dry run compares tolerances before a link is made', async () => {
      const page = await openAs('ada', '/account-links');
      await page.getByRole('button', { name: 'Link two accounts' }).click();
      await dialog(page)
        .getByLabel('Primary account: the owner’s own')
        .selectOption({ label: 'Visa Gold (First Bank, Ada)' });
      await dialog(page)
        .getByLabel('Copy: the same card, seen by somebody else')
        .selectOption({ label: 'Visa Gold (authorised user) (First Bank, Ben)' });
      await dialog(page).getByText('0 transactions would match.').waitFor();
      await dialog(page)
        .getByRole('row', { name: /Up to 1 day apart 24/ })
        .waitFor();
      await dialog(page).getByLabel('How far apart dates may be').selectOption('1');
      await dialog(page).getByText('24 transactions would match.').waitFor();
      await dialog(page)
        .getByText(/^CORNER MARKET/)
        .first()
        .waitFor();
      await expectGoodLooks(page, 'account-links-dry-run');
      await dialog(page).getByRole('button', { name: 'Link the accounts' }).click();
      await page.getByRole('link', { name: /is a copy of Visa Gold$/ }).waitFor();
      await expectGoodLooks(page, 'account-links');
      await page.getByRole('link', { name: /is a copy of Visa Gold$/ }).click();
      await tab(page, /^To review \(24\)$/).waitFor();
      await expectGoodLooks(page, 'account-link');
    });

    test('pairs are decided by keys, and a rejected one stays rejected', async () => {
      const [link] = await links();
      const page = await openAs('ada', `/account-links/${link?.short_id}`);
      await tab(page, /^To review \(24\)$/).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.keyboard.press('y');
      await tab(page, /^Confirmed \(1\)$/).waitFor();
      await tab(page, /^To review \(23\)$/).waitFor();
      await page.locator('[data-pair]').first().focus();
      await page.keyboard.press('n');
      await tab(page, /^Rejected \(1\)$/).waitFor();
      await page.getByRole('button', { name: 'Match again' }).click();
      await page.getByText('23 transactions matched.').first().waitFor();
      await tab(page, /^Rejected \(1\)$/).click();
      await page.getByText('same amount · 1 day apart').waitFor();
      await tab(page, /^Unmatched dependent \(2\)$/).click();
      await page.getByRole('listitem').filter({ hasText: 'City Hotel' }).waitFor();
      await photographAll(page, 'account-link-unmatched');
    });

    test('what is left over is paired by hand, and all in sight are confirmed at once', async () => {
      const [link] = await links();
      const page = await openAs('ada', `/account-links/${link?.short_id}?tab=dependent`);
      const row = page.getByRole('listitem').filter({ hasText: 'City Hotel' });
      await row.getByRole('button', { name: 'Pair by hand' }).click();
      await dialog(page)
        .getByRole('listitem')
        .filter({ hasText: 'City Hotel' })
        .getByRole('button', { name: 'Pair', exact: true })
        .click();
      await tab(page, /^Confirmed \(2\)$/).waitFor();
      await tab(page, /^To review/).click();
      await page.getByRole('button', { name: 'Confirm all shown (22)' }).click();
      await tab(page, /^To review \(0\)$/).waitFor();
      await tab(page, /^Confirmed \(24\)$/).waitFor();
      await photographAll(page, 'account-link-done');
    });

    test('settings change at once; somebody who may only look is told why not', async () => {
      const [link] = await links();
      const path = `${LINKS}/${link?.id}`;
      const page = await openAs('ada', `/account-links/${link?.short_id}`);
      const now = async () => (await dashboard.app.request('GET', path)).json;
      await page.getByRole('switch', { name: /Attribute matched purchases/ }).click();
      await expect.poll(async () => (await now()).attribute).toBe(false);
      await page.getByLabel('How far apart dates may be').selectOption('3');
      await expect.poll(async () => (await now()).match_tolerance_days).toBe(3);
      await page.getByRole('switch', { name: /^Enabled/ }).click();
      await expect.poll(async () => (await now()).enabled).toBe(false);
      const other = await openAs('viewer', `/account-links/${link?.short_id}`);
      await tab(other, /^Confirmed/).waitFor();
      await expect.poll(() => other.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
      expect(await other.getByRole('switch', { name: /^Enabled/ }).isDisabled()).toBe(true);
    });

    test('deleting says what counts again', async () => {
      const [link] = await links();
      const page = await openAs('ada', `/account-links/${link?.short_id}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog(page)
        .getByText(/All 25 posted transactions .* count in totals again/)
        .waitFor();
      await photographAll(page, 'account-link-delete');
      await dialog(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No accounts are linked').waitFor();
      expect(await links()).toEqual([]);
      const gone = await openAs('ada', `/account-links/${link?.short_id}`);
      await gone.getByText('The account link was not found').waitFor();
      await expectGoodLooks(gone, 'account-link-gone');
    });
  },
  ['SQLite'],
);
