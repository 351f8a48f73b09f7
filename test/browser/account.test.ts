import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';

import { openFirstRun } from '../../src/features/setup/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/dates.ts';
import { setupInvitation } from '../../src/surfaces/cli/server/setup-links.ts';
import { browserTest, expectGoodLooks, isFocused, photographAll } from '../harness/browser/browser.ts';
import { openJar } from '../harness/people/cookie-jar.ts';
import { addMember, type Made } from '../harness/ledger.ts';
import { addLogin, signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase, type TestApp } from '../harness/test-app.ts';

const BASE_URL = 'https://ledger.example';
const HOST = 'nas.lan';
const NEW_PASSWORD = 'correct horse battery';
const PHONE = { width: 360 } as const;
const POLL_MS = 5_000;
const EXPIRY_MS = 600_000;

interface Started {
  device_code: string;
  user_code: string;
  verification_url_complete: string;
}

/** The first admin; her password as it is now. */
const ana = { name: 'Ana', email: 'ana@home.example', password: 'tin roof, rusted' };

/** Where no test has set the household up before. */
async function ensureAna(app: TestApp): Promise<void> {
  const { json } = await app.request('GET', '/api/v1/users');
  if (!(json as { email: string | null }[]).some(({ email }) => email === ana.email)) await addLogin(app);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

forEachDatabase(
  (database) => {
    // On a home network, besides its public address: plain http, so no clipboard, and no token unless it is entered.
    const browser = browserTest(database, { host: HOST, env: { HOMELEDGER_BASE_URL: BASE_URL } });

    describe('setting up', () => {
      let member: Made;
      /** Left open, with everything filled in. */
      let waiting: Page;
      beforeAll(async () => {
        member = await addMember(browser.app, 'Ana');
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

      test('a link that does not work says where to find one; when it expires, what was typed is kept', async () => {
        const first = await printedLink();
        const page = await browser.open('/setup?token=of-last-year');
        await page.getByText('This setup link does not work').waitFor();
        await page.getByRole('heading', { name: 'Where to find it' }).waitFor();
        await photographAll(page, 'setup-link-wrong');
        await page.goto(`${browser.address}/setup${new URL(first).search}`);
        await heading(page, 'Who are you?');
        expect(page.url()).toBe(`${browser.address}/setup`);

        await button(page, 'Continue').click();
        await page.getByText('Choose who you are.').waitFor();
        await expect.poll(() => isFocused(page.getByLabel('Ana'))).toBe(true);
        await expectGoodLooks(page, 'setup-person-errors');
        await page.getByLabel('Someone who is not listed').check();
        await page.getByLabel('Your name').fill('Zoe');
        await page.getByLabel('Email').fill('zoe@home.example');
        await page.getByLabel('Password', { exact: true }).fill('QwertyUIOP');
        await page.getByLabel('Repeat password').fill('qwertyuiop');
        await button(page, 'Continue').click();
        await page.getByText('Must match the password above.').waitFor();
        await page.getByLabel('Repeat password').fill('QwertyUIOP');
        await button(page, 'Continue').click();
        await heading(page, 'Your household');
        await page.getByLabel('Name', { exact: false }).first().fill('Lake house');

        await button(page, 'Set up Homeledger').click();
        await page.getByText('too common').waitFor();
        await expect.poll(() => isFocused(page.getByLabel('Password', { exact: true }))).toBe(true);
        await photographAll(page, 'setup-password-refused');
        await page.getByLabel('Password', { exact: true }).fill(ana.password);
        await page.getByLabel('Repeat password').fill(ana.password);
        await button(page, 'Continue').click();
        await heading(page, 'Your household');

        await page.context().setOffline(true);
        await button(page, 'Set up Homeledger').click();
        await page.getByText('What you entered is kept.').waitFor();
        await page.context().setOffline(false);
        await page.getByText('What you entered is kept.').waitFor({ state: 'detached' });

        browser.app.clock.advance(DAY_MS + 1);
        await button(page, 'Set up Homeledger').click();
        await page.getByText('The setup link has expired.').waitFor();
        await photographAll(page, 'setup-token-expired');
        await page.getByLabel('Setup link').fill(await printedLink());
        await button(page, 'Continue').click();
        await heading(page, 'Who are you?');
        await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('zoe@home.example');
        await button(page, 'Continue').click();
        await expect.poll(() => page.getByLabel('Name', { exact: false }).first().inputValue()).toBe('Lake house');
        waiting = page;
        expect((await membersAndSettings()).users).toEqual([expect.objectContaining({ name: 'Ana', email: null })]);
      });

      test('with the printed link, by keyboard alone, a member becomes the first admin and stays signed in', async () => {
        const page = await browser.open('/');
        const { keyboard } = page;
        await heading(page, 'Set up Homeledger');
        expect(page.url()).toBe(`${browser.address}/setup`);
        await photographAll(page, 'setup-token');
        await keyboard.type('wrong');
        await keyboard.press('Enter');
        await page.getByText('This link does not work. Use the newest one.').waitFor();
        await keyboard.press('ControlOrMeta+a');
        await keyboard.insertText(await printedLink());
        await keyboard.press('Enter');

        await heading(page, 'Who are you?');
        await keyboard.press('Tab');
        await keyboard.press('Space');
        await keyboard.press('Tab');
        await keyboard.type('Ana@home.example');
        await keyboard.press('Tab');
        await keyboard.insertText(ana.password);
        await keyboard.press('Tab');
        await keyboard.press('Tab');
        await keyboard.insertText(ana.password);
        await photographAll(page, 'setup-person');
        await keyboard.press('Enter');

        await heading(page, 'Your household');
        await keyboard.press('Tab');
        await keyboard.type('Canal house');
        await keyboard.press('Tab');
        // Proposed by the region of the browser's language, for its zone says nothing.
        await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('GBP');
        await keyboard.type('EUR');
        await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('UTC');
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
        await photographAll(page, 'setup-encryption');
        await keyboard.press('Tab');
        await keyboard.press('Enter');
        await heading(page, 'Welcome, Ana');
        await photographAll(page, 'setup-next');

        const { users, values } = await membersAndSettings();
        expect(users).toEqual([expect.objectContaining({ short_id: member.short_id, email: ana.email })]);
        expect(values).toMatchObject({
          'household.name': 'Canal house',
          'instance.timezone': 'Europe/Amsterdam',
          'setup.encryption_key_acknowledged_at': expect.stringMatching(/^2026-04-/),
          default_currency: 'EUR',
        });
        await page.getByRole('link', { name: 'Go to Home' }).press('Enter');
        await heading(page, 'Home');
        await page.reload();
        await heading(page, 'Home');
      });

      test('once set up, nobody sets up again, and signing in lasts at the address at home too', async () => {
        await button(waiting, 'Set up Homeledger').click();
        await heading(waiting, 'Homeledger is already set up');
        await photographAll(waiting, 'setup-already');
        await waiting.getByRole('link', { name: 'Sign in' }).click();
        const page = await browser.open('/setup');
        await heading(page, 'Sign in');
        await page.getByLabel('Email').fill(ana.email);
        await page.getByLabel('Password', { exact: true }).fill(ana.password);
        await page.keyboard.press('Enter');
        await heading(page, 'Home');
        await page.reload();
        await heading(page, 'Home');
        await page.goto(`${browser.address}/setup`);
        await heading(page, 'Home');
        expect((await membersAndSettings()).users).toHaveLength(1);
      });
    });

    describe('signing in', () => {
      let carla: SignedIn;
      beforeAll(async () => {
        carla = await signIn(browser.app, { name: 'Carla' });
        await ensureAna(browser.app);
      });

      const accountMenu = (page: Page, name: string) =>
        page.getByRole('button', { name: new RegExp(`^${name} ?, account menu`) });
      const pathOf = (page: Page) => page.url().slice(browser.address.length);

      async function enter(page: Page, email: string, password: string): Promise<void> {
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.keyboard.press('Enter');
      }

      test('signing in and out by keyboard alone: a wrong pair is told, the page that was asked for comes next', async () => {
        const page = await browser.open('/settings/system');
        const { keyboard } = page;
        expect(pathOf(page)).toBe('/login?next=%2Fsettings%2Fsystem');
        await heading(page, 'Sign in');
        await expect.poll(() => isFocused(page.getByLabel('Email'))).toBe(true);
        await keyboard.press('Enter');
        await page.getByText('Must not be empty.').first().waitFor();
        await keyboard.type(ana.email);
        await keyboard.press('Tab');
        await keyboard.insertText('not my password');
        await keyboard.press('Enter');
        await page.getByText('The email address or the password is wrong.').waitFor();
        await expect.poll(() => isFocused(page.getByLabel('Password', { exact: true }))).toBe(true);
        await expectGoodLooks(page, 'login-wrong');
        await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(ana.email);
        // What was typed is selected, so that typing replaces it.
        await keyboard.insertText(ana.password);
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
        const signedIn = await browser.open('/login', { as: carla });
        for (const next of ['//evil.example', '/%5Cevil.example', 'https%3A%2F%2Fevil.example']) {
          await signedIn.goto(`${browser.address}/login?next=${next}`);
          expect(pathOf(signedIn)).toBe('/');
        }
        const page = await browser.open('/login?next=https%3A%2F%2Fevil.example%2Flogin');
        await enter(page, ana.email, ana.password);
        await heading(page, 'Home');
        expect(pathOf(page)).toBe('/');
      });

      test('a sign-in that seems to come from elsewhere is refused with what mends it, and keeps what was typed', async () => {
        const page = await browser.open('/login', PHONE);
        // What the server answers behind a proxy that does not pass on the host; a browser lets nobody change its origin.
        await page.route('**/auth/login', async (route) => {
          const headers = { origin: 'https://proxy.example' };
          const body = route.request().postDataJSON() as object;
          const { status, json } = await browser.app.request('POST', '/auth/login', { key: null, headers, body });
          await route.fulfill({ status, json });
        });
        await enter(page, ana.email, ana.password);
        await page.getByText('https://proxy.example').waitFor();
        await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(ana.email);
        await photographAll(page, 'login-origin');
      });

      test('where the dashboard is switched off, signing in says so', async () => {
        const page = await browser.open('/login');
        const { json } = await browser.app.request('GET', '/api/v1/headless/bootstrap');
        await page.route('**/headless/bootstrap', (route) =>
          route.fulfill({ json: { ...json, dashboard_enabled: false } }),
        );
        await enter(page, ana.email, ana.password);
        await heading(page, 'You are signed in');
        await page.getByRole('link', { name: 'Approve a device' }).waitFor();
        await photographAll(page, 'signed-in-without-dashboard');
      });

      test('after too many failures the page says when to try again, and then the right password works', async () => {
        const tooLong = 'x'.repeat(201);
        const body = { identifier: ana.email, password: tooLong };
        for (let i = 0; i < 5; i++) await browser.app.request('POST', '/auth/login', { key: null, body });
        const page = await browser.open('/login', { width: 360, theme: 'dark' });
        await enter(page, ana.email, ana.password);
        await page.getByText('You can try again in 60 s.').waitFor();
        await photographAll(page, 'login-limited');
        await expect.poll(() => button(page, 'Sign in').getAttribute('aria-disabled')).toBe('true');
        await page.keyboard.press('Enter');
        browser.app.clock.advance(MINUTE_MS);
        await page.clock.setFixedTime(browser.app.clock.now());
        await page.getByText('You can try again now.').first().waitFor();
        await page.keyboard.press('Enter');
        await heading(page, 'Home');
      });

      test('a changed password ends the other sessions, and the sign-in page says that it has ended', async () => {
        const page = await browser.open('/login');
        await enter(page, ana.email, ana.password);
        await heading(page, 'Home');
        const elsewhere = openJar(browser.app);
        await elsewhere.signIn(ana.email, ana.password);
        const body = { current_password: ana.password, new_password: NEW_PASSWORD };
        expect((await elsewhere.request('POST', '/auth/password', { body })).status).toBe(204);
        await page.reload();
        await page.getByText('Your session has ended.').waitFor();
        await photographAll(page, 'login-ended');
        ana.password = NEW_PASSWORD;
        await enter(page, ana.email, ana.password);
        await heading(page, 'Home');
      });

      test('other tabs load again when somebody else has signed in', async () => {
        const first = await browser.open('/login');
        await enter(first, ana.email, ana.password);
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
        await photographAll(asCarla, 'invite-somebody-else');

        const page = await browser.open(path);
        const { keyboard } = page;
        await heading(page, 'Welcome, Ben');
        await page.getByText('Carla has invited you to').waitFor();
        await keyboard.press('Tab');
        await expect.poll(() => page.locator(':focus').inputValue()).toBe('ben@home.example');
        await keyboard.press('Tab');
        await keyboard.insertText('1234567890');
        await keyboard.press('Tab');
        await keyboard.press('Tab');
        await keyboard.insertText('1234567890');
        await keyboard.press('Enter');
        await page.getByText('too common').waitFor();
        await expect.poll(() => isFocused(page.getByLabel('Password', { exact: true }))).toBe(true);
        await expectGoodLooks(page, 'invite-refused');
        await keyboard.press('ControlOrMeta+a');
        await keyboard.insertText(NEW_PASSWORD);
        await keyboard.press('Tab');
        await keyboard.press('Tab');
        await keyboard.press('ControlOrMeta+a');
        await keyboard.insertText(NEW_PASSWORD);
        await keyboard.press('Enter');
        await accountMenu(page, 'Ben').waitFor();

        await asCarla.getByLabel('Password', { exact: true }).fill(ana.password);
        await asCarla.getByLabel('Repeat password').fill(ana.password);
        await asCarla.keyboard.press('Enter');
        await heading(asCarla, 'This link no longer works');
        await photographAll(asCarla, 'invite-used');
        await page.goto(browser.address + path);
        await heading(page, 'This link no longer works');

        const reset = await newLink(member.short_id, login.short_id);
        await page.goto(browser.address + reset);
        await heading(page, 'Set a new password');
        await photographAll(page, 'invite-reset');
      });

      async function newLink(member: string, login: string): Promise<string> {
        const path = `/api/v1/users/${member}/login/${login}/regenerate-token`;
        const { json } = await browser.app.request('POST', path, { key: null, headers: carla.headers });
        return `/invite/${json.setup_token}`;
      }
    });

    describe('approving a device', () => {
      let dora: SignedIn;
      beforeAll(async () => {
        await ensureAna(browser.app);
        dora = await signIn(browser.app, { name: 'Dora' });
      });

      /** Over the network, as a script or curl does. */
      async function post(path: string, body: object) {
        const headers = { 'content-type': 'application/json' };
        const address = `http://127.0.0.1:${new URL(browser.address).port}`;
        const answer = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
        // oxlint-disable-next-line typescript/no-explicit-any -- a test may look at any field
        const json = (await answer.json()) as any;
        return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json };
      }

      async function start(name: string, scope = 'read_only'): Promise<Started> {
        const { status, json } = await post('/api/v1/auth/device-code', { client_name: name, scope });
        expect(status).toBe(201);
        return json as Started;
      }

      async function poll({ device_code: code }: Started) {
        browser.app.clock.advance(POLL_MS);
        return post('/api/v1/auth/device-code/poll', { device_code: code });
      }

      const scopeOf = async (key: string) => (await browser.app.request('GET', '/api/v1/keys/me', { key })).json.scope;

      test('from a link on a phone: sign in, compare the code, approve by keyboard; the device collects its key once', async () => {
        const device = await start('Kitchen tablet', 'full_access');
        const address = new URL(device.verification_url_complete);
        const page = await browser.open(address.pathname + address.search, PHONE);
        const { keyboard } = page;
        expect(new URL(page.url()).pathname).toBe('/login');
        await page.getByLabel('Email').fill(ana.email);
        await page.getByLabel('Password', { exact: true }).fill(ana.password);
        await keyboard.press('Enter');

        await page.getByRole('heading', { name: 'Does your device show this code?' }).waitFor();
        expect(page.url()).toBe(browser.address + address.pathname + address.search);
        await expect.poll(() => page.getByLabel('Code on the device').inputValue()).toBe(device.user_code);
        await page.getByText('just now').waitFor();
        await expectGoodLooks(page, 'device-pending');
        expect((await poll(device)).json).toEqual({ status: 'authorization_pending' });

        const readOnly = page.getByRole('radio', { name: 'Read only' });
        await expect.poll(() => readOnly.isChecked()).toBe(true);
        await expect
          .poll(() => page.getByLabel('Whose device is it?').locator('option:checked').textContent())
          .toBe('Ana');
        await page.getByRole('radio', { name: 'Full access' }).check();
        await page.getByText('Full access means everything').waitFor();
        await photographAll(page, 'device-full-access');
        await readOnly.focus();
        await keyboard.press('Space');
        await keyboard.press('Tab');
        await keyboard.type('Dora');
        await keyboard.press('Tab');
        await keyboard.press('ControlOrMeta+a');
        await keyboard.type('Tablet in the kitchen');
        await keyboard.press('Tab');
        await expect.poll(() => isFocused(button(page, 'Approve'))).toBe(true);
        await page.context().clearCookies();
        await keyboard.press('Enter');
        const password = page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Password', { exact: true });
        await password.waitFor();
        await expect.poll(() => isFocused(password)).toBe(true);
        await photographAll(page, 'device-sign-in-again');
        await keyboard.insertText(ana.password);
        await keyboard.press('Enter');
        await page.getByText('will get its key within a few seconds').waitFor();
        await photographAll(page, 'device-approved');

        const { status, json } = await poll(device);
        expect([status, json.status, await scopeOf(json.token)]).toEqual([200, 'approved', 'read_only']);
        await page.getByText('The device is connected').waitFor();
        await photographAll(page, 'device-connected');
        expect(await poll(device)).toMatchObject({
          status: 400,
          json: { status: 'consumed', error: { code: 'CONSUMED' } },
        });
        const [made] = (await browser.app.request('GET', '/api/v1/api-keys')).json;
        expect(made).toMatchObject({ name: 'Tablet in the kitchen', user_id: dora.member.short_id });
      });

      test('a device that wants to propose is offered that, and gets the key of an agent', async () => {
        const device = await start('Claws', 'propose');
        const page = await browser.open(`/auth/device?code=${device.user_code}`, { as: dora });
        const scopes = page.getByRole('radio');
        await scopes.first().waitFor();
        await expect.poll(() => scopes.count()).toBe(3);
        expect(await page.getByRole('radio', { name: /^Propose: a person approves each change/ }).isChecked()).toBe(
          true,
        );
        await expectGoodLooks(page, 'device-propose');
        await button(page, 'Approve').click();
        await page.getByText('propose, so that a person approves each change').waitFor();
        const { token: key } = (await poll(device)).json;
        const own = await browser.app.request('GET', '/api/v1/keys/me', { key });
        expect(own.json).toMatchObject({ scope: 'propose', actor_type: 'agent', actor_name: 'Claws' });
      });

      test('a code is typed as it comes; what is no code, unknown, denied or expired is told apart', async () => {
        const [denied, late] = [await start('Old phone'), await start('Late laptop')];
        const page = await browser.open('/auth/device', { as: dora, ...PHONE, theme: 'dark' });
        const box = page.getByLabel('Code on the device');
        const { keyboard } = page;
        await box.waitFor();
        await expect.poll(() => isFocused(box)).toBe(true);
        await keyboard.type('KTQR-7H2');
        await keyboard.press('Enter');
        await page.getByText('Must have 8 letters and digits, such as KTQR-7H2M.').waitFor();
        await photographAll(page, 'device-no-code');
        await box.fill('bbbb bbbb');
        await keyboard.press('Enter');
        await page.getByText('No device is waiting with the code BBBB-BBBB').waitFor();
        await expectGoodLooks(page, 'device-unknown');

        await box.fill(denied.user_code.replace('-', '').toLowerCase());
        await keyboard.press('Enter');
        await page.getByText(denied.user_code, { exact: true }).waitFor();
        await button(page, 'Deny').press('Enter');
        await page.getByText('was not given access').waitFor();
        await photographAll(page, 'device-denied');
        expect(await poll(denied)).toMatchObject({
          status: 400,
          json: { status: 'denied', error: { code: 'DENIED' } },
        });

        await box.fill(late.user_code);
        await keyboard.press('Enter');
        await button(page, 'Approve').waitFor();
        browser.app.clock.advance(EXPIRY_MS);
        await button(page, 'Approve').press('Enter');
        await page.getByText('This code has expired').waitFor();
        await photographAll(page, 'device-expired');
        expect(await poll(late)).toMatchObject({
          status: 400,
          json: { status: 'expired', error: { code: 'EXPIRED' } },
        });
      });

      test('polled too fast, approved in two windows, collected by two at once: one wins, the others are told', async () => {
        const device = await start('Laptop');
        const path = `/auth/device?code=${device.user_code}`;
        const windows = await Promise.all([
          browser.open(path, { as: dora, ...PHONE }),
          browser.open(path, { as: dora }),
        ]);
        for (const page of windows) await button(page, 'Approve').waitFor();
        expect((await poll(device)).status).toBe(200);
        const tooFast = await post('/api/v1/auth/device-code/poll', { device_code: device.device_code });
        expect([tooFast.status, tooFast.json.error.code, tooFast.retryAfter]).toEqual([429, 'RATE_LIMITED', '5']);

        await Promise.all(windows.map((page) => button(page, 'Approve').click()));
        for (const page of windows) await button(page, 'Withdraw').waitFor();
        const told = await Promise.all(windows.map((page) => page.getByText('Decided by Dora').count()));
        expect(told.toSorted((a, b) => a - b)).toEqual([0, 1]);

        const answers = await Promise.all([poll(device), poll(device)]);
        const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
        expect([won?.json.status, lost?.json.error.code]).toEqual(['approved', 'CONSUMED']);
        expect(await scopeOf(won?.json.token as string)).toBe('read_only');
        const keys = (await browser.app.request('GET', '/api/v1/api-keys')).json as { name: string }[];
        expect(keys.filter(({ name }) => name === 'Device: Laptop')).toHaveLength(1);

        const page = await browser.open(path, { as: dora, ...PHONE });
        await page.getByText('This request was approved').waitFor();
        await page.getByText('Decided by Dora').waitFor();
        await photographAll(page, 'device-already-approved');
      });

      test('who is not an admin is told so, and another person can sign in and is back with the code', async () => {
        const device = await start('Tablet');
        const viewer = await signIn(browser.app, { name: 'Vera', role: 'viewer' });
        const path = `/auth/device?code=${device.user_code}`;
        const page = await browser.open(path, { as: viewer, ...PHONE });
        await page.getByRole('heading', { name: 'Only an admin can approve a device' }).waitFor();
        await photographAll(page, 'device-not-admin');
        await button(page, 'Sign in as someone else').press('Enter');
        await page.waitForURL(`${browser.address}/login?next=${encodeURIComponent(path)}`);
      });
    });
  },
  ['SQLite'],
);
