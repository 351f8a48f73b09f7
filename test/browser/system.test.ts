import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks, focusedName, isFocused } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
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

    test('the help lists the shortcuts, which can be switched off', async () => {
      const page = await browser.open('/help', { as: ana });
      const privacy = page.locator('section').filter({ hasText: 'What leaves your server' });
      await privacy.waitFor();
      const items = async () => (await privacy.getByRole('listitem').allInnerTexts()).map((text) => text.split(':')[0]);
      await expect.poll(items).toEqual(['Connected banks', 'Workflows', 'Agents', 'Notifications']);
      await expectGoodLooks(page, 'help');
      await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
      await page.getByRole('heading', { name: 'Help', level: 1 }).click();
      await page.keyboard.press('?');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    });

    test('on a phone the menu is a page of its own', async () => {
      const page = await browser.open('/help', { as: ana, width: 360 });
      await page.getByRole('button', { name: 'Menu', exact: true }).tap();
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await menu.getByRole('link', { name: 'Settings' }).waitFor();
      await expectGoodLooks(page, 'menu');
      await menu.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
      expect(await menu.count()).toBe(0);
    });

    test('a chosen theme stays, and is there before the first paint', async () => {
      const page = await browser.open('/help', { as: ana });
      const themeOf = () => page.locator('html').getAttribute('data-theme');
      await expect.poll(themeOf).toBe('light');
      await page.getByRole('button', { name: /account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Theme: dark' }).click();
      await expect.poll(themeOf).toBe('dark');
      // Without its modules there is the frame only, in its theme already.
      await page.route('**/assets/index-*.js', (route) => route.abort());
      await page.reload();
      await expect.poll(async () => [await themeOf(), await page.getByRole('main').count()]).toEqual(['dark', 0]);
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      await expect.poll(background).toBe('rgb(18, 22, 20)');
    });

    test('the skip link comes first and leads to the content', async () => {
      const page = await browser.open('/help', { as: ana });
      await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true);
    });
  },
  ['SQLite'],
);
