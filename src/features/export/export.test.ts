import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { addAccount, addMember, addTransactions, type Made } from '../../../test/harness/ledger.ts';
import { largeLedger, memoryInUse } from '../../../test/harness/ledgers/large-ledger.ts';
import { sampleLedger, type World } from '../../../test/harness/ledgers/sample-ledger.ts';
import {
  beanCheck,
  beanSums,
  INSTALL_MS,
  installBeancount,
  unzipped,
} from '../../../test/harness/programs/bean-check.ts';
import { forEachDatabase, type TestApp } from '../../../test/harness/test-app.ts';
import { putSnapshots } from '../accounts/index.ts';

const PATH = '/api/v1/export/household';
const ALL = 'csv,json,beancount';
const LARGE_ROWS = 20_000;
/** Three files with a line for each row, on a busy machine. */
const LARGE_MS = 180_000;
/** The texts of a large export are some 60 MB. */
const HELD_BYTES = 25_000_000;

interface Balance {
  account: Made;
  date: string;
  cents: number;
  currency?: string;
  source?: string;
  recordedAt?: string;
  pending?: number;
}

async function addBalances(app: TestApp, balances: readonly Balance[]): Promise<void> {
  await app.write('test.balances', async (tx) => {
    await putSnapshots(
      tx,
      balances.map(({ account, date, cents, currency = 'USD', source = 'manual', recordedAt, pending }) => ({
        account_id: account.id,
        date,
        iso_currency_code: currency,
        balance_current_cents: cents,
        balance_available_cents: null,
        balance_limit_cents: null,
        source,
        import_id: null,
        recorded_at: recordedAt ?? `${date}T20:00:00.000Z`,
        pending_cents: pending ?? null,
      })),
    );
    tx.journal.allowUnjournaled('account');
  });
}

const addresses = new WeakMap<TestApp, Promise<string>>();

function addressOf(app: TestApp): Promise<string> {
  const address = addresses.get(app) ?? app.app.listen();
  addresses.set(app, address);
  return address;
}

