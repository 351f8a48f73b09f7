import { beforeAll, describe, expect, test } from 'vitest';

import { addBankConnection, configureProviders } from '../../../test/harness/banks/bank-connection.ts';
import { addAccount, addMember, type Made } from '../../../test/harness/ledger.ts';
import { failureOf, openWithBanks, type MadeUpBank } from '../../../test/harness/banks/made-up-bank.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';

const CONNECTIONS = '/api/v1/connections';
const UNKNOWN = '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10';

const codeOf = ({ status, json }: Answer): unknown[] => [status, json?.error?.code];
async function change(app: TestApp, id: string, columns: object): Promise<void> {
  await app.write('test.change', async (tx) => {
    tx.journal.allowUnjournaled('connection');
    await tx.q.updateTable('connections').set(columns).where('id', '=', id).execute();
  });
}

forEachDatabase((database) => {
  describe('reading connections', () => {
    let app: TestApp;
    let made: Record<'live' | 'gone' | 'csv' | 'other', Made>;
    beforeAll(async () => {
      app = await database.open();
      const [ana, ben] = [await addMember(app, 'Ana'), await addMember(app, 'Ben')];
      const live = await addBankConnection(app, ana);
      const gone = await addBankConnection(app, ana, { provider: 'teller', status: 'disconnected' });
      const { connection: csv } = await addAccount(app, ana);
      made = { live, gone, csv, other: await addBankConnection(app, ben, { status: 'error' }) };
    });
    const listed = async (query: object) => {
      const answer = await app.request('GET', CONNECTIONS, { query: query as never, key: app.readOnlyKey });
      return answer.status === 200 ? answer.json.map(({ id }: Made) => id) : codeOf(answer);
    };

    test('lists those that are not disconnected, in the order of their creation', async () => {
      const { live, gone, csv, other } = made;
      expect(await listed({})).toEqual([live.id, csv.id, other.id]);
      expect(await listed({ include_disconnected: true })).toEqual([live.id, gone.id, csv.id, other.id]);
      expect(await listed({ status: 'disconnected' })).toEqual([gone.id]);
      expect(await listed({ status: 'error,disconnected' })).toEqual([gone.id, other.id]);
      expect(await listed({ provider: 'csv,teller', include_disconnected: '1' })).toEqual([gone.id, csv.id]);
      const [ben] = (await app.request('GET', '/api/v1/users')).json.filter(
        ({ name }: { name: string }) => name === 'Ben',
      );
      expect(await listed({ user_id: ben.short_id })).toEqual([other.id]);
      expect(await listed({ user_id: ben.id, provider: 'teller' })).toEqual([]);
      for (const query of [
        { user_id: 'nonsense' },
        { status: 'gone' },
        { provider: 'simplefin' },
        { include_disconnected: 'x' },
      ]) {
        expect(await listed(query)).toEqual([400, 'INVALID_PARAMETER']);
      }
    });

    test('gets one by either id, disconnected ones too, without anything secret', async () => {
      const { json, text } = await app.request('GET', `${CONNECTIONS}/${made.gone.short_id}`);
      expect(json).toMatchObject({ id: made.gone.id, user_name: 'Ana', status: 'disconnected', account_count: 0 });
      expect((await app.request('GET', `${CONNECTIONS}/${made.csv.id}`)).json).toMatchObject({
        provider: 'csv',
        account_count: 1,
      });
      expect(text).not.toMatch(/access|credentials|item-/);
      expect(codeOf(await app.request('GET', `${CONNECTIONS}/${UNKNOWN}`))).toEqual([404, 'NOT_FOUND']);
    });
  });

  test('the status of a connection tells of its newest sync and of what waits', async () => {
    const { app, ana } = await openWithBanks(database);
    const { id } = await addBankConnection(app, ana, { status: 'pending_reauth', error_code: 'X', error_message: 'Y' });
    const get = async () => (await app.request('GET', `${CONNECTIONS}/${id}/status`, { key: app.readOnlyKey })).json;
    const nothing = {
      last_attempted_sync_at: null,
      last_sync_log: null,
      running_sync_log_id: null,
      sync_queued: false,
    };
    const before = await get();
    expect(before).toMatchObject({ ...nothing, status: 'pending_reauth', attention: [{ code: 'reauth_required' }] });
    const record = (await app.request('GET', `${CONNECTIONS}/${id}`)).json;
    expect(before).toMatchObject(record);
    await app.request('POST', `${CONNECTIONS}/${id}/reauth-complete`);
    expect(await get()).toMatchObject({ ...nothing, sync_queued: true, attention: [] });
    await app.request('DELETE', `${CONNECTIONS}/${id}`);
    expect(await get()).toMatchObject({ ...nothing, status: 'disconnected', attention: [] });
    expect(codeOf(await app.request('GET', `${CONNECTIONS}/${UNKNOWN}/status`))).toEqual([404, 'NOT_FOUND']);
  });

  describe('changing a connection', () => {
    let app: TestApp;
    let ana: Made;
    let plaid: MadeUpBank;
    beforeAll(async () => {
      ({ app, ana, plaid } = await openWithBanks(database));
    });
    const patch = (id: string, body: unknown) => app.request('PATCH', `${CONNECTIONS}/${id}`, { body });
    const pause = (id: string, body: unknown) => app.request('POST', `${CONNECTIONS}/${id}/paused`, { body });

    test('its interval changes when it syncs next, and null restores the household’s', async () => {
      const { id } = await addBankConnection(app, ana);
      const lastSyncAt = '2026-04-26T05:00:00.000Z';
      await change(app, id, { last_sync_at: lastSyncAt });
      const hourly = await patch(id, { sync_interval_seconds: 7_200 });
      expect([hourly.status, hourly.json.sync_interval_seconds]).toEqual([200, 7_200]);
      const hoursAfter = ({ json }: Answer) => (Date.parse(json.next_sync_at) - Date.parse(lastSyncAt)) / 3_600_000;
      expect(Math.floor(hoursAfter(hourly))).toBe(2);
      const unchanged = await patch(id, {});
      expect([unchanged.json, unchanged.headers['x-change-set-id']]).toEqual([hourly.json, undefined]);
      const inherited = await patch(id, { sync_interval_seconds: null });
      expect([inherited.json.sync_interval_seconds, Math.floor(hoursAfter(inherited))]).toEqual([null, 12]);
      for (const seconds of [899, 604_801, 1_000.5, '3600']) {
        expect(codeOf(await patch(id, { sync_interval_seconds: seconds }))).toEqual([400, 'VALIDATION_ERROR']);
      }
      expect(codeOf(await patch(id, { institution_name: 'Mine' }))).toEqual([400, 'VALIDATION_ERROR']);
      const revert = await app.request(
        'POST',
        `/api/v1/change-sets/${String(hourly.headers['x-change-set-id'])}/revert`,
      );
      expect(codeOf(revert)).toEqual([409, 'NOT_REVERTIBLE']);
    });

    test('a csv connection has a name and no interval', async () => {
      const { connection } = await addAccount(app, ana);
      const renamed = await patch(connection.id, { institution_name: '  Wallets ' });
      expect([renamed.json.institution_name, renamed.json.next_sync_at]).toEqual(['Wallets', null]);
      const set = String(renamed.headers['x-change-set-id']);
      expect((await app.request('POST', `/api/v1/change-sets/${set}/revert`)).status).toBe(200);
      expect((await app.request('GET', `${CONNECTIONS}/${connection.id}`)).json.institution_name).toBe('First Bank');
      expect(codeOf(await patch(connection.id, { sync_interval_seconds: 3_600 }))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await patch(connection.id, { institution_name: ' ' }))).toEqual([400, 'VALIDATION_ERROR']);
      const paused = await pause(connection.id, { paused: true });
      expect([paused.json.paused, (await pause(connection.id, { paused: false })).json.next_sync_at]).toEqual([
        true,
        null,
      ]);
    });

    test('paused it waits for nothing, resumed it is due at once if its time has passed', async () => {
      const { id } = await addBankConnection(app, ana);
      await change(app, id, { last_sync_at: '2026-04-20T05:00:00.000Z', next_sync_at: '2026-04-26T05:00:00.000Z' });
      const paused = await pause(id, { paused: true });
      expect(paused.json).toMatchObject({ paused: true, next_sync_at: null });
      expect((await pause(id, { paused: true })).headers['x-change-set-id']).toBeUndefined();
      const resumed = await pause(id, { paused: false });
      expect(resumed.json).toMatchObject({ paused: false, next_sync_at: resumed.json.updated_at });
      const actions = await Promise.all(
        [paused, resumed].map(async ({ headers }) => {
          const set = await app.request('GET', `/api/v1/change-sets/${String(headers['x-change-set-id'])}`);
          return [set.json.action, set.json.revertible];
        }),
      );
      expect(actions).toEqual([
        ['connection.pause', false],
        ['connection.resume', false],
      ]);
      expect(codeOf(await pause(id, {}))).toEqual([400, 'VALIDATION_ERROR']);
    });

    test('signing in again makes it active, forgets the trouble and asks for a sync', async () => {
      for (const status of ['active', 'error', 'pending_reauth']) {
        const { id } = await addBankConnection(app, ana, { status, error_code: 'X', error_message: 'Y' });
        const past = { consent_expires_at: '2026-04-01T00:00:00.000Z', new_accounts_at: '2026-04-01T00:00:00.000Z' };
        await change(app, id, { ...past, consecutive_failures: 3 });
        const done = await app.request('POST', `${CONNECTIONS}/${id}/reauth-complete`);
        expect([status, done.status]).toEqual([status, 200]);
        expect(done.json).toMatchObject({
          status: 'active',
          error_code: null,
          error_message: null,
          consecutive_failures: 0,
          new_accounts_available: false,
          consent_expires_at: null,
        });
        const set = (await app.request('GET', `/api/v1/change-sets/${String(done.headers['x-change-set-id'])}`)).json;
        expect([set.action, set.revertible]).toEqual(['connection.reauthenticate', false]);
        const asked = `select requested_trigger from sync_turns where connection_id = '${id}'`;
        expect(await rowsOf(app.app.instance.database, asked)).toEqual([{ requested_trigger: 'manual' }]);
      }
      const { connection } = await addAccount(app, ana);
      expect((await app.request('POST', `${CONNECTIONS}/${connection.id}/reauth-complete`, { body: {} })).status).toBe(
        200,
      );
    });

    test('the window for it opens with what the provider needs', async () => {
      const { id } = await addBankConnection(app, ana, { itemId: 'item-7', status: 'pending_reauth' });
      const reauth = (which: string) => app.request('POST', `${CONNECTIONS}/${which}/reauth`);
      plaid.calls.length = 0;
      expect((await reauth(id)).json).toMatchObject({ provider: 'plaid', link_token: 'link-token' });
      await change(app, id, { new_accounts_at: '2026-04-01T00:00:00.000Z' });
      expect((await reauth(id)).headers['cache-control']).toBe('no-store');
      expect(plaid.calls).toEqual(['createLinkSession item-7', 'createLinkSession item-7']);
      plaid.faults.createLinkSession = failureOf('INTERNAL_SERVER_ERROR');
      expect(codeOf(await reauth(id))).toEqual([502, 'PROVIDER_ERROR']);
      delete plaid.faults.createLinkSession;
      await change(app, id, { credentials: new Uint8Array([1, 2, 3]) });
      expect(codeOf(await reauth(id))).toEqual([409, 'CONFLICT']);
      const teller = await addBankConnection(app, ana, { provider: 'teller', itemId: 'enr-7' });
      await change(app, teller.id, { credentials: new Uint8Array([1, 2, 3]) });
      expect((await reauth(teller.id)).json).toMatchObject({ provider: 'teller', enrollment_id: 'enr-7' });
      const { connection } = await addAccount(app, ana);
      expect(codeOf(await reauth(connection.id))).toEqual([409, 'CONFLICT']);
      await app.request('DELETE', '/api/v1/providers/plaid');
      expect(codeOf(await reauth(id))).toEqual([409, 'PROVIDER_NOT_CONFIGURED']);
      await configureProviders(app);
    });

    test('nothing changes one that is disconnected', async () => {
      const { id } = await addBankConnection(app, ana, { status: 'disconnected' });
      for (const [method, path, body] of [
        ['PATCH', '', { sync_interval_seconds: 3_600 }],
        ['PATCH', '', {}],
        ['POST', '/paused', { paused: true }],
        ['POST', '/reauth', undefined],
        ['POST', '/reauth-complete', undefined],
      ] as const) {
        const refused = await app.request(method, `${CONNECTIONS}/${id}${path}`, { body });
        expect([path, ...codeOf(refused)]).toEqual([path, 409, 'CONNECTION_DISCONNECTED']);
        const unknown = await app.request(method, `${CONNECTIONS}/${UNKNOWN}${path}`, { body });
        expect(codeOf(unknown)).toEqual([404, 'NOT_FOUND']);
        const readOnly = await app.request(method, `${CONNECTIONS}/${id}${path}`, { body, key: app.readOnlyKey });
        expect(codeOf(readOnly)).toEqual([403, 'FORBIDDEN']);
      }
    });
  });
});
