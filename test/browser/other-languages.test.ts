import { expect, test } from 'vitest';

import { browserTest, expectAccessible, expectNoSidewaysScrolling } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);

    test('times in the words of the browser say in which language they are, and may run the other way', async () => {
      const ana = await signIn(dashboard.app, { name: 'Ana' });
      await created(dashboard.app, '/api-keys', {
        name: 'Old',
        scope: 'read_only',
        expires_at: '2030-01-02T00:00:00Z',
      });
      const english = await dashboard.open('/settings/api-keys', { as: ana });
      await expect.poll(() => english.locator('main time').first().getAttribute('lang')).toMatch(/^en/);
      const cookies = await english.context().cookies();
      for (const locale of ['ar-EG', 'ja-JP']) {
        const context = await english
          .context()
          .browser()
          ?.newContext({ locale, viewport: { width: 360, height: 780 } });
        await context?.addCookies(cookies);
        const page = await context?.newPage();
        if (!page) throw new Error('The browser is closed.');
        await page.goto(`${dashboard.address}/settings/api-keys`);
        const time = page.locator('main time').first();
        await expect.poll(() => time.getAttribute('lang')).toMatch(new RegExp(`^${locale.slice(0, 2)}`));
        expect(await page.locator('main time:dir(rtl)').count()).toBe(
          locale === 'ar-EG' ? await page.locator('main time').count() : 0,
        );
        await expectAccessible(page);
        await expectNoSidewaysScrolling(page);
        await context?.close();
      }
    });
  },
  ['SQLite'],
);
