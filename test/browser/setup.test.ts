import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { openFirstRun } from '../../src/features/setup/index.ts';
import { setupInvitation } from '../../src/surfaces/cli/server/setup-links.ts';
import { browserTest, expectAccessibleState, expectGoodLooks, isFocused } from '../harness/browser.ts';
import { addMember, type Made } from '../harness/ledger.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const BASE_URL = 'https://ledger.example';
const PASSWORD = 'correct horse battery';
const DAY_MS = 86_400_000;

forEachDatabase(
  (database) => {
    // In a home network, beside the public address: plain http, so no clipboard, and no token without being asked.
    const browser = browserTest(database, { host: 'nas.lan', env: { HOMELEDGER_BASE_URL: BASE_URL } });
    let ana: Made;
    /** Left open, with everything filled in. */
    let waiting: Page;
    beforeAll(async () => {
      ana = await addMember(browser.app, 'Ana');
    });

    /** The link that the server prints. */
    async function printedLink(): Promise<string> {
      const token = (await openFirstRun(browser.app.app.instance)) as string;
      const place = { baseUrl: BASE_URL, host: '127.0.0.1', port: '8080', interfaces: {} };
      return /\S+token=\S+/.exec(setupInvitation(place, token))?.[0] as string;
    }

    async function membersAndSettings() {
      const users = await browser.app.request('GET', '/api/v1/users');
      const config = await browser.app.request('GET', '/api/v1/config');
      const values = Object.fromEntries(
        (config.json as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
      );
      return { users: users.json as { short_id: string; name: string; email: string | null }[], values };
    }

    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    const button = (page: Page, name: string) => page.getByRole('button', { name });

    test('a link that does not work says where to find one; when it expires, what was typed is kept', async () => {
      const first = await printedLink();
      const page = await browser.open('/setup?token=of-last-year');
      await page.getByText('This setup link does not work').waitFor();
      await page.getByRole('heading', { name: 'Where to find it' }).waitFor();
      await expectAccessibleState(page, 'setup-link-wrong');
      await page.goto(`${browser.address}/setup${new URL(first).search}`);
      await heading(page, 'Who are you?');
      expect(page.url()).toBe(`${browser.address}/setup`);

      await button(page, 'Continue').click();
      await page.getByText('Choose who you are.').waitFor();
      expect(await isFocused(page.getByLabel('Ana'))).toBe(true);
      await expectAccessibleState(page, 'setup-person-errors');
      await page.getByLabel('Somebody who is not listed').check();
      await page.getByLabel('Your name').fill('Zoe');
      await page.getByLabel('E-mail').fill('zoe@home.example');
      await page.getByLabel('Password', { exact: true }).fill('QwertyUIOP');
      await page.getByLabel('Password again').fill('qwertyuiop');
      await button(page, 'Continue').click();
      await page.getByText('Differs from the password above.').waitFor();
      await page.getByLabel('Password again').fill('QwertyUIOP');
      await button(page, 'Continue').click();
      await heading(page, 'Your household');
      await page.getByLabel('Name', { exact: false }).first().fill('Lake house');

      await button(page, 'Set up Homeledger').click();
      await page.getByText('most used passwords').waitFor();
      expect(await isFocused(page.getByLabel('Password', { exact: true }))).toBe(true);
      await expectAccessibleState(page, 'setup-password-refused');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Password again').fill(PASSWORD);
      await button(page, 'Continue').click();
      await heading(page, 'Your household');

      await page.context().setOffline(true);
      await button(page, 'Set up Homeledger').click();
      await page.getByText('What you have entered is kept.').waitFor();
      await page.context().setOffline(false);
      await page.getByText('What you have entered is kept.').waitFor({ state: 'detached' });

      browser.app.clock.advance(DAY_MS + 1);
      await button(page, 'Set up Homeledger').click();
      await page.getByText('The setup link has expired meanwhile.').waitFor();
      await expectAccessibleState(page, 'setup-token-expired');
      await page.getByLabel('Setup link').fill(await printedLink());
      await button(page, 'Continue').click();
      await heading(page, 'Who are you?');
      expect(await page.getByLabel('E-mail').inputValue()).toBe('zoe@home.example');
      await button(page, 'Continue').click();
      expect(await page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Lake house');
      waiting = page;
      expect((await membersAndSettings()).users).toEqual([expect.objectContaining({ name: 'Ana', email: null })]);
    });

    test('with the printed link, by keyboard alone, a member becomes the first administrator and stays signed in', async () => {
      const page = await browser.open('/');
      const { keyboard } = page;
      await heading(page, 'Set up Homeledger');
      expect(page.url()).toBe(`${browser.address}/setup`);
      await expectGoodLooks(page, 'setup-token');
      await keyboard.type('wrong');
      await keyboard.press('Enter');
      await page.getByText('This link does not work. Look for the newest one.').waitFor();
      await keyboard.press('ControlOrMeta+a');
      await keyboard.insertText(await printedLink());
      await keyboard.press('Enter');

      await heading(page, 'Who are you?');
      await keyboard.press('Tab');
      await keyboard.press('Space');
      await keyboard.press('Tab');
      await keyboard.type('Ana@home.example');
      await keyboard.press('Tab');
      await keyboard.insertText(PASSWORD);
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.insertText(PASSWORD);
      await expectGoodLooks(page, 'setup-person');
      await keyboard.press('Enter');

      await heading(page, 'Your household');
      await keyboard.press('Tab');
      await keyboard.type('Canal house');
      await keyboard.press('Tab');
      await keyboard.type('EUR');
      expect(await page.getByLabel('Time zone').inputValue()).toBe('UTC');
      await keyboard.press('Tab');
      await keyboard.type('Europe/Ams');
      await keyboard.press('Tab');
      await keyboard.press('Space');
      await expectGoodLooks(page, 'setup-household');
      await keyboard.press('Tab');
      await keyboard.press('Enter');

      await heading(page, 'Your first API key');
      const key = (await page.locator('code').textContent()) as string;
      expect((await browser.app.request('GET', '/api/v1/keys/me', { key })).json.scope).toBe('full_access');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await page.getByText('Selected.').waitFor();
      expect(await page.evaluate('getSelection().toString()')).toBe(key);
      await expectGoodLooks(page, 'setup-key');
      await keyboard.press('Tab');
      await keyboard.press('Enter');

      await heading(page, 'Keep a copy of the encryption key');
      await page.getByText('encryption.key').waitFor();
      expect(await page.content()).not.toContain(key);
      await expectAccessibleState(page, 'setup-encryption');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await heading(page, 'Welcome home, Ana');
      await expectAccessibleState(page, 'setup-next');

      const { users, values } = await membersAndSettings();
      expect(users).toEqual([expect.objectContaining({ short_id: ana.short_id, email: 'ana@home.example' })]);
      expect(values).toMatchObject({
        'household.name': 'Canal house',
        'instance.timezone': 'Europe/Amsterdam',
        'setup.encryption_key_acknowledged_at': expect.stringMatching(/^2026-04-/),
        default_currency: 'EUR',
      });
      await page.getByRole('link', { name: 'Go to the start page' }).press('Enter');
      await heading(page, 'Home');
      await page.reload();
      await heading(page, 'Home');
    });

    test('once set up, nobody sets up again, and signing in lasts at the address at home too', async () => {
      await button(waiting, 'Set up Homeledger').click();
      await heading(waiting, 'Homeledger is set up already');
      await expectAccessibleState(waiting, 'setup-already');
      await waiting.getByRole('link', { name: 'Sign in' }).click();
      const page = await browser.open('/setup');
      await heading(page, 'Sign in');
      await page.getByLabel('E-mail').fill('ana@home.example');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await heading(page, 'Home');
      await page.reload();
      await heading(page, 'Home');
      await page.goto(`${browser.address}/setup`);
      await heading(page, 'Home');
      expect((await membersAndSettings()).users).toHaveLength(1);
    });
  },
  ['SQLite'],
);
