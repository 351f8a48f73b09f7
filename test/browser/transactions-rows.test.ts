import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest } from '../harness/browser/browser.ts';
import { addAccount, addMember, addTransactions } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const ROWS = 400;
const STEPS = 12;
const STEP_PX = 440;
/** A step of ten rows brings some 300 elements; the page has several thousand. */
const MOST_STYLED = 1_000;

interface TraceEvent {
  name: string;
  args: { elementCount?: number };
}

/** What the list of transactions does to be fast, counted instead of timed. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;

    beforeAll(async () => {
      const { app } = browser;
      ana = await signIn(app, { name: 'Ana' });
      const ben = await addMember(app, 'Ben');
      const account = await addAccount(app, ben, { name: 'Checking', currency: 'EUR' });
      const rows = Array.from({ length: ROWS }, (_, at) => ({
        account,
        iso_currency_code: 'EUR',
        date: `2026-04-${String(30 - (at % 30)).padStart(2, '0')}`,
        name: `SHOP ${at}`,
        amount_cents: 100 + at,
      }));
      await addTransactions(app, rows);
    });

    async function traced(cdp: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> {
      const events: TraceEvent[] = [];
      cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
      await cdp.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'devtools.timeline' });
      await act();
      const ended = new Promise<void>((resolve) => cdp.once('Tracing.tracingComplete', () => resolve()));
      await cdp.send('Tracing.end');
      await ended;
      return events;
    }

    test('rows that come and go leave the style of all others alone', async () => {
      const page = await browser.open('/transactions', { as: ana });
      await page.locator('[data-grid-row]').first().waitFor();
      await page.waitForLoadState('networkidle');
      const cdp = await page.context().newCDPSession(page);
      const events = await traced(cdp, async () => {
        for (let step = 0; step < STEPS; step++) await scrolled(page);
      });
      const counts = events.filter(({ name }) => name === 'UpdateLayoutTree').map(({ args }) => args.elementCount ?? 0);
      const most = counts.filter((count) => count > MOST_STYLED);
      expect(counts.some((count) => count > 100)).toBe(true);
      expect(most, `of ${counts.join(', ')}`).toEqual([]);
    });

    /** A step, and the frame that shows it. */
    async function scrolled(page: Page): Promise<void> {
      await page.evaluate(`new Promise((resume) => {
        scrollBy(0, ${STEP_PX});
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resume)));
      })`);
    }

    test('the first rows are asked for while the code of the page is on its way, and only once', async () => {
      const page = await browser.open('/help', { as: ana });
      await page.waitForLoadState('networkidle');
      const isWanted = Promise.withResolvers<void>();
      await page.route(/\/assets\/transactions-page-/, async (route) => {
        await isWanted.promise;
        await route.continue();
      });
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/api/v1/transactions?limit=100')) asked++;
      });
      await page.getByRole('navigation').getByRole('link', { name: 'Transactions' }).first().click();
      await expect.poll(() => asked).toBe(1);
      isWanted.resolve();
      await page.locator('[data-grid-row]').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(asked).toBe(1);
    });
  },
  ['SQLite'],
);
