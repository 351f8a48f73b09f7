import { beforeAll, describe, expect, test } from 'vitest';

import { importFile } from '../../../test/harness/bank-files/bank-files.ts';
import { accountOf, itemOf, pageOf, rowOf, type Answer } from '../../../test/harness/banks/made-up-provider.ts';
import { addChannel, deliveries } from '../../../test/harness/servers/notifications.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { rowsOf } from '../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { DAY_MS } from '../../kernel/dates.ts';
import { ProviderFailure, type FailureClass } from '../../providers/provider-failure.ts';
import type { DeliveredTransaction } from '../../providers/provider.ts';
import { tellOfConsents } from '../sync/status/connection-alerts.ts';

interface RaisedNotification {
  event: string;
  priority: string;
  title: string;
  body: string | null;
  subject_id: string | null;
  data: string;
}

forEachDatabase((database) => {
  describe('the household is told', () => {
    let home: SyncedHousehold;
    let serial = 0;
    let channel: { id: string };
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
      channel = await addChannel(home.app, { url: 'https://home.example/hook', include_body: true });
      const body = {
        name: 'Large',
        condition: { field: 'amount', op: 'gt', value: '500' },
        actions: [{ type: 'flag' }],
      };
      const rule = await home.app.request('POST', '/api/v1/rules', { body: { ...body, triggers: ['sync', 'create'] } });
      expect(rule.status).toBe(201);
    });

    /** What was told since the last call. */
    const known = new Set<string>();
    async function news(): Promise<RaisedNotification[]> {
      const rows = (await rowsOf(
        home.app.app.instance.database,
        'select * from notification_deliveries',
      )) as unknown as (RaisedNotification & {
        id: string;
      })[];
      const fresh = rows.filter(({ id }) => !known.has(id)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      for (const { id } of fresh) known.add(id);
      return fresh;
    }
    const events = async () => (await news()).map(({ event }) => event);

    async function bank() {
      const connection = await home.connect();
      const id = `n${(serial += 1)}`;
      const row = (name: string, values: Partial<DeliveredTransaction> = {}) =>
        rowOf(`${id}-${name}`, { externalAccountId: id, ...values });
      const sync = async (answer: Answer, options: Parameters<typeof runASync>[2] = {}) => {
        home.app.clock.advance(60_000);
        home.plaid.answers = [answer];
        return runASync(home.app, connection.id, options);
      };
      const fine = async (...rows: DeliveredTransaction[]) =>
        sync({ parts: [pageOf(rows)], outcome: { state: itemOf([accountOf(id)]) } });
      const fails = async (failureClass: FailureClass = 'transient') =>
        sync({ failure: new ProviderFailure({ failureClass, code: 'BANK_DOWN' }) });
      return { connection, row, sync, fine, fails };
    }

    test('once that a connection fails, and once that it works again', async () => {
      const { connection, fine, fails } = await bank();
      await fine();
      expect(await events()).toEqual([]);
      const first = await fails();
      for (let more = 0; more < 9; more++) await fails();
      const [failed, ...others] = await news();
      expect(others).toEqual([]);
      expect(failed).toMatchObject({
        event: 'sync.failed',
        priority: 'warning',
        title: 'A bank connection has stopped syncing',
        body: 'First Platypus Bank or Plaid cannot be reached. It is tried again by itself; there is nothing to do.',
        subject_id: first.id,
        data: JSON.stringify({ connection_id: connection.id, sync_log_id: first.id }),
      });
      const repaired = await fine();
      await fine();
      expect(await news()).toMatchObject([
        {
          event: 'sync.recovered',
          priority: 'info',
          title: 'A bank connection is syncing again',
          subject_id: repaired.id,
        },
      ]);
      await fails();
      expect(await events()).toEqual(['sync.failed']);
    });

    test('that a bank wants a new login, instead of that the sync failed', async () => {
      const { connection, fine, fails } = await bank();
      await fine();
      await fails('login');
      await fails('login');
      expect(await news()).toMatchObject([
        {
          event: 'connection.reauth_required',
          priority: 'critical',
          title: 'A bank wants you to sign in again',
          body: 'First Platypus Bank wants you to sign in again. Nothing is lost; new transactions arrive after that.',
          subject_id: connection.id,
          data: JSON.stringify({ connection_id: connection.id }),
        },
      ]);
      // A sync may still work; the login is lost all the same.
      await fine();
      expect(await events()).toEqual([]);
      await home.app.write('test.renew', async (tx) => {
        tx.journal.allowUnjournaled('connection');
        await tx.q.updateTable('connections').set({ status: 'active' }).where('id', '=', connection.id).execute();
      });
      await fine();
      expect(await events()).toEqual(['sync.recovered']);
    });

    test('once that a consent ends soon, and again of the next one', async () => {
      const { connection } = await bank();
      const { app } = home;
      const check = async (inDays: number) => {
        const end = new Date(app.clock.now() + inDays * DAY_MS).toISOString();
        await app.write('test.consent', async (tx) => {
          tx.journal.allowUnjournaled('connection');
          const consent = { consent_expires_at: end };
          await tx.q.updateTable('connections').set(consent).where('id', '=', connection.id).execute();
        });
        await tellOfConsents(app.app.instance);
        return { end, told: await news() };
      };
      expect((await check(15)).told).toEqual([]);
      const { end, told } = await check(14);
      expect(told).toMatchObject([
        {
          event: 'connection.consent_expiring',
          priority: 'warning',
          title: `Your permission for a bank ends on ${end.slice(0, 10)}`,
          body: expect.stringContaining('First Platypus Bank') as string,
          subject_id: connection.id,
        },
      ]);
      expect((await check(13)).told).toEqual([]);
      expect((await check(-1)).told).toEqual([]);
      app.clock.advance(90 * DAY_MS);
      expect((await check(10)).told).toHaveLength(1);
    });

    test('on which day of the household a consent ends, and no day that is only guessed', async () => {
      const { app } = home;
      const [stated, guessed] = [(await bank()).connection, (await bank()).connection];
      const day = new Date(app.clock.now() + 10 * DAY_MS).toISOString().slice(0, 10);
      // Still the evening before in New York.
      const end = `${day}T02:00:00.000Z`;
      const eve = new Date(Date.parse(end) - DAY_MS).toISOString().slice(0, 10);
      await app.request('PUT', '/api/v1/config/instance.timezone', { body: { value: 'America/New_York' } });
      for (const [{ id }, guessedAt] of [
        [stated, null],
        [guessed, new Date(app.clock.now()).toISOString()],
      ] as const) {
        await app.write('test.consent', async (tx) => {
          tx.journal.allowUnjournaled('connection');
          const consent = { consent_expires_at: end, consent_guessed_at: guessedAt };
          await tx.q.updateTable('connections').set(consent).where('id', '=', id).execute();
        });
      }
      await tellOfConsents(app.app.instance);
      const told = new Map((await news()).map(({ subject_id: id, title }) => [id, title]));
      expect(told.get(stated.id)).toBe(`Your permission for a bank ends on ${eve}`);
      expect(told.get(guessed.id)).toBe('Your permission for a bank ends soon');
      const attention = async ({ id }: { id: string }): Promise<unknown[]> =>
        (await app.request('GET', `/api/v1/connections/${id}/status`)).json.attention;
      const message = (when: string) => ({ message: expect.stringContaining(`for this bank ends ${when}.`) as string });
      expect(await attention(stated)).toContainEqual(expect.objectContaining(message(`on ${eve}`)));
      expect(await attention(guessed)).toContainEqual(expect.objectContaining(message('soon')));
      await app.request('DELETE', '/api/v1/config/instance.timezone');
    });

    test('once of all that rules flagged in a sync, without dependent accounts, new and changed rows alike', async () => {
      const { connection, row, fine } = await bank();
      const large = { amountCents: 60_000, name: 'Garage\u0007 & Sons' };
      const log = await fine(row('1', large), row('2', { amountCents: 400 }), row('3', large));
      expect(await news()).toMatchObject([
        {
          event: 'transactions.flagged',
          priority: 'warning',
          title: 'Rules flagged 2 transactions',
          body: expect.stringMatching(/^\d{4}-\d\d-\d\d Garage & Sons 600\.00 USD\n.*USD$/) as string,
          subject_id: log.id,
          data: JSON.stringify({ connection_id: connection.id, sync_log_id: log.id }),
        },
      ]);
      await fine(row('1', large), row('2', { amountCents: 70_000 }), row('3', large));
      expect(await news()).toMatchObject([{ title: 'Rules flagged 1 transaction' }]);
      await fine(row('1', large));
      expect(await events()).toEqual([]);
      const [account] = (await home.app.request('GET', '/api/v1/accounts')).json.filter(
        (one: { connection_id: string }) => one.connection_id === connection.id,
      );
      await home.app.request('PATCH', `/api/v1/accounts/${account.id}`, { body: { is_dependent_linked: true } });
      await fine(row('4', large));
      expect(await events()).toEqual([]);
    });

    test('once of thirty flagged rows of a file, with ten lines, and not if the rules do not run', async () => {
      const lines = Array.from(
        { length: 30 },
        (_one, day) => `2026-03-${String(day + 1).padStart(2, '0')},Rent,-900.00`,
      );
      const file = (name: string) => `Date,Description,Amount\n${lines.join('\n').replaceAll('Rent', name)}\n`;
      const fields = { iso_currency_code: 'EUR', sign: 'positive_is_in' };
      const done = await importFile(home.app, file('Rent'), { account_name: 'Loan', ...fields });
      expect([done.status, done.json.import.counts.added]).toEqual([201, 30]);
      const [flagged, ...others] = await news();
      expect(others).toEqual([]);
      expect(flagged).toMatchObject({ title: 'Rules flagged 30 transactions', subject_id: done.json.import.id });
      expect(flagged?.body?.split('\n')).toHaveLength(10);
      expect(flagged?.body?.startsWith('2026-03-30 Rent 900.00 EUR\n2026-03-29 Rent')).toBe(true);
      const quiet = await importFile(home.app, file('Other'), { account_name: 'Other', run_rules: false, ...fields });
      expect([quiet.status, await events()]).toEqual([201, []]);
    });

    test('nothing more of a member whose data was wiped', async () => {
      const { fine, fails } = await bank();
      await fine();
      await fails();
      expect((await deliveries(home.app, { channel_id: channel.id })).length).toBeGreaterThan(5);
      const { status, json } = await home.app.request('POST', `/api/v1/users/${home.ana.id}/wipe-data`, { body: {} });
      expect([status, json, await deliveries(home.app)]).toEqual([200, expect.anything(), []]);
      await home.app.request('PATCH', '/api/v1/settings/notifications', { body: { delivery_retention_days: 31 } });
    });
  });
});
