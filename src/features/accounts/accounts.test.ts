import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import type { AccountsTable } from '../../db/schema.ts';
import { Account } from './accounts.contract.ts';

const ACCOUNTS = '/api/v1/accounts';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

/** What a sync would do to an account or its connection. */
async function setColumns(app: TestApp, account: Made, set: Partial<AccountsTable>): Promise<void> {
  await app.write('test.account', async (tx) => {
    await tx.q.updateTable('accounts').set(set).where('id', '=', account.id).execute();
    tx.journal.allowUnjournaled('account');
  });
}

async function setStatus(app: TestApp, connection: Made, status: string): Promise<void> {
  await app.write('test.connection', async (tx) => {
    await tx.q.updateTable('connections').set({ status }).where('id', '=', connection.id).execute();
    tx.journal.allowUnjournaled('connection');
  });
}

async function household(app: TestApp) {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const account = await addAccount(app, ana, { name: 'CHECKING ...1234' });
  const get = async () => (await app.request('GET', `${ACCOUNTS}/${account.id}`)).json;
  return { ana, ben, account, get };
}

forEachDatabase((database) => {
  test('an account shows every field; balances are decimal strings or null', async () => {
    const app = await database.open();
    const { ana, account } = await household(app);
    await setColumns(app, account, { balance_current_cents: -5, balance_limit_cents: 999_999_999_999 });
    const { json } = await app.request('GET', `${ACCOUNTS}/${account.short_id}`, { key: app.readOnlyKey });
    expect(Object.keys(json)).toEqual(Object.keys(Account.shape));
    expect(json).toMatchObject({
      id: account.id,
      name: 'CHECKING ...1234',
      display_name: null,
      balance_current: '-0.05',
      balance_available: null,
      balance_limit: '9999999999.99',
      is_excluded: false,
      is_dependent_linked: false,
      connection_id: account.connection.id,
      user_id: ana.short_id,
      owner_user_id: null,
      owner_user_name: 'Ana',
      provider: 'csv',
      connection_status: 'active',
    });
    expect((await app.request('GET', ACCOUNTS)).json).toEqual([json]);
    for (const id of [UNKNOWN, 'zzzzzzzz', 'x']) {
      for (const path of ['', '/detail', '/balances']) {
        expect((await app.request('GET', `${ACCOUNTS}/${id}${path}`)).json.error.code).toBe('NOT_FOUND');
      }
      expect((await app.request('PATCH', `${ACCOUNTS}/${id}`, { body: {} })).status).toBe(404);
    }
  });

  test('the list is ordered by institution (none last), then by the name shown, then id', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const make = async (institution_name: string | null, name: string, display_name: string | null = null) => {
      const account = await addAccount(app, ana, { name });
      await setColumns(app, account, { institution_name, display_name });
    };
    await make(null, 'a');
    await make('zeta', 'b');
    await make('Ärzte Bank', 'x', 'Beta');
    await make('arzte bank', 'ALPHA');
    await make('Zeta', 'z', 'ämter');
    await make('Zeta', 'B');
    const listed = (await app.request('GET', ACCOUNTS)).json as { name: string; display_name: string | null }[];
    expect(listed.map(({ name, display_name }) => display_name ?? name)).toEqual([
      'ALPHA',
      'Beta',
      'ämter',
      'b',
      'B',
      'a',
    ]);
  });

  test('the list filters by effective owner and by connection', async () => {
    const app = await database.open();
    const { ana, ben, account } = await household(app);
    const lent = await addAccount(app, ana, { override: ben });
    const bens = await addAccount(app, ben);
    const idsOf = async (query: Record<string, string | readonly string[]>) => {
      const { json } = await app.request('GET', ACCOUNTS, { query });
      return (json as Made[]).map(({ id }) => id).sort();
    };
    expect(await idsOf({ user_id: ana.short_id })).toEqual([account.id]);
    expect(await idsOf({ user_id: ben.id })).toEqual([lent.id, bens.id].sort());
    expect(await idsOf({ user_id: `${ana.id}, ${ben.short_id}` })).toHaveLength(3);
    expect(await idsOf({ user_id: [ana.id, ana.short_id] })).toEqual([account.id]);
    expect(await idsOf({ connection_id: [account.connection.id, bens.connection.short_id] })).toEqual(
      [account.id, bens.id].sort(),
    );
    expect(await idsOf({ user_id: ben.id, connection_id: account.connection.id })).toEqual([]);
    expect(await idsOf({ user_id: '', connection_id: '' })).toHaveLength(3);
    for (const [query, path] of [
      [{ user_id: UNKNOWN }, 'user_id'],
      [{ user_id: `${ana.id},nobody` }, 'user_id'],
      [{ connection_id: 'zzzzzzzz' }, 'connection_id'],
      [{ include_disconnected: 'yes' }, 'include_disconnected'],
    ] as const) {
      const { status, json } = await app.request('GET', ACCOUNTS, { query });
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', path]);
    }
  });

  test('an account of a disconnected connection is not listed, but can still be read', async () => {
    const app = await database.open();
    const { account, get } = await household(app);
    const orphan = await addAccount(app, await addMember(app, 'Cy'));
    const [movement] = await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 100, name: 'A' }]);
    await setStatus(app, account.connection, 'disconnected');
    await setColumns(app, orphan, { connection_id: null });
    expect((await app.request('GET', ACCOUNTS)).json).toEqual([]);
    expect((await app.request('GET', ACCOUNTS, { query: { include_disconnected: 1 } })).json).toHaveLength(2);
    expect((await get()).connection_status).toBe('disconnected');
    expect((await app.request('GET', `${ACCOUNTS}/${orphan.id}`)).json).toMatchObject({
      connection_id: null,
      connection_status: null,
      user_id: null,
      owner_user_name: null,
    });
    expect((await app.request('GET', '/api/v1/transactions')).json.transactions[0].id).toBe(movement?.id);
    await setStatus(app, account.connection, 'error');
    expect((await app.request('GET', ACCOUNTS)).json).toHaveLength(1);
  });

  test('fields and their aliases leave the rest out; an unknown one is refused', async () => {
    const app = await database.open();
    const { account } = await household(app);
    const minimal = ['name', 'display_name', 'type', 'balance_current', 'iso_currency_code'];
    const core = ['subtype', 'mask', 'institution_name', 'user_id', 'owner_user_id', 'is_excluded', 'provider'];
    for (const [fields, expected] of [
      ['mask', ['mask']],
      ['minimal', minimal],
      ['core', [...minimal, ...core, 'connection_status']],
      ['timestamps,name,id', ['name', 'created_at', 'updated_at', 'balance_updated_at']],
      [',', []],
    ] as const) {
      const { json } = await app.request('GET', `${ACCOUNTS}/${account.id}`, { query: { fields } });
      expect(Object.keys(json).sort()).toEqual(['id', 'short_id', ...expected].sort());
      expect((await app.request('GET', ACCOUNTS, { query: { fields } })).json).toEqual([json]);
    }
    for (const fields of ['category', 'triage', 'nonsense', 'name,amount', 'constructor', 'balances']) {
      for (const path of [ACCOUNTS, `${ACCOUNTS}/${account.id}`]) {
        const { json } = await app.request('GET', path, { query: { fields } });
        expect([json.error.code, json.error.details[0].path]).toEqual(['INVALID_PARAMETER', 'fields']);
      }
    }
  });
});
