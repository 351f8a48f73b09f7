import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Made } from '../../../../test/harness/ledger.ts';
import {
  alter,
  connectionOf,
  DUE,
  dueBanks,
  endLease,
  holdVisits,
  logsOf,
  syncAll,
  turnOf,
  waitOf,
  type Visits,
} from '../../../../test/harness/syncs/bank-visits.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../../test/harness/syncs/synced-household.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, TEST_START, type TestApp } from '../../../../test/harness/test-app.ts';
import { bookkeep } from '../../../journal/write.ts';
import { endLog, leaveNote } from '../logs/sync-logs.queries.ts';
import type { SyncTurn } from '../run/run-sync.ts';
import { endLostTurns } from './end-turn.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

forEachDatabase((database) => {
  let home: SyncedHousehold;
  let visits: Visits;
  beforeEach(async () => {
    home = await openSyncedHousehold(database);
    visits = holdVisits(home.plaid);
  });

  const syncs = (app: TestApp = home.app) => app.app.instance.syncs();

  describe('a turn', () => {
    test('ends when its time is over, four times later for a read from the beginning', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      const [first] = (await dueBanks(home, 1, { sync_position: null })) as [Made];
      await syncs().look();
      await visits.arrive(2);
      home.app.clock.advance(299 * SECOND);
      await syncs().beat();
      expect(visits.here()).toBe(2);
      home.app.clock.advance(SECOND);
      await syncs().beat();
      await visits.arrive(1);
      home.app.clock.advance(900 * SECOND);
      await syncs().beat();
      await syncs().settled();
      for (const one of [bank, first]) {
        expect(await logsOf(home.app, one)).toMatchObject([{ status: 'error', error_code: 'TIMEOUT' }]);
        const after = { consecutive_failures: 1, error_code: 'TIMEOUT', status: 'active' };
        expect(await connectionOf(home.app, one)).toMatchObject(after);
      }
    });

    test('ends four times later, too, if the bank no longer knows where the last read ended', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const fetch = home.plaid.fetch.bind(home.plaid);
      home.plaid.fetch = async function* resetting(...given) {
        yield { kind: 'restart', isFromBeginning: true };
        arrived.resolve();
        await goOn.promise;
        return yield* fetch(...given);
      };
      visits.open();
      await syncs().look();
      await arrived.promise;
      home.app.clock.advance(1_199 * SECOND);
      await syncs().beat();
      goOn.resolve();
      await syncs().settled();
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'success' }]);
    });

    test('is not held up by a run that does not heed its end', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      const late = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      home.plaid.answers = [{ before: () => (arrived.resolve(), late.promise) }];
      await syncs().look();
      await arrived.promise;
      home.app.clock.advance(300 * SECOND);
      await syncs().beat();
      home.app.clock.advance(3 * SECOND);
      await syncs().beat();
      await syncs().settled();
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'error', error_code: 'TIMEOUT' }]);
      late.resolve();
    });

    test('is renewed while it runs, and a run that has lost it writes nothing more', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      await syncs().look();
      await visits.arrive(1);
      await endLease(home.app, bank);
      home.app.clock.advance(30 * SECOND);
      await syncs().beat();
      expect((await turnOf(home.app, bank))?.expires_at).not.toMatch(/^2020/);
      // Another process takes it over.
      await endLease(home.app, bank);
      home.app.clock.advance(SECOND);
      const other = await home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      await syncs(other).look();
      expect(await logsOf(home.app, bank)).toMatchObject([{ error_code: 'INTERRUPTED' }, { status: 'in_progress' }]);
      home.app.clock.advance(30 * SECOND);
      await syncs().beat();
      await syncs().settled();
      expect(await logsOf(home.app, bank)).toMatchObject([{ error_code: 'INTERRUPTED' }, { status: 'in_progress' }]);
      visits.open();
      await syncAll(other);
      expect(await logsOf(home.app, bank)).toMatchObject([{ error_code: 'INTERRUPTED' }, { status: 'success' }]);
    });

    test('of a process that died is ended, done again, and counted as a failure only the second time', async () => {
      const bank = await home.connect();
      await home.app.request('POST', `/api/v1/connections/${bank.id}/sync`, { body: { full: true } });
      const dead = async (): Promise<TestApp> =>
        home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      await endLease(home.app, bank);
      home.app.clock.advance(SECOND);
      const other = await dead();
      await syncs(other).look();
      expect(await logsOf(home.app, bank)).toMatchObject([
        { status: 'error', error_code: 'INTERRUPTED', duration_ms: SECOND },
        { status: 'in_progress', trigger: 'manual', is_full: 1 },
      ]);
      expect(await connectionOf(home.app, bank)).toMatchObject({
        consecutive_failures: 0,
        error_code: null,
        status: 'active',
      });
      await endLease(home.app, bank);
      home.app.clock.advance(SECOND);
      await syncs(await dead()).look();
      const [, second, ...more] = await logsOf(home.app, bank);
      expect([second?.error_code, more]).toEqual(['INTERRUPTED', []]);
      expect(await connectionOf(home.app, bank)).toMatchObject({ consecutive_failures: 1, error_code: 'INTERRUPTED' });
      expect(await waitOf(home.app, bank)).toBeGreaterThanOrEqual(30 * MINUTE);
    });

    test('of a process that is gone is done again at the next look, long before its lease is over', async () => {
      visits.open();
      const bank = await home.connect();
      await home.app.request('POST', `/api/v1/connections/${bank.id}/sync`);
      await syncs().settled();
      const asked = await home.app.request('POST', `/api/v1/connections/${bank.id}/sync`);
      await syncs().settled();
      // What a process leaves that was killed in the middle of it.
      await home.app.write('test.lease', async (tx) => {
        const { sync_log_id: id } = asked.json;
        await sql`update sync_logs set status = 'in_progress', finished_at = null where id = ${id}`.execute(tx.q);
        await sql`update sync_turns set holder = ${tx.ids.uuid()}, fencing_token = 'x', sync_log_id = ${id},
          expires_at = '2999-01-01T00:00:00.000Z' where connection_id = ${bank.id}`.execute(tx.q);
      });
      await syncAll(home.app);
      expect(await logsOf(home.app, bank)).toMatchObject([
        { status: 'success' },
        { status: 'error', error_code: 'INTERRUPTED' },
        { status: 'success' },
      ]);
      expect(await turnOf(home.app, bank)).toMatchObject({ holder: null });
    });

    test('of a process that died after its commit is ended with what was left to do', async () => {
      const bank = await home.connect();
      const asked = await home.app.request('POST', `/api/v1/connections/${bank.id}/sync`);
      const syncLogId: string = asked.json.sync_log_id;
      const done = { startedAt: TEST_START, finishedAt: TEST_START };
      await bookkeep(home.app.app.instance.database, async (tx) => {
        await endLog(tx, { syncLogId }, done, { status: 'success' });
        await leaveNote(tx, { connectionId: bank.id, syncLogId } as SyncTurn);
      });
      await endLease(home.app, bank);
      const other = await home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      await syncs(other).look();
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'success' }]);
      expect(await turnOf(home.app, bank)).toMatchObject({ holder: null, requested_at: null });
      expect(await rowsOf(home.app.app.instance.database, 'select * from after_sync_notes')).toEqual([]);
    });

    test('is ended at the start where no other process can hold one, and else when its lease is over', async () => {
      const bank = await home.connect();
      await home.app.request('POST', `/api/v1/connections/${bank.id}/sync`);
      const { instance } = home.app.app;
      await endLostTurns(instance, { all: false });
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'in_progress' }]);
      await endLostTurns(instance, { all: true });
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'error', error_code: 'INTERRUPTED' }]);
    });

    test('ends with the service, and the next start does it again', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      await syncs().look();
      await visits.arrive(1);
      const other = await home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      await home.app.close();
      expect(await logsOf(other, bank)).toMatchObject([{ status: 'error', error_code: 'INTERRUPTED' }]);
      expect(await connectionOf(other, bank)).toMatchObject({ consecutive_failures: 0, next_sync_at: TEST_START });
      visits.open();
      home.app.clock.advance(SECOND);
      await syncAll(other);
      expect(await logsOf(other, bank)).toMatchObject([{ status: 'error' }, { status: 'success', trigger: 'cron' }]);
    });

    test('of a connection that was disconnected meanwhile stores nothing', async () => {
      const [bank] = (await dueBanks(home, 1)) as [Made];
      await syncs().look();
      await visits.arrive(1);
      await alter(home.app, bank, { status: 'disconnected', next_sync_at: null });
      visits.open();
      await syncAll(home.app);
      expect(await logsOf(home.app, bank)).toMatchObject([{ status: 'error', error_code: 'CONNECTION_DISCONNECTED' }]);
      expect((await connectionOf(home.app, bank)).status).toBe('disconnected');
    });

    test('of a connection that was disconnected and linked again meanwhile stores nothing', async () => {
      visits = holdVisits(home.plaid, { outcome: { position: 'far' } });
      const [bank] = (await dueBanks(home, 1)) as [Made];
      await syncs().look();
      await visits.arrive(1);
      expect((await home.app.request('DELETE', `/api/v1/connections/${bank.id}`)).status).toBe(204);
      const ended = { status: 'error', error_code: 'CONNECTION_DISCONNECTED' };
      expect(await logsOf(home.app, bank)).toMatchObject([ended]);
      await alter(home.app, bank, { status: 'active' });
      visits.open();
      await syncs().settled();
      expect(await logsOf(home.app, bank)).toMatchObject([ended]);
      // Whoever links a bank again gets all of it, not what came after the old position.
      expect(await connectionOf(home.app, bank)).toMatchObject({ sync_position: null, last_sync_at: null });
    });
  });
});

