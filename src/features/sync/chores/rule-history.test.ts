import { expect, test } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { addAccount, addMember, addTransactions, type Made } from '../../../../test/harness/ledger.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import { addSyncLog } from '../../../../test/harness/syncs/sync-logs.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { keepHouse } from './keep-house.ts';

const DAY_MS = 86_400_000;

async function syncRow({ app, plaid }: SyncedHousehold, connection: Made, mark: string): Promise<string> {
  const account = accountOf(`${mark}-account`);
  const page = pageOf([rowOf(`${mark}-row`, { externalAccountId: account.externalId, name: `Cafe ${mark}` })]);
  plaid.answers = [{ parts: [page], outcome: { state: itemOf([account]), position: `${mark}-p` } }];
  return (await runASync(app, connection.id)).id;
}

forEachDatabase((database) => {
  test('what a rule did in a sync leaves its history with the log of the sync, when it is old or erased', async () => {
    const home = await openSyncedHousehold(database);
    const { app, ana } = home;
    const body = {
      name: 'Cafes',
      condition: { field: 'name', op: 'contains', value: 'cafe' },
      actions: [{ type: 'flag' }],
    };
    const rule = (await app.request('POST', '/api/v1/rules', { body })).json;
    const history = async (): Promise<object[]> =>
      (await app.request('GET', `/api/v1/rules/${rule.id}/sync-history`)).json.history;
    const [one, other] = [await home.connect('plaid', 'One Bank'), await home.connect('plaid', 'Other Bank')];
    await syncRow(home, one, 'one');
    app.clock.advance(100 * DAY_MS);
    const kept = await syncRow(home, other, 'other');
    await addSyncLog(app, one);
    expect(await history()).toMatchObject([{ institution: 'Other Bank' }, { institution: 'One Bank' }]);
    await keepHouse(app.app.instance);
    expect(await history()).toMatchObject([{ run_type: 'sync', sync_id: kept, institution: 'Other Bank' }]);
    await app.request('POST', `/api/v1/users/${ana.id}/wipe-data`);
    expect(await history()).toEqual([]);
  });

  test('what a rule did in a sync is kept as long as its log, and anything else for a year', async () => {
    const home = await openSyncedHousehold(database);
    const { app } = home;
    const body = { name: 'All', condition: {}, actions: [{ type: 'flag' }] };
    const rule = (await app.request('POST', '/api/v1/rules', { body })).json;
    const runs = async (): Promise<string[]> =>
      (await app.request('GET', `/api/v1/rules/${rule.id}/sync-history`)).json.history.map(
        ({ run_type: type }: { run_type: string }) => type,
      );
    const apply = async () => app.request('POST', `/api/v1/rules/${rule.id}/apply`);
    const bank = await home.connect('plaid', 'One Bank');
    await syncRow(home, bank, 'one');
    await apply();
    expect(await runs()).toEqual(['apply', 'sync']);
    app.clock.advance(366 * DAY_MS);
    await apply();
    expect(await runs()).toEqual(['apply', 'sync']);
    await keepHouse(app.app.instance);
    await syncRow(home, bank, 'other');
    expect(await runs()).toEqual(['sync', 'apply', 'sync']);
  });
  test('what an apply did, and its job, are gone in time, though nothing runs after it', async () => {
    const { app } = await openSyncedHousehold(database);
    const body = { name: 'All', condition: {}, actions: [{ type: 'flag' }] };
    const rule = (await app.request('POST', '/api/v1/rules', { body })).json;
    await addTransactions(app, [
      {
        account: await addAccount(app, await addMember(app, 'Eve')),
        date: '2026-04-01',
        amount_cents: 100,
        name: 'Row',
      },
    ]);
    await app.request('POST', `/api/v1/rules/${rule.id}/apply`);
    const left = async (): Promise<number[]> => {
      await keepHouse(app.app.instance);
      const { history } = (await app.request('GET', `/api/v1/rules/${rule.id}/sync-history`)).json;
      return [(await app.request('GET', '/api/v1/jobs')).json.length, history.length];
    };
    app.clock.advance(7 * DAY_MS);
    expect(await left()).toEqual([1, 1]);
    app.clock.advance(1);
    expect(await left()).toEqual([0, 1]);
    app.clock.advance(358 * DAY_MS - 1);
    expect(await left()).toEqual([0, 1]);
    app.clock.advance(1);
    expect(await left()).toEqual([0, 0]);
  });
});
