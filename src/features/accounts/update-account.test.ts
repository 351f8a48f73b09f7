import { expect, test } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';

const ACCOUNTS = '/api/v1/accounts';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

async function household(app: TestApp) {
  const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
  const account = await addAccount(app, ana, { name: 'CHECKING ...1234' });
  const patch = (body: unknown) => app.request('PATCH', `${ACCOUNTS}/${account.id}`, { body });
  const get = async () => (await app.request('GET', `${ACCOUNTS}/${account.id}`)).json;
  return { ana, ben, account, patch, get };
}

/** As enabling an account link sets the flag. */
async function linkAsDependent(app: TestApp, account: Made): Promise<void> {
  await app.write('test.link', async (tx) => {
    await tx.q.updateTable('accounts').set({ is_dependent_linked: 1 }).where('id', '=', account.id).execute();
    tx.journal.allowUnjournaled('account');
  });
}

forEachDatabase((database) => {
  test('a label is trimmed, shown by transactions, and cleared; the name never changes', async () => {
    const app = await database.open();
    const { account, patch } = await household(app);
    const [movement] = await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 100, name: 'A' }]);
    const label = async () => (await app.request('GET', `/api/v1/transactions/${movement?.id}`)).json.account_name;
    expect((await patch({ display_name: '  Joint  ' })).json).toMatchObject({
      display_name: 'Joint',
      name: 'CHECKING ...1234',
    });
    expect(await label()).toBe('Joint');
    for (const empty of ['', '   ', null]) {
      await patch({ display_name: 'Joint' });
      expect((await patch({ display_name: empty })).json.display_name).toBeNull();
      expect(await label()).toBe('CHECKING ...1234');
    }
    expect((await patch({ display_name: '😀'.repeat(200) })).status).toBe(200);
    expect((await patch({ display_name: '😀'.repeat(201) })).json.error.code).toBe('VALIDATION_ERROR');
  });

  test('a change names only what changed, owners as short_ids', async () => {
    const app = await database.open();
    const { ben, account, patch, get } = await household(app);
    const before = await get();
    app.clock.advance(1_000);
    const changed = await patch({ display_name: 'Joint', is_excluded: false, owner_user_id: ben.id });
    expect(changed.json).toEqual({
      ...before,
      display_name: 'Joint',
      owner_user_id: ben.short_id,
      owner_user_name: 'Ben',
      updated_at: '2026-04-26T06:00:01.000Z',
    });
    const id = String(changed.headers['x-change-set-id']);
    const [set] = await rowsOf(app.app.instance.database, `select * from change_sets where id = '${id}'`);
    expect(set).toMatchObject({ action: 'account.update', updated_count: 1, is_revertible: 1 });
    const changes = await rowsOf(
      app.app.instance.database,
      `select entity_type, entity_id, before, after from changes where change_set_id = '${id}'`,
    );
    expect(changes).toEqual([
      {
        entity_type: 'account',
        entity_id: account.id,
        before: '{"display_name":null,"owner_user_id":null}',
        after: `{"display_name":"Joint","owner_user_id":"${ben.short_id}"}`,
      },
    ]);
    app.clock.advance(1_000);
    for (const body of [{}, { display_name: ' Joint' }, { owner_user_id: ben.short_id, is_dependent_linked: false }]) {
      const same = await patch(body);
      expect([same.status, same.json, same.headers['x-change-set-id']]).toEqual([200, changed.json, undefined]);
    }
  });

  test('the dependent flag changes alone, and remembers that a person set it', async () => {
    const app = await database.open();
    const { ben, patch, get } = await household(app);
    await patch({ display_name: 'Joint', is_excluded: true, owner_user_id: ben.id });
    const before = await get();
    expect((await patch({ is_dependent_linked: true })).json).toEqual({ ...before, is_dependent_linked: true });
    const byHand = async () =>
      (await rowsOf(app.app.instance.database, 'select is_dependent_by_hand as by_hand from accounts'))[0];
    expect(await byHand()).toEqual({ by_hand: 1 });
    await patch({ is_dependent_linked: false });
    expect(await byHand()).toEqual({ by_hand: 0 });
  });

  test('setting a flag to its present value keeps who set it', async () => {
    const app = await database.open();
    const { account, patch } = await household(app);
    await linkAsDependent(app, account);
    const same = await patch({ is_dependent_linked: true, display_name: 'Copy' });
    expect(same.json).toMatchObject({ is_dependent_linked: true, display_name: 'Copy' });
    const [row] = await rowsOf(app.app.instance.database, 'select is_dependent_by_hand as by_hand from accounts');
    expect(row).toEqual({ by_hand: 0 });
  });

  test('bad changes are refused with the field', async () => {
    const app = await database.open();
    const { patch, get } = await household(app);
    const before = await get();
    for (const [body, code, path] of [
      [{ is_excluded: null }, 'VALIDATION_ERROR', 'is_excluded'],
      [{ is_excluded: 1 }, 'VALIDATION_ERROR', 'is_excluded'],
      [{ is_dependent_linked: null }, 'VALIDATION_ERROR', 'is_dependent_linked'],
      [{ name: '' }, 'VALIDATION_ERROR', 'name'],
      [{ type: null }, 'VALIDATION_ERROR', 'type'],
      [{ iso_currency_code: '' }, 'VALIDATION_ERROR', 'iso_currency_code'],
      [{ mask: '1234' }, 'VALIDATION_ERROR', 'mask'],
      [{ owner_user_id: 7 }, 'VALIDATION_ERROR', 'owner_user_id'],
      [{ owner_user_id: UNKNOWN, display_name: 'x' }, 'INVALID_PARAMETER', 'owner_user_id'],
      [{ owner_user_id: 'nobody' }, 'INVALID_PARAMETER', 'owner_user_id'],
      [{ owner_user_id: ' ' }, 'INVALID_PARAMETER', 'owner_user_id'],
      [{ owner_user_id: 'x'.repeat(1_000) }, 'INVALID_PARAMETER', 'owner_user_id'],
    ] as const) {
      const { status, json } = await patch(body);
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, code, path]);
    }
    expect(await get()).toEqual(before);
  });

  test('a new owner also gets earlier transactions; clearing the owner returns them', async () => {
    const app = await database.open();
    const { ana, ben, account, patch } = await household(app);
    const row = { account, date: '2026-04-01', amount_cents: 100, name: 'A' };
    const [inherits, attributed] = await addTransactions(app, [row, { ...row, attributed: ana }]);
    const owners = async () =>
      Promise.all(
        [inherits, attributed].map(
          async (one) => (await app.request('GET', `/api/v1/transactions/${one?.id}`)).json.user_id,
        ),
      );
    const found = async (user: Made) =>
      (await app.request('GET', '/api/v1/transactions', { query: { user_id: user.id } })).json.transactions.length;
    await patch({ owner_user_id: ben.short_id });
    expect(await owners()).toEqual([ben.short_id, ana.short_id]);
    expect([await found(ana), await found(ben)]).toEqual([1, 1]);
    await patch({ owner_user_id: '' });
    expect(await owners()).toEqual([ana.short_id, ana.short_id]);
    await patch({ owner_user_id: ben.id });
    expect((await patch({ owner_user_id: null })).json).toMatchObject({ owner_user_id: null, owner_user_name: 'Ana' });
    expect([await found(ana), await found(ben)]).toEqual([2, 0]);
  });

  test('an excluded account is out of summary and totals; the list shows its rows', async () => {
    const app = await database.open();
    const { account, patch } = await household(app);
    await addTransactions(app, [{ account, date: '2026-04-01', amount_cents: 1_234, name: 'A' }]);
    const path = '/api/v1/transactions';
    const totals = async () =>
      (await app.request('GET', `${path}/count`, { query: { include_totals: true } })).json.totals as unknown[];
    const rows = async () =>
      (await app.request('GET', `${path}/summary`, { query: { group_by: 'category' } })).text.includes('12.34');
    expect([(await totals()).length, await rows()]).toEqual([1, true]);
    await patch({ is_excluded: true });
    expect([(await totals()).length, await rows()]).toEqual([0, false]);
    expect((await app.request('GET', path)).json.transactions).toHaveLength(1);
  });
});
