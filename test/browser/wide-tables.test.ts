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
      await created(dashboard.app, '/api-keys', {
        name: 'The laptop in the kitchen',
        scope: 'read_only',
        expires_at: '2030-01-02T00:00:00Z',
      });
    });

    test('a table whose columns do not fit is laid out as cards, until there is room for them', async () => {
      const page = await dashboard.open('/settings/api-keys', { as: ana });
      const table = page.getByRole('table', { name: 'API keys, newest first' });
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
      // Cards from the first paint on, and each value with its heading as its label.
      await page.setViewportSize({ width: 1024, height: 900 });
      await page.reload();
      await table.waitFor();
      expect(await display()).toBe('block');
      await expect.poll(() => table.getByRole('cell').first().innerText()).toContain('State');
    });
  },
  ['SQLite'],
);
