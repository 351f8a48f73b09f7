import { expect, test } from 'vitest';

import { addMember, categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { useSimulators } from '../../../test/harness/banks/simulators.ts';
import { forEachDatabase, TEST_START } from '../../../test/harness/test-app.ts';
import { householdWorld, type BankFile } from '../../../simulators/providers/household-banks.ts';

const simulators = useSimulators();
const FILED = '4821';

interface State {
  items: { institution_id: string; institution_name: string; item_id: string }[];
  public_tokens: { token: string; itemId: string }[];
}

forEachDatabase((database) => {
  test('three years of files, then their bank with two: the account keeps its id, each purchase is there once, nothing is asked', async () => {
    simulators.plaid.control.reset({ world: 'household', now: TEST_START });
    const app = await database.open({ env: simulators.env });
    const ana = await addMember(app, 'Ana');
    const file = householdWorld(1, TEST_START.slice(0, 10)).files.find(({ mask }) => mask === FILED) as BankFile;
    const importFile = async (target: object) => {
      const body = { csv_base64: Buffer.from(file.text).toString('base64'), ...target };
      return (await app.request('POST', '/api/v1/connections/csv/import', { body })).json;
    };
    const { import: imported, imported_transactions: fileCount } = await importFile({ account_name: 'Everyday' });
    const csv = imported.account_id as string;
    const some = { account_id: csv, start_date: '2026-01-01', end_date: '2026-03-01', limit: '1' };
    const [kept] = (await app.request('GET', '/api/v1/transactions', { query: some })).json.transactions as [Made];
    const category = await categoryBySlug(app, 'food_and_drink_coffee');
    await app.request('PATCH', `/api/v1/transactions/${kept.id}/category`, { body: { category_id: category.id } });

    const { items, public_tokens: tokens } = simulators.plaid.control.state() as unknown as State;
    const [{ item_id: itemId, institution_id, institution_name }] = items as [State['items'][number]];
    const credentials = {
      public_token: tokens.find((one) => one.itemId === itemId)?.token,
      institution_id,
      institution_name,
    };
    const body = { provider: 'plaid', user_id: ana.short_id, credentials };
    const { json: connection } = await app.request('POST', '/api/v1/connections', { body });
    const log = await runASync(app, connection.id);
    expect([log.status, log.error_message]).toEqual(['success', null]);

    const accounts = (await app.request('GET', '/api/v1/accounts')).json as (Made & { mask: string })[];
    expect(accounts.length).toBe(3);
    expect(accounts.find(({ mask }) => mask === FILED)).toMatchObject({
      id: csv,
      display_name: 'Everyday',
      provider: 'plaid',
      connection_id: connection.id,
    });
    const synced = JSON.parse(log.accounts) as { account_id: string; added_count: number; modified_count: number }[];
    const { added_count: added, modified_count: modified } = synced.find(
      (one) => one.account_id === csv,
    ) as (typeof synced)[0];
    const count = async (query: object) =>
      (await app.request('GET', '/api/v1/transactions/count', { query: { account_id: csv, ...query } })).json
        .count as number;
    // The file lacks only what is still pending.
    expect([added, await count({})]).toEqual([await count({ pending: 'true' }), fileCount + added]);
    expect(modified).toBeGreaterThan(500);
    expect((await app.request('GET', '/api/v1/sync/suggestions')).json.total).toBe(0);
    const { json: same } = await app.request('GET', `/api/v1/transactions/${kept.id}`);
    expect(same).toMatchObject({ category: { slug: 'food_and_drink_coffee' }, deleted_at: null });

    const again = await importFile({});
    expect([again.import.account_id, again.imported_transactions]).toEqual([csv, 0]);
  }, 60_000);
});
