import { beforeAll, expect, test } from 'vitest';

import { generateHousehold } from '../../simulators/household.ts';
import { writeHousehold } from '../../simulators/write-household.ts';
import { browserTest, expectGoodLooks } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** How a browser shows the dashboard: its own choices, wide screens, and paper. */
forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
      const household = generateHousehold({ seed: 3, transactions: 200, years: 1, until: '2026-04-25' });
      await writeHousehold(browser.app.app.instance, household);
    });

    test('how close rows are, and stripes besides colours, are chosen for this browser and stay', async () => {
      const page = await browser.open('/settings/profile', { as: ana });
      await page.getByRole('radio', { name: 'Compact' }).check();
      await page.getByRole('switch', { name: 'Stripes besides colours' }).click();
      await expectGoodLooks(page, 'profile-choices');
      await page.goto(browser.address);
      expect(await page.evaluate(`localStorage.getItem('homeledger.density')`)).toBe('compact');
      const glyph = page.locator('main .bg-of-category').first();
      await glyph.waitFor();
      const image = (): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector('main .bg-of-category')).backgroundImage`);
      expect(await image()).toContain('repeating-linear-gradient');
      await page.evaluate(`localStorage.setItem('homeledger.hatching', 'off')`);
      await page.reload();
      await glyph.waitFor();
      expect(await image()).toBe('none');
      await page.emulateMedia({ media: 'print' });
      expect(await image()).toContain('repeating-linear-gradient');
    });

    test('on paper there is the page without the frame, dark on white', async () => {
      const page = await browser.open('/', { as: ana, theme: 'dark' });
      await page.getByText('Show the figures').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const frame of [page.getByRole('banner'), page.locator('nav')]) {
        for (const part of await frame.all()) await expect.poll(() => part.isVisible()).toBe(false);
      }
      await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    });

    test('on a wide screen the content is at most 1,440 pixels wide', async () => {
      const page = await browser.open('/', { as: ana, width: 2560 });
      await page.getByText('Show the figures').first().waitFor();
      expect((await page.getByRole('main').boundingBox())?.width).toBe(1_440);
    });
  },
  ['SQLite'],
);
