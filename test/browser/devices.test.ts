import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectAccessibleState, expectGoodLooks, isFocused } from '../harness/browser.ts';
import { PASSWORD, addLogin, signIn, type SignedIn } from '../harness/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const PHONE = { width: 360 } as const;
const POLL_MS = 5_000;
const EXPIRY_MS = 600_000;

interface Started {
  device_code: string;
  user_code: string;
  verification_url_complete: string;
}

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
    });

    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    /** Over the network, as a script or curl does. */
    async function post(path: string, body: object) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(browser.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
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
      await addLogin(browser.app, { name: 'Carla' });
      const device = await start('Kitchen tablet', 'full_access');
      const address = new URL(device.verification_url_complete);
      const page = await browser.open(address.pathname + address.search, PHONE);
      const { keyboard } = page;
      expect(new URL(page.url()).pathname).toBe('/login');
      await page.getByLabel('E-mail').fill('carla@home.example');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await keyboard.press('Enter');

      await page.getByRole('heading', { name: 'Does your device show this code?' }).waitFor();
      expect(page.url()).toBe(browser.address + address.pathname + address.search);
      expect(await page.getByLabel('Code on the device').inputValue()).toBe(device.user_code);
      await page.getByText('just now').waitFor();
      await expectGoodLooks(page, 'device-pending');
      expect((await poll(device)).json).toEqual({ status: 'authorization_pending' });

      const readOnly = page.getByRole('radio', { name: 'Read only' });
      expect(await readOnly.isChecked()).toBe(true);
      expect(await page.getByLabel('Whose device it is').locator('option:checked').textContent()).toBe('Carla');
      await page.getByRole('radio', { name: 'Full access' }).check();
      await page.getByText('Full access means everything').waitFor();
      await expectAccessibleState(page, 'device-full-access');
      await readOnly.focus();
      await keyboard.press('Space');
      await keyboard.press('Tab');
      await keyboard.type('Ana');
      await keyboard.press('Tab');
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type('Tablet in the kitchen');
      await keyboard.press('Tab');
      expect(await isFocused(button(page, 'Approve'))).toBe(true);
      await keyboard.press('Enter');
      await page.getByText('collects its key within a few seconds').waitFor();
      await expectAccessibleState(page, 'device-approved');

      const { status, json } = await poll(device);
      expect([status, json.status, await scopeOf(json.token)]).toEqual([200, 'approved', 'read_only']);
      await page.getByText('The device is connected').waitFor();
      await expectAccessibleState(page, 'device-connected');
      expect(await poll(device)).toMatchObject({
        status: 400,
        json: { status: 'consumed', error: { code: 'CONSUMED' } },
      });
      const [made] = (await browser.app.request('GET', '/api/v1/api-keys')).json;
      expect(made).toMatchObject({ name: 'Tablet in the kitchen', user_id: ana.member.short_id });
    });

    test('a code is typed as it comes; what is no code, unknown, denied or expired is told apart', async () => {
      const [denied, late] = [await start('Old phone'), await start('Late laptop')];
      const page = await browser.open('/auth/device', { as: ana, ...PHONE, theme: 'dark' });
      const box = page.getByLabel('Code on the device');
      const { keyboard } = page;
      await box.waitFor();
      expect(await isFocused(box)).toBe(true);
      await keyboard.type('KTQR-7H2');
      await keyboard.press('Enter');
      await page.getByText('Must have 8 letters and digits, such as KTQR-7H2M.').waitFor();
      await expectGoodLooks(page, 'device-no-code');
      await box.fill('bbbb bbbb');
      await keyboard.press('Enter');
      await page.getByText('No device waits with the code BBBB-BBBB').waitFor();
      await expectAccessibleState(page, 'device-unknown');

      await box.fill(denied.user_code.replace('-', '').toLowerCase());
      await keyboard.press('Enter');
      await page.getByText(denied.user_code, { exact: true }).waitFor();
      await button(page, 'Deny').press('Enter');
      await page.getByText('gets no access').waitFor();
      await expectAccessibleState(page, 'device-denied');
      expect(await poll(denied)).toMatchObject({ status: 400, json: { status: 'denied', error: { code: 'DENIED' } } });

      await box.fill(late.user_code);
      await keyboard.press('Enter');
      await button(page, 'Approve').waitFor();
      browser.app.clock.advance(EXPIRY_MS);
      await button(page, 'Approve').press('Enter');
      await page.getByText('This code has expired').waitFor();
      await expectAccessibleState(page, 'device-expired');
      expect(await poll(late)).toMatchObject({ status: 400, json: { status: 'expired', error: { code: 'EXPIRED' } } });
    });

    test('polled too fast, approved in two windows, collected by two at once: one wins, the others are told', async () => {
      const device = await start('Laptop');
      const path = `/auth/device?code=${device.user_code}`;
      const windows = await Promise.all([browser.open(path, { as: ana, ...PHONE }), browser.open(path, { as: ana })]);
      for (const page of windows) await button(page, 'Approve').waitFor();
      expect((await poll(device)).status).toBe(200);
      const tooFast = await post('/api/v1/auth/device-code/poll', { device_code: device.device_code });
      expect([tooFast.status, tooFast.json.error.code, tooFast.retryAfter]).toEqual([429, 'RATE_LIMITED', '5']);

      await Promise.all(windows.map((page) => button(page, 'Approve').click()));
      for (const page of windows) await button(page, 'Withdraw the approval').waitFor();
      const told = await Promise.all(windows.map((page) => page.getByText('Decided by Ana').count()));
      expect(told.toSorted((a, b) => a - b)).toEqual([0, 1]);

      const answers = await Promise.all([poll(device), poll(device)]);
      const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
      expect([won?.json.status, lost?.json.error.code]).toEqual(['approved', 'CONSUMED']);
      expect(await scopeOf(won?.json.token as string)).toBe('read_only');
      const keys = (await browser.app.request('GET', '/api/v1/api-keys')).json as { name: string }[];
      expect(keys.filter(({ name }) => name === 'Device: Laptop')).toHaveLength(1);

      const page = await browser.open(path, { as: ana, ...PHONE });
      await page.getByText('This request was approved').waitFor();
      await page.getByText('Decided by Ana').waitFor();
      await expectAccessibleState(page, 'device-already-approved');
    });

    test('who is not an administrator is told so, and another person can sign in and is back with the code', async () => {
      const device = await start('Tablet');
      const viewer = await signIn(browser.app, { name: 'Vera', role: 'viewer' });
      const path = `/auth/device?code=${device.user_code}`;
      const page = await browser.open(path, { as: viewer, ...PHONE });
      await page.getByRole('heading', { name: 'Only an administrator can approve a device' }).waitFor();
      await expectAccessibleState(page, 'device-not-admin');
      await button(page, 'Sign in as somebody else').press('Enter');
      await page.waitForURL(`${browser.address}/login?next=${encodeURIComponent(path)}`);
    });
  },
  ['SQLite'],
);
