import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { addBankConnection } from '../harness/banks/bank-connection.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { addSyncLog } from '../harness/syncs/sync-logs.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const ANSWER_MS = 300;
/** The most that a page may move by itself, as browsers count it: below that, hardly anybody notices. */
const MOST = 0.1;
const PATHS = [
  '/accounts',
  '/reports',
  '/connections',
  '/sync-logs',
  '/settings/api-keys',
  '/settings/backup',
  '/settings/sync',
  '/settings/notifications',
  '/settings/system',
];

/** Counts how far parts of the page move by themselves, from its first moment on. */
const COUNT = `globalThis.moved = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.moved += value;
}).observe({ type: 'layout-shift', buffered: true });`;

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    let ofAccount: string;
    beforeAll(async () => {
      const { app } = dashboard;
      ana = await signIn(app, { name: 'Ana' });
      const ben = await addMember(app, 'Ben');
      const account = await addAccount(app, ben);
      ofAccount = `/accounts/${account.short_id}`;
      await addTransactions(app, [{ account, date: '2026-04-20', amount_cents: 450, name: 'CORNER CAFE' }]);
      await app.request('POST', '/api/v1/reports', { body: { title: 'Rents', body: 'Paid.' } });
      const connection = await addBankConnection(app, ben);
      for (let count = 0; count < 12; count++) await addSyncLog(app, connection);
    });

    /** A window in which answers take their time. */
    async function slowWindow(width: number): Promise<Page> {
      const page = await dashboard.open('/help', { as: ana, width });
      await page.addInitScript(COUNT);
      await page.route(/\/(api\/v1|auth|version|health)\b/, async (route) => {
        await new Promise((resume) => setTimeout(resume, ANSWER_MS));
        await route.continue();
      });
      return page;
    }

    /** Loads a page, and waits until it is there. */
    async function load(page: Page, path: string): Promise<void> {
      await page.goto(dashboard.address + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.locator('main [data-awaited], main [aria-label=Loading]').count()).toBe(0);
    }

    for (const width of [1280, 360]) {
      test(`pages stay where they are while they load, ${width} pixels wide`, async () => {
        const page = await slowWindow(width);
        for (const path of [...PATHS, ofAccount]) {
          await load(page, path);
          expect.soft(await page.evaluate('globalThis.moved'), path).toBeLessThan(MOST);
        }
      });
    }

    test('what is below something that takes very long is shown all the same', async () => {
      const page = await dashboard.open('/help', { as: ana });
      const isAnswered = Promise.withResolvers<void>();
      await page.route(/notification-channels/, async (route) => {
        await isAnswered.promise;
        await route.continue();
      });
      await page.goto(`${dashboard.address}/settings/notifications`);
      await page.getByRole('button', { name: 'Save' }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(1);
      isAnswered.resolve();
      await page.getByText('No channels yet').waitFor();
    });
  },
  ['SQLite'],
);
