import { beforeAll, describe, expect, it } from 'vitest';

import { addAccount, addMember, addTag, addTransactions, type NewTransaction } from '../../../test/harness/ledger.ts';
import { sampleLedger, type World } from '../../../test/harness/ledgers/sample-ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { merchantSummary } from './list-merchants.ts';
import { readFilters } from './filters/resolve-filters.ts';
import { selectRepeats } from './pages/repeats.queries.ts';

const PATH = '/api/v1/transactions/merchants';
type Query = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

forEachDatabase(({ open }) => {
  describe('merchants', () => {
    let w: World;
    beforeAll(async () => {
      w = await sampleLedger(await open());
    });
    const ask = (query: Query = {}): Promise<Answer> => w.app.request('GET', PATH, { query });
    const rows = async (query: Query, ...fields: string[]): Promise<unknown[][]> =>
      ((await ask(query)).json.merchants as Row[]).map((row) => fields.map((field) => row[field]));

    it('show every field, in the order of currency, total, number and name', async () => {
      const { status, json } = await ask();
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['merchants', 'totals', 'row_count', 'truncated', 'filters']);
      expect(json.merchants[1]).toEqual({
        merchant: 'TO SAVINGS',
        counterparty_id: null,
        counterparty_short_id: null,
        counterparty_logo_url: null,
        iso_currency_code: 'USD',
        transaction_count: 1,
        total_amount: '500.00',
        avg_amount: '500.00',
        first_date: '2025-02-02',
        last_date: '2025-02-02',
      });
      expect(
        json.merchants.map((row: Row) => [row['iso_currency_code'], row['total_amount'], row['merchant']]),
      ).toEqual([
        ['EUR', '10.00', 'Bäckerei Straße'],
        ['USD', '500.00', 'TO SAVINGS'],
        ['USD', '12.00', 'Starbucks'],
        ['USD', '10.00', 'Corner Cafe'],
        ['USD', '10.00', 'sale 100 off axb'],
        ['USD', '9.99', 'CENTURY LINK PAYMENT'],
        ['USD', '5.00', 'FLAGGED "QUOTED" *STAR\\'],
        ['USD', '4.50', 'SQ *CAFÉ ZOË 0423'],
        ['USD', '-12.00', 'CENTURYLINK'],
        ['USD', '-2500.00', 'PAYROLL ACME'],
        [null, '7.00', 'no currency'],
      ]);
      expect([json.row_count, json.truncated]).toEqual([11, false]);
      expect(json.totals).toEqual(
        (await w.app.request('GET', '/api/v1/transactions/summary', { query: { group_by: 'user' } })).json.totals,
      );
      expect(json.filters).toEqual({
        date_from: null,
        date_to: null,
        include_pending: false,
        spending_only: false,
        excluded_accounts: 'exclude',
        dependent_accounts: 'exclude',
        min_count: 1,
      });
    });

    it('count what totals count, unless more is asked for', async () => {
      const names = async (query: Query): Promise<unknown[]> => (await rows(query, 'merchant')).flat();
      expect(await names({ search: 'hold' })).toEqual([]);
      expect(await names({ search: 'hold', include_pending: 'true' })).toEqual(['PENDING HOLD']);
      expect(await names({ search: 'hold', pending: 'true' })).toEqual(['PENDING HOLD']);
      expect(await names({ search: 'row' })).toEqual([]);
      expect(await names({ search: 'row', excluded_accounts: 'include' })).toEqual(['HIDDEN ROW']);
      expect(await names({ search: 'row', dependent_accounts: 'only' })).toEqual(['COPY ROW']);
      expect(await names({ search: 'gone' })).toEqual([]);
    });

    it('can be limited to spending: money out that is not a transfer', async () => {
      expect(await rows({ spending_only: 'true', iso_currency_code: 'USD' }, 'merchant', 'total_amount')).toEqual([
        ['Starbucks', '12.00'],
        ['Corner Cafe', '10.00'],
        ['sale 100 off axb', '10.00'],
        ['CENTURY LINK PAYMENT', '9.99'],
        ['FLAGGED "QUOTED" *STAR\\', '5.00'],
        ['SQ *CAFÉ ZOË 0423', '4.50'],
      ]);
    });

    it('say if rows were left out; totals cover all of them', async () => {
      const whole = (await ask()).json;
      for (let limit = 1; limit <= 11; limit += 1) {
        const cut = (await ask({ limit: String(limit) })).json;
        expect(cut).toMatchObject({ truncated: limit < 11, row_count: 11, totals: whole.totals });
        expect(cut.merchants).toEqual(whole.merchants.slice(0, limit));
      }
    });

    it('are one row each: rows with the name of a counterparty are its rows, also of one merged into it', async () => {
      const app = await open();
      const account = await addAccount(app, await addMember(app, 'Ana'));
      const named = async (name: string): Promise<string> =>
        (await app.request('POST', '/api/v1/counterparties', { body: { name } })).json.id;
      const [cafe, former] = [await named('Corner Café'), await named('CC Coffee')];
      const row = (date: string, amount_cents: number, more: Partial<NewTransaction>): NewTransaction => ({
        account,
        date,
        amount_cents,
        name: 'CARD 1',
        ...more,
      });
      await addTransactions(app, [
        row('2026-03-02', 100, { columns: { counterparty_id: cafe } }),
        row('2026-02-01', 20, { name: 'CORNER  CAFE' }),
        row('2026-04-03', 3, { merchant_name: 'corner cafe' }),
        row('2026-05-04', -5_000, { name: 'cc coffee' }),
        row('2026-05-05', 7, { name: 'corner cafe', iso_currency_code: 'EUR' }),
        row('2026-05-05', 9, { name: 'corner cafe 2' }),
        row('2026-05-05', 9, { name: 'corner cafe', merchant_name: 'Kiosk' }),
      ]);
      const shown = async (query: Query = {}): Promise<unknown[][]> => {
        const { json } = await app.request('GET', PATH, { query });
        expect(json.row_count).toBe(json.merchants.length);
        return json.merchants.map((one: Row) =>
          ['merchant', 'iso_currency_code', 'transaction_count', 'total_amount', 'first_date', 'last_date'].map(
            (name) => one[name],
          ),
        );
      };
      expect(await shown({ iso_currency_code: 'USD', min_count: '2' })).toEqual([
        ['Corner Café', 'USD', 3, '1.23', '2026-02-01', '2026-04-03'],
      ]);
      await app.request('POST', `/api/v1/counterparties/${cafe}/merge`, { body: { from_counterparty_id: former } });
      expect(await shown()).toEqual([
        ['Corner Café', 'EUR', 1, '0.07', '2026-05-05', '2026-05-05'],
        ['corner cafe 2', 'USD', 1, '0.09', '2026-05-05', '2026-05-05'],
        ['Kiosk', 'USD', 1, '0.09', '2026-05-05', '2026-05-05'],
        ['Corner Café', 'USD', 4, '-48.77', '2026-02-01', '2026-05-04'],
      ]);
      // Rows of a merchant that are bound and those that are not repeat each other, too.
      await addTransactions(app, [row('2026-03-03', 100, { name: 'CC COFFEE' })]);
      const twice = await app.app.instance.database.read((tx) => selectRepeats(tx, 1, {}));
      expect(twice.size).toBe(2);
    });

    it('can be limited in each currency', async () => {
      const asked = { ...readFilters({}), include_pending: false };
      const shown = async (limit: number): Promise<unknown> => {
        const { database } = w.app.app.instance;
        const how = { spending: null, limitIs: 'of each currency' } as const;
        const { merchants, truncated } = await database.read((tx) => merchantSummary(tx, { ...asked, limit }, how));
        return [truncated, ...merchants.map(({ iso_currency_code: code, merchant }) => [code, merchant])];
      };
      expect(await shown(1)).toEqual([true, ['EUR', 'Bäckerei Straße'], ['USD', 'TO SAVINGS'], [null, 'no currency']]);
      expect(await shown(2)).toEqual([
        true,
        ['EUR', 'Bäckerei Straße'],
        ['USD', 'TO SAVINGS'],
        ['USD', 'Starbucks'],
        [null, 'no currency'],
      ]);
      expect(await shown(11)).toHaveLength(12);
    });

    it('refuse unknown parameters by name', async () => {
      for (const [query, name] of [
        [{ min_count: '0' }, 'min_count'],
        [{ min_count: '1.5' }, 'min_count'],
        [{ limit: '5001' }, 'limit'],
        [{ limit: '0' }, 'limit'],
        [{ deleted: 'true' }, 'deleted'],
        [{ group_by: 'month' }, 'group_by'],
        [{ cursor: 'x' }, 'cursor'],
        [{ include_pending: 'yes' }, 'include_pending'],
        [{ catgory_slug: 'x' }, 'catgory_slug'],
        [{ category_slug: 'none' }, 'category_slug'],
        [{ account_id: 'zzzzzzzz' }, 'account_id'],
      ] as const) {
        const { status, json } = await ask(query);
        expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', name]);
      }
    });
  });

  describe('merchant groups', () => {
    const at = (date: string, name: string, more: Partial<NewTransaction> = {}) => ({ date, name, ...more });
    async function ledger(
      app: TestApp,
      list: readonly (Partial<NewTransaction> & { date: string; name: string })[],
    ): Promise<(query?: Query) => Promise<Row[]>> {
      const account = await addAccount(app, await addMember(app, 'Ana'));
      await addTransactions(
        app,
        list.map((one) => ({ account, amount_cents: 100, ...one })),
      );
      return async (query = {}) => (await app.request('GET', PATH, { query })).json.merchants as Row[];
    }

    it('can be limited to those with a number of rows', async () => {
      const app = await open();
      const merchants = await ledger(app, [
        ...['2026-01-01', '2026-01-02', '2026-01-03'].map((date) => at(date, 'Baker')),
        ...['2026-01-01', '2026-01-02'].map((date) => at(date, 'Grocer')),
      ]);
      expect(await merchants({ min_count: '2' })).toHaveLength(2);
      expect(await merchants({ min_count: '3' })).toMatchObject([{ merchant: 'Baker', transaction_count: 3 }]);
      const few = await app.request('GET', PATH, { query: { min_count: '3' } });
      expect(few.json).toMatchObject({ row_count: 1, totals: [{ transaction_count: 3, total_amount: '3.00' }] });
    });

    it('are keyed by the folded merchant, otherwise the folded name; the newest row gives the spelling', async () => {
      const app = await open();
      const merchants = await ledger(app, [
        at('2026-01-01', 'CAFE ZOE'),
        at('2026-01-03', 'SQ *77', { merchant_name: 'café  zoë' }),
        at('2026-01-02', 'Café Zoé'),
        at('2026-01-02', 'SQ *77'),
        at('2026-01-04', 'Straße'),
        at('2026-01-04', 'STRASSE'),
        at('2026-01-05', 'Zoo', { merchant_name: 'ZOO' }),
        at('2026-01-05', 'Zoo'),
        at('2026-01-05', 'zoo', { merchant_name: 'zoo!' }),
        at('2026-01-06', 'x1', { merchant_name: 'Hof' }),
        at('2026-01-06', 'HOF'),
        at('2026-01-07', 'MARKT'),
        at('2026-01-07', 'x2', { merchant_name: 'Markt' }),
      ]);
      const found = (await merchants()).map((row) => [row['merchant'], row['transaction_count'], row['last_date']]);
      expect(found).toEqual([
        ['café  zoë', 3, '2026-01-03'],
        ['HOF', 2, '2026-01-06'],
        ['Markt', 2, '2026-01-07'],
        ['STRASSE', 2, '2026-01-04'],
        ['Zoo', 2, '2026-01-05'],
        ['SQ *77', 1, '2026-01-02'],
        ['zoo!', 1, '2026-01-05'],
      ]);
    });

    it('with one counterparty are one, whatever they are called; currencies stay apart', async () => {
      const app = await open();
      const names = ['AMZN MKTP', 'Amazon.com', 'AMZN MKTP'];
      const merchants = await ledger(app, [
        ...names.map((name, day) => at(`2026-01-0${day + 1}`, name)),
        at('2026-01-09', 'AMAZON EU', { iso_currency_code: 'EUR' }),
        at('2026-01-09', 'AMAZON ?', { iso_currency_code: null }),
      ]);
      expect(await merchants()).toHaveLength(4);
      const all = (await app.request('GET', '/api/v1/transactions')).json.transactions as { id: string }[];
      const body = { name: 'Amazon', logo_url: 'https://example.org/a.png', transaction_ids: all.map(({ id }) => id) };
      const { json: amazon } = await app.request('POST', '/api/v1/counterparties', { body });
      const bound = await merchants();
      expect(bound.map((row) => [row['iso_currency_code'], row['transaction_count']])).toEqual([
        ['EUR', 1],
        ['USD', 3],
        [null, 1],
      ]);
      for (const row of bound) {
        expect(row).toMatchObject({
          merchant: 'Amazon',
          counterparty_id: amazon.id,
          counterparty_short_id: amazon.short_id,
          counterparty_logo_url: 'https://example.org/a.png',
        });
      }
    });

    it('begin and end with the rows that count, also where a day has several', async () => {
      const app = await open();
      const merchants = await ledger(app, [
        at('2026-01-31', 'baker'),
        at('2026-02-01', 'BAKER'),
        at('2026-02-01', 'Baker'),
        at('2026-02-01', 'bäker', { columns: { pending: 1 } }),
        at('2026-02-28', 'BAKER', { merchant_name: 'Bäker' }),
        at('2026-02-28', 'bAKER'),
        at('2026-02-28', 'baKER', { iso_currency_code: 'EUR' }),
        at('2026-02-28', 'bakER', { columns: { pending: 1 } }),
        at('2026-03-01', 'bakeR'),
        at('2026-02-28', 'Grocer'),
        at('2026-02-28', 'GROCER', { merchant_name: 'grocer' }),
        at('2026-02-10', 'Once'),
      ]);
      const shown = async (query: Query): Promise<unknown> =>
        (await merchants({ iso_currency_code: 'USD', ...query })).map((row) =>
          ['merchant', 'transaction_count', 'first_date', 'last_date'].map((field) => row[field]),
        );
      expect(await shown({ date_from: '2026-02-01', date_to: '2026-02-28' })).toEqual([
        ['bAKER', 4, '2026-02-01', '2026-02-28'],
        ['grocer', 2, '2026-02-28', '2026-02-28'],
        ['Once', 1, '2026-02-10', '2026-02-10'],
      ]);
      expect(await shown({ date_from: '2026-02-02', date_to: '2026-02-27' })).toEqual([
        ['Once', 1, '2026-02-10', '2026-02-10'],
      ]);
      expect(await shown({ date_to: '2026-02-01' })).toEqual([['Baker', 3, '2026-01-31', '2026-02-01']]);
      expect(await shown({ date_from: '2026-02-28' })).toEqual([
        ['bakeR', 3, '2026-02-28', '2026-03-01'],
        ['grocer', 2, '2026-02-28', '2026-02-28'],
      ]);
      expect(await shown({ include_pending: 'true', date_to: '2026-02-28' })).toEqual([
        ['bakER', 7, '2026-01-31', '2026-02-28'],
        ['grocer', 2, '2026-02-28', '2026-02-28'],
        ['Once', 1, '2026-02-10', '2026-02-10'],
      ]);
    });

    it('average to the cent, half away from zero', async () => {
      const app = await open();
      const spread = (name: string, cents: readonly number[]) =>
        cents.map((amount) => at('2026-01-01', name, { amount_cents: amount }));
      const merchants = await ledger(app, [
        ...spread('one large', [1_000]),
        ...spread('half up', [1, 2]),
        ...spread('half down', [-1, -2]),
        ...spread('third', [10, 10, 15]),
        ...spread('nothing', [500, -500]),
      ]);
      const averages = (await merchants()).map((row) => [row['merchant'], row['total_amount'], row['avg_amount']]);
      expect(averages).toEqual([
        ['one large', '10.00', '10.00'],
        ['third', '0.35', '0.12'],
        ['half up', '0.03', '0.02'],
        ['nothing', '0.00', '0.00'],
        ['half down', '-0.03', '-0.02'],
      ]);
    });

    it('take their spelling from the rows that match and count', async () => {
      const app = await open();
      const tagged = await addTag(app, 'kept');
      const merchants = await ledger(app, [
        at('2026-01-01', 'Baker', { tags: [tagged] }),
        at('2026-01-02', 'BAKER'),
        at('2026-01-03', 'bäker', { columns: { pending: 1 } }),
      ]);
      expect((await merchants())[0]).toMatchObject({ merchant: 'BAKER', transaction_count: 2 });
      expect((await merchants({ tag: 'kept' }))[0]).toMatchObject({ merchant: 'Baker', last_date: '2026-01-01' });
      expect((await merchants({ include_pending: 'true' }))[0]).toMatchObject({ merchant: 'bäker' });
    });
  });
});
