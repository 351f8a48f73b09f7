import { beforeAll, describe, expect, it } from 'vitest';

import { categoryBySlug, type Made } from '../../../test/harness/ledger.ts';
import { accountOf, itemOf, pageOf, rowOf } from '../../../test/harness/banks/made-up-provider.ts';
import { runASync } from '../../../test/harness/syncs/run-a-sync.ts';
import { openSyncedHousehold, type SyncedHousehold } from '../../../test/harness/syncs/synced-household.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';
import { addDays } from '../../kernel/dates.ts';

interface Week {
  date: string;
  cents: number;
  text: string;
}

forEachDatabase((database) => {
  describe('accounts joined by a sync', () => {
    let home: SyncedHousehold;
    let serial = 0;
    beforeAll(async () => {
      home = await openSyncedHousehold(database);
    });

    /** A bank, and purchases of which no other test has the amounts. */
    async function scene() {
      const { app, plaid, connect } = home;
      const mark = (serial += 1);
      const connection = await connect();
      const account = accountOf(`s${mark}-account`, { mask: `000${mark}`, name: 'Bank Checking' });
      const week = (at: number): Week => ({
        date: addDays('2026-01-05', at * 7),
        cents: mark * 10_000 + 100 + at,
        text: `Shop ${at}`,
      });
      const weeks = (from: number, to: number): Week[] =>
        Array.from({ length: to - from + 1 }, (_one, at) => week(from + at));
      const rowOfWeek = ({ date, cents, text }: Week) =>
        rowOf(`s${mark}-${date}`, { externalAccountId: account.externalId, date, amountCents: cents, name: text });
      const sync = async (rows: readonly Week[], isFull = false) => {
        plaid.answers = [
          { parts: [pageOf(rows.map(rowOfWeek))], outcome: { state: itemOf([account]), position: `p${mark}` } },
        ];
        const log = await runASync(app, connection.id, { isFull });
        expect([log.status, log.error_message]).toEqual(['success', null]);
        return log;
      };
      return { app, connection, mark, week, weeks, sync };
    }

    const importWeeks = async (rows: readonly Week[], target: object = {}) => {
      const lines = rows.map(
        ({ date, cents, text }) => `${date},KARTE ${text.toUpperCase()} ORT,-${(cents / 100).toFixed(2)}`,
      );
      const csv = ['Booked,Details,Value', ...lines].join('\n');
      const body = { csv_base64: Buffer.from(csv).toString('base64'), ...target };
      const answer = await home.app.request('POST', '/api/v1/connections/csv/import', { body });
      expect([answer.status < 300, answer.text.slice(0, 300)]).toEqual([true, expect.anything()]);
      return answer.json.import.account_id as string;
    };
    const accountIds = async (mark: number): Promise<string[]> =>
      (await home.app.request('GET', '/api/v1/accounts')).json
        .filter((one: { mask: string | null; name: string; display_name: string | null }) =>
          [one.mask, one.name, one.display_name].some((text) => text === `000${mark}` || text === `Files ${mark}`),
        )
        .map(({ id }: Made) => id);
    const amountsIn = async (id: string): Promise<number[]> => {
      const { json } = await home.app.request('GET', '/api/v1/transactions', {
        query: { account_id: id, limit: '500' },
      });
      return json.transactions
        .map((one: { amount: string }) => Math.round(Number(one.amount) * 100))
        .sort((a: number, b: number) => a - b);
    };
    const cents = (rows: readonly Week[]): number[] => rows.map((one) => one.cents).sort((a, b) => a - b);
    const lastJoin = async (): Promise<string> =>
      (await home.app.request('GET', '/api/v1/change-sets', { query: { action: 'account.join' } })).json.change_sets[0]
        .id;
    const revert = (id: string) => home.app.request('POST', `/api/v1/change-sets/${id}/revert`, { body: {} });

    it('are taken apart after later syncs and files: each row is where its source put it, and none is lost', async () => {
      const { mark, weeks, sync, week } = await scene();
      const csv = await importWeeks(weeks(0, 11), { account_name: `Files ${mark}` });
      await sync(weeks(1, 11));
      const joining = await sync([week(12)]);
      expect([joining.added_count, await accountIds(mark)]).toEqual([1, [csv]]);
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 12)));

      await sync([week(13), week(0)]);
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 13)));
      expect(await importWeeks(weeks(12, 14))).toBe(csv);
      expect(await importWeeks([week(14)], { account_name: `Files ${mark}` })).toBe(csv);
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 14)));
      expect(await sync(weeks(0, 13), true)).toMatchObject({ added_count: 0, unchanged_count: 14 });

      const undone = await revert(await lastJoin());
      expect([undone.status, undone.text.slice(0, 400)]).toEqual([200, expect.anything()]);
      const [bank = ''] = (await accountIds(mark)).filter((id) => id !== csv);
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 14)));
      expect(await amountsIn(bank)).toEqual(cents(weeks(0, 13)));
      expect(await sync([...weeks(0, 13), week(15)], true)).toMatchObject({ added_count: 1, removed_count: 0 });
      expect([await amountsIn(csv), await amountsIn(bank)]).toEqual([
        cents(weeks(0, 14)),
        cents([...weeks(0, 13), week(15)]),
      ]);
      expect(await importWeeks(weeks(12, 16), { account_name: `Files ${mark}` })).toBe(csv);
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 16)));
    });

    it('are taken apart as completely when their undo has been undone and they are undone again', async () => {
      const { mark, weeks, sync, week } = await scene();
      const csv = await importWeeks(weeks(0, 11), { account_name: `Files ${mark}` });
      await sync(weeks(1, 11));
      await sync([week(12)]);
      // The bank delivers it after the join, so that undoing that makes two of it.
      await sync([week(13), week(0)]);
      const join = await lastJoin();
      const apart = async () => {
        const [bank = ''] = (await accountIds(mark)).filter((id) => id !== csv);
        return [await amountsIn(csv), await amountsIn(bank)];
      };
      const undone = await revert(join);
      const expected = [cents(weeks(0, 11)), cents(weeks(0, 13))];
      expect([undone.status, await apart()]).toEqual([200, expected]);
      expect((await revert(undone.json.change_set.id)).status).toBe(200);
      expect([await accountIds(mark), await amountsIn(csv)]).toEqual([[csv], cents(weeks(0, 13))]);
      expect([(await revert(join)).status, await apart()]).toEqual([200, expected]);
      expect(await sync(weeks(0, 13), true)).toMatchObject({ added_count: 0, removed_count: 0 });
      expect(await apart()).toEqual(expected);
    });

    it('keep rows entered by hand, with their categories and the names that were typed', async () => {
      const { app, mark, weeks, sync, week } = await scene();
      const { json: byHand } = await app.request('POST', '/api/v1/accounts', {
        body: { name: `Files ${mark}`, iso_currency_code: 'USD', user_id: home.ana.short_id },
      });
      const category = await categoryBySlug(app, 'food_and_drink_coffee');
      for (const at of [3, 5]) {
        const { date, cents: amount } = week(at);
        const body = {
          account_id: byHand.id,
          date: addDays(date, 1),
          amount: (amount / 100).toFixed(2),
          name: `With Tom ${at}`,
          category_id: category.id,
        };
        expect((await app.request('POST', '/api/v1/transactions', { body })).status).toBe(201);
      }
      await sync(weeks(0, 11));
      await sync([week(12)]);
      const query = { kind: 'same_account', connection_id: (await scene()).connection.id };
      expect((await app.request('GET', '/api/v1/sync/suggestions', { query })).json.total).toBe(0);
      const { suggestions } = (
        await app.request('GET', '/api/v1/sync/suggestions', { query: { kind: 'same_account' } })
      ).json;
      const mine = suggestions.filter(({ accounts }: { accounts: { account_id: string }[] }) =>
        accounts.some((one) => one.account_id === byHand.id),
      );
      expect(mine.length).toBe(1);
      const accepted = await app.request('POST', `/api/v1/sync/suggestions/${mine[0].id}/accept`, {
        body: { account_id: byHand.id },
      });
      expect([accepted.status, accepted.text.slice(0, 300)]).toEqual([200, expect.anything()]);
      expect(await amountsIn(byHand.id)).toEqual(cents(weeks(0, 12)));
      const { json } = await app.request('GET', '/api/v1/transactions', { query: { account_id: byHand.id } });
      expect(json.transactions.filter((one: { category: object | null }) => one.category !== null)).toMatchObject([
        { name: 'Shop 5', date: week(5).date, metadata: { entered_name: 'With Tom 5' } },
        { name: 'Shop 3', date: week(3).date, metadata: { entered_name: 'With Tom 3' } },
      ]);
      const undone = await revert(String(accepted.headers['x-change-set-id']));
      expect(undone.status).toBe(200);
      expect((await amountsIn(byHand.id)).length).toBe(2);
    });

    it('go back to files when the bank is disconnected, and can still be taken apart', async () => {
      const { app, mark, weeks, sync, week, connection } = await scene();
      const csv = await importWeeks(weeks(0, 11), { account_name: `Files ${mark}` });
      await sync(weeks(0, 11));
      await sync([week(12)]);
      expect((await app.request('DELETE', `/api/v1/connections/${connection.id}`)).status).toBe(204);
      expect((await app.request('GET', `/api/v1/accounts/${csv}`)).json).toMatchObject({ provider: 'csv' });
      const undone = await revert(await lastJoin());
      expect([undone.status, undone.text.slice(0, 400)]).toEqual([200, expect.anything()]);
      expect((await app.request('GET', `/api/v1/accounts/${csv}`)).json).toMatchObject({
        name: `Files ${mark}`,
        provider: 'csv',
      });
      expect(await amountsIn(csv)).toEqual(cents(weeks(0, 11)));
    });
  });
});
