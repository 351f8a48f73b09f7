import { beforeAll, expect, test } from 'vitest';

import { browserTest } from '../harness/browser/browser.ts';
import { signIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    beforeAll(async () => {
      await signIn(browser.app);
    });

    test('a page that is opened signed out leads to the sign-in page, and back to itself afterwards', async () => {
      const page = await browser.open('/settings/system?from=mail');
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
        '/login?next=%2Fsettings%2Fsystem%3Ffrom%3Dmail',
      );
    });
  },
  ['SQLite'],
);
