import { beforeAll, expect, test } from 'vitest';

import { addDays } from '../../src/kernel/dates.ts';
import { bookkeep } from '../../src/journal/write.ts';
import { browserTest, expectNoSidewaysScrolling, photograph } from '../harness/browser/browser.ts';
import { created } from '../harness/created.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { forEachDatabase } from '../harness/test-app.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5).slice(0, 200);
/** With it, a session may send 80 requests at once; here the clock stands still, and no more come. */
const BURST = 16;
const COUNT = 100;

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database, { env: { API_RATE_LIMIT_BURST: String(BURST) } });
    let ana: SignedIn;
    let ben: SignedIn;
    beforeAll(async () => {
      const { app } = dashboard;
      ana = await signIn(app, { name: 'Ana' });
      ben = await signIn(app, { name: 'Ben' });
      const account = await created(app, '/accounts', { name: LONG, iso_currency_code: 'EUR', user_id: ana.member.id });
      const rows = Array.from({ length: COUNT + 1 }, (_, day) => `${addDays('2026-01-01', day)},-4.50,${LONG}`);
      const imported = await app.request('POST', '/api/v1/imports', {
        body: {
          account_id: account.id,
          csv_data: Buffer.from(['date,amount,name', ...rows].join('\n')).toString('base64'),
          sign: 'positive_is_in',
        },
      });
      expect(imported.status, imported.text).toBe(201);
      const all = await app.app.instance.database.read((tx) =>
        tx.q.selectFrom('transactions').select(['id', 'account_id']).orderBy('date').execute(),
      );
      const { connection_id: connectionId } = await app.app.instance.database.read((tx) =>
        tx.q.selectFrom('accounts').select('connection_id').executeTakeFirstOrThrow(),
      );
      await bookkeep(app.app.instance.database, async (tx) => {
        for (let at = 0; at < COUNT; at++) {
          const values = {
            id: tx.ids.uuid(),
            short_id: `sugg${String(at).padStart(4, '0')}`,
            kind: 'possible_duplicate',
            status: 'open',
            connection_id: connectionId ?? '',
            account_id: all[at]?.account_id ?? '',
            transaction_id: all[at]?.id ?? null,
            candidates: JSON.stringify([{ transaction_id: all[at + 1]?.id, reasons: ['same_amount'] }]),
            accounts: '[]',
            accepted_transaction_id: null,
            accepted_account_id: null,
            change_set_id: null,
            created_at: tx.now,
            resolved_at: null,
          };
          await tx.q.insertInto('sync_suggestions').values(values).execute();
        }
      });
    });

    test('more suggestions than the server takes requests at once are shown a few at a time, without an error', async () => {
      const page = await dashboard.open('/suggestions', { as: ana });
      const main = page.getByRole('main');
      const cards = main.getByRole('heading', { name: 'Are these the same transaction?' });
      const more = main.getByRole('button', { name: 'Show more' });
      for (const count of [20, 40]) {
        await expect.poll(() => cards.count()).toBe(count);
        // Each has its new transaction, in its account, beside the one that is already there.
        await expect.poll(() => main.locator('bdi', { hasText: LONG }).count()).toBe(3 * count);
        if (count === 20) await more.click();
      }
      expect(await main.getByRole('alert').filter({ hasText: 'Too many requests' }).count()).toBe(0);
      await main
        .getByRole('button', { name: `The same, and ${COUNT - 1} more like it` })
        .first()
        .waitFor();
    });

    test('names of any length stay inside suggestions', async () => {
      const page = await dashboard.open('/suggestions', { as: ben });
      await page.getByRole('main').locator('bdi', { hasText: LONG }).nth(2).waitFor();
      await photograph(page, 'many-suggestions');
      for (const width of [1280, 768, 767, 640, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoSidewaysScrolling(page);
      }
    });
  },
  ['SQLite'],
);
