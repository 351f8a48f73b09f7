import { expect, test } from 'vitest';

import { csvWithBalance, importFile, sendBytes } from '../../../test/harness/bank-files/bank-files.ts';
import { addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { Account } from './accounts.contract.ts';

const ACCOUNTS = '/api/v1/accounts';
const WALLET = { name: 'Wallet', iso_currency_code: 'EUR' };

async function post(app: TestApp, body: object): Promise<Answer> {
  return app.request('POST', ACCOUNTS, { body });
}

async function made(app: TestApp, body: object = WALLET): Promise<Answer['json']> {
  const answer = await post(app, body);
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.json, change_set: answer.headers['x-change-set-id'] };
}

async function get(app: TestApp, path: string): Promise<Answer['json']> {
  return (await app.request('GET', `/api/v1${path}`)).json;
}

async function revert(app: TestApp, set: unknown, body: object = {}): Promise<Answer> {
  return app.request('POST', `/api/v1/change-sets/${String(set)}/revert`, { body });
}

async function state(app: TestApp): Promise<unknown> {
  const accounts = (await get(app, '/accounts?include_disconnected=true')) as Made[];
  const balances = await Promise.all(accounts.map(({ id }) => get(app, `/accounts/${id}/balances`)));
  const rows = await get(app, '/transactions?limit=500');
  const text = JSON.stringify([accounts, balances, rows, await get(app, '/import-profiles'), await get(app, '/rules')]);
  return JSON.parse(text.replaceAll(/"updated_at":"[^"]*"/g, '"updated_at":""'));
}

forEachDatabase((database) => {
  test('an account created by hand has its own csv connection, the given balance and every field', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const account = await made(app, {
      ...WALLET,
      type: 'loan',
      subtype: ' mortgage ',
      display_name: 'House',
      institution_name: 'Old Bank',
      opening_balance: 1200.5,
      opening_date: '2026-04-01',
    });
    const { json } = await app.request('GET', `${ACCOUNTS}/${account.short_id}`);
    expect(Object.keys(json)).toEqual(Object.keys(Account.shape));
    expect(json).toMatchObject({
      name: 'Wallet',
      display_name: 'House',
      type: 'loan',
      subtype: 'mortgage',
      iso_currency_code: 'EUR',
      provider: 'csv',
      institution_name: 'Old Bank',
      user_id: ana.short_id,
      balance_current: '1200.50',
      connection_status: 'active',
    });
    expect((await get(app, `/accounts/${account.id}/balances`)).balances).toEqual([
      {
        date: '2026-04-01',
        iso_currency_code: 'EUR',
        balance_current: '1200.50',
        balance_available: null,
        balance_limit: null,
        source: 'manual',
        recorded_at: '2026-04-26T06:00:00.000Z',
      },
    ]);
    const set = await get(app, `/change-sets/${account.change_set}`);
    expect(set).toMatchObject({ action: 'account.create', revertible: true, entity_types: ['account', 'connection'] });
    expect(set.changes[1].after['balance.2026-04-01.EUR']).toMatchObject({ balance_current: '1200.50' });
  });

  test('missing, wrong and taken values are refused, and nothing is written', async () => {
    const app = await database.open();
    const nobody = await post(app, WALLET);
    expect([nobody.status, nobody.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    const ana = await addMember(app, 'Ana');
    await made(app);
    const again = await post(app, { ...WALLET, name: ' wállet ' });
    expect([again.status, again.json.error.code]).toEqual([409, 'CONFLICT']);
    for (const [wrong, path] of [
      [{ opening_balance: '1.00' }, 'opening_date'],
      [{ opening_balance: '1.001', opening_date: '2026-04-01' }, 'opening_balance'],
      [{ opening_balance: 10_000_000_000, opening_date: '2026-04-01' }, 'opening_balance'],
      [{ opening_balance: '1', opening_date: '2026-02-30' }, 'opening_date'],
      [{ iso_currency_code: 'eur' }, 'iso_currency_code'],
      [{ name: ' ' }, 'name'],
      [{ name: 'a\0b' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ typ: 'loan' }, 'typ'],
      [{ mask: '1234' }, 'mask'],
    ] as const) {
      const { status, json } = await post(app, { ...WALLET, name: 'Other', ...wrong });
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    }
    const ben = await addMember(app, 'Ben');
    const whose = await post(app, { ...WALLET, name: 'Other' });
    expect([whose.status, whose.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    expect(whose.json.error.details).toEqual([
      { path: 'user_id', message: `${ana.short_id} is Ana.` },
      { path: 'user_id', message: `${ben.short_id} is Ben.` },
    ]);
    const unknown = await post(app, { ...WALLET, name: 'Other', user_id: 'zzzzzzzz' });
    expect([unknown.status, unknown.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
    expect((await made(app, { ...WALLET, user_id: ben.short_id })).user_id).toBe(ben.short_id);
    expect(await get(app, '/accounts')).toHaveLength(2);
  });

  test('a balance set by hand is journaled, can be reverted, and never replaces one that a file reported', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id } = await made(app);
    const put = (date: string, body: object) => app.request('PUT', `${ACCOUNTS}/${id}/balances/${date}`, { body });
    const first = await put('2026-05-01', { balance_current: '-5', balance_limit: '100' });
    expect([first.status, first.json]).toMatchObject([
      200,
      {
        date: '2026-05-01',
        iso_currency_code: 'EUR',
        balance_current: '-5.00',
        balance_limit: '100.00',
        source: 'manual',
      },
    ]);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '-5.00', balance_limit: '100.00' });
    const same = await put('2026-05-01', { balance_current: -5, balance_limit: '100.00' });
    expect([same.status, same.headers['x-change-set-id']]).toEqual([200, undefined]);
    app.clock.advance(1_000);
    const second = await put('2026-05-01', { balance_current: '7.10' });
    const [change] = (await get(app, `/change-sets/${String(second.headers['x-change-set-id'])}`)).changes;
    expect([change.operation, Object.keys(change.before), Object.keys(change.after)]).toEqual([
      'update',
      ['balance.2026-05-01.EUR'],
      ['balance.2026-05-01.EUR'],
    ]);
    await put('2026-04-30', { balance_current: '3.00' });
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '7.10' });

    const file = csvWithBalance(0, '2026-05-01 Coffee -4.50', '2026-05-01 Tea -2.00');
    const imported = await importFile(app, file, { account_id: id });
    expect(imported.json.import.balance_proof.status).toBe('proved');
    const reported = await put('2026-05-01', { balance_current: '9.99' });
    expect([reported.status, reported.json]).toMatchObject([200, { balance_current: '-6.50', source: 'import' }]);
    expect(reported.headers['x-change-set-id']).toBeUndefined();
    const remove = await app.request('DELETE', `${ACCOUNTS}/${id}/balances/2026-05-01`);
    expect(remove.status).toBe(404);
    const since = await revert(app, second.headers['x-change-set-id']);
    expect([since.status, since.json.error.details[0].reason]).toEqual([409, 'changed_since']);

    expect((await revert(app, imported.headers['x-change-set-id'])).status).toBe(200);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '7.10' });
    const undone = await revert(app, second.headers['x-change-set-id']);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '-5.00', balance_limit: '100.00' });
    await revert(app, undone.json.change_set.id);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '7.10', balance_limit: null });
    const gone = await app.request('DELETE', `${ACCOUNTS}/${id}/balances/2026-05-01?iso_currency_code=EUR`);
    expect(gone.status).toBe(204);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '3.00' });
    await revert(app, gone.headers['x-change-set-id']);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '7.10' });
  });

  test('a balance that a file repeats belongs to the file from then on', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id } = await made(app);
    await app.request('PUT', `${ACCOUNTS}/${id}/balances/2026-05-01`, { body: { balance_current: '-6.50' } });
    await importFile(app, csvWithBalance(0, '2026-05-01 Coffee -4.50', '2026-05-01 Tea -2.00'), { account_id: id });
    expect((await get(app, `/accounts/${id}/balances`)).balances).toMatchObject([{ source: 'import' }]);
  });

  test('balances are refused where a bank reports them, and for invalid days and amounts', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id } = await made(app);
    const put = async (place: string, body: object, of = id) => {
      const { status, json } = await app.request('PUT', `${ACCOUNTS}/${of}/balances/${place}`, { body });
      return [status, json.error?.code];
    };
    expect(await put('2026-02-30', { balance_current: '1' })).toEqual([400, 'INVALID_PARAMETER']);
    expect(await put('2026-02-03', {})).toEqual([400, 'VALIDATION_ERROR']);
    expect(await put('2026-02-03', { balance_current: null })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await put('2026-02-03', { balance_current: '1e3' })).toEqual([400, 'VALIDATION_ERROR']);
    expect(await put('2026-02-03', { balance_current: '1', iso_currency_code: 'EURO' })).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(await put('2026-02-03', { balance_current: '1' }, 'zzzzzzzz')).toEqual([404, 'NOT_FOUND']);
    await app.write('test.account', async (tx) => {
      tx.journal.allowUnjournaled('account');
      await tx.q.updateTable('accounts').set({ provider: 'plaid' }).execute();
    });
    expect(await put('2026-02-03', { balance_current: '1' })).toEqual([409, 'CONFLICT']);
    const deleted = await app.request('DELETE', `${ACCOUNTS}/${id}`);
    expect([deleted.status, deleted.json.error.code]).toEqual([409, 'CONFLICT']);
    const patched = await app.request('PATCH', `${ACCOUNTS}/${id}`, { body: { name: 'Mine' } });
    expect([patched.status, patched.json.error.details[0].path]).toEqual([400, 'name']);
  });

  test('what was entered by hand and what a file repeats are one, and reverting each write leaves nothing', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id, change_set } = await made(app);
    const sets = [change_set];
    const done = (answer: Answer): void => {
      expect(answer.status, answer.text).toBeLessThan(300);
      sets.unshift(answer.headers['x-change-set-id']);
    };
    for (const [day, amount, name] of [
      ['01', '4.50', 'Coffee'],
      ['02', '500.00', 'Rent'],
    ]) {
      const body = { account_id: id, date: `2026-04-${day}`, amount, name };
      done(await app.request('POST', '/api/v1/transactions', { body }));
    }
    done(await app.request('PUT', `${ACCOUNTS}/${id}/balances/2026-04-03`, { body: { balance_current: '93.50' } }));
    const file = 'Date,Description,Amount\n2026-04-01,Coffee,-4.50\n2026-04-03,Tea,-2.00\n';
    done(await importFile(app, file, { account_id: id, sign: 'positive_is_in' }));
    expect((await importFile(app, file)).json.imported_transactions).toBe(0);
    const rows = (await get(app, '/transactions')).transactions;
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(['Tea', 'Rent', 'Coffee']);
    expect(await get(app, `/accounts/${id}`)).toMatchObject({ balance_current: '93.50' });
    for (const set of sets) expect((await revert(app, set)).status).toBe(200);
    expect(await get(app, '/accounts?include_disconnected=true')).toEqual([]);
    expect((await get(app, '/transactions')).transactions).toEqual([]);
  });

  test('an account is deleted with its rows and its connection, and restored whole', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const file = csvWithBalance(10_000, '2026-05-01 Coffee -4.50', '2026-05-02 Tea -2.00');
    const { json } = await sendBytes(app, file, { account_name: 'Giro', sign: 'positive_is_in' });
    const id = json.account_id as string;
    const rule = {
      name: 'Giro only',
      condition: { field: 'account_id', op: 'eq', value: id },
      actions: [{ type: 'flag' }],
    };
    await app.request('POST', '/api/v1/rules', { body: rule });
    const before = await state(app);
    const kept = await app.request('DELETE', `${ACCOUNTS}/${id}`);
    expect([kept.status, kept.json.error.message, kept.json.error.transaction_count]).toEqual([
      409,
      'The account has 2 transactions. Send delete_transactions=true to delete them too.',
      2,
    ]);
    const done = await app.request('DELETE', `${ACCOUNTS}/${id}?delete_transactions=true`);
    expect([done.status, done.text]).toEqual([204, '']);
    for (const path of [`/accounts/${id}`, `/accounts/${id}/detail`, `/accounts/${id}/balances`]) {
      expect((await app.request('GET', `/api/v1${path}`)).status).toBe(404);
    }
    expect(await get(app, '/accounts?include_disconnected=true')).toEqual([]);
    expect((await get(app, '/transactions')).transactions).toEqual([]);
    expect(await get(app, '/import-profiles')).toMatchObject([{ account_id: null }]);
    expect((await get(app, '/rules')).rules.find((one: { name: string }) => one.name === rule.name).enabled).toBe(
      false,
    );
    expect((await get(app, `/imports/${json.id}`)).connection_id).toBeNull();
    expect((await app.request('GET', `/api/v1/transactions?account_id=${id}`)).status).toBe(400);
    const [row] = (await get(app, '/transactions?deleted=true')).transactions;
    const restored = await app.request('POST', `/api/v1/transactions/${row.id}/restore`);
    expect([restored.status, restored.json.error.code]).toEqual([409, 'CONFLICT']);

    const set = done.headers['x-change-set-id'];
    expect(await get(app, `/change-sets/${String(set)}`)).toMatchObject({ action: 'account.delete', revertible: true });
    app.clock.advance(1_000);
    const undone = await revert(app, set);
    expect(undone.status, undone.text).toBe(200);
    expect(await state(app)).toEqual(before);
    expect((await get(app, `/accounts/${id}`)).updated_at).toBe(undone.json.change_set.created_at);
    const again = await revert(app, undone.json.change_set.id);
    expect(again.status, again.text).toBe(200);
    expect(await get(app, '/accounts?include_disconnected=true')).toEqual([]);
    expect((await revert(app, again.json.change_set.id)).status).toBe(200);
    expect(await state(app)).toEqual(before);
  });

  test('the rows of a deleted account are in its change set by their date', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const { id } = await made(app);
    for (const date of ['2026-04-03', '2026-04-01', '2026-04-02']) {
      const body = { account_id: id, date, amount: '2.00', name: 'Tea' };
      expect((await app.request('POST', '/api/v1/transactions', { body })).status).toBe(201);
    }
    const done = await app.request('DELETE', `${ACCOUNTS}/${id}?delete_transactions=true`);
    const { changes } = await get(app, `/change-sets/${String(done.headers['x-change-set-id'])}`);
    const rows = changes.filter((one: { entity_type: string }) => one.entity_type === 'transaction');
    const { transactions } = await get(app, '/transactions?deleted=true&sort_by=date&sort_order=asc');
    expect(rows.map((one: { entity_id: string }) => one.entity_id)).toEqual(transactions.map((one: Made) => one.id));
  });

  test('the file of a deleted account creates a new one; the old one cannot be restored while its name is taken', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const file = csvWithBalance(10_000, '2026-05-01 Coffee -4.50', '2026-05-02 Tea -2.00');
    const fields = { account_name: 'Giro', sign: 'positive_is_in' };
    const first = (await sendBytes(app, file, fields)).json;
    const done = await app.request('DELETE', `${ACCOUNTS}/${first.account_id}?delete_transactions=1`);
    const second = (await sendBytes(app, file, fields)).json;
    expect([second.account_id === first.account_id, second.counts.added]).toEqual([false, 2]);
    const back = await revert(app, done.headers['x-change-set-id']);
    expect([back.status, back.json.error.details.map((one: { reason: string }) => one.reason)]).toEqual([
      409,
      ['exists', 'reference_missing', 'reference_missing'],
    ]);
    expect((await get(app, '/transactions')).transactions).toHaveLength(2);
  });

  test('a file finds the account by its name; without a target it finds no deleted account', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const wallet = await made(app);
    const file = csvWithBalance(10_000, '2026-05-01 Coffee -4.50', '2026-05-02 Tea -2.00');
    const named = await sendBytes(app, file, { account_name: 'wallet', sign: 'positive_is_in' });
    expect([named.json.account_id, named.json.counts.added]).toEqual([wallet.id, 2]);
    await app.request('DELETE', `${ACCOUNTS}/${wallet.id}?delete_transactions=true`);
    const lost = await sendBytes(app, file, { sign: 'positive_is_in' });
    expect([lost.status, lost.json.account_id === wallet.id, lost.json.counts?.added], lost.text).toEqual([
      201,
      false,
      2,
    ]);
    const given = await sendBytes(app, file, { account_id: wallet.id, sign: 'positive_is_in' });
    expect([given.status, given.json.error.details[0].path]).toEqual([400, 'account_id']);
  });

  test('a member can be deleted after the last account; an account whose member no longer exists stays deleted', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const { id } = await made(app);
    expect((await app.request('DELETE', `/api/v1/users/${ana.id}`)).status).toBe(409);
    const done = await app.request('DELETE', `${ACCOUNTS}/${id}`);
    expect((await app.request('DELETE', `/api/v1/users/${ana.id}`)).status).toBe(204);
    const back = await revert(app, done.headers['x-change-set-id']);
    expect([back.status, back.json.error.details[0]]).toMatchObject([
      409,
      { entity_type: 'connection', reason: 'reference_missing', fields: ['user_id'] },
    ]);
    const parts = await revert(app, done.headers['x-change-set-id'], { on_conflict: 'skip' });
    expect(parts.json).toMatchObject({ reverted_count: 0, skipped_count: 2 });
  });

  test('many rows are deleted and restored with their account', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const account = await made(app);
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      account,
      date: '2026-04-02',
      amount_cents: n,
      name: `Row ${n % 7}`,
    }));
    await addTransactions(app, rows);
    const done = await app.request('DELETE', `${ACCOUNTS}/${account.id}?delete_transactions=true`);
    expect([done.status, (await get(app, '/transactions/count')).count]).toEqual([204, 0]);
    expect((await revert(app, done.headers['x-change-set-id'])).json.reverted_count).toBe(2_502);
    expect((await get(app, '/transactions/count')).count).toBe(2_500);
  });

  test('a connection of two accounts is deleted with the second', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const first = await made(app);
    const file = 'Date,Description,Amount\n2026-05-01,Coffee,-4.50\n';
    const fields = { connection_id: first.connection_id, account_name: 'Other', sign: 'positive_is_in' };
    const other = (await sendBytes(app, file, fields)).json.account_id;
    expect((await app.request('DELETE', `${ACCOUNTS}/${first.id}`)).status).toBe(204);
    expect(await get(app, '/accounts')).toMatchObject([{ id: other, connection_id: first.connection_id }]);
    expect((await app.request('DELETE', `${ACCOUNTS}/${other}?delete_transactions=true`)).status).toBe(204);
    expect((await app.request('GET', `/api/v1/imports?connection_id=${first.connection_id}`)).status).toBe(400);
  });

  test('creating an account can be reverted while the account is empty', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const account = await made(app, { ...WALLET, opening_balance: '1', opening_date: '2026-04-01' });
    const [row] = await addTransactions(app, [{ account, date: '2026-04-02', amount_cents: 1, name: 'Gum' }]);
    const used = await revert(app, account.change_set);
    expect([used.status, used.json.error.details[0].reason]).toEqual([409, 'in_use']);
    await app.request('DELETE', `/api/v1/transactions/${row?.id}`);
    const undone = await revert(app, account.change_set);
    expect(undone.status, undone.text).toBe(200);
    expect(await get(app, '/accounts?include_disconnected=true')).toEqual([]);
    await revert(app, undone.json.change_set.id);
    expect(await get(app, '/accounts')).toMatchObject([{ id: account.id, balance_current: '1.00' }]);
  });
});
