import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectNoSidewaysScrolling } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(dashboard.app, { name: 'Ana' });
      const { id } = await created(dashboard.app, '/users', { name: 'Ben' });
      for (const name of ['EUR', 'USD', 'JPY', 'KWD']) {
        const opening = { opening_balance: '9999999999.99', opening_date: '2026-01-01' };
        await created(dashboard.app, '/accounts', { name, user_id: id, iso_currency_code: name, ...opening });
      }
    });

    test('a table whose columns do not fit is laid out as cards, until there is room for them', async () => {
      const page = await dashboard.open('/', { as: ana });
      const table = page.getByRole('table', { name: 'Net worth by member and currency' });
      const shown = `getComputedStyle(document.querySelector('table:has(caption)')).display`;
      const display = () => page.evaluate<string>(shown);
      await table.waitFor();
      expect(await display()).toBe('table');
      for (const [width, expected] of [
        [1024, 'block'],
        [768, 'block'],
        [1280, 'table'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(display).toBe(expected);
        await expectNoSidewaysScrolling(page);
      }
      // Cards from the first paint on, and each amount with the currency as its label.
      await page.setViewportSize({ width: 1024, height: 900 });
      await page.reload();
      await table.waitFor();
      expect(await display()).toBe('block');
      expect(await table.getByRole('cell').first().innerText()).toContain('EUR');
    });
  },
  ['SQLite'],
);
