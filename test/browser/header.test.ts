import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { browserTest, expectForFinger, expectGoodLooks, focusedName } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

interface Row {
  id: string;
  amount: string;
  name: string;
  flagged_at: string | null;
}

/** What is above every page: search, recent changes, and hiding amounts. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let ben: SignedIn;
    let rows: Row[];
    beforeAll(async () => {
      ana = await signIn(browser.app);
      ben = await signIn(browser.app, { name: 'Ben', role: 'viewer' });
      const household = generateHousehold({ seed: 3, transactions: 400, years: 1, until: '2026-04-25' });
      await writeHousehold(browser.app.app.instance, household);
      rows = (await api('GET', '/transactions?limit=200')).transactions;
    });
    const api = async (method: string, path: string, body?: object) =>
      (await browser.app.request(method, `/api/v1${path}`, body ? { body } : {})).json;
    const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
    const palette = (page: Page) => dialog(page, 'Search');
    const field = (page: Page) => palette(page).getByRole('combobox');
    const options = (page: Page) => palette(page).getByRole('option');
    async function openHelp(as = ana): Promise<Page> {
      const page = await browser.open('/help', { as });
      await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
      return page;
    }

    test('the palette finds a transaction by its amount as people write it, and opens it', async () => {
      const page = await openHelp();
      const { amount } = rows.find((row) => /^[1-9]\d\.\d{2}$/.test(row.amount)) as Row;
      const asked = page.waitForRequest(/amount_abs_min/);
      await page.keyboard.press('/');
      await field(page).fill(`${amount.replace('.', ',')} €`);
      await page.keyboard.press('Enter');
      const { searchParams } = new URL((await asked).url());
      expect([searchParams.get('amount_abs_min'), searchParams.get('amount_abs_max')]).toEqual([amount, amount]);
      await palette(page).waitFor({ state: 'detached' });
      await page.getByRole('dialog').getByText(amount).first().waitFor();
    });

    test('the palette asks at most every 150 ms, and shows nothing of an older answer', async () => {
      const page = await openHelp();
      const { name } = rows[0] as Row;
      const wanted = (name.split(' ')[0] as string).toLowerCase();
      const asked: string[] = [];
      let first: (() => void) | undefined;
      await page.route('**/api/v1/transactions?**', async (route) => {
        const search = new URL(route.request().url()).searchParams.get('search') as string;
        asked.push(search);
        // The answer to the first question comes last.
        if (asked.length === 1) await new Promise<void>((resolve) => (first = resolve));
        await route.continue().catch(() => undefined);
      });
      await page.keyboard.press('Control+k');
      await field(page).pressSequentially('zzzz');
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      const letters = wanted.length;
      await field(page).fill('');
      await field(page).pressSequentially(wanted);
      const found = palette(page).getByRole('group', { name: 'Transactions' });
      await found.getByRole('option').first().waitFor();
      first?.();
      expect(asked.at(-1)).toBe(wanted);
      expect(asked.length).toBeLessThan(4 + letters);
      await expectGoodLooks(page, 'palette');
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
    });

    test('what was taken comes first the next time; pages and actions are found by their words', async () => {
      const page = await openHelp();
      await page.keyboard.press('Control+k');
      await field(page).fill('api key');
      await options(page).filter({ hasText: 'Make an API key' }).waitFor();
      await field(page).fill('runs');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await expect.poll(() => palette(page).getByRole('group').first().getAttribute('aria-label')).toBe('Recent');
      await expect.poll(() => options(page).first().innerText()).toContain('Runs');
      const viewers = await openHelp(ben);
      await viewers.keyboard.press('Control+k');
      await field(viewers).fill('api key');
      await expect.poll(() => options(viewers).filter({ hasText: 'API key' }).count()).toBe(0);
    });

    test('h hides every amount until it is pressed again, on every page of this tab', async () => {
      const page = await browser.open('/', { as: ana });
      await page.getByText('Show the figures').first().waitFor();
      // What is said on the page; the addresses of its links have bounds of amounts.
      const read = async () => (await page.getByRole('main').ariaSnapshot()).replaceAll(/^ *- \/url: .*$/gm, '');
      const amount = /\d[.,]\d{2}(?!\d)/;
      expect(await read()).toMatch(amount);
      const before = await page.getByRole('main').boundingBox();
      await page.keyboard.press('h');
      await expect.poll(async () => (await read()).split('\n').filter((line) => amount.test(line))).toEqual([]);
      expect(await read()).toContain('hidden');
      expect(await page.getByRole('main').boundingBox()).toEqual(before);
      await expectGoodLooks(page, 'amounts-hidden');
      await page.reload();
      await page.getByText('Show the figures').first().waitFor();
      expect(await read()).not.toMatch(amount);
      const button = page.getByRole('button', { name: 'Hide amounts' });
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
      // After g it is the way home.
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
      await button.click();
      await expect.poll(read).toMatch(amount);
      // In another tab nothing was hidden.
      const other = await browser.open('/', { as: ana });
      await expect.poll(() => other.locator('html').getAttribute('data-private')).toBeNull();
    });

    test('recent changes are undone where they are listed, after a rehearsal where there are several rows', async () => {
      const [one, two, three] = rows as [Row, Row, Row];
      await api('POST', '/transactions/update', {
        operations: [one, two].map(({ id }) => ({ transaction_id: id, flagged: true })),
      });
      await api('POST', '/transactions/update', { operations: [{ transaction_id: three.id, flagged: true }] });
      const flagged = async () =>
        Promise.all(
          [one, two, three].map(async ({ id }) => (await api('GET', `/transactions/${id}`)).flagged_at !== null),
        );
      const page = await openHelp();
      // A browser whose clock is behind that of the server.
      await page.clock.setFixedTime(browser.app.clock.now() - 40_000);
      await page.getByRole('button', { name: 'Recent changes' }).click();
      const changes = dialog(page, 'Recent changes');
      await changes.getByText('just now').first().waitFor();
      expect(await changes.getByText('in a moment').count()).toBe(0);
      const items = changes.getByRole('listitem');
      await items.nth(1).waitFor();
      await expectGoodLooks(page, 'recent-changes');
      await items.nth(0).getByRole('button', { name: /^Undo/ }).click();
      await items.getByText('Undone', { exact: true }).first().waitFor();
      expect(await flagged()).toEqual([true, true, false]);
      const several = items.filter({ hasText: '2 transactions' });
      await several.getByRole('button', { name: /^Undo/ }).click();
      await several.getByText('2 changes would be undone.').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Cancel');
      expect(await flagged()).toEqual([true, true, false]);
      await expectGoodLooks(page, 'recent-changes-rehearsed');
      await several.getByRole('button', { name: 'Undo 2 changes' }).click();
      await several.getByText('Undone', { exact: true }).waitFor();
      expect(await flagged()).toEqual([false, false, false]);
    });

    test('a viewer sees the changes and is told why none can be undone', async () => {
      const page = await openHelp(ben);
      await page.getByRole('button', { name: 'Recent changes' }).click();
      const undo = dialog(page, 'Recent changes').getByRole('button', { name: /^Undo/ }).first();
      await undo.waitFor();
      await expect.poll(() => undo.getAttribute('aria-disabled')).toBe('true');
    });

    test('on a phone all of the header is large enough for a finger', async () => {
      const page = await browser.open('/help', { as: ana, width: 360 });
      const header = page.getByRole('banner');
      await header.getByRole('button', { name: 'account menu' }).waitFor();
      for (const target of await header.getByRole('button').all()) await expectForFinger(target);
    });
  },
  ['SQLite'],
);
