import { beforeAll, expect, test } from 'vitest';

import { importFile } from '../harness/bank-files/bank-files.ts';
import { browserTest, expectGoodLooks, expectRefused } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const FILE = 'Date,Description,Amount\n2026-04-20,Bakery,-4.50\n2026-04-21,Salary,2100.00\n';

/** A household without a bank: everything comes from files. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
      const query = { account_name: 'Wallet', iso_currency_code: 'EUR', file_name: 'april.csv' };
      const sent = await importFile(browser.app, FILE, query);
      expect(sent.status).toBe(201);
    });

    test('the page of banks says that there is none, how many files were imported, and leads to them', async () => {
      const page = await browser.open('/connections', { as: ana });
      const state = page.locator('section').filter({ hasText: 'No bank is connected' });
      await state.getByText('Files imported').waitFor();
      await expectRefused(page.getByRole('button', { name: 'Sync all' }));
      expect(await page.getByText('All is well').count()).toBe(0);
      await expectGoodLooks(page, 'connections-by-file');
      await state.getByRole('link', { name: '1', exact: true }).click();
      await page.waitForURL('**/imports?status=completed');
      await page.getByRole('rowheader', { name: /april.csv/ }).waitFor();
    });

    test('a viewer is told why they cannot import', async () => {
      const vera = await signIn(browser.app, { name: 'Vera', role: 'viewer' });
      const page = await browser.open('/connections', { as: vera });
      await expectRefused(page.getByRole('button', { name: 'Import a file', exact: true }));
    });
  },
  ['SQLite'],
);
