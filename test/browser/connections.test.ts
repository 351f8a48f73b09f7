import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks, expectRefused, photographAll } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { useSimulators } from '../harness/banks/simulators.ts';
import { revokeStaleLinks } from '../../src/features/linking/index.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** The rooms of the banks: connecting one, watching it, breaking it, and everything that can be done about it. */
forEachDatabase(
  (database) => {
    const simulators = useSimulators({ isOneWorld: true });
    const browser = browserTest(database, { simulators });
    let ana: SignedIn;
    let connectionId: string;
    let item: string;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
    });
    const call = async (method: string, path: string, body?: object) =>
      (await browser.app.request(method, `/api/v1${path}`, body === undefined ? {} : { body })).json;
    const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
    const section = (page: Page, title: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    const logs = async () =>
      (await call('GET', '/sync/logs')).sync_logs as { id: string; status: string; trigger: string }[];

    test('a bank is connected in the window that the page opens, and its first sync is watched', async () => {
      const made = simulators.plaid.control.addItem({ institution_name: 'First Platypus Bank' });
      item = made.item_id;
      const account_id = made.accounts[0]?.account_id as string;
      simulators.plaid.control.changeTransactions(item, {
        added: [
          { account_id, date: '2026-04-20', amount: 12.1, name: 'Corner Shop' },
          { account_id, date: '2026-04-24', amount: 84, name: 'City Hotel', pending: true, transaction_id: 'hold' },
        ],
      });
      const page = await browser.open('/connections', { as: ana });
      await page.getByText('No banks yet').waitFor();
      await expectGoodLooks(page, 'connections-empty');
      await page.getByRole('link', { name: 'Add a bank' }).first().click();
      await page.getByLabel('Through').selectOption('plaid');
      await photographAll(page, 'connections-new');
      await press(page, 'Continue');
      const [bank] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: /Go to the bank/ }).click(),
      ]);
      await expectGoodLooks(page, 'connections-new-waiting');
      await press(bank, 'Choose your bank');
      await press(bank, 'Connect First Platypus Bank');
      await page.getByText('First Platypus Bank is connected').waitFor();
      await page.getByText(/have arrived|has arrived/).waitFor();
      await expectGoodLooks(page, 'connections-new-done');
      await page.getByRole('link', { name: 'Open it' }).click();
      await section(page, 'Accounts').getByRole('row').nth(1).waitFor();
      await section(page, 'Syncs').getByText('First sync').waitFor();
      await expectGoodLooks(page, 'connection');
      connectionId = (await call('GET', '/connections'))[0].id;
    });

    test('“Sync now” pressed twice starts one sync, and its log tells what it did', async () => {
      const before = (await logs()).length;
      const page = await browser.open(`/connections/${connectionId}`, { as: ana });
      await page.getByRole('button', { name: 'Sync now' }).dblclick();
      await expect
        .poll(async () => (await logs()).filter(({ status }) => status === 'success').length)
        .toBe(before + 1);
      expect((await logs()).length).toBe(before + 1);
      await section(page, 'Syncs').getByText('By hand').waitFor();
      await section(page, 'Syncs').getByRole('link').nth(1).click();
      await page.getByRole('heading', { name: 'Sync of First Platypus Bank' }).waitFor();
      await expectGoodLooks(page, 'sync-log');
      await page.goto(
        `${browser.address}/sync-logs/${(await logs()).find(({ trigger }) => trigger === 'initial')?.id}`,
      );
      const rows = section(page, 'What it changed');
      await rows.getByRole('link', { name: 'City Hotel' }).click();
      await page.getByRole('dialog').getByText('City Hotel').first().waitFor();
      await page.keyboard.press('Escape');
      await rows.getByRole('link', { name: 'Open in the history' }).click();
      await page.getByRole('heading', { level: 1, name: /sync/i }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Syncs' }).first().click();
      await section(page, 'Altogether').getByText('100 %').waitFor();
      await expectGoodLooks(page, 'sync-logs');
      await page.getByLabel('Result').selectOption('error');
      await page.getByText('No sync matches the filters').waitFor();
      await press(page, 'Clear filters');
      await section(page, 'Runs').getByText('By hand').first().waitFor();
    });

    test('a login that the bank ended is renewed from the page, and the connection is active again', async () => {
      simulators.plaid.control.changeItem(item, { error: 'ITEM_LOGIN_REQUIRED' });
      await call('POST', `/connections/${connectionId}/sync`, {});
      const page = await browser.open('/connections', { as: ana });
      await page.getByText('Sign in again').first().waitFor();
      await expectGoodLooks(page, 'connections-broken');
      await page.getByText('1 bank needs you').waitFor();
      await press(page, 'Sign in again: First Platypus Bank');
      await page.getByRole('dialog', { name: 'Sign in at First Platypus Bank' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'First Platypus Bank' }).click();
      await press(page, 'Sign in at the bank');
      const [bank] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: /Go to the bank/ }).click(),
      ]);
      await press(bank, 'Sign in');
      await press(bank, 'Sign in again');
      await page.getByText('The bank has confirmed your login').waitFor();
      await photographAll(page, 'connection-renewed');
      await press(page, 'Done');
      await section(page, 'State').getByText('Up to date').waitFor();
      expect((await call('GET', `/connections/${connectionId}`)).status).toBe('active');
    });

    test('what looks like one transaction twice is asked about, and the answer can be undone', async () => {
      const [account] = await call('GET', '/accounts');
      const before = (await call('GET', '/transactions/count')).count as number;
      simulators.plaid.control.changeTransactions(item, {
        added: [
          {
            account_id: account.mask === '0000' ? 'acc-sim-1' : 'acc-sim-2',
            date: '2026-04-25',
            amount: 1.99,
            name: 'Newspaper',
            pending_transaction_id: 'hold',
          },
        ],
      });
      await call('POST', `/connections/${connectionId}/sync`, {});
      await expect.poll(async () => (await call('GET', '/sync/suggestions')).total).toBe(1);
      const page = await browser.open('/suggestions', { as: ana });
      await page.getByText('City Hotel').waitFor();
      await page.getByText('The provider says so').waitFor();
      await expectGoodLooks(page, 'suggestions');
      await press(page, 'The same: make it one');
      await page.getByText('Nothing to decide').waitFor();
      expect((await call('GET', '/transactions/count')).count).toBe(before);
      await press(page, 'Undo');
      await page.getByText('City Hotel').waitFor();
      expect((await call('GET', '/transactions/count')).count).toBe(before + 1);
      await press(page, 'Not the same');
      await page.getByText('Nothing to decide').waitFor();
    });

    test('an own interval is set, and shown with the times of all banks', async () => {
      const page = await browser.open('/settings/sync', { as: ana });
      await press(page, /^Change how often/);
      await page.getByLabel('Sync', { exact: true }).selectOption('21600');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Every 6 hours' }).waitFor();
      await expectGoodLooks(page, 'sync-times');
      expect((await call('GET', `/connections/${connectionId}`)).sync_interval_seconds).toBe(21_600);
    });

    test('webhooks are listed with what came of them, and can be replayed', async () => {
      const page = await browser.open('/webhook-events', { as: ana });
      await page.getByText('Nothing received yet').waitFor();
      await simulators.plaid.control.sendWebhook({
        item_id: item,
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        url: `${browser.address}/webhooks/plaid`,
      });
      await page.reload();
      await page.getByRole('rowheader', { name: /^New data/ }).waitFor();
      await press(page, /^Replay/);
      await page.getByRole('status').filter({ hasText: /sync/i }).first().waitFor();
      await expectGoodLooks(page, 'webhook-events');
    });

    test('viewers see everything and are told why they can change nothing', async () => {
      const ben = await signIn(browser.app, { role: 'viewer', name: 'Ben' });
      const page = await browser.open('/connections', { as: ben });
      const sync = page.getByRole('button', { name: 'Sync now: First Platypus Bank' });
      await sync.waitFor();
      await expectRefused(sync);
      await expectRefused(page.getByRole('button', { name: 'Add a bank' }));
      await page.getByRole('link', { name: 'First Platypus Bank' }).click();
      await page.getByRole('button', { name: 'Sync now' }).waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Sync now' }).getAttribute('aria-disabled'))
        .toBe('true');
    });

    test('a disconnected bank keeps its history, offers no sync, and says that the bank has not let go yet', async () => {
      simulators.plaid.control.addFault({ path: '/item/remove', status: 500, times: 100 });
      const page = await browser.open(`/connections/${connectionId}`, { as: ana });
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Disconnect' }).click();
      await photographAll(page, 'connection-disconnect');
      await page.getByLabel(/to confirm/).fill('First Platypus Bank');
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await section(page, 'State').getByText('Disconnected', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /Sync/ }).count()).toBe(0);
      const pending = page.getByRole('main').getByText(new RegExp(`First Platypus Bank \\(${item}\\).*hourly until`));
      await pending.waitFor();
      await expectGoodLooks(page, 'connection-disconnected');
      await page.goto(new URL('/', page.url()).href);
      await page
        .getByRole('main')
        .getByText(new RegExp(`\\(${item}\\).*hourly until`))
        .waitFor();
      await page.goBack();
      simulators.plaid.control.clearFaults();
      await revokeStaleLinks(browser.app.app.instance);
      await page.reload();
      await section(page, 'State').getByText('Disconnected', { exact: true }).waitFor();
      expect(await pending.count()).toBe(0);
      expect((await call('GET', '/transactions/count')).count).toBeGreaterThan(0);
    });
  },
  ['SQLite'],
);