/** The files of the answer, read by another program. */
async function exported(app: TestApp, parts = ALL): Promise<Map<string, string>> {
  const address = await addressOf(app);
  const answer = await fetch(`${address}${PATH}?parts=${parts}`, { headers: { 'x-api-key': app.key } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzipped(new Uint8Array(await answer.arrayBuffer()));
}

async function bookOf(app: TestApp): Promise<string> {
  return (await exported(app, 'beancount')).get('household.beancount') as string;
}

forEachDatabase(({ open }) => {
  const openListening = (): Promise<TestApp> => open({ env: { PORT: '0' } });
  beforeAll(installBeancount, INSTALL_MS);

  describe('the export of a household', () => {
    let w: World;
    let files: Map<string, string>;
    beforeAll(async () => {
      w = await sampleLedger(await openListening());
      files = await exported(w.app);
    });

    it('has the files that the contract lists', () => {
      expect([...files.keys()].toSorted()).toEqual(
        [
          'README.txt',
          'household.beancount',
          'rules.json',
          'account-links.json',
          'categories.tsv',
          'categories.json',
          ...['transactions', 'accounts', 'balances', 'tags', 'counterparties', 'series', 'comments'].flatMap(
            (name) => [`${name}.csv`, `${name}.json`],
          ),
        ].toSorted(),
      );
    });

    it('says the same as the lists of the API', async () => {
      const get = async (path: string) => w.app.request('GET', `/api/v1${path}`);
      expect(files.get('transactions.csv')).toBe((await get('/transactions/export')).text);
      expect(files.get('categories.tsv')).toBe((await get('/categories/export')).text);
      const json = (name: string): unknown => JSON.parse(files.get(`${name}.json`) as string);
      expect(json('transactions')).toEqual((await get('/transactions/export?format=json')).json);
      expect(json('accounts')).toEqual((await get('/accounts?include_disconnected=true')).json);
      expect(json('categories')).toEqual((await get('/categories')).json);
      expect(json('tags')).toEqual((await get('/tags')).json);
      expect(json('series')).toEqual((await get('/series')).json.series);
      expect(json('counterparties')).toEqual((await get('/counterparties?include_merged=true')).json.counterparties);
      expect(json('rules')).toEqual((await get('/rules?limit=500')).json.rules);
      expect(json('account-links')).toEqual((await get('/account-links')).json);
      const [header, ...rows] = (files.get('tags.csv') as string).trimEnd().split('\r\n');
      expect(header).toBe('id,short_id,slug,name,color,description,icon,transaction_count,created_at,updated_at');
      expect(rows).toHaveLength((json('tags') as unknown[]).length);
    });

    it('has only the parts that are asked for', async () => {
      const names = async (parts: string) => [...(await exported(w.app, parts)).keys()].toSorted();
      expect(await names('beancount')).toEqual(['README.txt', 'household.beancount']);
      expect(await names('json')).toEqual([...files.keys()].filter((name) => /README|json$/.test(name)).toSorted());
      expect(await names('')).toEqual([...files.keys()].toSorted());
      const { status, json } = await w.app.request('GET', `${PATH}?parts=pdf`);
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', 'parts']);
    });

    it('is named after the day, and kept by no cache', async () => {
      const { status, headers, text } = await w.app.request('HEAD', PATH);
      expect([status, text, headers['content-disposition'], headers['cache-control']]).toEqual([
        200,
        '',
        'attachment; filename="homeledger-2026-04-26.zip"',
        'no-store',
      ]);
    });

    it('contains no key, and leaves nothing behind when its reader leaves early', async () => {
      expect([...files.values()].join('\n')).not.toContain(w.app.key);
      const address = await addressOf(w.app);
      for (let turn = 0; turn < 12; turn += 1) {
        const left = await fetch(`${address}${PATH}`, { headers: { 'x-api-key': w.app.key } });
        await left.body?.cancel();
      }
      expect((await w.app.request('GET', '/api/v1/tags')).status).toBe(200);
    });
  });

  it(
    'of a large ledger is streamed: memory stays flat',
    async () => {
      const app = await largeLedger(await openListening(), LARGE_ROWS);
      const headers = { 'x-api-key': app.key };
      const { body } = await fetch(`${await addressOf(app)}${PATH}`, { headers });
      const before = memoryInUse();
      const pieces: Uint8Array[] = [];
      let most = 0;
      for await (const piece of body as AsyncIterable<Uint8Array>) {
        pieces.push(piece);
        if (pieces.length % 5 !== 0) continue;
        const now = memoryInUse();
        most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external);
      }
      const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
      expect(most - bytes).toBeLessThan(HELD_BYTES);
      const files = unzipped(Buffer.concat(pieces));
      expect((files.get('transactions.csv') as string).split('\r\n')).toHaveLength(LARGE_ROWS + 2);
      expect((files.get('household.beancount') as string).match(/^\d{4}-\d\d-\d\d \* /gm)).toHaveLength(LARGE_ROWS);
    },
    LARGE_MS,
  );

  describe('the book', () => {
    async function household() {
      const app = await openListening();
      const ana = await addMember(app, 'Ana');
      const bank = await addAccount(app, ana, { name: 'Girokonto №1: "Ana"' });
      const card = await addAccount(app, ana, { name: '信用卡', type: 'credit' });
      const copy = await addAccount(app, ana, { name: 'Copy', dependent: true });
      return { app, bank, card, copy };
    }
    const common = { name: 'Corner "Cafe" \\\n; x', date: '2026-01-10' };

    it('opens with the first balance, asserts what agrees, and says by how much the rest does not', async () => {
      const { app, bank, card, copy } = await household();
      await addTransactions(app, [
        { ...common, account: bank, amount_cents: 1_000 },
        { ...common, account: bank, date: '2026-02-10', amount_cents: -5_000 },
        { ...common, account: bank, date: '2026-02-11', amount_cents: 700, columns: { pending: 1 } },
        { ...common, account: bank, amount_cents: 300, iso_currency_code: null },
        { ...common, account: card, amount_cents: 2_000 },
        { ...common, account: copy, amount_cents: 2_000 },
      ]);
      await addBalances(app, [
        { account: bank, date: '2026-01-31', cents: 10_000 },
        { account: bank, date: '2026-02-28', cents: 14_988 },
        { account: card, date: '2026-01-31', cents: 2_000 },
        { account: copy, date: '2026-01-31', cents: 2_000 },
      ]);
      const book = await bookOf(app);
      expect(await beanCheck(book)).toBe('');
      const usd = `Assets:First-Bank:Girokonto-1-Ana:USD-${bank.short_id}`;
      const owed = `Liabilities:First-Bank:X信用卡:USD-${card.short_id}`;
      expect(await beanSums(book)).toEqual(
        new Map([
          [`${usd} USD`, '40.00'],
          [`Assets:First-Bank:Girokonto-1-Ana:NONE-${bank.short_id} XXX`, '-3.00'],
          [`${owed} USD`, '-20.00'],
          ['Equity:Opening USD', '-110.00'],
          ['Equity:Unexplained USD', '0.12'],
          ['Expenses:Uncategorized USD', '30.00'],
          ['Expenses:Uncategorized XXX', '3.00'],
          ['Income:Uncategorized USD', '-50.00'],
        ]),
      );
      expect(book).toContain('; The balance of 2026-02-28 differs from what the rows make by -0.12 USD.\n');
      expect(book).toContain(`2026-03-01 balance ${usd} 149.88 ~ 0.00 USD\n`);
      expect(book).toContain(`2026-02-01 balance ${owed} -20.00 ~ 0.00 USD\n`);
      expect(book).toMatch(/^; pending: 2026-02-11 /m);
      expect(book).toMatch(/^; copy: 2026-01-10 /m);
    });

    it('takes no row that a bank counted later for a gap', async () => {
      const { app, bank } = await household();
      const rows = await addTransactions(app, [
        { ...common, account: bank, amount_cents: 1_000 },
        { ...common, account: bank, date: '2026-01-11', amount_cents: 500 },
      ]);
      await app.write('test.feeds', async (tx) => {
        const posted = ['2026-01-10T09:00:00.000Z', '2026-01-13T09:00:00.000Z'];
        await tx.insertMany(
          'transaction_feeds',
          ['transaction_id', 'namespace', 'external_account_id', 'posted_at', 'sync_log_id', 'raw'],
          rows.map(({ id }, at) => [id, 'bank', 'a', posted[at] as string, 'log', '{}']),
        );
        tx.journal.allowUnjournaled('transaction');
      });
      await addBalances(app, [
        { account: bank, date: '2026-01-10', cents: 9_000, source: 'sync', pending: 0 },
        { account: bank, date: '2026-01-12', cents: 9_000, source: 'sync', pending: 0 },
        { account: bank, date: '2026-01-13', cents: 8_500, source: 'sync', pending: 0 },
      ]);
      const book = await bookOf(app);
      expect(await beanCheck(book)).toBe('');
      expect((await beanSums(book)).has('Equity:Unexplained USD')).toBe(false);
      expect(book.match(/ balance Assets/g)).toHaveLength(2);
      expect(book).toContain('; 2026-01-12 stated 90.00 USD: agrees, but the bank counted');
    });

    it('of any ledger is accepted, and adds up to what the API says', async () => {
      const { app, bank, card } = await household();
      const kinds = [bank, card] as const;
      const cents = fc.integer({ min: -99_999, max: 99_999 });
      const day = fc.integer({ min: 1, max: 28 }).map((of) => `2026-03-${String(of).padStart(2, '0')}`);
      const row = fc.record({
        account: fc.constantFrom(...kinds),
        date: day,
        amount_cents: cents,
        name: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => text.replaceAll('\0', '.')),
        iso_currency_code: fc.constantFrom('USD', 'EUR', null),
        pending: fc.boolean(),
      });
      const balance = fc.record({
        account: fc.constantFrom(...kinds),
        date: day,
        cents,
        currency: fc.constantFrom('USD', 'EUR', ''),
        source: fc.constantFrom('sync', 'manual', 'import'),
        pending: fc.integer({ min: 0, max: 500 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { maxLength: 25 }),
          fc.array(balance, { maxLength: 12 }),
          async (rows, balances) => {
            await addTransactions(
              app,
              rows.map(({ pending, ...one }) => ({ ...one, columns: pending ? { pending: 1 as const } : {} })),
            );
            const byKey = new Map(balances.map((one) => [`${one.account.id} ${one.date} ${one.currency}`, one]));
            await addBalances(app, [...byKey.values()]);
            const book = await bookOf(app);
            expect(await beanCheck(book)).toBe('');
            const sums = await beanSums(book);
            for (const account of kinds) {
              const query = { account_id: account.short_id, include_totals: 'true' };
              const { json } = await app.request('GET', '/api/v1/transactions/count', { query });
              for (const total of json.totals) {
                const end = `:${total.iso_currency_code ?? 'NONE'}-${account.short_id} ${total.iso_currency_code ?? 'XXX'}`;
                const found = [...sums].find(([name]) => name.endsWith(end));
                expect(Number(found?.[1] ?? 0)).toBe(-Number(total.total_amount));
              }
            }
          },
        ),
        { numRuns: 8 },
      );
    });
  });
});
