import { beforeAll, expect, test } from 'vitest';

import { addBankConnection } from '../harness/banks/bank-connection.ts';
import { browserTest } from '../harness/browser/browser.ts';
import { addMember } from '../harness/ledger.ts';
import { signIn, type SignedIn } from '../harness/people/sessions.ts';
import { addSyncLog } from '../harness/syncs/sync-logs.ts';
import { forEachDatabase } from '../harness/test-app.ts';

forEachDatabase(
  (database) => {
    const dashboard = browserTest(database);
    let ana: SignedIn;
    beforeAll(async () => {
      ana = await signIn(dashboard.app, { name: 'Ana' });
      const body = { value: 'Pacific/Kiritimati' };
      const set = await dashboard.app.request('PUT', '/api/v1/config/instance.timezone', { body });
      expect(set.status, set.text).toBe(200);
    });

    test('syncs of a day are those of the day of the household, wherever the browser is', async () => {
      const page = await dashboard.open('/sync-logs', { as: ana });
      const asked = page.waitForRequest((request) => /\/sync\/logs\?.*from=.*to=/.test(request.url()));
      await page.getByLabel('From').fill('2026-04-20');
      await page.getByLabel('To').fill('2026-04-20');
      const { searchParams } = new URL((await asked).url());
      expect(searchParams.get('from')).toBe('2026-04-19T10:00:00.000Z');
      expect(searchParams.get('to')).toBe('2026-04-20T10:00:00.000Z');
    });

    test('a day in the address that is none is left out', async () => {
      const page = await dashboard.open('/sync-logs?from=999999-01-01', { as: ana });
      await page.getByText('No syncs yet').waitFor();
    });

    test('what is long ago has the day of the household, in rows and in the exact time behind them', async () => {
      const { app } = dashboard;
      const connection = await addBankConnection(app, await addMember(app, 'Ben'));
      await addSyncLog(app, connection, { started_at: '2026-01-02T10:30:00.000Z' });
      const page = await dashboard.open('/sync-logs', { as: ana });
      const time = page.getByRole('rowheader').getByText('3 Jan 2026');
      await time.waitFor();
      await expect.poll(() => time.getAttribute('title')).toMatch(/3 January 2026.*00:30:00 GMT\+14/);
    });
  },
  ['SQLite'],
);
