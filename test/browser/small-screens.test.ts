import { beforeAll, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { browserTest } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const NAME = 'Donaudampfschifffahrtsgesellschaft und Söhne';

/** Pages of rows that are tapped as a whole, and the page that only shows components. */
const ROWS = /^\/(transactions|history|accounts\/|internal|$)/;

/** Visible targets lower than 44 px. A link beside words of its sentence is as high as its line. */
const TOO_LOW = `[...document.querySelectorAll('main a[href], main button, main summary, main select')].flatMap((element) => {
  const { height, width } = element.getBoundingClientRect();
  const beside = [...(element.parentElement?.childNodes ?? [])].some(
    (node) => node !== element && node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '',
  );
  const isInline = getComputedStyle(element).display === 'inline';
  if (height === 0 || width <= 1 || height >= 44 || (isInline && beside)) return [];
  return [element.tagName.toLowerCase() + ' "' + (element.getAttribute('aria-label') ?? element.textContent).trim() + '" ' + Math.round(height)];
})`;

/** Names of what lies over what in the head of a page. */
const OVERLAPS = `(() => {
  const targets = [...document.querySelector('header').querySelectorAll('a[href], button')].filter((one) => one.offsetWidth > 1);
  return targets.slice(1).flatMap((one, index) =>
    one.getBoundingClientRect().left < targets[index].getBoundingClientRect().right - 1 ? [one.textContent.trim() || one.ariaLabel] : []);
})()`;

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    const paths: string[] = PAGES.flatMap(({ audience, path }) =>
      audience === 'visitor' || path.includes('{') ? [] : [path],
    );
    beforeAll(async () => {
      ana = await signIn(dashboard.app, { name: NAME });
      const { id: owner } = await created(dashboard.app, '/users', { name: `${NAME} junior` });
      const opening = { opening_balance: '9999999999.99', opening_date: '2026-01-01', iso_currency_code: 'EUR' };
      const { id: account } = await created(dashboard.app, '/accounts', { name: NAME, user_id: owner, ...opening });
      const row = { account_id: account, date: '2026-04-20', amount: '1234567.89', name: NAME.toUpperCase() };
      const { id } = await created(dashboard.app, '/transactions', row);
      await created(dashboard.app, '/rules', {
        name: NAME,
        condition: { field: 'name', op: 'contains', value: NAME },
        actions: [{ type: 'add_tag', tag_slug: 'needs-review' }],
      });
      await created(dashboard.app, '/reports', { title: NAME, body: `# ${NAME}\n\n| a | b |\n|---|---|\n| 1 | 2 |` });
      await created(dashboard.app, '/api-keys', { name: NAME, scope: 'read_only' });
      paths.push(`/transactions/${id}`, `/accounts/${account}`);
    });

    test(
      'no page scrolls sideways, and what is tapped is high enough for a finger, but for links within a sentence',
      { timeout: 120_000 },
      async () => {
        const page = await dashboard.open('/', { as: ana, width: 320 });
        const problems: string[] = [];
        for (const path of paths) {
          await page.goto(`${dashboard.address}${path}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await expect.poll(() => page.locator('[data-awaited]').count()).toBe(0);
          if (!ROWS.test(path)) {
            for (const found of await page.evaluate<string[]>(TOO_LOW)) problems.push(`${path}: ${found}`);
          }
          for (const width of [390, 320]) {
            await page.setViewportSize({ width, height: 780 });
            const content = await page.evaluate<number>('document.documentElement.scrollWidth');
            if (content > width) problems.push(`${path} at ${width} px: ${content}`);
          }
        }
        for (const width of [430, 420, 390, 360, 320]) {
          await page.setViewportSize({ width, height: 780 });
          for (const found of await page.evaluate<string[]>(OVERLAPS)) problems.push(`head at ${width} px: ${found}`);
        }
        expect(problems).toEqual([]);
      },
    );
  },
  ['SQLite'],
);
