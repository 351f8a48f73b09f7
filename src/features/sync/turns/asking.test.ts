import { beforeEach, describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../../test/harness/banks/bank-connection.ts';
import { accountOf, itemOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { addAccount, addMember } from '../../../../test/harness/ledger.ts';
import { alter, holdVisits, logsOf, syncAll, turnOf, type Visits } from '../../../../test/harness/syncs/bank-visits.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

forEachDatabase((database) => {
  describe('asking for a sync', () => {
    let home: SyncedHousehold;
    let visits: Visits;
    beforeEach(async () => {
      home = await openSyncedHousehold(database);
      visits = holdVisits(home.plaid);
    });

    const sync = async (id: string, body?: object) =>
      home.app.request('POST', `/api/v1/connections/${id}/sync`, body === undefined ? {} : { body });
    const syncEach = async (body?: object) =>
      home.app.request('POST', '/api/v1/sync', body === undefined ? {} : { body });

    test('starts one, queues one more, and adds nothing after that', async () => {
      const bank = await home.connect();
      const first = await sync(bank.short_id);
      expect([first.status, first.json]).toEqual([
        202,
        { connection_id: bank.id, sync_log_id: expect.any(String), status: 'started', reason: null },
      ]);
      await visits.arrive(1);
      const running = { connection_id: bank.id, sync_log_id: first.json.sync_log_id };
      expect((await sync(bank.id)).json).toEqual({ ...running, status: 'queued', reason: 'sync_running' });
      for (const again of [await sync(bank.id, { full: true }), await sync(bank.id, {})]) {
        expect(again.json).toEqual({ ...running, status: 'already_running', reason: null });
      }
      const log = await home.app.request('GET', `/api/v1/sync/logs/${first.json.sync_log_id}`);
      expect(log.json).toMatchObject({ status: 'in_progress', trigger: 'manual', is_full: false });

      visits.open();
      await syncAll(home.app);
      // Requests that waited were merged into one, which reads everything because one of them asked for that.
      expect(await logsOf(home.app, bank)).toMatchObject([
        { status: 'success', trigger: 'manual', is_full: 0 },
        { status: 'success', trigger: 'manual', is_full: 1 },
      ]);
      expect(home.plaid.requests.map(({ isFull }) => isFull)).toEqual([false, true]);
    });

    test('of all connections says what becomes of each, oldest first, and names the first reason', async () => {
      const { app, ana, connect } = home;
      const { connection: csv } = await addAccount(app, ana);
      const states = [
        [await connect(), {}, 'started', null],
        [await connect(), { paused: 1 }, 'skipped', 'paused'],
        [await connect(), { status: 'error', paused: 1 }, 'skipped', 'error'],
        [await connect(), { status: 'pending_reauth', paused: 1 }, 'skipped', 'pending_reauth'],
        [await connect(), { status: 'disconnected' }, null, null],
      ] as const;
      for (const [bank, columns] of states.slice(1)) await alter(app, bank, columns);
      const shown = states.flatMap(([{ id }, , status, reason]) =>
        status === null
          ? []
          : [{ connection_id: id, status, reason, sync_log_id: status === 'started' ? expect.any(String) : null }],
      );
      const answer = await syncEach({});
      expect([answer.status, answer.json]).toEqual([
        202,
        {
          status: 'accepted',
          syncs: [{ connection_id: csv.id, status: 'skipped', reason: 'csv', sync_log_id: null }, ...shown],
        },
      ]);
      expect((await syncEach()).json.syncs).toMatchObject([
        { reason: 'csv' },
        { status: 'queued', reason: 'sync_running' },
        ...shown.slice(1),
      ]);
      for (const body of [{ connection_id: null }, { connection_id: csv.short_id }]) {
        expect((await syncEach(body)).json.syncs[0]).toMatchObject({ connection_id: csv.id, reason: 'csv' });
      }
      expect((await sync(csv.id)).json).toMatchObject({ status: 'skipped', reason: 'csv' });
      expect(await logsOf(app, csv)).toEqual([]);
    });

    test('for one connection runs it even if it is paused or broken', async () => {
      const { app, connect } = home;
      visits.open();
      for (const columns of [{ paused: 1 }, { status: 'error' }, { status: 'pending_reauth' }] as const) {
        const bank = await connect();
        await alter(app, bank, columns);
        const named = await syncEach({ connection_id: bank.short_id });
        expect(named.json.syncs).toMatchObject([{ connection_id: bank.id, status: 'started' }]);
        await syncAll(app);
        expect(await logsOf(app, bank)).toMatchObject([{ status: 'success' }]);
      }
    });

    test('waits for a free slot, and is not lost when the process ends', async () => {
      const { app, connect, plaid } = home;
      await app.request('PUT', '/api/v1/config/sync_concurrency', { body: { value: 1 } });
      const [first, second] = [await connect(), await connect()];
      await sync(first.id);
      const waiting = { connection_id: second.id, sync_log_id: null };
      expect((await sync(second.id)).json).toEqual({ ...waiting, status: 'queued', reason: 'no_free_slot' });
      expect((await sync(second.id, { full: true })).json).toEqual({
        ...waiting,
        status: 'already_running',
        reason: null,
      });
      await app.app.instance.syncs().look();
      expect(await logsOf(app, second)).toEqual([]);

      const health = await app.request('GET', '/api/v1/sync/health');
      expect(health.json).toMatchObject({ running_count: 1, queued_count: 1 });
      const other = await app.again({ extraProviders: [plaid] });
      await app.close();
      visits.open();
      await syncAll(other);
      expect(await logsOf(other, second)).toMatchObject([{ status: 'success', trigger: 'manual', is_full: 1 }]);
    });

    test('in the last moment of a running sync is not lost', async () => {
      const { app, connect, plaid } = home;
      const bank = await connect();
      holdVisits(plaid, { outcome: { state: itemOf([accountOf('a-1')]) } }).open();
      plaid.updateWebhook = async () => {
        plaid.updateWebhook = async () => undefined;
        expect((await sync(bank.id)).json).toMatchObject({ status: 'queued', reason: 'sync_running' });
      };
      await sync(bank.id);
      await app.app.instance.syncs().settled();
      expect(await turnOf(app, bank)).toMatchObject({ holder: null, requested_trigger: 'manual' });
      await syncAll(app);
      const logs = await logsOf(app, bank);
      expect(logs).toMatchObject([{ status: 'success' }, { status: 'success' }]);
      const [first] = logs;
      for (const id of [first?.id, first?.short_id]) {
        const sets = await app.request('GET', '/api/v1/change-sets', { query: { sync_log_id: String(id) } });
        expect(sets.json.change_sets).toMatchObject([{ id: first?.change_set_id, sync_log_id: first?.id }]);
      }
    });

    test('is refused for what is not there', async () => {
      const bank = await home.connect();
      await alter(home.app, bank, { status: 'disconnected' });
      for (const id of ['', 'nonsense', '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10']) {
        const unknown = await syncEach({ connection_id: id });
        expect([unknown.status, unknown.json.error.code]).toEqual([400, 'INVALID_PARAMETER']);
      }
      for (const gone of [await syncEach({ connection_id: bank.id }), await sync(bank.id)]) {
        expect([gone.status, gone.json.error.code]).toEqual([409, 'CONNECTION_DISCONNECTED']);
      }
      expect((await syncEach()).json).toEqual({ status: 'accepted', syncs: [] });
    });
  });

  test('a provider that is not set up is skipped, and due connections of it are moved on without a log', async () => {
    const app = await database.open();
    const ana = await addMember(app, 'Ana');
    const bank = await addBankConnection(app, ana, { provider: 'plaid' });
    await alter(app, bank, { next_sync_at: '2026-04-26T05:00:00.000Z' });
    const skipped = { connection_id: bank.id, sync_log_id: null, status: 'skipped', reason: 'provider_not_configured' };
    expect((await app.request('POST', '/api/v1/sync')).json.syncs).toEqual([skipped]);
    expect((await app.request('POST', `/api/v1/connections/${bank.id}/sync`)).json).toEqual(skipped);
    await app.app.instance.syncs().look();
    const { json } = await app.request('GET', `/api/v1/connections/${bank.id}`);
    expect(json).toMatchObject({ next_sync_at: '2026-04-26T18:00:00.000Z', consecutive_failures: 0, status: 'active' });
    expect(await logsOf(app)).toEqual([]);
  });
});
