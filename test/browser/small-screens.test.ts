import { beforeAll, expect, test } from 'vitest';

import { PAGES } from '../../src/contract/pages.ts';
import { browserTest } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const NAME = 'Donaudampfschifffahrtsgesellschaft und Söhne';

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

    test('no page scrolls sideways, on the smallest phone or on one of today', { timeout: 120_000 }, async () => {
      const page = await dashboard.open('/', { as: ana, width: 320 });
      const wide: string[] = [];
      for (const path of paths) {
        await page.goto(`${dashboard.address}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => page.locator('[data-awaited]').count()).toBe(0);
        for (const width of [320, 390]) {
          await page.setViewportSize({ width, height: 780 });
          const content = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (content > width) wide.push(`${path} at ${width} px: ${content}`);
        }
      }
      expect(wide).toEqual([]);
    });
  },
  ['SQLite'],
);
