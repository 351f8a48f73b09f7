import { expect, test } from 'vitest';

import { csvOf, importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { addAccount, addMember, addTransactions } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const NAME = 'Mark new transactions for review';

forEachDatabase((database) => {
  const tagsOf = async (app: TestApp): Promise<Record<string, string[]>> => {
    const { transactions } = (await app.request('GET', '/api/v1/transactions', { query: { limit: 500 } })).json;
    return Object.fromEntries(transactions.map((one: { name: string; tags: string[] }) => [one.name, one.tags]));
  };

  test('a new installation has one rule, which can be changed but not deleted', async () => {
    const app = await database.open();
    const { rules } = (await app.request('GET', '/api/v1/rules')).json;
    expect(rules).toMatchObject([
      {
        name: NAME,
        creator_type: 'system',
        creator_id: null,
        creator_name: 'Homeledger',
        condition: {},
        actions: [{ type: 'add_tag', tag_slug: 'needs-review' }],
        triggers: ['create'],
        priority: 0,
        enabled: true,
        hit_count: 0,
      },
    ]);
    const [{ id, ...rule }] = rules;
    const gone = await app.request('DELETE', `/api/v1/rules/${id}`);
    expect([gone.status, gone.json.error.code]).toEqual([409, 'SYSTEM_RULE']);
    const changed = await app.request('PUT', `/api/v1/rules/${id}`, { body: { ...rule, enabled: false } });
    expect([changed.status, changed.json.enabled, changed.json.creator_type]).toEqual([200, false, 'system']);
    const again = await app.again();
    expect((await again.request('GET', '/api/v1/rules')).json.rules).toEqual([changed.json]);
    const seeds = await rowsOf(app.app.instance.database, `select action from change_sets where action = 'setup.seed'`);
    expect(seeds).toHaveLength(1);
  });

  test('a new row gets the tag, an old one does not, and a tag that someone removed stays off', async () => {
    const app = await database.open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    await addTransactions(app, [{ account, date: '2026-01-01', amount_cents: 100, name: 'OLD' }]);
    const file = (day: string, status: string): string =>
      `Date,Description,Amount,Transaction ID,Status\n2026-02-${day},COFFEE,-3.50,r1,${status}\n2026-02-09,END,-1.00,r2,Posted\n`;
    const fields = { account_id: account.id, pending: 'import', sign: 'positive_is_in' };
    await importFile(app, file('02', 'Pending'), fields);
    expect(await tagsOf(app)).toEqual({ OLD: [], COFFEE: ['needs-review'], END: ['needs-review'] });
    await app.request('POST', '/api/v1/rules/apply-all', { body: {} });
    const { transactions } = (await app.request('GET', '/api/v1/transactions', { query: { search: 'coffee' } })).json;
    await app.request('DELETE', `/api/v1/transactions/${transactions[0].id}/tags/needs-review`);
    const posted = await importFile(app, file('03', 'Posted'), fields);
    expect(posted.json.import.counts).toMatchObject({ updated: 1, duplicate: 1 });
    expect(await tagsOf(app)).toEqual({ OLD: [], COFFEE: [], END: ['needs-review'] });
    const [{ hit_count: hits }] = (await app.request('GET', '/api/v1/rules')).json.rules;
    expect(hits).toBe(2);
  });

  test('it tags nothing when disabled', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const [{ id }] = (await app.request('GET', '/api/v1/rules')).json.rules;
    await app.request('PATCH', `/api/v1/rules/${id}`, { body: { enabled: false } });
    await importFile(app, csvOf('2026-02-02 COFFEE -3.50'));
    expect(await tagsOf(app)).toEqual({ COFFEE: [] });
  });
});
