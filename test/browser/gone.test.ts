import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const LISTS: Readonly<Record<string, string>> = {
  '/transactions': 'Transactions',
  '/accounts': 'Accounts',
  '/connections': 'Connections',
  '/imports': 'Imports',
  '/sync-logs': 'Syncs',
  '/account-links': 'Account links',
  '/proposals': 'Proposals',
  '/reports': 'Reports',
  '/workflows': 'Workflows',
  '/runs': 'Runs',
  '/history': 'History',
};

/** A record that is gone stays gone: its page leads to the list, and offers nothing that cannot help (contract 80.1). */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
    });

    test.for(Object.keys(LISTS))('%s: the page of what is not there offers the list', async (list) => {
      const page = await browser.open(`${list}/01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10`, { as: ana });
      const main = page.getByRole('main');
      await main
        .getByText(/not found|no longer|was deleted|does not exist|is gone/i)
        .first()
        .waitFor();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      const link = main.locator(`a[href="${list}"]`).last();
      await link.waitFor();
      expect(await main.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      if (list === '/runs') await expectGoodLooks(page, 'run-gone');
      await link.click();
      await page.waitForURL(`**${list}`);
    });
  },
  ['SQLite'],
);
