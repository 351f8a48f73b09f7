import { beforeAll, describe, expect, it } from 'vitest';

import { addAccount, addTransactions } from '../../../test/harness/ledger.ts';
import { sampleLedger, type World } from '../../../test/harness/ledgers/sample-ledger.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

const LIST = '/api/v1/transactions';

forEachDatabase(({ open }) => {
  let w: World;
  beforeAll(async () => {
    w = await sampleLedger(await open());
  });

  async function refused(
    query: Record<string, string | readonly string[]>,
    path = LIST,
  ): Promise<{ code: string; message: string }> {
    const answer = await w.app.request('GET', path, { query });
    expect(answer.status, answer.text).toBe(400);
    return (answer.json as { error: { code: string; message: string } }).error;
  }

  describe('totals', () => {
    interface Row {
      iso_currency_code: string | null;
      total_amount: string;
      transaction_count: number;
      [field: string]: unknown;
    }
    interface Summary {
      summary: Row[];
      totals: Row[];
      row_count: number;
      truncated: boolean;
      filters: Record<string, unknown>;
      group_by?: string;
    }
    async function summary(query: Record<string, string>): Promise<Summary> {
      const answer = await w.app.request('GET', `${LIST}/summary`, { query });
      expect(answer.status, answer.text).toBe(200);
      return answer.json as Summary;
    }

    it('count posted rows of counting accounts, per currency', async () => {
      const { totals } = await summary({ group_by: 'user' });
      expect(totals).toEqual([
        { iso_currency_code: 'EUR', transaction_count: 1, total_amount: '10.00', money_out: '10.00', money_in: '0.00' },
        {
          iso_currency_code: 'USD',
          transaction_count: 9,
          total_amount: '-1960.51',
          money_out: '551.49',
          money_in: '2512.00',
        },
        { iso_currency_code: null, transaction_count: 1, total_amount: '7.00', money_out: '7.00', money_in: '0.00' },
      ]);
      const count = await w.app.request('GET', `${LIST}/count`, { query: { include_totals: true } });
      expect(count.json).toEqual({ count: 14, totals });
    });

    it('equal the totals of count for every filter', async () => {
      for (const query of [
        { search: 'sale' },
        { pending: 'true' },
        { include_pending: 'true' },
        { tag: 'review' },
        { date_from: '2025-02-01' },
        { excluded_accounts: 'include' },
        { user_id: w.ben.id },
      ] as Record<string, string>[]) {
        const count = await w.app.request('GET', `${LIST}/count`, { query: { ...query, include_totals: true } });
        expect((count.json as { totals: Row[] }).totals, JSON.stringify(query)).toEqual(
          (await summary({ group_by: 'account', ...query })).totals,
        );
      }
    });

    it('leave pending rows out unless asked for', async () => {
      expect((await summary({ group_by: 'month', search: 'hold' })).totals).toEqual([]);
      expect((await summary({ group_by: 'month', search: 'hold', include_pending: 'true' })).totals).toHaveLength(1);
      expect((await summary({ group_by: 'month', pending: 'true' })).totals).toHaveLength(1);
    });

    it('group weeks by Monday, months newest first, days as they are', async () => {
      const weeks = (await summary({ group_by: 'week', iso_currency_code: 'USD' })).summary;
      expect(weeks.map((row) => [row['period'], row.transaction_count])).toEqual([
        ['2025-02-03', 3],
        ['2025-01-27', 2],
        ['2025-01-20', 2],
        ['2025-01-13', 2],
      ]);
      expect(
        (await summary({ group_by: 'month' })).summary.map((row) => [row['period'], row.iso_currency_code]),
      ).toEqual([
        ['2025-02', 'EUR'],
        ['2025-02', 'USD'],
        ['2025-02', null],
        ['2025-01', 'USD'],
      ]);
      expect((await summary({ group_by: 'day', date_to: '2025-01-14' })).summary.map((row) => row['period'])).toEqual([
        '2025-01-14',
        '2025-01-13',
      ]);
    });

    it('group categories by id, with one row per currency for none', async () => {
      const rows = (await summary({ group_by: 'category' })).summary;
      expect(rows.map((row) => [row.iso_currency_code, row['category_slug'], row.total_amount])).toEqual([
        ['EUR', 'food_and_drink', '10.00'],
        ['USD', 'transfer_out_savings', '500.00'],
        ['USD', null, '34.99'],
        ['USD', 'food_and_drink_coffee', '16.50'],
        ['USD', 'food_and_drink', '-12.00'],
        ['USD', 'income_wages', '-2500.00'],
        [null, null, '7.00'],
      ]);
      const primary = (await summary({ group_by: 'category_primary', iso_currency_code: 'USD' })).summary;
      expect(primary.map((row) => [row['category_slug'], row.total_amount])).toEqual([
        ['transfer_out', '500.00'],
        [null, '34.99'],
        ['food_and_drink', '4.50'],
        ['income', '-2500.00'],
      ]);
      const months = (await summary({ group_by: 'category_month', category_slug: 'food_and_drink' })).summary;
      expect(months.map((row) => [row['period'], row['category_slug'], row.iso_currency_code])).toEqual([
        ['2025-02', 'food_and_drink', 'EUR'],
        ['2025-01', 'food_and_drink_coffee', 'USD'],
        ['2025-01', 'food_and_drink', 'USD'],
      ]);
    });

    it.each(['kind,category_primary', 'category_primary,kind'])('show the kind that %s groups by', async (group_by) => {
      const setKind = async (kind: string): Promise<void> => {
        const path = '/api/v1/categories/food_and_drink_coffee';
        expect((await w.app.request('PATCH', path, { body: { kind } })).status).toBe(200);
      };
      await setKind('transfer');
      const found = await summary({ group_by, iso_currency_code: 'USD', category_slug: 'food_and_drink' });
      await setKind('expense');
      const shown = found.summary.map((row) => [row['category_slug'], row['category_kind'], row.total_amount]);
      expect(shown).toEqual([
        ['food_and_drink', 'transfer', '16.50'],
        ['food_and_drink', 'expense', '-12.00'],
      ]);
    });

    it('group by account, member, counterparty and tag', async () => {
      expect(
        (await summary({ group_by: 'account' })).summary.map((row) => [row['account_name'], row.iso_currency_code]),
      ).toEqual([
        ['Euro', 'EUR'],
        ['Joint', 'USD'],
        ['Euro', null],
      ]);
      const members = (await summary({ group_by: 'user', iso_currency_code: 'USD' })).summary;
      expect(members.map((row) => [row['user_name'], row['user_id'], row.total_amount])).toEqual([
        ['Ben', w.ben.short_id, '10.00'],
        ['Ana', w.ana.short_id, '-1970.51'],
      ]);
      const parties = (await summary({ group_by: 'counterparty', iso_currency_code: 'USD' })).summary;
      expect(parties.map((row) => [row['counterparty_name'], row.transaction_count])).toEqual([
        ['Corner Cafe', 1],
        [null, 8],
      ]);
      const tags = await summary({ group_by: 'tag', category_slug: 'food_and_drink_coffee' });
      expect(tags.summary.map((row) => [row['tag_slug'], row.total_amount])).toEqual([
        ['review', '16.50'],
        ['shopping', '4.50'],
      ]);
      expect(tags.totals).toMatchObject([{ transaction_count: 2, total_amount: '16.50' }]);
    });

    it('keep spending only', async () => {
      const { totals } = await summary({ group_by: 'month', spending_only: 'true', iso_currency_code: 'USD' });
      expect(totals).toMatchObject([{ money_in: '0.00', total_amount: '51.49' }]);
    });

    it('say if rows were left out, and which filters were in effect', async () => {
      const whole = await summary({ group_by: 'category' });
      const cut = await summary({ group_by: 'category', limit: '2' });
      expect(cut).toMatchObject({ truncated: true, row_count: 7, totals: whole.totals });
      expect(cut.summary).toEqual(whole.summary.slice(0, 2));
      const { filters } = await summary({
        group_by: 'month',
        start_date: '2025-01-01',
        end_date: '2025-02-01',
        min_amount: '1',
      });
      expect(filters).toEqual({
        date_from: '2025-01-01',
        date_to: '2025-01-31',
        amount_min: '1.00',
        include_pending: false,
        spending_only: false,
        excluded_accounts: 'exclude',
        dependent_accounts: 'exclude',
      });
    });

    it('add up exactly', async () => {
      const tenths = await addAccount(w.app, w.ana, { name: 'Tenths', currency: 'SEK' });
      await addTransactions(
        w.app,
        Array.from({ length: 10 }, () => ({
          account: tenths,
          date: '2025-03-01',
          amount_cents: 10,
          name: 'TENTH',
          iso_currency_code: 'SEK',
        })),
      );
      expect((await summary({ group_by: 'month', account_id: tenths.id })).totals).toMatchObject([
        { total_amount: '1.00' },
      ]);
      const huge = await addAccount(w.app, w.ana, { name: 'Huge', currency: 'JPY' });
      await addTransactions(
        w.app,
        Array.from({ length: 12 }, () => ({
          account: huge,
          date: '2025-03-01',
          amount_cents: 999_999_999_999,
          name: 'HUGE',
          iso_currency_code: 'JPY',
        })),
      );
      expect((await summary({ group_by: 'month', account_id: huge.id })).totals).toMatchObject([
        { total_amount: '119999999999.88' },
      ]);
    });

    it('group by two or three at once', async () => {
      const byCategory = await summary({ group_by: 'category' });
      const fine = await summary({ group_by: 'category,month,user' });
      expect(fine['group_by']).toBe('category,month,user');
      const added = new Map<string, number>();
      for (const row of fine.summary) {
        expect(Object.keys(row)).toEqual(expect.arrayContaining(['category_id', 'period', 'user_id', 'user_name']));
        const key = JSON.stringify([row['category_id'], row.iso_currency_code]);
        added.set(key, (added.get(key) ?? 0) + Math.round(Number(row.total_amount) * 100));
      }
      const whole = byCategory.summary.map((row): [string, number] => [
        JSON.stringify([row['category_id'], row.iso_currency_code]),
        Math.round(Number(row.total_amount) * 100),
      ]);
      expect(added).toEqual(new Map(whole));
      const months = await summary({ group_by: 'category,month' });
      const { group_by: asked, ...same } = (await summary({ group_by: 'category_month' })) as Summary & {
        group_by: string;
      };
      expect(asked).toBe('category_month');
      expect(months).toEqual({ ...same, group_by: 'category,month' });
      const repeated = await w.app.request('GET', `${LIST}/summary`, { query: { group_by: ['category', 'month'] } });
      expect(repeated.json).toEqual(months);
    });

    it('average per period, over the days of the filter or of the rows', async () => {
      const averages = async (query: Record<string, string>): Promise<unknown[]> =>
        (await summary({ group_by: 'month', iso_currency_code: 'USD', ...query })).totals.map((total) => [
          total['period_count'],
          total['average_amount'],
        ]);
      expect(await averages({})).toEqual([[2, '-980.26']]);
      expect(await averages({ date_from: '2024-11-30', date_to: '2025-02-28' })).toEqual([[4, '-490.13']]);
      expect(await averages({ end_date: '2025-03-01' })).toEqual([[2, '-980.26']]);
      expect(await averages({ group_by: 'user,year' })).toEqual([[1, '-1960.51']]);
      expect((await summary({ group_by: 'user' })).totals[0]).not.toHaveProperty('average_amount');
    });

    it('need a grouping', async () => {
      expect((await refused({}, `${LIST}/summary`)).message).toContain('group_by');
      for (const [groups, said] of [
        ['day,month', 'day, week, month, year'],
        ['category,category_primary', 'category, category_primary'],
        ['user,user', 'only once'],
        ['user,account,tag,month', 'at most 3'],
        ['category_month,user', 'category_month'],
        ['user,', 'one to three'],
      ] as const) {
        expect((await refused({ group_by: groups }, `${LIST}/summary`)).message, groups).toContain(said);
      }
      expect((await refused({ group_by: 'name' }, `${LIST}/summary`)).message).toContain('group_by');
      expect((await refused({ group_by: 'month', deleted: 'true' }, `${LIST}/summary`)).message).toContain('deleted');
    });
  });
});
