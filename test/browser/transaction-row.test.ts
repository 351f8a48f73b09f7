import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectForFinger, expectGoodLooks, focusedName } from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let page: Page;
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app);
      page = await browser.open('/internal/components', { as: ana });
      await page.getByRole('tab', { name: 'Rows' }).click();
      await page.getByRole('list', { name: 'Categories' }).getByText('Groceries').waitFor();
    });
    const rows = (density: string) => page.getByRole('list', { name: `Transactions, ${density}` });
    const combobox = () => page.getByRole('combobox', { name: /of REWE/ });
    const picked = () => page.getByText('Picked:');

    test('rows, pickers and colours are accessible and fit, in both themes and widths', async () => {
      await expectGoodLooks(page, 'rows');
    });

    test('every colour of a category keeps 3:1 on every background, also on its own tint, in both themes', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const worst = await page.evaluate<number>(WORST_CONTRAST);
        expect(worst, colorScheme).toBeGreaterThanOrEqual(3);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    });

    test('the categories of a new household differ in hue, and children have the hue of their parent', async () => {
      const chips = page.getByRole('list', { name: 'Categories' }).getByRole('listitem');
      const hues = await chips.evaluateAll((all) =>
        all.map((item) => ({
          isChild: item.className.includes('pl-4'),
          hue: item.querySelector('[data-hue]')?.getAttribute('data-hue'),
        })),
      );
      const top = hues.filter(({ isChild }) => !isChild).map(({ hue }) => hue);
      expect(new Set(top).size).toBe(top.length);
      hues.forEach(({ isChild, hue }, at) => {
        if (isChild) expect(hue).toBe(hues.findLast((one, before) => before < at && !one.isChild)?.hue);
      });
    });

    test('a row is 44 px high, 36 px close together, and at least 48 px under a finger', async () => {
      const heights = async (density: string) =>
        rows(density)
          .locator('[data-transaction]')
          .evaluateAll((all) => [...new Set(all.map((row) => row.getBoundingClientRect().height))]);
      expect(await heights('comfortable')).toEqual([44]);
      expect(await heights('compact')).toEqual([36]);
      const phone = await browser.open('/internal/components', { as: ana, width: 360 });
      await phone.getByRole('tab', { name: 'Rows' }).click();
      const first = phone.locator('[data-transaction]').first();
      await expectForFinger(first);
      expect((await first.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    });

    test('amounts end on one line, and what is long is cut before it', async () => {
      const ends = await rows('comfortable')
        .locator('[data-transaction] > :last-child')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
      expect(new Set(ends).size).toBe(1);
    });

    test('marks have words', async () => {
      for (const words of ['Pending', 'Flagged', 'Has a comment', 'Deleted', 'not in totals']) {
        await expect.poll(() => rows('comfortable').getByText(words).count()).toBeGreaterThan(0);
      }
    });

    test('three letters and Enter pick a category, and its label says for which row', async () => {
      await page.getByRole('button', { name: 'Category', exact: true }).press('Enter');
      await expect.poll(() => focusedName(page)).toBe('Category of REWE, 23.40 €');
      await page.keyboard.type('gro');
      await page.keyboard.press('Enter');
      await expect.poll(() => picked().textContent()).toMatch(/^Picked: [0-9a-f-]{36} by enter$/);
      expect(await combobox().count()).toBe(0);
      // What was picked last comes first.
      await page.getByRole('button', { name: 'Category', exact: true }).press('Enter');
      const likely = page.getByRole('group', { name: 'Likely' }).getByRole('option');
      await expect.poll(() => likely.first().textContent()).toContain('Groceries');
      await page.keyboard.press('Escape');
      await expect.poll(() => picked().textContent()).toBe('Picked: left by escape');
    });

    test('arrows move, Tab takes what they marked, and an untouched one leaves with Tab', async () => {
      const open = () => page.getByRole('button', { name: 'Member', exact: true }).press('Enter');
      await open();
      await page.getByRole('option', { name: 'Ana' }).waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => picked().textContent()).toBe('Picked: left by tab');
      await open();
      await page.keyboard.press('ArrowUp');
      const marked = await combobox().getAttribute('aria-activedescendant');
      await expect.poll(() => page.locator(`[id="${marked}"]`).getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await expect.poll(() => picked().textContent()).toMatch(/by tab$/);
    });

    test('a new counterparty is made of the typed name; a tag that cannot be one says why', async () => {
      await page.getByRole('button', { name: 'Counterparty', exact: true }).press('Enter');
      await page.keyboard.type('Bakery Löwe');
      await page.getByRole('option', { name: 'New counterparty “Bakery Löwe”' }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => picked().textContent()).toMatch(/[0-9a-f-]{36} by enter$/);
      const { counterparties } = (await browser.app.request('GET', '/api/v1/counterparties')).json;
      expect(counterparties).toMatchObject([{ name: 'Bakery Löwe' }]);

      await page.getByRole('button', { name: 'Tags', exact: true }).press('Enter');
      await page.keyboard.type('???');
      await page.getByRole('option', { name: 'New tag “???”' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('A tag is made of letters').waitFor();
      await combobox().fill('Summer 2026');
      await page.keyboard.press('Enter');
      await expect.poll(() => picked().textContent()).toBe('Picked: summer-2026');
      await expect.poll(() => combobox().inputValue()).toBe('');
      await page.keyboard.press('Escape');
    });
  },
  ['SQLite'],
);

/** The lowest contrast of all swatches with all backgrounds, measured in the pixels that the browser makes of them. */
const WORST_CONTRAST = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const pixel = (...layers) => {
    for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (data) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
    const part = data[at] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  const root = getComputedStyle(document.documentElement);
  const grounds = ['--surface', '--canvas', '--sunken', '--accent-soft'].map((name) => root.getPropertyValue(name).trim());
  let worst = Infinity;
  for (const swatch of document.querySelectorAll('[data-swatch]')) {
    const tint = getComputedStyle(swatch).backgroundColor;
    const color = getComputedStyle(swatch.firstElementChild).backgroundColor;
    for (const ground of grounds) for (const layers of [[ground], [ground, tint]]) {
      const [a, b] = [light(pixel(...layers, color)), light(pixel(...layers))];
      worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
  }
  return worst;
})()`;
