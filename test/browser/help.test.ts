import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { forHelp, GUIDES, isGuide } from '../../web/pages/help/guide-text.ts';
import {
  browserTest,
  expectAccessible,
  expectGoodLooks,
  expectNoSidewaysScrolling,
  photograph,
} from '../harness/browser/browser.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const DOCS = join(import.meta.dirname, '../../docs');
/** For those who try Homeledger out or develop it: their household is made up. */
const NOT_FOR_HOUSEHOLDS = ['simulated-banks', 'simulated-models'];
const NARROW = 320;
const WIDE = 1440;

function hasPage(pathname: string): boolean {
  return PAGES.some(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname));
}

async function linksOf(page: Page): Promise<URL[]> {
  const hrefs = await page.locator('main a').evaluateAll((all) => all.map((one) => (one as unknown as Link).href));
  return hrefs.map((href) => new URL(href));
}

interface Link {
  href: string;
}

test('every guide for households is in Help, under the name of its file', () => {
  const files = readdirSync(join(DOCS, 'guides')).filter((name) => name.endsWith('.md'));
  const names = files.map((name) => name.replace('.md', ''));
  expect(names.filter((name) => !isGuide(name)).toSorted()).toEqual(NOT_FOR_HOUSEHOLDS);
});

test('links between guides lead to pages of Help and have the titles of guides; other files are only named', () => {
  expect(forHelp('# Rules\n\nSee [running.md](running.md), [the files](importing.md#reverting-an-import).')).toBe(
    'See [Running it for good](/help/running), [the files](/help/importing).',
  );
  expect(forHelp('[settings.md](../reference/settings.md) and [banks](simulated-banks.md)')).toBe(
    '[All settings](/help/settings) and banks',
  );
  for (const name of Object.keys(GUIDES)) {
    const folder = name === 'settings' || name === 'tools' ? 'reference' : 'guides';
    expect(forHelp(readFileSync(join(DOCS, folder, `${name}.md`), 'utf8'))).not.toMatch(/\]\([\w./-]*\.md/);
  }
});

forEachDatabase(
  (database) => {
    const browser = browserTest(database);
    let ana: SignedIn;
    let mia: SignedIn;
    beforeAll(async () => {
      ana = await signIn(browser.app, { name: 'Ana' });
      mia = await signIn(browser.app, { name: 'Mia', role: 'viewer' });
    });

    async function openHelp(as: SignedIn, width?: number): Promise<Page> {
      const page = await browser.open('/help', { as, ...(width === undefined ? {} : { width }) });
      await page.getByRole('heading', { name: 'All guides' }).waitFor();
      return page;
    }

    test('Help teaches the month without a terminal, and each of its links leads somewhere', async () => {
      const page = await openHelp(ana);
      await expect.poll(() => page.getByRole('main').innerText()).toContain('Import a file');
      await expect.poll(() => page.getByRole('main').innerText()).not.toMatch(/\bnpm\b/);
      const links = await linksOf(page);
      expect(links.length).toBeGreaterThan(30);
      for (const { origin, pathname, hash } of links) {
        expect(origin).toBe(browser.address);
        if (pathname !== '/docs' && pathname !== '/openapi.json')
          expect([pathname, hasPage(pathname)]).toEqual([pathname, true]);
        const answer = await page.request.get(browser.address + pathname);
        expect([pathname, answer.status()]).toEqual([pathname, 200]);
        if (hash !== '') expect([hash, await page.locator(hash).count()]).toEqual([hash, 1]);
      }
    });

    test('its pictures are files of the build with words for those who do not see them', async () => {
      const page = await openHelp(ana);
      const pictures = page.locator('main img');
      expect(await pictures.count()).toBeGreaterThanOrEqual(4);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect.poll(() => picture.evaluate((one) => (one as unknown as Image).naturalWidth)).toBeGreaterThan(0);
        const [source, alt, width, height, loading] = await picture.evaluate((one) =>
          ['src', 'alt', 'width', 'height', 'loading'].map(
            (name) => (one as unknown as Image).getAttribute(name) ?? '',
          ),
        );
        expect(source).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.webp$/);
        expect((alt ?? '').length).toBeGreaterThan(20);
        expect([Number(width) > 0, Number(height) > 0, loading]).toEqual([true, true, 'lazy']);
        const answer = await page.request.get(browser.address + source);
        expect(answer.headers()).toMatchObject({
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
        });
      }
    });

    test('a guide is read here, and leads to the others', async () => {
      const page = await openHelp(ana);
      await page.getByRole('link', { name: 'Guide: Running it for good' }).click();
      await page.getByRole('heading', { level: 1, name: 'Running it for good' }).waitFor();
      await page.getByRole('heading', { name: 'With https, for other devices' }).waitFor();
      await page.getByRole('article').getByRole('link', { name: 'First steps' }).click();
      await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
      await page.getByRole('heading', { name: '3. Invite the others' }).waitFor();
      await expectGoodLooks(page, 'guide');
      await page.getByRole('link', { name: 'Help', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
      await page.goto(`${browser.address}/help/nothing`);
      await page.getByText('This guide was not found.').waitFor();
    });

    test('a viewer reads all of it, and is told which pages are for admins', async () => {
      const page = await openHelp(mia);
      await page.getByText('Household (for admins)').waitFor();
      await page.getByText('Agents (for admins)').waitFor();
      for (const { pathname } of await linksOf(page)) {
        const found = PAGES.find(({ path }) => path === pathname);
        expect([pathname, found?.audience ?? 'everybody']).toEqual([pathname, 'everybody']);
      }
    });

    test('it can be read in both themes, at every width, and on paper', async () => {
      const page = await openHelp(ana);
      await expectGoodLooks(page, 'help');
      for (const width of [NARROW, WIDE]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScrolling(page);
        await expectAccessible(page);
        await photograph(page, `help-light-${width}`);
      }
      await page
        .getByRole('navigation', { name: 'On this page' })
        .getByRole('link', { name: 'Undo a mistake' })
        .click();
      await expect.poll(() => new URL(page.url()).hash).toBe('#undo');
      const heading = page.getByRole('heading', { name: 'Undo a mistake' });
      await expect.poll(async () => (await heading.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
      await expect.poll(async () => (await heading.boundingBox())?.y ?? 9_999).toBeLessThan(300);
      await page.emulateMedia({ media: 'print' });
      await expect.poll(() => page.getByRole('navigation', { name: 'On this page' }).isVisible()).toBe(false);
    });
  },
  ['SQLite'],
);

interface Image {
  naturalWidth: number;
  getAttribute: (name: string) => string | null;
}
