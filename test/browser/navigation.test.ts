import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { ENTRIES, entryOf, PAGES } from '../../src/contract/pages.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

test('every page is reached by an entry, of which there are at most twelve', () => {
  expect(ENTRIES.length).toBeLessThanOrEqual(12);
  const without = PAGES.filter(({ audience, path }) => audience !== 'visitor' && entryOf(path) === undefined);
  expect(without.map(({ path }) => path)).toEqual(['/help', '/help/{guide}', '/internal/components']);
  expect(entryOf('/connections/aB3dE5fG')).toBe('Banks and files');
  expect(entryOf('/connectionsx')).toBeUndefined();
});

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let ben: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
      ben = await signIn(browser.app, { name: 'Ben', role: 'viewer' });
    });
    const main = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true });
    const namesIn = (page: Page, name: string): Promise<string[]> =>
      page.getByRole('navigation', { name, exact: true }).getByRole('link').allInnerTexts();

    test('an entry opens its first tab, and the others keep their addresses', async () => {
      const page = await browser.open('/', { as: ana });
      const expected = ENTRIES.filter(({ name }) => PAGES.some((one) => 'entry' in one && one.entry === name));
      await main(page).getByRole('link', { name: 'Settings' }).waitFor();
      await expect.poll(() => namesIn(page, 'Main')).toEqual(expected.map(({ name }) => name));
      await main(page).getByRole('link', { name: 'Banks and files' }).click();
      await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
      await page.getByRole('navigation', { name: 'Banks and files' }).getByRole('link', { name: 'Syncs' }).click();
      await page.getByRole('heading', { name: 'Syncs', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/sync-logs');
      const entry = main(page).getByRole('link', { name: 'Banks and files' });
      await expect.poll(() => entry.getAttribute('aria-current')).toBe('true');
      const tab = page.getByRole('navigation', { name: 'Banks and files' }).getByRole('link', { name: 'Syncs' });
      await expect.poll(() => tab.getAttribute('aria-current')).toBe('page');
      await expectGoodLooks(page, 'navigation-tabs');
    });

    test('settings have a menu of their own, with what the person may open', async () => {
      const page = await browser.open('/settings/profile', { as: ana });
      await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
      const settings = PAGES.filter((one) => 'entry' in one && one.entry === 'Settings');
      await expect.poll(() => namesIn(page, 'Settings')).toEqual(settings.map(({ title }) => title));
      await expectGoodLooks(page, 'navigation-settings');
      const viewers = await browser.open('/settings/profile', { as: ben });
      await viewers.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
      await expect.poll(() => namesIn(viewers, 'Settings')).toEqual(['Profile', 'System']);
    });

    test('help is in the menu of the person', async () => {
      const page = await browser.open('/', { as: ana });
      await page.getByRole('button', { name: 'account menu' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Help' }).press('Enter');
      await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    });

    test('a badge of an entry is the sum of its tabs, and short from a thousand on', async () => {
      const page = await browser.open('/help', { as: ana });
      await page.route('**/api/v1/overview', async (route) => {
        const answer = await route.fetch();
        const overview = (await answer.json()) as { backlog: object; attention: object[] };
        Object.assign(overview.backlog, { open_proposals_count: 1_200, open_suggestions_count: 1, failed_runs_24h: 2 });
        const attention = { severity: 'warning', message: '', count: 1, subject_id: null, since: null };
        overview.attention = [
          { ...attention, code: 'balance_mismatch', subject_type: 'account' },
          // Waits in Review.
          { ...attention, code: 'suggestions_open', subject_type: 'connection' },
        ];
        return route.fulfill({ response: answer, json: overview });
      });
      await page.goto(`${browser.address}/suggestions`);
      await main(page).getByRole('link', { name: 'Review 1,201 wait' }).getByText('999+').waitFor();
      await main(page).getByRole('link', { name: 'Workflows 2 failed' }).waitFor();
      await main(page).getByRole('link', { name: 'Banks and files 1 needs attention' }).waitFor();
      const tabs = page.getByRole('navigation', { name: 'Review', exact: true });
      await tabs.getByRole('link', { name: 'Suggestions 1 waits' }).waitFor();
    });

    test('on a phone the thumb reaches Home, Review and the menu, which has every entry', async () => {
      const page = await browser.open('/runs', { as: ana, width: 360 });
      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
      const bar = page.getByRole('navigation', { name: 'Main, small screens' });
      await expect
        .poll(() => bar.getByRole('link').allInnerTexts())
        .toEqual(
          ['Home', 'Transactions', 'Review'].filter((name) =>
            PAGES.some((one) => 'entry' in one && one.entry === name),
          ),
        );
      await bar.getByRole('button', { name: 'Menu' }).click();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await expectGoodLooks(page, 'navigation-phone');
      await menu.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
      expect(await menu.count()).toBe(0);
    });
  },
  ['SQLite'],
);
