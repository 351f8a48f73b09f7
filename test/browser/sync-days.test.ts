import { beforeAll, expect, test } from 'vitest';

import { browserTest } from '../harness/browser.ts';
import { signIn, type SignedIn } from '../harness/sessions.ts';
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
  },
  ['SQLite'],
);
