import { describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../test/harness/banks/bank-connection.ts';
import { addAccount, type Made } from '../../../test/harness/ledger.ts';
import { setLimit } from '../../../test/harness/limits.ts';
import { openWithBanks, tokenFor } from '../../../test/harness/banks/made-up-bank.ts';
import { addBankAccount, deliver } from '../../../test/harness/syncs/synced-ledger.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const wipe = (app: TestApp, { short_id: id }: Made, options: object = {}): Promise<Answer> =>
  app.request('POST', `/api/v1/users/${id}/wipe-data`, options);

/** Somebody syncs the connection. */
async function holdLease(app: TestApp, connectionId: string): Promise<void> {
  await app.write('test.lease', async (tx) => {
    const lease = { holder: 'other', fencing_token: 't', expires_at: '2999-01-01T00:00:00.000Z', sync_log_id: null };
    await tx.q
      .insertInto('sync_turns')
      .values({ connection_id: connectionId, ...lease })
      .execute();
  });
}

forEachDatabase((database) => {
  describe('wiping the data of a member with banks', () => {
    test('ends the access at each provider, and counts those that fail', async () => {
      setLimit('revokeMs', 20);
      const { app, plaid, teller, ana } = await openWithBanks(database);
      const bank = await addBankConnection(app, ana, { itemId: 'item-1' });
      const account = await addBankAccount(app, { ...bank, provider: 'plaid' });
      await deliver(app, account, [{ date: '2026-04-20', amount_cents: 450, name: 'Coffee' }]);
      for (const itemId of ['enr-1', 'enr-2']) await addBankConnection(app, ana, { provider: 'teller', itemId });
      await addBankConnection(app, ana, { itemId: 'item-2', credentials: '' });
      await app.request('POST', `/api/v1/connections/${bank.id}/relink`);
      await app.request('POST', '/api/v1/connections/link', { body: { user_id: ana.short_id } });
      await app.write('test.event', async (tx) => {
        const event = { id: tx.ids.uuid(), short_id: 'webhook1', provider: 'plaid', event_type: 'sync_available' };
        const about = { connection_id: bank.id, institution_name: 'First Platypus Bank', raw_payload_hash: 'x' };
        await tx.q
          .insertInto('webhook_events')
          .values({ ...event, ...about, status: 'processed', created_at: tx.now })
          .execute();
      });
      teller.faults.revoke = 'hang';
      const headers = { 'idempotency-key': 'wipe-1' };
      const done = await wipe(app, ana, { headers });
      expect(done.json).toMatchObject({ deleted_connections: 4, deleted_accounts: 1, deleted_transactions: 1 });
      expect(done.json.provider_revocations).toEqual({ succeeded: 2, failed: 2 });
      expect([plaid.calls.toSorted(), teller.calls.toSorted()]).toEqual([
        ['revoke item-1', 'revoke item-2'],
        ['revoke enr-1', 'revoke enr-2'],
      ]);
      expect((await wipe(app, ana, { headers })).json).toEqual(done.json);
      const { database: db } = app.app.instance;
      for (const table of [
        'connections',
        'accounts',
        'account_feeds',
        'sync_turns',
        'link_sessions',
        'transaction_feeds',
      ]) {
        expect([table, await rowsOf(db, `select * from ${table}`)]).toEqual([table, []]);
      }
      const events = await rowsOf(db, 'select connection_id, institution_name from webhook_events');
      expect(events).toEqual([{ connection_id: null, institution_name: null }]);
      expect((await wipe(app, ana)).json.provider_revocations).toEqual({ succeeded: 0, failed: 0 });
      expect(app.logs.join('')).not.toContain(tokenFor('item-1'));
    });

    test('a sync that runs stores nothing more; one that is writing has its time to end', async () => {
      setLimit('wipeWaitMs', 20);
      const { app, plaid, ana } = await openWithBanks(database);
      const bank = await addBankConnection(app, ana, { itemId: 'item-1' });
      await holdLease(app, bank.id);
      const end = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const writing = app.write('test.hold', async () => {
        begun.resolve();
        await end.promise;
      });
      await begun.promise;
      const late = await wipe(app, ana);
      expect([late.status, late.json.error.code, plaid.calls]).toEqual([409, 'SYNC_IN_PROGRESS', []]);
      end.resolve();
      await writing;
      expect((await wipe(app, ana)).json).toMatchObject({
        deleted_connections: 1,
        provider_revocations: { succeeded: 1, failed: 0 },
      });
    });

    test('what only names the erased connection goes with it, also in accounts of others', async () => {
      const { app, ana } = await openWithBanks(database);
      const ben = (await app.request('POST', '/api/v1/users', { body: { name: 'Ben' } })).json;
      const bank = await addBankConnection(app, ana, { status: 'disconnected' });
      const joined = await addBankAccount(app, { ...bank, provider: 'plaid' });
      const files = await addAccount(app, ben);
      await app.write('test.back', async (tx) => {
        tx.journal.allowUnjournaled('account');
        const back = { connection_id: files.connection.id, provider: 'csv' };
        await tx.q.updateTable('accounts').set(back).where('id', '=', joined.id).execute();
      });
      expect((await wipe(app, ana)).json).toMatchObject({ deleted_connections: 1, deleted_accounts: 0 });
      expect((await app.request('GET', `/api/v1/accounts/${joined.id}`)).status).toBe(200);
    });
  });

  test('an open hosted link for a member without banks is void after a wipe', async () => {
    const { app, ana } = await openWithBanks(database);
    const link = await app.request('POST', '/api/v1/connections/link', { body: { user_id: ana.short_id } });
    const page = () => app.request('GET', `/_link/${link.json.token}/session`);
    await wipe(app, ana, { body: { dry_run: true } });
    expect((await page()).status).toBe(200);
    expect((await wipe(app, ana)).json).toMatchObject({ status: 'ok', deleted_connections: 0 });
    expect((await page()).json.error.code).toBe('INVALID_TOKEN');
    expect((await wipe(app, ana)).headers['x-change-set-id']).toBeUndefined();
  });

  test('a member with a bank is not deleted, and the message gives the way; afterwards hosted links do not hinder it', async () => {
    const { app, ana } = await openWithBanks(database);
    await addBankConnection(app, ana, { status: 'disconnected' });
    await app.request('POST', '/api/v1/connections/link', { body: { user_id: ana.short_id } });
    const remove = () => app.request('DELETE', `/api/v1/users/${ana.id}`);
    const refused = await remove();
    expect([refused.status, refused.json.error.code]).toEqual([409, 'USER_HAS_DEPENDENTS']);
    expect(refused.json.error.message).toContain(`POST /api/v1/users/${ana.short_id}/wipe-data`);
    expect((await wipe(app, ana)).status).toBe(200);
    await app.request('POST', '/api/v1/connections/link', { body: { user_id: ana.short_id } });
    expect((await remove()).status).toBe(204);
    expect((await app.request('GET', `/api/v1/users/${ana.id}`)).status).toBe(404);
  });
});
