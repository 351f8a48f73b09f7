import { beforeAll, describe, expect, it } from 'vitest';

import { accountOf, itemOf, pageOf, rowOf } from '../../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../../test/harness/syncs/run-a-sync.ts';
import {
  openSyncedHousehold,
  storedTransactions,
  type SyncedHousehold,
} from '../../../../test/harness/syncs/synced-household.ts';
import { rowsOf } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';
import { DAY_MS, dayIn } from '../../../kernel/dates.ts';
import type { DeliveredTransaction, ReportedBalance } from '../../../providers/provider.ts';

forEachDatabase((database) => {
  describe('balances of a sync', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
      await live('UTC');
    });

    /** In which time zone the household lives. */
    const live = (value: string) => home.app.request('PUT', '/api/v1/config/instance.timezone', { body: { value } });

    async function bank(type: 'depository' | 'credit' = 'depository') {
      const connection = await home.connect();
      const id = `b${(serial += 1)}`;
      const row = (name: string, values: Partial<DeliveredTransaction> = {}) =>
        rowOf(`${id}-${name}`, { externalAccountId: id, ...values });
      /** A sync that reports this balance; null: none could be read. */
      const sync = async (balance: Partial<ReportedBalance> | null, rows: readonly DeliveredTransaction[] = []) => {
        const none = { currentCents: null, availableCents: null, limitCents: null, currency: 'USD', asOf: null };
        const reported = accountOf(id, { type, balance: balance && { ...none, ...balance } });
        const withoutBalance = balance === null ? [id] : [];
        home.plaid.answers = [{ parts: [pageOf(rows)], outcome: { state: itemOf([reported]), withoutBalance } }];
        const log = await runASync(home.app, connection.id);
        expect(log.status).toBe('success');
        return log;
      };
      const check = async (...given: Parameters<typeof sync>) => {
        const [account] = JSON.parse((await sync(...given)).accounts) as { balance_check: object }[];
        return account?.balance_check;
      };
      const shown = async () =>
        (await home.app.request('GET', '/api/v1/accounts', { query: { connection_id: connection.id } })).json[0];
      const history = async () =>
        (await home.app.request('GET', `/api/v1/accounts/${(await shown()).id}/balances`)).json.balances as object[];
      return { connection, row, sync, check, shown, history };
    }

    it('are stored as reported, one snapshot a day, and stay when they cannot be read', async () => {
      const { sync, shown, history } = await bank();
      await sync({ currentCents: null, availableCents: 900, limitCents: 50_000 });
      expect(await shown()).toMatchObject({
        balance_current: null,
        balance_available: '9.00',
        balance_limit: '500.00',
      });
      home.app.clock.advance(60_000);
      await sync({ currentCents: 1_000, availableCents: null });
      expect(await history()).toMatchObject([
        { balance_current: '10.00', balance_available: null, balance_limit: null, source: 'sync' },
      ]);
      home.app.clock.advance(DAY_MS);
      await sync({ currentCents: 1_100 });
      expect(await history()).toHaveLength(2);
      const before = await shown();
      home.app.clock.advance(DAY_MS);
      const log = await sync(null);
      expect(JSON.parse(log.warnings)).toMatchObject([{ code: 'balances_failed' }]);
      // What the sync before said of the balance is no longer said.
      expect(before.balance_check).toMatchObject({ status: 'differs' });
      expect(await shown()).toEqual({ ...before, balance_check: null });
      expect(await history()).toHaveLength(2);
    });

    it('are kept with the sum of what was pending, and rows with when a sync first stored them as posted', async () => {
      const { sync, row, shown } = await bank();
      const kept = async () => {
        const { id } = await shown();
        const { database: stored } = home.app.app.instance;
        const [snapshot] = await rowsOf<{ pending_cents: number }>(
          stored,
          `select pending_cents from balance_snapshots where account_id = '${id}' order by date desc limit 1`,
        );
        const rows = await rowsOf<{ name: string; posted_at: string | null }>(
          stored,
          `select t.name, f.posted_at from transaction_feeds f join transactions t on t.id = f.transaction_id
           where t.account_id = '${id}' order by t.name`,
        );
        return { pending: Number(snapshot?.pending_cents), posted: rows.map(({ posted_at: at }) => at) };
      };
      const now = (): string => new Date(home.app.clock.now()).toISOString();
      const coffee = row('1', { name: 'A COFFEE', amountCents: 450 });
      const hold = row('2', { name: 'B HOLD', amountCents: 2_000, pending: true });
      const euro = row('3', { name: 'C EURO', amountCents: 700, pending: true, currency: 'EUR' });
      const first = now();
      await sync({ currentCents: 1_000 }, [coffee, hold, euro]);
      expect(await kept()).toEqual({ pending: 2_000, posted: [first, null, null] });
      home.app.clock.advance(DAY_MS);
      const second = now();
      await sync({ currentCents: 1_000 }, [{ ...hold, pending: false }]);
      expect(await kept()).toEqual({ pending: 0, posted: [first, second, null] });
      home.app.clock.advance(DAY_MS);
      await sync({ currentCents: 1_000 }, [{ ...hold, pending: false, name: 'B HOLD AGAIN' }]);
      expect((await kept()).posted).toEqual([first, second, null]);
    });

    it('are held against the rows: a withheld row differs, and its delivery agrees', async () => {
      const { connection, row, check, sync } = await bank();
      expect(await check({ currentCents: 100_000 }, [row('1')])).toMatchObject({ status: 'not_available' });
      const agreedAt = home.app.clock.now();
      expect(await check({ currentCents: 98_000 }, [row('2', { amountCents: 2_000 })])).toMatchObject({
        status: 'agrees',
      });
      // A person's deletion does not count, because the bank has the row.
      const [first] = await storedTransactions(home.app, connection);
      await home.app.request('DELETE', `/api/v1/transactions/${first.id}`);
      home.app.clock.advance(DAY_MS);
      expect(await check({ currentCents: 95_000 })).toEqual({
        status: 'differs',
        difference: '-30.00',
        since: new Date(agreedAt).toISOString(),
      });
      home.app.clock.advance(3 * DAY_MS);
      await live('Pacific/Pago_Pago');
      const log = await sync({ currentCents: 95_000 });
      await live('UTC');
      // Eleven hours earlier it was the day before.
      const day = dayIn('Pacific/Pago_Pago', agreedAt);
      expect(day < dayIn('UTC', agreedAt)).toBe(true);
      expect(JSON.parse(log.warnings)).toMatchObject([
        {
          code: 'balance_differs',
          message: expect.stringContaining(
            `The balance of Checking and its transactions have differed by -30.00 USD since ${day}.`,
          ),
        },
      ]);
      const found = await check({ currentCents: 95_000 }, [row('3', { amountCents: 3_000 })]);
      expect(found).toMatchObject({ status: 'agrees' });
    });

    it('agree whether the bank counts pending rows or not, and on cards in the other direction', async () => {
      const { row, check } = await bank('credit');
      await check({ currentCents: 10_000 }, [row('1')]);
      expect(await check({ currentCents: 10_500 }, [row('2', { amountCents: 500, pending: true })])).toMatchObject({
        status: 'agrees',
      });
      expect(await check({ currentCents: 10_500 }, [row('3', { amountCents: 700, pending: true })])).toMatchObject({
        status: 'agrees',
      });
    });
  });
});
