import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectAccessibleState, expectGoodLooks, isFocused } from '../harness/browser.ts';
import { openJar } from '../harness/cookie-jar.ts';
import { PASSWORD, addLogin, signIn, type SignedIn } from '../harness/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const EMAIL = 'ana@home.example';
const NEW_PASSWORD = 'correct horse battery';
const MINUTE_MS = 60_000;

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let carla: SignedIn;
    beforeAll(async () => {
      carla = await signIn(browser.app, { name: 'Carla' });
      await addLogin(browser.app);
    });

    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const accountMenu = (page: Page, name: string) =>
      page.getByRole('button', { name: new RegExp(`^${name} ?, account menu`) });
    const pathOf = (page: Page) => page.url().slice(browser.address.length);

    async function enter(page: Page, email: string, password: string): Promise<void> {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
    }

    test('signing in and out by keyboard alone: a wrong pair is told, the page that was asked for comes next', async () => {
      const page = await browser.open('/settings/system');
      const { keyboard } = page;
      expect(pathOf(page)).toBe('/login?next=%2Fsettings%2Fsystem');
      await heading(page, 'Sign in');
      expect(await isFocused(page.getByLabel('E-mail'))).toBe(true);
      await keyboard.press('Enter');
      await page.getByText('Must not be empty.').first().waitFor();
      await keyboard.type(EMAIL);
      await keyboard.press('Tab');
      await keyboard.insertText('not my password');
      await keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'password' }).waitFor();
      await expectGoodLooks(page, 'login-wrong');
      expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
      await page.getByLabel('Password', { exact: true }).focus();
      await keyboard.press('ControlOrMeta+a');
      await keyboard.insertText(PASSWORD);
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.press('Space');
      await keyboard.press('Enter');
      await heading(page, 'System');
      expect(pathOf(page)).toBe('/settings/system');
      const [session] = (await page.context().cookies()).filter(({ name }) => name === 'homeledger_session');
      expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(session?.expires).toBeGreaterThan(0);

      await accountMenu(page, 'Ana').press('Enter');
      await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
      await heading(page, 'Sign in');
      expect(await page.getByText('that has ended').count()).toBe(0);
      await page.goBack();
      await heading(page, 'Sign in');
    });

    test('an address of another site leads to the start page', async () => {
      for (const next of ['//evil.example', '/%5Cevil.example', 'https%3A%2F%2Fevil.example']) {
        const page = await browser.open(`/login?next=${next}`, { as: carla });
        expect(pathOf(page)).toBe('/');
        await page.context().close();
      }
      const page = await browser.open('/login?next=https%3A%2F%2Fevil.example%2Flogin');
      await enter(page, EMAIL, PASSWORD);
      await heading(page, 'Home');
      expect(pathOf(page)).toBe('/');
    });

    test('after too many failures the page says when to try again, and then the right password works', async () => {
      const tooLong = 'x'.repeat(201);
      const body = { identifier: EMAIL, password: tooLong };
      for (let i = 0; i < 5; i++) await browser.app.request('POST', '/auth/login', { key: null, body });
      const page = await browser.open('/login', { width: 360, theme: 'dark' });
      await enter(page, EMAIL, PASSWORD);
      await page.getByText('You can try again in 60 s.').waitFor();
      await expectAccessibleState(page, 'login-limited');
      expect(await button(page, 'Sign in').getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Enter');
      browser.app.clock.advance(MINUTE_MS);
      await page.clock.setFixedTime(browser.app.clock.now());
      await page.getByText('You can try again now.').first().waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'Home');
    });

    test('a changed password ends the other sessions, and the sign-in page says that it has ended', async () => {
      const page = await browser.open('/login');
      await enter(page, EMAIL, PASSWORD);
      await heading(page, 'Home');
      const elsewhere = openJar(browser.app);
      await elsewhere.signIn(EMAIL, PASSWORD);
      const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
      expect((await elsewhere.request('POST', '/auth/password', { body })).status).toBe(204);
      await page.reload();
      await page.getByText('You were signed in here, and that has ended.').waitFor();
      await expectAccessibleState(page, 'login-ended');
      await enter(page, EMAIL, NEW_PASSWORD);
      await heading(page, 'Home');
    });

    test('other tabs load again when somebody else has signed in', async () => {
      const first = await browser.open('/login');
      await enter(first, EMAIL, NEW_PASSWORD);
      await heading(first, 'Home');
      const second = await first.context().newPage();
      await second.goto(browser.address);
      await accountMenu(second, 'Ana').waitFor();
      const { name, value } = { name: 'homeledger_session', value: carla.token };
      await first.context().addCookies([{ name, value, url: browser.address, httpOnly: true, sameSite: 'Lax' }]);
      await second.reload();
      await accountMenu(second, 'Carla').waitFor();
      await accountMenu(first, 'Carla').waitFor();
    });

    test('an invitation is used once, by keyboard alone; what is refused leaves it good, and looking uses nothing up', async () => {
      const { member, login } = await addLogin(browser.app, { name: 'Ben', password: null, role: 'viewer' });
      const path = await newLink(member.short_id, login.short_id);
      const asCarla = await browser.open(path, { as: carla, width: 360, theme: 'dark' });
      await asCarla.getByText('Carla is signed in on this browser').waitFor();
      await expectAccessibleState(asCarla, 'invite-somebody-else');

      const page = await browser.open(path);
      const { keyboard } = page;
      await heading(page, 'Welcome, Ben');
      await page.getByText('Carla invites you to Household.').waitFor();
      await keyboard.press('Tab');
      expect(await page.locator(':focus').inputValue()).toBe('ben@home.example');
      await keyboard.press('Tab');
      await keyboard.insertText('1234567890');
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.insertText('1234567890');
      await keyboard.press('Enter');
      await page.getByText('most used passwords').waitFor();
      expect(await isFocused(page.getByLabel('Password', { exact: true }))).toBe(true);
      await expectGoodLooks(page, 'invite-refused');
      await keyboard.press('ControlOrMeta+a');
      await keyboard.insertText(NEW_PASSWORD);
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.press('ControlOrMeta+a');
      await keyboard.insertText(NEW_PASSWORD);
      await keyboard.press('Enter');
      await accountMenu(page, 'Ben').waitFor();

      await asCarla.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await asCarla.getByLabel('Password again').fill(PASSWORD);
      await asCarla.keyboard.press('Enter');
      await heading(asCarla, 'This link does not work any more');
      await expectAccessibleState(asCarla, 'invite-used');
      await page.goto(browser.address + path);
      await heading(page, 'This link does not work any more');

      const reset = await newLink(member.short_id, login.short_id);
      await page.goto(browser.address + reset);
      await heading(page, 'Set a new password');
      await expectAccessibleState(page, 'invite-reset');
    });

    async function newLink(member: string, login: string): Promise<string> {
      const path = `/api/v1/users/${member}/login/${login}/regenerate-token`;
      const { json } = await browser.app.request('POST', path, { key: null, headers: carla.headers });
      return `/invite/${json.setup_token}`;
    }
  },
  ['SQLite'],
);
