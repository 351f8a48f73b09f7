import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser.ts';
import { signIn, type SignedIn } from '../harness/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { role: 'viewer' });
      await signIn(browser.app, { name: 'Bo' });
    });

    test('the system page says what the installation is made of, to viewers too', async () => {
      const page = await browser.open('/settings/system', { as: ana });
      await page.getByText('Embedded database (SQLite)').waitFor();
      await page.getByText('Ready', { exact: true }).waitFor();
      expect(await page.title()).toBe('System · Homeledger');
      await expectGoodLooks(page, 'system');
    });
  },
  ['SQLite'],
);
