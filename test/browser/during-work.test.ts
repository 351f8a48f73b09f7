import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { addLogin, PASSWORD, signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** What goes wrong while somebody works, on any page: the system page stands for all. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: Awaited<ReturnType<typeof addLogin>>;
    let ben: SignedIn;
    beforeAll(async () => {
      ana = await addLogin(browser.app);
      ben = await signIn(browser.app, { name: 'Ben', role: 'viewer' });
    });

    /** Signs in as the sign-in page does. */
    async function openAsAna(path: string): Promise<Page> {
      const page = await browser.open('/login');
      const data = { identifier: ana.login.identifier, password: PASSWORD };
      await page.request.post(`${browser.address}/auth/login`, { data, headers: { 'sec-fetch-site': 'same-origin' } });
      await page.goto(browser.address + path);
      return page;
    }

    test('a session that ends is signed in again on the spot, and the action is repeated', async () => {
      const page = await openAsAna('/settings/system');
      await page.getByRole('button', { name: 'I have a copy' }).waitFor();
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'I have a copy' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(ana.login.identifier);
      await expectGoodLooks(page, 'sign-in-again');
      await dialog.getByLabel('Password', { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').first().waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByText('Copy confirmed').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    test('a session that ends while nobody is looking loses nothing typed, and is signed in again as the same person', async () => {
      const page = await openAsAna('/settings/general');
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Harbour house');
      await page.context().clearCookies();
      const minutes = 10 * 60_000;
      await page.clock.setFixedTime(browser.app.clock.now() + minutes);
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(ana.login.identifier);
      expect(await dialog.getByLabel('Email').getAttribute('readonly')).not.toBeNull();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Save household' }).click();
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/settings/general');
      await expect.poll(() => name.inputValue()).toBe('Harbour house');
    });

    test('whoever does not want to sign in again is left alone by the page, until they do something', async () => {
      const page = await openAsAna('/settings/notifications');
      await page.getByText('No channels yet').waitFor();
      await page.context().clearCookies();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      const look = (): Promise<unknown> => page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      const refused = () => page.waitForResponse((answer) => answer.status() === 401);
      // The page asks for its lists every ten seconds.
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      const ended = page.getByRole('main').getByText('Your session has ended. Sign in to continue.').first();
      await ended.waitFor();
      await Promise.all([refused(), look()]);
      await page.evaluate('new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))');
      expect(await dialog.count()).toBe(0);
      expect(await page.getByText('X-API-Key').count()).toBe(0);
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).first().click();
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByText('No channels yet').waitFor();
      await expect.poll(() => ended.count()).toBe(0);
    });

    test('a viewer is told why, and the same request by hand is refused', async () => {
      const page = await browser.open('/settings/system', { as: ben });
      const button = page.getByRole('button', { name: 'I have a copy' });
      await button.waitFor();
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => page.getByText('Only an admin of the household can do this.').count()).toBeGreaterThan(0);
      const key = `${browser.address}/api/v1/config/setup.encryption_key_acknowledged_at`;
      const headers = { 'sec-fetch-site': 'same-origin' };
      const answer = await page.request.put(key, { data: { value: '2026-04-26T06:00:00Z' }, headers });
      expect(answer.status()).toBe(403);
    });

    test('while the server is gone a banner says so, and afterwards everything is read again', async () => {
      const page = await browser.open('/help', { as: ben });
      await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
      const isOurs = /\/(api|health|version|auth)\b/;
      let isGone = true;
      const isBack = Promise.withResolvers<void>();
      await page.route(isOurs, async (route) => {
        if (isGone) return route.abort();
        await isBack.promise;
        return route.continue();
      });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('system');
      await page.keyboard.press('Enter');
      await page.getByText('Cannot reach Homeledger. What you entered is kept.').waitFor();
      await expectGoodLooks(page, 'server-gone');
      // The page asks by itself too: until the button has been pressed, nothing may be answered.
      isGone = false;
      const asked = page.waitForRequest(/\/health\b/);
      await page.getByRole('button', { name: 'Try now' }).click();
      await asked;
      isBack.resolve();
      await page.getByText('Embedded database (SQLite)').waitFor();
      expect(await page.getByText('Cannot reach Homeledger.').count()).toBe(0);
    });

    test('pressed again after a lost answer, a button repeats its write until that has ended', async () => {
      const page = await openAsAna('/settings/api-keys');
      const keys: (string | undefined)[] = [];
      await page.route('**/api/v1/api-keys', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length === 1) return route.abort();
        if (keys.length > 3) return route.continue();
        const message = keys.length === 2 ? 'The first request is still running.' : 'Too many requests.';
        const code = keys.length === 2 ? 'CONFLICT' : 'RATE_LIMITED';
        const details = keys.length === 2 ? [{ path: 'Idempotency-Key', message }] : [];
        return route.fulfill({ status: keys.length === 2 ? 409 : 429, json: { error: { code, message, details } } });
      });
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Once');
      const create = page.getByRole('button', { name: 'Create key' });
      for (const said of ['Cannot reach Homeledger. Check', 'still running', 'Too many requests', 'I have saved it']) {
        await create.click();
        await page.getByRole('dialog').getByText(said).waitFor();
      }
      expect(new Set(keys).size).toBe(1);
      expect(keys).toHaveLength(4);
    });

    test('a limit is waited for as long as the server says, and again while others go first', async () => {
      const page = await browser.open('/help', { as: ben });
      let refused = 0;
      await page.route('**/api/v1/headless/bootstrap', async (route) => {
        if (refused > 2) return route.continue();
        refused += 1;
        const error = { code: 'RATE_LIMITED', message: 'Too many requests. Try again in 1 s.' };
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } });
      });
      await page.goto(`${browser.address}/settings/system`);
      await page.getByText('Embedded database (SQLite)').waitFor();
      expect(refused).toBe(3);
    });
  },
  ['SQLite'],
);
