import { beforeAll, expect, test } from 'vitest';

import { browserTest, expectNoSidewaysScrolling } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

/** What people and banks call things: as long as the API allows, and without a space to break at. */
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5).slice(0, 200);
const KEY = LONG.slice(0, 100);
/** Turns around what follows it on a page that does not keep it apart. */
const TURNED = 'Zoë\u202e';
/** A desktop, the narrowest width with tables and the widest without, a desktop at 200 %, and a phone. */
const WIDTHS = [1280, 768, 767, 640, 360];

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(dashboard.app, { name: 'Ana' });
      for (const name of [LONG, TURNED]) {
        const { id } = await created(dashboard.app, '/users', { name });
        const opening = { opening_balance: '-9999999999.99', opening_date: '2026-01-01' };
        const account = await created(dashboard.app, '/accounts', {
          name,
          user_id: id,
          iso_currency_code: 'EUR',
          ...opening,
        });
        await created(dashboard.app, '/transactions', {
          account_id: account.id,
          date: '2026-01-02',
          amount: '4.50',
          name: LONG,
        });
      }
      await created(dashboard.app, '/api-keys', { name: KEY, actor_name: KEY, scope: 'read_only' });
    });

    for (const [path, part] of [
      ['/', 'All accounts'],
      ['/household', 'Cannot sign in'],
      ['/connections', 'Bank files'],
      ['/settings/api-keys', 'Read only'],
    ] as const) {
      test(`names of any length stay inside ${path}`, async () => {
        const page = await dashboard.open(path, { as: ana });
        const main = page.getByRole('main');
        await main.getByText(part).first().waitFor();
        await main.locator('bdi, h2, p').getByText(KEY).first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoSidewaysScrolling(page);
        }
      });
    }

    test('a name with another direction turns only itself around', async () => {
      const page = await dashboard.open('/connections', { as: ana });
      const names = page.getByRole('main').locator('bdi', { hasText: TURNED });
      await names.first().waitFor();
      await expect.poll(() => names.count()).toBe(2);
    });
  },
  ['SQLite'],
);
