import { describe, expect, test } from 'vitest';

import { DAY_MS } from '../../kernel/dates.ts';
import { disconnect, revokeStaleLinks } from '../linking/index.ts';
import { addBankConnection } from '../../../test/harness/banks/bank-connection.ts';
import { addAccount, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { failureOf, openWithBanks, tokenFor } from '../../../test/harness/banks/made-up-bank.ts';
import { addBank, addBankAccount, deliver } from '../../../test/harness/syncs/synced-ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CONNECTIONS = '/api/v1/connections';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

const codeOf = ({ status, json }: Answer): unknown[] => [status, json?.error?.code];
const stored = async (app: TestApp, column: string) =>
  (await rowsOf(app.app.instance.database, `select ${column} from connections order by id`)).map((row) => row[column]);
const names = async (app: TestApp) =>
  (await app.request('GET', '/api/v1/transactions')).json.transactions
    .map((row: { name: string }) => row.name)
    .toSorted();

/** Access that is still to be revoked, or of which people are told. */
const waiting = async (app: TestApp) => rowsOf(app.app.instance.database, 'select * from pending_links');

async function change(app: TestApp, id: string, columns: object): Promise<void> {
  await app.write('test.change', async (tx) => {
    tx.journal.allowUnjournaled('connection');
    await tx.q.updateTable('connections').set(columns).where('id', '=', id).execute();
  });
}

forEachDatabase((database) => {
  describe('disconnecting', () => {
    const remove = (app: TestApp, id: string, query: Record<string, boolean> = {}) =>
      app.request('DELETE', `${CONNECTIONS}/${id}`, { query });

    test('ends the access, at once or later, and keeps accounts and transactions', async () => {
      const { app, plaid, ana } = await openWithBanks(database);
      const { id } = await addBankConnection(app, ana, {
        itemId: 'item-1',
        status: 'error',
        error_code: 'X',
        error_message: 'Y',
      });
      const trouble = { consent_expires_at: '2026-05-01T00:00:00.000Z', new_accounts_at: '2026-04-01T00:00:00.000Z' };
      await change(app, id, { ...trouble, sync_position: 'p', next_sync_at: '2026-05-01T00:00:00.000Z' });
      await app.request('POST', `${CONNECTIONS}/${id}/reauth-complete`);
      const account = await addBankAccount(app, { id, short_id: id, provider: 'plaid' });
      await deliver(app, account, [{ date: '2026-04-20', amount_cents: 450, name: 'Coffee' }]);
      plaid.faults.revoke = failureOf('INTERNAL_SERVER_ERROR');
      const gone = await remove(app, id);
      expect([gone.status, gone.text]).toEqual([204, '']);
      expect(plaid.calls).toEqual(['revoke item-1']);
      expect((await app.request('GET', `${CONNECTIONS}/${id}`)).json).toMatchObject({
        status: 'disconnected',
        error_code: null,
        error_message: null,
        next_sync_at: null,
        consent_expires_at: null,
        new_accounts_available: false,
        account_count: 1,
      });
      expect(await stored(app, 'sync_position')).toEqual([null]);
      expect([await stored(app, 'credentials'), (await waiting(app)).length]).toEqual([[null], 1]);
      delete plaid.faults.revoke;
      await revokeStaleLinks(app.app.instance);
      expect(await waiting(app)).toEqual([]);
      const { database: db } = app.app.instance;
      expect(await rowsOf(db, 'select requested_at from sync_turns')).toEqual([{ requested_at: null }]);
      expect(await names(app)).toEqual(['Coffee']);
      expect(codeOf(await remove(app, id))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await remove(app, UNKNOWN))).toEqual([404, 'NOT_FOUND']);
      const set = (await app.request('GET', `/api/v1/change-sets/${String(gone.headers['x-change-set-id'])}`)).json;
      expect([set.action, set.revertible]).toEqual(['connection.disconnect', false]);
      expect(
        (await app.request('GET', '/api/v1/change-sets?action=connection.disconnect')).json.change_sets,
      ).toHaveLength(1);
    });

    test('does not wait for a provider that hangs, and tries again for a week', async () => {
      setLimit('revokeMs', 20);
      const { app, plaid, ana } = await openWithBanks(database);
      const { id } = await addBankConnection(app, ana, { itemId: 'item-9' });
      plaid.faults.revoke = 'hang';
      expect((await remove(app, id)).status).toBe(204);
      expect(app.logs.join('')).toContain('could not be revoked');
      const said = async () => {
        const own = (await app.request('GET', `${CONNECTIONS}/${id}/status`)).json.attention;
        const all = (await app.request('GET', '/api/v1/overview')).json.attention;
        expect(
          all.map(({ code, message, since }: Made & Record<string, string>) => ({ code, message, since })),
        ).toEqual(own);
        return own.map(({ code, message }: Record<string, string>) => `${code} ${message}`);
      };
      const revokeAfter = async (ms: number) => {
        app.clock.advance(ms);
        await revokeStaleLinks(app.app.instance);
        const calls = plaid.calls.filter((call) => call.startsWith('revoke'));
        return [(await waiting(app)).map(({ credentials }) => credentials !== null), calls.length];
      };
      expect(await said()).toEqual([
        expect.stringMatching(/^revocation_pending .*First Platypus Bank \(item-9\).* hourly until \d{4}-\d\d-\d\d\.$/),
      ]);
      expect(await revokeAfter(7 * DAY_MS - 1)).toEqual([[true], 2]);
      expect(await revokeAfter(1)).toEqual([[false], 3]);
      expect(await revokeAfter(30 * DAY_MS - 1)).toEqual([[false], 3]);
      expect(await said()).toEqual([
        expect.stringMatching(/^revocation_pending .*First Platypus Bank \(item-9\).* my\.plaid\.com /),
      ]);
      expect(await revokeAfter(1)).toEqual([[], 3]);
      expect(await said()).toEqual([]);
    });

    test('says what to remove at the provider if the access could not be read', async () => {
      const { app, plaid, ana } = await openWithBanks(database);
      const { id } = await addBankConnection(app, ana, { itemId: 'item-9' });
      await change(app, id, { credentials: null });
      expect((await remove(app, id)).status).toBe(204);
      const { attention } = (await app.request('GET', `${CONNECTIONS}/${id}/status`)).json;
      expect(attention).toMatchObject([{ code: 'revocation_pending', message: expect.stringContaining('item-9') }]);
      expect(plaid.calls).toEqual([]);
    });

    test('revokes nothing any more once the same item is linked again', async () => {
      const { app, teller, ana } = await openWithBanks(database);
      const { id } = await addBankConnection(app, ana, { provider: 'teller', itemId: 'enr-1' });
      teller.faults.revoke = failureOf('INTERNAL_SERVER_ERROR');
      await remove(app, id);
      expect(await waiting(app)).toHaveLength(1);
      const credentials = {
        access_token: tokenFor('enr-1'),
        enrollment_id: 'enr-1',
        institution_name: 'First Platypus Bank',
      };
      const body = { provider: 'teller', user_id: ana.id, credentials };
      const again = await app.request('POST', CONNECTIONS, { body });
      expect([again.status, again.json.id, await waiting(app)]).toEqual([200, id, []]);
    });

    test('is finished after a crash between its steps', async () => {
      const { app, teller, ana } = await openWithBanks(database);
      await addBankConnection(app, ana, { provider: 'teller', itemId: 'enr-1' });
      const { instance } = app.app;
      await app.write('test.disconnect', async (tx) =>
        disconnect(tx, instance, await tx.q.selectFrom('connections').selectAll().executeTakeFirstOrThrow(), {
          deletesTransactions: false,
        }),
      );
      await revokeStaleLinks(instance);
      await revokeStaleLinks(instance);
      expect([teller.calls, await waiting(app)]).toEqual([['revoke enr-1'], []]);
    });

    test('deletes only what the bank alone delivered, and a revert brings it back', async () => {
      const { app, ana } = await openWithBanks(database);
      const bank = await addBank(app, ana);
      const account = await addBankAccount(app, bank);
      const [, filed, entered] = await deliver(app, account, [
        { date: '2026-04-20', amount_cents: 450, name: 'Bank' },
        { date: '2026-04-21', amount_cents: 460, name: 'Bank and file' },
        { date: '2026-04-22', amount_cents: 470, name: 'Bank and hand' },
      ]);
      await addTransactions(app, [{ account, date: '2026-04-23', amount_cents: 480, name: 'Hand' }]);
      await app.write('test.sources', async (tx) => {
        tx.journal.allowUnjournaled('transaction');
        const [sync, hand] = await tx.q.selectFrom('change_sets').select('id').limit(2).execute();
        await tx.q
          .updateTable('change_sets')
          .set({ source: 'sync' })
          .where('id', '=', (sync as { id: string }).id)
          .execute();
        await tx.q
          .updateTable('transactions')
          .set({ created_change_set_id: sync?.id ?? null })
          .execute();
        await tx.q
          .updateTable('transactions')
          .set({ created_change_set_id: hand?.id ?? null })
          .where('id', '=', (entered as Made).id)
          .execute();
        await tx.q
          .insertInto('transaction_origins')
          .values({
            transaction_id: (filed as Made).id,
            import_id: null,
            line: 1,
            part: 1,
            source_key: 's',
            content_key: 'c',
            raw: '{}',
          })
          .execute();
      });
      const gone = await remove(app, bank.id, { delete_transactions: true });
      expect([gone.status, await names(app)]).toEqual([204, ['Bank and file', 'Bank and hand', 'Hand']]);
      const set = String(gone.headers['x-change-set-id']);
      const reverted = await app.request('POST', `/api/v1/change-sets/${set}/revert`);
      expect([reverted.status, (await names(app)).length]).toEqual([200, 4]);
      expect((await app.request('GET', `${CONNECTIONS}/${bank.id}`)).json.status).toBe('disconnected');
      expect((await remove(app, bank.id, { delete_transactions: true })).status).toBe(204);
      expect(await names(app)).not.toContain('Bank');
      const again = await remove(app, bank.id, { delete_transactions: true });
      expect([again.status, again.headers['x-change-set-id']]).toEqual([204, undefined]);
    });

    test('a csv connection loses all its transactions with delete_transactions, and asks no provider', async () => {
      const { app, plaid, teller, ana } = await openWithBanks(database);
      const account = await addAccount(app, ana);
      await addTransactions(app, [{ account, date: '2026-04-23', amount_cents: 480, name: 'Hand' }]);
      expect((await remove(app, account.connection.id, { delete_transactions: true })).status).toBe(204);
      expect([await names(app), plaid.calls, teller.calls]).toEqual([[], [], []]);
    });

    test('an account that was joined from files is a csv account again', async () => {
      const { app, ana } = await openWithBanks(database);
      const files = await addAccount(app, ana, { name: 'Checking' });
      const bank = await addBank(app, ana);
      const account = await addBankAccount(app, bank);
      const other = await addBankAccount(app, bank, { name: 'Card', mask: '3333' });
      await app.write('test.joined', async (tx) => {
        await tx.q
          .updateTable('account_feeds')
          .set({ former_connection_id: files.connection.id, position: '2026-04-20' })
          .where('account_id', '=', account.id)
          .execute();
      });
      expect((await remove(app, bank.id)).status).toBe(204);
      const all = (await app.request('GET', '/api/v1/accounts?include_disconnected=true')).json;
      const of = (id: string) => all.find((one: Made) => one.id === id);
      expect(of(account.id)).toMatchObject({
        provider: 'csv',
        connection_id: files.connection.id,
        connection_status: 'active',
      });
      expect(of(other.id)).toMatchObject({
        provider: 'plaid',
        connection_id: bank.id,
        connection_status: 'disconnected',
      });
      expect(await rowsOf(app.app.instance.database, 'select distinct position from account_feeds')).toEqual([
        { position: null },
      ]);
    });

    test('a page on which it was to be renewed ends, and a retry gets the first answer', async () => {
      const { app, ana } = await openWithBanks(database);
      const { id } = await addBankConnection(app, ana);
      const page = await app.request('POST', `${CONNECTIONS}/${id}/relink`);
      const headers = { 'idempotency-key': 'gone-1' };
      const first = await app.request('DELETE', `${CONNECTIONS}/${id}`, { headers });
      const again = await app.request('DELETE', `${CONNECTIONS}/${id}`, { headers });
      expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([204, 204, 'true']);
      expect((await app.request('GET', `${CONNECTIONS}/link/${page.json.id}`)).json).toMatchObject({
        status: 'failed',
        error_code: 'connection_disconnected',
      });
    });
  });
});
