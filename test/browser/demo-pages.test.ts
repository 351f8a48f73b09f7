import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { signInMember } from '../../src/features/demo/index.ts';
import { fillDemo, startDemoWorld } from '../../src/surfaces/cli/server/fill-demo.ts';
import { browserTest } from '../harness/browser/browser.ts';
import type { SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const SEED = 1;
const TRANSACTIONS = 1_500;
/** Ten weeks, on a busy machine. */
const FILLING_MS = 120_000;
const LISTS = PAGES.filter(({ path, audience }) => audience !== 'visitor' && !/[{]|^\/internal\//.test(path));
/** Whose first entry is opened, too. */
const WITH_DETAILS = [
  '/accounts',
  '/account-links',
  '/connections',
  '/history',
  '/imports',
  '/proposals',
  '/reports',
  '/rules',
  '/runs',
  '/sync-logs',
  '/workflows',
];

const world = await startDemoWorld(SEED);
afterAll(() => world.close());

/** Whoever looks around in the demo sees what each page is for (contract 80.1). */
forEachDatabase(
  (database) => {
    const browser = browserTest(database, { isQuiet: true, env: world.environment });
    let page: Page;
    beforeAll(async () => {
      const { app } = browser.app;
      const server = { app, config: app.instance.config, address: browser.address };
      const wanted = { seed: SEED, transactions: TRANSACTIONS, onProgress: async () => undefined };
      const { counts, until } = await fillDemo(server, world, wanted);
      expect([counts.people, counts.accounts, until]).toEqual([4, 8, '2026-04-25']);
      const cookies = await signInMember(app.instance, 'ada@home.example', { userAgent: 'test', cookies: {} });
      const name = app.instance.config.sessionCookie;
      const headers = { cookie: `${name}=${cookies[name]}` };
      page = await browser.open('/', { as: { headers } as unknown as SignedIn });
    }, FILLING_MS);

    async function expectFilled(path: string): Promise<void> {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count(), { message: path }).toBe(0);
      await page.waitForLoadState('networkidle');
      expect([path, await page.locator('main [data-empty]').allInnerTexts()]).toEqual([path, []]);
    }

    test.for(LISTS.map(({ path }) => path))(
      '%s is not empty, nor the page that its first entry leads to',
      async (path) => {
        await page.goto(browser.address + path);
        await expectFilled(path);
        if (!WITH_DETAILS.includes(path)) return;
        const link = page.locator(`main a[href^="${path}/"]:not([href$="/new"])`).filter({ visible: true }).first();
        await link.waitFor();
        await link.click();
        await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`^${path}/`));
        await expectFilled(page.url());
      },
    );
  },
  ['SQLite'],
);
