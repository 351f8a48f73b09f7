import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { signInMember } from '../../src/features/demo/index.ts';
import { fillDemo, startDemoWorld } from '../../src/surfaces/cli/server/fill-demo.ts';
import { browserTest } from '../harness/browser/browser.ts';
import { beanCheck, beanSums, INSTALL_MS, installBeancount, unzipped } from '../harness/programs/bean-check.ts';
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

interface Checked {
  is_dependent_linked: boolean;
  balance_check: { status: string } | null;
}

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

    test(
      'what leaves it as a book is accepted by Beancount, and nothing in it is unexplained',
      async () => {
        await installBeancount();
        const answer = await fetch(`${browser.address}/api/v1/export/household?parts=beancount`, {
          headers: { 'x-api-key': browser.app.key },
        });
        const book = unzipped(new Uint8Array(await answer.arrayBuffer())).get('household.beancount') as string;
        expect(await beanCheck(book)).toBe('');
        expect((book.match(/ balance Assets/g) ?? []).length).toBeGreaterThan(50);
        const { json: accounts } = await browser.app.request('GET', '/api/v1/accounts');
        const counted = accounts.filter(({ is_dependent_linked: isCopy }: Checked) => !isCopy);
        const isAgreeing = counted.every(({ balance_check: check }: Checked) => check?.status !== 'differs');
        const unexplained = [...(await beanSums(book))].filter(([name]) => name.startsWith('Equity:Unexplained'));
        expect([isAgreeing, unexplained]).toEqual([true, []]);
      },
      INSTALL_MS,
    );

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