forEachDatabase(
  (database) => {
    test('two processes share fifty due connections, and each is synced once', async () => {
      const home = await openSyncedHousehold(database);
      const visits = holdVisits(home.plaid);
      for (let at = 0; at < 50; at += 1) await alter(home.app, await home.connect(), { next_sync_at: DUE });
      const other = await home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      const apps = [home.app, other];
      await Promise.all(apps.map(({ app }) => app.instance.syncs().look()));
      await visits.arrive(8);
      const holders = new Set<string | null>();
      for (const { connection_id: id } of await logsOf(home.app)) {
        holders.add((await turnOf(home.app, { id, short_id: '' }))?.holder ?? null);
      }
      expect(holders.size).toBe(2);
      visits.open();
      await Promise.all(apps.map(syncAll));
      await syncAll(home.app);
      const logs = await logsOf(home.app);
      expect(logs.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 'success'));
      expect(new Set(logs.map(({ connection_id: id }) => id)).size).toBe(50);
    });

    test('two processes that are asked for the same connection at once never sync it at once', async () => {
      const home = await openSyncedHousehold(database);
      const visits = holdVisits(home.plaid);
      const bank = await home.connect();
      const other = await home.app.again({ extraProviders: [home.plaid], clock: home.app.clock });
      const asking = Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? home.app : other).request('POST', `/api/v1/connections/${bank.id}/sync`),
      );
      const statuses = (await Promise.all(asking)).map(({ json }) => String(json.status));
      const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
      expect([count('started'), count('queued'), count('already_running')]).toEqual([1, 1, 38]);
      visits.open();
      await Promise.all([home.app, other].map(syncAll));
      await syncAll(other);
      expect([visits.most(), (await logsOf(home.app)).map(({ status }) => status)]).toEqual([
        1,
        ['success', 'success'],
      ]);
    });
  },
  ['PostgreSQL'],
);
