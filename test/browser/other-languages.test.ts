import { expect, test } from 'vitest';

import { browserTest, expectAccessible, expectNoSidewaysScrolling } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);

    test('words, dates and numbers are in one language, whatever that of the browser is', async () => {
      const ana = await signIn(dashboard.app, { name: 'Ana' });
      await created(dashboard.app, '/api-keys', {
        name: 'Old',
        scope: 'read_only',
        expires_at: '2030-01-02T00:00:00Z',
      });
      const british = await dashboard.open('/settings/api-keys', { as: ana });
      const cookies = await british.context().cookies();
      const times: Record<string, string> = {};
      for (const locale of ['en-GB', 'en-US', 'de-DE', 'ar-EG', 'ja-JP']) {
        const context = await british
          .context()
          .browser()
          ?.newContext({ locale, viewport: { width: 360, height: 780 } });
        await context?.addCookies(cookies);
        const page = await context?.newPage();
        if (!page) throw new Error('The browser is closed.');
        await page.goto(`${dashboard.address}/settings/api-keys`);
        const time = page.locator('main time').filter({ hasText: '2030' });
        await time.waitFor();
        times[locale] = await time.innerText();
        await expectAccessible(page);
        await expectNoSidewaysScrolling(page);
        await context?.close();
      }
      const american = 'Jan 2, 2030';
      expect(times).toEqual({
        'en-GB': '2 Jan 2030',
        'en-US': american,
        'de-DE': american,
        'ar-EG': american,
        'ja-JP': american,
      });
    });
  },
  ['SQLite'],
);
