import { beforeAll, expect, test } from 'vitest';

import { browserTest } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** A field of the page, and a modal dialog with one of its own that closes by itself. */
const COVER = `
  document.body.innerHTML = '<label>Behind <input value="before"></label><dialog><label>Inside <input></label></dialog>';
  const dialog = document.querySelector('dialog');
  dialog.showModal();
  dialog.querySelector('input').focus();
  setTimeout(() => dialog.close(), 1500);
`;

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(dashboard.app, { name: 'Ana' });
    });

    test.each(['', 'after'])('what a test types behind a dialog arrives once that is closed: %j', async (text) => {
      const page = await dashboard.open('/', { as: ana });
      await page.evaluate(COVER);
      await page.locator('label', { hasText: 'Behind' }).locator('input').fill(text);
      await expect.poll(() => page.locator('label', { hasText: 'Behind' }).locator('input').inputValue()).toBe(text);
      await expect.poll(() => page.locator('dialog input').inputValue()).toBe('');
    });
  },
  ['SQLite'],
);
