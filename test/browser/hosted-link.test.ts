import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks, focusedName, photographAll } from '../harness/browser/browser.ts';
import { addMember, type Made } from '../harness/ledger.ts';
import { useSimulators } from '../harness/banks/simulators.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** A person without an account connects banks on the page of a link; the dashboard has no part in it. */
forEachDatabase(
  (database) => {
    const simulators = useSimulators();
    const browser = browserTest(database, { simulators, dashboard: join(import.meta.dirname, '../harness/dashboard') });
    let ana: Made;
    beforeAll(async () => {
      ana = await addMember(browser.app, 'Ana');
    });

    const post = async (path: string, body: object = {}) => {
      const headers = { host: new URL(browser.address).host };
      return (await browser.app.request('POST', path, { body, headers })).json;
    };
    const mint = (body: object = {}) => post('/api/v1/connections/link', { user_id: ana.id, ...body });
    const session = async (id: string) => (await browser.app.request('GET', `/api/v1/connections/link/${id}`)).json;
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
    const expectHeading = (page: Page, text: string) => expect.poll(() => heading(page)).toBe(text);

    test('chooses a service, connects two banks, and is done', async () => {
      simulators.plaid.control.addItem({ institution_name: 'First Platypus Bank' });
      const made = await mint({ label: 'For the taxes' });
      const page = await browser.open(`/link/${made.token}`);
      await expectHeading(page, 'Connect a bank');
      await expect.poll(() => focusedName(page)).toBe('Connect a bank');
      await photographAll(page, 'hosted-link-picker');
      await page.getByRole('link', { name: /^Plaid/ }).click();
      await expect.poll(() => page.getByRole('button', { name: 'Choose your bank' }).count()).toBe(1);
      await expectGoodLooks(page, 'hosted-link-start');
      await press(page, 'Choose your bank');
      await press(page, 'Fail');
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toBe('This bank does not answer at the moment. Please try again later.');
      await photographAll(page, 'hosted-link-problem');
      await press(page, 'Choose your bank');
      await press(page, 'Connect First Platypus Bank');
      await expectHeading(page, 'First Platypus Bank is connected');
      await expect.poll(() => page.locator('main').textContent()).toContain('2 accounts were found.');
      await expectGoodLooks(page, 'hosted-link-connected');
      simulators.teller.control.addEnrollment({ institution: { id: 'security_cu', name: 'Security Credit Union' } });
      await press(page, 'Connect another bank');
      await page.getByRole('link', { name: /^Teller/ }).click();
      await press(page, 'Choose your bank');
      await press(page, 'Connect Security Credit Union');
      await expectHeading(page, 'Security Credit Union is connected');
      await press(page, 'I’m done');
      await expectHeading(page, 'All done');
      await photographAll(page, 'hosted-link-done');
      const ended = await session(made.id);
      expect([ended.status, ended.result_connection_ids.length]).toEqual(['completed', 2]);
      await page.reload();
      await expectHeading(page, 'This link has been used');
      await photographAll(page, 'hosted-link-used');
    });

    test('is asked before a bank is connected twice, and is led back with the outcome', async () => {
      simulators.plaid.control.addItem({ institution_name: 'Second Bank', institution_id: 'ins_2' });
      const back = `${browser.address}/back?a=1`;
      const link = { provider: 'plaid', single_use: true, redirect_url: back };
      const open = async () => {
        const made = await mint(link);
        const page = await browser.open(`/link/${made.token}`);
        await press(page, 'Choose your bank');
        await press(page, 'Connect Second Bank');
        return { made, page };
      };
      const first = await open();
      await expect.poll(() => first.page.url()).toBe(`${back}&link_session=${first.made.short_id}&status=completed`);
      const { made, page } = await open();
      await expectHeading(page, 'Is this bank connected already?');
      await photographAll(page, 'hosted-link-duplicate');
      await press(page, 'Connect it a second time');
      await expect.poll(() => page.url()).toContain(`link_session=${made.short_id}&status=completed`);
      expect((await session(made.id)).result_connection_ids.length).toBe(1);
    });

    test('signs in again, once the bank believes it', async () => {
      const { enrollment_id: id } = simulators.teller.control.addEnrollment({
        institution: { id: 'third_bank', name: 'Third Bank' },
      });
      const made = await mint({ provider: 'teller', single_use: true });
      const page = await browser.open(`/link/${made.token}`, { width: 360 });
      await press(page, 'Choose your bank');
      await press(page, 'Connect Third Bank');
      await expectHeading(page, 'All done');
      const [connection] = (await session(made.id)).result_connection_ids;
      simulators.teller.control.changeEnrollment(id, { disconnected: 'disconnected.credentials_invalid' });
      const renewing = await post(`/api/v1/connections/${connection}/relink`);
      const again = await browser.open(`/link/${renewing.token}`, { theme: 'dark' });
      await expectHeading(again, 'Sign in to Third Bank again');
      await photographAll(again, 'hosted-link-renewal');
      await press(again, 'Sign in');
      await press(again, 'Exit');
      await expectHeading(again, 'Sign in to Third Bank again');
      await press(again, 'Sign in');
      await press(again, 'Sign in again');
      await expectHeading(again, 'All done');
      expect(await session(renewing.id)).toMatchObject({ status: 'completed', result_connection_ids: [connection] });
    });

    test('comes back from a bank that sends the browser away', async () => {
      await browser.app.request('PUT', '/api/v1/config/plaid_redirect_uri', {
        body: { value: 'https://home.example/link/oauth-return' },
      });
      simulators.plaid.control.addItem({ institution_name: 'Fourth Bank', institution_id: 'ins_4' });
      const made = await mint({ provider: 'plaid', single_use: true });
      const page = await browser.open(`/link/${made.token}`);
      await press(page, 'Choose your bank');
      // Only the bank's open window sends the browser away.
      await page.getByRole('button', { name: 'Connect Fourth Bank', exact: true }).waitFor();
      await page.goto(`${browser.address}/link/oauth-return?oauth_state_id=1`);
      await press(page, 'Connect Fourth Bank');
      await expectHeading(page, 'All done');
      expect((await session(made.id)).status).toBe('completed');
      const stray = await browser.open('/link/oauth-return');
      await expectHeading(stray, 'Nothing is waiting here');
    });
  },
  ['SQLite'],
);
