import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** Before the code is there, while the server is away, and where there is no page. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
    });
    const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
    const entry = (page: Page, name: string) =>
      page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name });
    const mark = (page: Page) => page.locator('header svg, .first-paint-mark svg').first();

    test('on a slow line the frame is there long before its code, and stays in its place', async () => {
      const page = await browser.open('/auth/device', { as: ana });
      const line = await page.context().newCDPSession(page);
      await line.send('Network.enable');
      await line.send('Network.setCacheDisabled', { cacheDisabled: true });
      const bytesPerSecond = 50 * 1024;
      await line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 400,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      });
      const seen: string[] = [];
      await line.send('Page.enable');
      await line.send('Page.setLifecycleEventsEnabled', { enabled: true });
      page.on('requestfinished', (request) => /\/index-[\w-]+\.js$/.test(request.url()) && seen.push('code'));
      await page.goto('about:blank');
      line.on('Page.lifecycleEvent', ({ name }) => seen.push(name));
      await page.goto(`${browser.address}/help`, { waitUntil: 'commit' });
      await page.getByText('Loading', { exact: true }).waitFor();
      // Neither the code nor the style sheet was needed for it.
      expect(await page.evaluate(`[...document.scripts].length > 0 && !document.querySelector('main')`)).toBe(true);
      const before = await mark(page).boundingBox();
      const background = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
      await heading(page, 'Help').waitFor({ timeout: 60_000 });
      const after = await mark(page).boundingBox();
      expect(Math.abs((before?.x ?? 0) - (after?.x ?? 9))).toBeLessThan(2);
      expect(Math.abs((before?.y ?? 0) - (after?.y ?? 9))).toBeLessThan(2);
      expect(background).not.toBe('rgba(0, 0, 0, 0)');
      expect(seen).toContain('firstContentfulPaint');
      expect(seen.indexOf('firstContentfulPaint')).toBeLessThan(seen.indexOf('code'));
    }, 120_000);

    test('a page whose first script does not arrive says so, and begins again once the server answers', async () => {
      const page = await browser.open('/auth/device', { as: ana });
      let isAway = true;
      await page.route(/\/(assets\/index-.*\.js|health)$/, (route) => (isAway ? route.abort() : route.continue()));
      await page.goto(`${browser.address}/help`);
      await page.getByText('Homeledger cannot be reached. This page tries again by itself.').waitFor();
      isAway = false;
      await heading(page, 'Help').waitFor();
    });

    test('a page whose code cannot be loaded says so inside the frame, and opens by itself afterwards', async () => {
      const page = await browser.open('/help', { as: ana });
      await heading(page, 'Help').waitFor();
      let isAway = true;
      await page.route(/\/(assets\/.*\.js|health|api\/.*)$/, (route) => (isAway ? route.abort() : route.continue()));
      await entry(page, 'Reports').click();
      await heading(page, 'This page could not be loaded').waitFor();
      await page.getByText('Cannot reach Homeledger.').waitFor();
      await expectGoodLooks(page, 'page-not-loaded');
      isAway = false;
      await heading(page, 'Reports').waitFor();
      expect(await page.getByText('Cannot reach Homeledger.').count()).toBe(0);
    });

    test('what an update took away is looked for once, and then the page says what helps', async () => {
      const page = await browser.open('/help', { as: ana });
      await heading(page, 'Help').waitFor();
      const loads: string[] = [];
      page.on('framenavigated', (frame) => loads.push(frame.url()));
      await page.route(/assets\/reports-page.*\.js$/, (route) => route.fulfill({ status: 404 }));
      await entry(page, 'Reports').click();
      await page.getByText('restart the server').waitFor();
      expect(loads.length).toBeLessThanOrEqual(2);
      await page.unroute(/assets\/reports-page.*\.js$/);
      await page.getByRole('button', { name: 'Load again' }).click();
      await heading(page, 'Reports').waitFor();
    });

    test('while the server is away every page opens, and what is kept on the device is code only', async () => {
      const page = await browser.open('/help', { as: ana, keepsFrame: true });
      const isKept = (): Promise<boolean> =>
        page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')`);
      await expect.poll(isKept).toBe(true);
      const kept = await page.evaluate<string[]>(`(async () => {
        const found = [];
        for (const name of await caches.keys()) {
          for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
        }
        return found;
      })()`);
      expect(kept).toContain('/shell');
      expect(kept.filter((path) => path !== '/shell' && !/^\/assets\/[\w.-]+$/.test(path))).toEqual([]);
      await page.context().setOffline(true);
      // Never opened before, so its code comes from the device.
      await entry(page, 'Workflows').click();
      await heading(page, 'Workflows').waitFor();
      await page.getByText('Cannot reach Homeledger. What you entered is kept.').waitFor();
      await page.goto(`${browser.address}/reports`);
      await page.getByText('Cannot reach Homeledger. What you entered is kept.').waitFor();
      await page.getByRole('banner').waitFor();
      await expectGoodLooks(page, 'offline');
      await page.context().setOffline(false);
      await heading(page, 'Reports').waitFor();
      expect(await page.getByText('Cannot reach Homeledger.').count()).toBe(0);
    });

    test('where there is no page, the frame says so, with navigation and search', async () => {
      const page = await browser.open('/help', { as: ana });
      const answer = await page.goto(`${browser.address}/no/such/page`);
      expect(answer?.status()).toBe(404);
      await heading(page, 'Not found').waitFor();
      await expectGoodLooks(page, 'not-found');
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      await page.getByRole('dialog', { name: 'Search' }).waitFor();
      await page.keyboard.press('Escape');
      await entry(page, 'Reports').click();
      await heading(page, 'Reports').waitFor();
    });

    test('the app has a manifest whose icons are there', async () => {
      const page = await browser.open('/help', { as: ana });
      const address = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
      const answer = await page.request.get(browser.address + address);
      expect(answer.headers()['content-type']).toBe('application/manifest+json; charset=utf-8');
      const manifest = (await answer.json()) as { start_url: string; display: string; icons: { src: string }[] };
      expect(manifest).toMatchObject({ start_url: '/', display: 'standalone', id: '/' });
      for (const { src } of manifest.icons) {
        const icon = await page.request.get(browser.address + src);
        expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png']);
      }
    });
  },
  ['SQLite'],
);
