import { beforeAll, describe, expect, it } from 'vitest';

import { sampleLedger, type World } from '../../../test/harness/ledgers/sample-ledger.ts';
import { forEachDatabase } from '../../../test/harness/test-app.ts';

const LIST = '/api/v1/transactions';

forEachDatabase(({ open }) => {
  let w: World;
  beforeAll(async () => {
    w = await sampleLedger(await open());
  });

  async function names(query: Record<string, string | number>): Promise<string[]> {
    const answer = await w.app.request('GET', LIST, { query: { limit: 500, ...query } });
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as { transactions: { name: string }[] }).transactions.map((row) => row.name);
  }
  async function refused(
    query: Record<string, string | readonly string[]>,
    path = LIST,
  ): Promise<{ code: string; message: string }> {
    const answer = await w.app.request('GET', path, { query });
    expect(answer.status, answer.text).toBe(400);
    return (answer.json as { error: { code: string; message: string } }).error;
  }

  describe('records', () => {
    it('have every key, two-digit amounts, and are the same in list and single answer', async () => {
      const { json } = await w.app.request('GET', LIST, { query: { limit: 500 } });
      const rows = (json as { transactions: Record<string, unknown>[] }).transactions;
      expect(rows).toHaveLength(14);
      for (const row of rows) {
        expect(Object.keys(row)).toHaveLength(35);
        expect(row['amount']).toMatch(/^-?\d+\.\d{2}$/);
        const single = await w.app.request('GET', `${LIST}/${String(row['short_id'])}`);
        expect(single.json).toEqual(row);
      }
    });

    it('show category, counterparty, owner, tags and why a row does not count', async () => {
      const by = async (name: string): Promise<Record<string, unknown>> => {
        const { json } = await w.app.request('GET', LIST, { query: { search: name } });
        return (json as { transactions: Record<string, unknown>[] }).transactions[0] as Record<string, unknown>;
      };
      const cafe = await by('cafe zoe');
      expect(cafe['tags']).toEqual(['review', 'shopping']);
      expect(cafe['category']).toMatchObject({ slug: 'food_and_drink_coffee', parent_id: w.food.id, kind: 'expense' });
      expect(cafe['user_id']).toBe(w.ana.short_id);
      const sale = await by('100% off');
      expect(sale).toMatchObject({
        counterparty_name: 'Corner Cafe',
        user_id: w.ben.short_id,
        attributed_user_id: w.ben.short_id,
      });
      expect(await by('hidden')).toMatchObject({
        excluded_from_totals: 'account_excluded',
        category: null,
        category_id: null,
      });
      expect(await by('copy row')).toMatchObject({ excluded_from_totals: 'dependent_account' });
    });

    it('have the requested fields, in order, with id and short_id', async () => {
      const { json } = await w.app.request('GET', LIST, { query: { fields: 'core', limit: 1 } });
      const [row] = (json as { transactions: object[] }).transactions;
      expect(Object.keys(row ?? {})).toEqual([
        'id',
        'short_id',
        'date',
        'amount',
        'iso_currency_code',
        'name',
        'merchant_name',
        'counterparty_name',
        'account_id',
      ]);
      const bare = await w.app.request('GET', `${LIST}/${w.ids[0]?.id}`, { query: { fields: ',' } });
      expect(bare.json).toEqual(w.ids[0]);
      for (const field of ['colour', '__proto__', 'constructor', 'toString']) {
        expect((await refused({ fields: field })).message).toContain(field);
      }
      expect(
        Object.keys((await w.app.request('GET', `${LIST}/${w.ids[0]?.id}?fields=date&fields=name`)).json),
      ).toHaveLength(4);
    });

    it('answer 404 for unknown, malformed and deleted ids, and the deleted one when asked for', async () => {
      const gone = w.ids[13]?.short_id ?? '';
      for (const id of ['zzzzzzzz', 'nope', '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4', gone]) {
        expect((await w.app.request('GET', `${LIST}/${id}`)).status).toBe(404);
      }
      const found = await w.app.request('GET', `${LIST}/${gone}`, { query: { include_deleted: true } });
      expect(found.status).toBe(200);
      expect((found.json as { deleted_at: string }).deleted_at).toBe('2025-02-08T00:00:00.000Z');
    });
  });

  describe('filters', () => {
    it('name an unknown or repeated parameter', async () => {
      for (const path of [LIST, `${LIST}/count`, `${LIST}/summary`]) {
        const error = await refused({ catgory_slug: 'x', group_by: 'month' }, path);
        expect(error.code).toBe('INVALID_PARAMETER');
        expect(error.message).toContain('catgory_slug');
      }
      expect((await refused({ date_from: ['2025-01-01', '2025-01-02'] })).message).toContain('date_from');
    });

    it('refuse unknown ids, slugs, tags and values everywhere', async () => {
      const bad: Record<string, string>[] = [
        { account_id: 'zzzzzzzz' },
        { connection_id: 'x' },
        { user_id: 'zzzzzzzz' },
        { category_id: 'nope' },
        { category_slug: 'nope' },
        { counterparty_id: 'zzzzzzzz' },
        { series_id: 'zzzzzzzz' },
        { import_id: 'zzzzzzzz' },
        { tag: 'nope' },
        { tags_all: 'nope' },
        { tags_none: 'nope' },
        { iso_currency_code: 'usd' },
        { pending: 'maybe' },
        { amount_min: '1e3' },
        { amount_min: '1.234' },
        { amount_abs_min: '-1' },
        { date_from: '2025-02-30' },
        { updated_since: 'yesterday' },
        { excluded_accounts: 'all' },
        { category_kind: 'fun' },
        { search: ',,' },
        { search: 'x' },
        { search: 'cafe', search_mode: 'CONTAINS' },
        { exclude_search: ',' },
        { date_from: '2025-02-01', start_date: '2025-02-01' },
        { date_to: '2025-02-01', end_date: '2025-02-01' },
        { date_from: '2025-02-02', date_to: '2025-02-01' },
        { start_date: '2025-02-02', end_date: '2025-02-01' },
        { amount_min: '5', amount_max: '4' },
        { amount_abs_min: '5', amount_abs_max: '4' },
        { amount_min: '1', min_amount: '1' },
        { uncategorized: 'true', category_slug: 'income' },
        { uncategorized: 'true', category_kind: 'none' },
      ];
      for (const path of [LIST, `${LIST}/count`, `${LIST}/summary`]) {
        for (const query of bad) {
          const [name] = Object.keys(query);
          const error = await refused({ ...query, ...(path.endsWith('summary') ? { group_by: 'month' } : {}) }, path);
          expect(error.code, JSON.stringify(query)).toBe('INVALID_PARAMETER');
          expect(error.message, JSON.stringify(query)).toContain(String(name).split('_')[0]);
        }
      }
    });

    it('take dates inclusively, or half-open', async () => {
      expect(await names({ date_from: '2025-01-20', date_to: '2025-01-20' })).toHaveLength(2);
      expect(await names({ start_date: '2025-01-20', end_date: '2025-01-20' })).toEqual([]);
      expect(await names({ start_date: '2025-01-20', end_date: '2025-01-21' })).toHaveLength(2);
    });

    it('take amounts signed or absolute', async () => {
      expect((await names({ amount_abs_min: '12', amount_abs_max: '12' })).sort()).toEqual([
        'CENTURYLINK',
        'STARBUCKS COFFEE',
      ]);
      expect(await names({ amount_min: '12.00', amount_max: '12.00' })).toEqual(['STARBUCKS COFFEE']);
      expect(await names({ min_amount: '-12', max_amount: '-12' })).toEqual(['CENTURYLINK']);
    });

    it('find children by their parent, unless told not to', async () => {
      expect(await names({ category_slug: 'food_and_drink' })).toHaveLength(4);
      expect(await names({ category_id: 'food_and_drink', include_children: 'false' })).toHaveLength(2);
      expect(await names({ category_id: w.coffee.short_id, category_slug: 'income_wages' })).toHaveLength(3);
      expect(await names({ category_kind: 'income,transfer' })).toEqual(['TO SAVINGS', 'PAYROLL ACME']);
      const none = await names({ category_kind: 'none' });
      expect(none).toEqual(await names({ uncategorized: 'true' }));
      expect((await names({ category_kind: 'transfer,none,income' })).sort()).toEqual(
        [...none, 'TO SAVINGS', 'PAYROLL ACME'].sort(),
      );
      expect(await names({ category_kind: 'none,expense,transfer,income' })).toHaveLength(14);
      expect(await names({ category_kind: 'none', category_slug: 'food_and_drink' })).toEqual([]);
      expect(await names({ category_kind: 'none', uncategorized: 'false' })).toEqual([]);
      expect((await names({ uncategorized: 'true' })).length + (await names({ uncategorized: 'false' })).length).toBe(
        14,
      );
    });

    it('find tags by any, all and none', async () => {
      expect(await names({ tag: 'review,shopping' })).toHaveLength(2);
      expect(await names({ tag: w.trip.short_id })).toHaveLength(1);
      expect(await names({ tags_all: 'review,shopping' })).toEqual(['SQ *CAFÉ ZOË 0423']);
      expect(await names({ tags_none: 'review' })).toHaveLength(12);
    });

    it('find rows by the owner that the record shows', async () => {
      const { json } = await w.app.request('GET', LIST, { query: { limit: 500 } });
      const all = (json as { transactions: { name: string; user_id: string | null }[] }).transactions;
      for (const member of [w.ana, w.ben]) {
        const shown = all.filter((row) => row.user_id === member.short_id).map((row) => row.name);
        expect(await names({ user_id: member.id })).toEqual(shown);
      }
      expect(await names({ user_id: `${w.ana.id},${w.ben.short_id}` })).toHaveLength(14);
    });

    it('find by account, connection, counterparty, currency, state', async () => {
      expect(await names({ account_id: w.eur.short_id })).toHaveLength(2);
      expect(await names({ connection_id: w.eur.connection.id })).toHaveLength(2);
      expect(await names({ account_id: `${w.eur.id},${w.hidden.id}` })).toHaveLength(3);
      expect(await names({ account_id: w.usd.id, connection_id: w.eur.connection.id })).toEqual([]);
      expect(await names({ counterparty_id: w.merged.id })).toEqual(['sale 100% off a_b']);
      expect(await names({ iso_currency_code: 'EUR' })).toEqual(['Bäckerei Straße']);
      expect(await names({ pending: '1' })).toEqual(['PENDING HOLD']);
      expect(await names({ flagged: 'true' })).toEqual(['FLAGGED "QUOTED" *STAR\\']);
      expect(await names({ has_comment: 'true' })).toEqual(['CENTURY LINK PAYMENT']);
      expect(await names({ has_comment: 'false' })).toHaveLength(13);
      expect(await names({ deleted: 'true' })).toEqual(['GONE']);
      expect(await names({ excluded_accounts: 'only' })).toEqual(['HIDDEN ROW']);
      expect(await names({ dependent_accounts: 'exclude', excluded_accounts: 'exclude' })).toHaveLength(12);
      expect(await names({ updated_since: '2026-04-26T06:00:00Z' })).toHaveLength(14);
      expect(await names({ updated_since: '2026-04-26T06:00:00.001Z' })).toEqual([]);
    });
  });

  describe('search', () => {
    it('takes wildcards, quotes and backslashes as ordinary characters', async () => {
      expect(await names({ search: '100%' })).toEqual(['sale 100% off a_b']);
      expect(await names({ search: 'a_b' })).toEqual(['sale 100% off a_b']);
      expect(await names({ search: '"quoted" *star\\' })).toHaveLength(1);
      expect(await names({ search: "'; drop table" })).toEqual([]);
      expect(await names({ search: '%%' })).toEqual([]);
    });

    it('folds accents, case and look-alikes', async () => {
      expect(await names({ search: 'cafe zoe' })).toHaveLength(1);
      expect(await names({ search: 'STRASSE' })).toEqual(['Bäckerei Straße']);
      expect(await names({ search: 'ＣＡＦÉ' })).toHaveLength(2);
    });

    it('finds any of several terms, also by merchant and bound counterparty', async () => {
      expect(await names({ search: ' starbucks , payroll ,' })).toEqual(['PAYROLL ACME', 'STARBUCKS COFFEE']);
      expect(await names({ search: 'corner caf' })).toEqual(['sale 100% off a_b']);
      expect(await names({ search: 'sq' })).toEqual(['SQ *CAFÉ ZOË 0423']);
    });

    it('finds words in any order and text', async () => {
      expect(await names({ search: 'century link', search_mode: 'words' })).toEqual([
        'CENTURY LINK PAYMENT',
        'CENTURYLINK',
      ]);
      expect(await names({ search: 'corner sale', search_mode: 'words' })).toEqual(['sale 100% off a_b']);
      expect(await names({ search: 'corner sale' })).toEqual([]);
    });

    it('finds misspellings by similarity of at least 0.3', async () => {
      expect(await names({ search: 'starbuks', search_mode: 'fuzzy' })).toEqual(['STARBUCKS COFFEE']);
      expect(await names({ search: 'starbuks' })).toEqual([]);
    });

    it('drops what exclude_search finds', async () => {
      expect(await names({ exclude_search: 'sale,row' })).toHaveLength(10);
      expect(await names({ search: 'century', exclude_search: 'payment' })).toEqual(['CENTURYLINK']);
    });
  });

  describe('pages', () => {
    async function walk(query: Record<string, string>, limit: number): Promise<string[]> {
      const found: string[] = [];
      let cursor = '';
      for (let pages = 0; pages < 50; pages++) {
        const answer = await w.app.request('GET', LIST, {
          query: { ...query, limit, ...(cursor === '' ? {} : { cursor }) },
        });
        expect(answer.status, answer.text).toBe(200);
        const body = answer.json as {
          transactions: { id: string }[];
          next_cursor: string;
          has_more: boolean;
          limit: number;
        };
        expect(body.has_more).toBe(body.next_cursor !== '');
        expect(body.limit).toBe(limit);
        found.push(...body.transactions.map((row) => row.id));
        cursor = body.next_cursor;
        if (cursor === '') return found;
      }
      throw new Error('The walk did not end.');
    }

    it('visit every row once, in both orders, with and without filters', async () => {
      const filters: Record<string, string>[] = [
        {},
        { order: 'asc' },
        { account_id: w.usd.id },
        { category_slug: 'food_and_drink' },
        { search: 'sale' },
        { account_id: `${w.usd.id},${w.eur.id}`, order: 'asc' },
        { tag: 'review' },
        { amount_min: '5' },
        { uncategorized: 'true' },
        { deleted: 'true' },
        { user_id: w.ana.id },
      ];
      for (const query of filters) {
        const whole = await walk(query, 500);
        expect(new Set(whole).size).toBe(whole.length);
        for (const limit of [1, 2, 3]) expect(await walk(query, limit), JSON.stringify(query)).toEqual(whole);
        const { order: _order, ...counted } = query;
        const count = await w.app.request('GET', `${LIST}/count`, { query: counted });
        expect((count.json as { count: number }).count, JSON.stringify(query)).toBe(whole.length);
      }
    });

    it('refuse a cursor that is malformed, of another query, or points at nothing', async () => {
      const first = await w.app.request('GET', LIST, { query: { limit: 1 } });
      const cursor = (first.json as { next_cursor: string }).next_cursor;
      expect((await refused({ cursor, account_id: w.usd.id })).code).toBe('INVALID_CURSOR');
      expect((await refused({ cursor, order: 'asc' })).code).toBe('INVALID_CURSOR');
      expect((await refused({ cursor: 'x' })).code).toBe('INVALID_CURSOR');
      expect((await refused({ cursor, sort: 'amount' })).code).toBe('INVALID_CURSOR');
      const gone = Buffer.from(cursor, 'base64url')
        .toString()
        .replace(/"[0-9a-f-]{36}"/, '"019a8c60-1f2e-7b4c-8d5e-6f708192a3b4"');
      expect((await refused({ cursor: Buffer.from(gone).toString('base64url') })).code).toBe('INVALID_CURSOR');
      const wider = await w.app.request('GET', LIST, { query: { cursor, limit: 3, fields: 'minimal' } });
      expect(wider.status).toBe(200);
      expect((wider.json as { transactions: unknown[] }).transactions).toHaveLength(3);
    });

    it('check limit and order', async () => {
      for (const query of [
        { limit: '0' },
        { limit: '501' },
        { limit: 'x' },
        { sort: 'size' },
        { order: 'up' },
        { sort: 'date', sort_by: 'date' },
      ]) {
        expect((await refused(query)).code).toBe('INVALID_PARAMETER');
      }
      expect(await names({ limit: '' })).toHaveLength(14);
    });

    it('answer once when sorted by amount or name', async () => {
      const all = await w.app.request('GET', LIST, { query: { sort: 'amount' } });
      const body = all.json as {
        transactions: { amount: string }[];
        next_cursor: string;
        has_more: boolean;
        limit: null;
      };
      expect(body).toMatchObject({ next_cursor: '', has_more: false, limit: null });
      expect(body.transactions).toHaveLength(14);
      const amounts = body.transactions.map((row) => Number(row.amount));
      expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
      const some = await w.app.request('GET', LIST, { query: { sort_by: 'name', limit: 3 } });
      const page = some.json as { transactions: { name: string }[]; has_more: boolean; limit: number };
      expect(page.transactions.map((row) => row.name)).toEqual([
        'Bäckerei Straße',
        'CENTURY LINK PAYMENT',
        'CENTURYLINK',
      ]);
      expect(page).toMatchObject({ has_more: true, limit: 3, next_cursor: '' });
    });
  });
});
