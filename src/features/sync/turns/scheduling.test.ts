import { beforeEach, describe, expect, test } from 'vitest';

import { addBankConnection } from '../../../../test/harness/banks/bank-connection.ts';
import { MADE_UP, scriptedProvider, type ScriptedProvider } from '../../../../test/harness/banks/made-up-provider.ts';
import { addMember, type Made } from '../../../../test/harness/ledger.ts';
import {
  alter,
  connectionOf,
  DUE,
  dueBanks,
  holdVisits,
  logsOf,
  syncAll,
  turnOf,
  waitOf,
  type Visits,
} from '../../../../test/harness/syncs/bank-visits.ts';
import { addSyncLog } from '../../../../test/harness/syncs/sync-logs.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../../../../test/harness/test-app.ts';
import { ProviderFailure } from '../../../providers/provider-failure.ts';
import { requestSync } from './request-sync.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

forEachDatabase((database) => {
  let home: SyncedHousehold;
  let visits: Visits;
  beforeEach(async () => {
    home = await openSyncedHousehold(database);
    visits = holdVisits(home.plaid);
  });

  const syncs = (app: TestApp = home.app) => app.app.instance.syncs();

  describe('the schedule', () => {
    test('syncs what is due, the oldest first, never more at once than allowed, and each once', async () => {
      const banks = await dueBanks(home, 6);
      await home.app.request('PUT', '/api/v1/config/sync_concurrency', { body: { value: 2 } });
      await syncs().look();
      await visits.arrive(2);
      await syncs().look();
      expect(await logsOf(home.app)).toMatchObject(
        [banks[5], banks[4]].map((bank) => ({ connection_id: bank?.id, status: 'in_progress', trigger: 'cron' })),
      );
      visits.open();
      await syncAll(home.app);
      expect([visits.most(), (await logsOf(home.app)).map(({ status }) => status)]).toEqual([
        2,
        banks.map(() => 'success'),
      ]);
      for (const bank of banks) {
        expect(await waitOf(home.app, bank)).toBeGreaterThanOrEqual(12 * HOUR);
        expect(await waitOf(home.app, bank)).toBeLessThanOrEqual(12 * HOUR + 10 * MINUTE);
      }
      // However long the service was stopped, one sync makes up for it.
      home.app.clock.advance(25 * HOUR);
      await syncAll(home.app);
      expect(await logsOf(home.app)).toHaveLength(12);
    });

    test('leaves alone what is paused, without a login, disconnected, or asked for by itself while paused', async () => {
      const [paused, asked, broken, gone] = (await dueBanks(home, 4)) as [Made, Made, Made, Made];
      await alter(home.app, paused, { paused: 1 });
      await alter(home.app, asked, { paused: 1 });
      await alter(home.app, broken, { status: 'pending_reauth' });
      await alter(home.app, gone, { status: 'disconnected' });
      await home.app.write('test.request', (tx) => requestSync(tx, asked.id, { trigger: 'webhook' }));
      await syncAll(home.app);
      expect([await logsOf(home.app), (await turnOf(home.app, asked))?.requested_at]).toEqual([[], null]);
    });

    test('tries a connection in error again later and later, and one success makes it active', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      home.plaid.answers = [
        { failure: new ProviderFailure({ failureClass: 'transient', code: 'INTERNAL_SERVER_ERROR' }) },
      ];
      for (const [failures, status, wait] of [
        [1, 'active', 0.5],
        [2, 'active', 1],
        [3, 'error', 2],
      ] as const) {
        await syncAll(home.app);
        expect(await connectionOf(home.app, bank)).toMatchObject({ consecutive_failures: failures, status });
        expect(await waitOf(home.app, bank)).toBeGreaterThanOrEqual(wait * HOUR);
        expect(await waitOf(home.app, bank)).toBeLessThanOrEqual(wait * 1.1 * HOUR);
        home.app.clock.advance(1.2 * wait * HOUR);
      }
      home.plaid.answers = [{}];
      await syncAll(home.app);
      expect(await connectionOf(home.app, bank)).toMatchObject({
        status: 'active',
        consecutive_failures: 0,
        error_code: null,
      });
    });

    test('follows the household’s interval at once, except where a connection has its own', async () => {
      const [bank, own, failed] = (await dueBanks(home, 3)) as [Made, Made, Made];
      visits.open();
      await syncAll(home.app);
      const unchanged = '2026-04-30T00:00:00.000Z';
      await alter(home.app, own, { sync_interval_seconds: 3_600, next_sync_at: unchanged });
      await alter(home.app, failed, { consecutive_failures: 3, last_error_at: TEST_START });
      home.app.clock.advance(10 * MINUTE);
      const put = await home.app.request('PUT', '/api/v1/config/sync_interval_minutes', { body: { value: 60 } });
      expect(put.status).toBe(200);
      expect(await waitOf(home.app, bank)).toBeGreaterThanOrEqual(50 * MINUTE);
      expect(await waitOf(home.app, bank)).toBeLessThanOrEqual(56 * MINUTE);
      expect((await connectionOf(home.app, own)).next_sync_at).toBe(unchanged);
      expect(await waitOf(home.app, failed)).toBeGreaterThanOrEqual(110 * MINUTE);
      await home.app.request('DELETE', '/api/v1/config/sync_interval_minutes');
      expect(await waitOf(home.app, bank)).toBeGreaterThan(11 * HOUR);
    });

    test('ends a consent that the bank said would end, and none that was only guessed', async () => {
      const [stated, guessed] = (await dueBanks(home, 2, { next_sync_at: '2026-05-30T00:00:00.000Z' })) as [Made, Made];
      const ends = { consent_expires_at: '2026-05-06T00:00:00.000Z' };
      await alter(home.app, stated, ends);
      await alter(home.app, guessed, { ...ends, consent_guessed_at: TEST_START });
      const attention = async () =>
        ((await home.app.request('GET', '/api/v1/sync/health')).json.attention as { code: string }[]).map(
          ({ code }) => code,
        );
      await syncs().look();
      expect(await attention()).toEqual(['consent_expiring', 'consent_expiring']);
      home.app.clock.set('2026-05-06T00:00:01.000Z');
      await syncs().look();
      expect(await connectionOf(home.app, stated)).toMatchObject({
        status: 'pending_reauth',
        error_code: 'CONSENT_EXPIRED',
        next_sync_at: null,
      });
      expect((await connectionOf(home.app, guessed)).status).toBe('active');
    });
  });

  describe('what is done besides', () => {
    async function broken(columns: object = {}): Promise<Made> {
      const bank = await home.connect();
      const lost = { status: 'pending_reauth', error_code: 'ITEM_LOGIN_REQUIRED', last_error_at: TEST_START };
      await alter(home.app, bank, { ...lost, ...columns });
      return bank;
    }

    async function beatAfter(ms: number): Promise<void> {
      home.app.clock.advance(ms);
      await syncs().beat();
      await syncs().settled();
    }

    test('a lost login is asked about once a day, and one that works again makes its connection active', async () => {
      const [bank, expired, paused] = [
        await broken(),
        await broken({ error_code: 'CONSENT_EXPIRED' }),
        await broken({ paused: 1 }),
      ];
      const asked: string[] = [];
      const works = (answer: boolean): void => {
        home.plaid.proveLogin = async (access) => {
          asked.push(access.itemId);
          return answer ? { ...access, credentials: '{"accessToken":"renewed"}' } : null;
        };
      };
      works(false);
      await beatAfter(0);
      expect(asked).toEqual([]);
      await beatAfter(24 * HOUR);
      await beatAfter(HOUR);
      expect([asked.length, (await connectionOf(home.app, bank)).status]).toEqual([1, 'pending_reauth']);
      visits.open();
      works(true);
      await beatAfter(23 * HOUR);
      await beatAfter(MINUTE);
      expect(asked).toHaveLength(2);
      expect(await connectionOf(home.app, bank)).toMatchObject({
        status: 'active',
        error_code: null,
        consecutive_failures: 0,
      });
      expect(await logsOf(home.app)).toMatchObject([{ connection_id: bank.id, trigger: 'cron', status: 'success' }]);
      for (const one of [expired, paused]) expect((await connectionOf(home.app, one)).status).toBe('pending_reauth');
      const sets = await home.app.request('GET', '/api/v1/change-sets', {
        query: { action: 'connection.reauthenticate' },
      });
      expect(sets.json.change_sets).toMatchObject([{ actor_type: 'system', surface: 'system' }]);
    });

    test('old logs are deleted at night, but never the newest of a connection', async () => {
      const [bank, quiet] = [await home.connect(), await home.connect()];
      const old = { started_at: '2026-01-01T00:00:00.000Z', finished_at: '2026-01-01T00:00:01.000Z' };
      for (const one of [bank, bank, quiet]) await addSyncLog(home.app, one, old);
      const recent = await addSyncLog(home.app, bank);
      await home.app.request('PUT', '/api/v1/config/sync_log_retention_days', { body: { value: 0 } });
      await beatAfter(0);
      expect(await logsOf(home.app)).toHaveLength(4);
      await home.app.request('PUT', '/api/v1/config/sync_log_retention_days', { body: { value: 90 } });
      await beatAfter(HOUR);
      expect(await logsOf(home.app)).toHaveLength(4);
      await beatAfter(24 * HOUR);
      expect([await logsOf(home.app, quiet), await logsOf(home.app, bank)]).toMatchObject([[{}], [{ id: recent.id }]]);
    });
  });

  test('a provider that allows few calls a day is asked no more often by itself', async () => {
    const moneta: ScriptedProvider = scriptedProvider(MADE_UP);
    const app = await database.open({ extraProviders: [moneta], checkAnswers: false });
    const bank = await addBankConnection(app, await addMember(app, 'Ana'), { provider: 'moneta' });
    await alter(app, bank, { next_sync_at: DUE });
    for (const hour of ['01', '02', '03', '04']) {
      await addSyncLog(app, bank, { started_at: `2026-04-26T${hour}:00:00.000Z` });
    }
    await syncAll(app);
    expect((await connectionOf(app, bank)).next_sync_at).toBe('2026-04-27T01:00:00.000Z');
    expect(moneta.requests).toHaveLength(0);
    app.clock.set('2026-04-27T01:00:00.000Z');
    await syncAll(app);
    expect(moneta.requests).toHaveLength(1);
    // A person may ask for more.
    await app.request('POST', `/api/v1/connections/${bank.id}/sync`);
    await syncs(app).settled();
    expect(moneta.requests).toHaveLength(2);
    const next = (await connectionOf(app, bank)).next_sync_at ?? '';
    expect(Date.parse(next)).toBeGreaterThanOrEqual(app.clock.now() + 12 * HOUR);
  });
});
