import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { wrongTotals } from './databases/totals-of-rows.ts';
import { addAccount, addMember, addTransactions } from './ledger.ts';
import { forEachDatabase, type TestApp } from './test-app.ts';

forEachDatabase((database) => {
  test('an installation has two keys, and survives a second start', async () => {
    const first = await database.open();
    expect((await first.request('GET', '/api/v1/api-keys')).json).toHaveLength(2);
    expect((await first.request('GET', '/api/v1/api-keys', { key: first.readOnlyKey })).status).toBe(403);
    await first.close();
    const second = await first.again();
    expect((await second.request('GET', '/api/v1/keys/me')).json.scope).toBe('full_access');
    expect(second.logs.some((line) => line.includes('/api/v1/keys/me'))).toBe(true);
  });

  test('an installation shares nothing with another, open or gone', async () => {
    const first = await database.open();
    const { key } = await first.newKey();
    expect((await first.request('GET', '/api/v1/keys/me', { key })).status).toBe(200);
    expect((await (await database.open()).request('GET', '/api/v1/keys/me', { key })).status).toBe(401);
  });

  describe('the check of totals after every test', () => {
    const row = `'2026-04', 'a', '', '', 'USD', 1, 1, 350, 0`;
    const written = (app: TestApp, statement: string) =>
      app.write('test.totals', async (tx) => void (await sql.raw(statement).execute(tx.q)));
    const found = (app: TestApp) => wrongTotals(app.app.instance.database);

    test('finds sums of no rows, even where there are no transactions', async () => {
      const app = await database.open();
      expect(await found(app)).toEqual([]);
      await written(app, `insert into monthly_totals values (${row})`);
      expect(await found(app)).toEqual([expect.stringMatching(/^wrong in monthly_totals: \["2026-04","a"/)]);
      await written(app, 'delete from monthly_totals');
    });

    test('finds rows that no sum counts', async () => {
      const app = await database.open();
      const account = await addAccount(app, await addMember(app, 'Ana'));
      await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 350, name: 'Coffee' }]);
      expect(await found(app)).toEqual([]);
      await written(app, 'delete from merchant_totals');
      expect(await found(app)).toEqual([expect.stringMatching(/^missing in merchant_totals: \["2026-04"/)]);
      await app.close();
    });
  });
});
