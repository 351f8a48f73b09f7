import { beforeAll, describe, expect, it } from 'vitest';

import { addAccount, addMember, addTransactions, type NewTransaction } from '../../../test/harness/ledger.ts';
import { largeLedger, memoryInUse } from '../../../test/harness/ledgers/large-ledger.ts';
import { sampleLedger, type World } from '../../../test/harness/ledgers/sample-ledger.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../test/harness/test-app.ts';
import { transactionFields } from './transaction-record.contract.ts';

const LIST = '/api/v1/transactions';
const PATH = `${LIST}/export`;
type Query = Readonly<Record<string, string>>;

/** Records of a CSV file by RFC 4180, read letter by letter. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let [record, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[(at += 1)] as string;
      else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === ',') [record, cell] = [[...record, cell], ''];
    else if (letter === '\r' && text[at + 1] === '\n') {
      records.push([...record, cell]);
      [record, cell, at] = [[], '', at + 1];
    } else if (letter === '"' || letter === '\r' || letter === '\n') throw new Error(`A bare ${letter} in a CSV file`);
    else cell += letter;
  }
  if (record.length > 0 || cell !== '') throw new Error('The last record has no line end.');
  return records;
}

forEachDatabase(({ open }) => {
  const ask = (app: TestApp, query: Query = {}): Promise<Answer> => app.request('GET', PATH, { query });
  const listed = async (app: TestApp, query: Query): Promise<unknown[]> =>
    (await app.request('GET', LIST, { query: { limit: '500', order: 'asc', ...query } })).json.transactions;

  describe('the export', () => {
    let w: World;
    beforeAll(async () => {
      w = await sampleLedger(await open());
    });

    it('is a file with the rows of the list, oldest first, in each format', async () => {
      const rows = await listed(w.app, {});
      for (const [format, type] of [
        ['csv', 'text/csv; charset=utf-8'],
        ['ndjson', 'application/x-ndjson'],
        ['json', 'application/json; charset=utf-8'],
      ] as const) {
        const { status, headers } = await ask(w.app, { format });
        expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
          200,
          type,
          `attachment; filename="transactions-2026-04-26.${format}"`,
        ]);
      }
      expect((await ask(w.app, { format: 'json' })).json).toEqual(rows);
      const lines = (await ask(w.app, { format: 'ndjson' })).text.split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rows);
      expect((await ask(w.app)).text).toBe((await ask(w.app, { format: 'csv' })).text);
    });

    it('as CSV has a column per field, the category as two', async () => {
      const { text } = await ask(w.app);
      expect(text.startsWith('id,short_id,account_id,')).toBe(true);
      expect(text.endsWith('\r\n')).toBe(true);
      const [header, ...records] = readCsv(text) as [string[], ...string[][]];
      expect(header).toEqual(
        Object.keys(transactionFields).flatMap((field) =>
          field === 'category' ? ['category_slug', 'category_name'] : [field],
        ),
      );
      const rows = (await listed(w.app, {})) as Record<string, unknown>[];
      expect(records).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        const category = row['category'] as { slug: string; name: string } | null;
        const plain = (value: unknown): string => {
          if (Array.isArray(value)) return value.join(';');
          if (value === null) return '';
          return typeof value === 'string' ? value : JSON.stringify(value);
        };
        const expected = header.map((column) =>
          plain(
            column === 'category_slug'
              ? (category?.slug ?? null)
              : column === 'category_name'
                ? (category?.name ?? null)
                : row[column],
          ),
        );
        expect(records[index]).toEqual(expected);
      }
    });

    it('has columns in the given order, after id and short_id, and takes aliases', async () => {
      const header = async (fields: string): Promise<string> =>
        (await ask(w.app, { fields })).text.split('\r\n')[0] as string;
      expect(await header('amount,date')).toBe('id,short_id,amount,date');
      expect(await header('date,id,amount')).toBe('id,short_id,date,amount');
      expect(await header('minimal')).toBe('id,short_id,date,amount,name');
      expect(await header('pending,category')).toBe(
        'id,short_id,pending,category_slug,category_name,category_id,category_source,provider_category_primary,provider_category_detailed',
      );
      expect(await header(',')).toBe('id,short_id');
      const { json } = await ask(w.app, { format: 'json', fields: 'tags' });
      expect(Object.keys(json[0])).toEqual(['id', 'short_id', 'tags']);
    });

    it('takes the filters and orders of the list, deleted rows too', async () => {
      for (const query of [
        { tag: 'review' },
        { category_slug: 'food_and_drink', order: 'desc' },
        { search: 'cafe', search_mode: 'words' },
        { account_id: w.eur.short_id, iso_currency_code: 'EUR' },
        { deleted: 'true' },
        { pending: 'true' },
        { date_from: '2025-02-01', date_to: '2025-02-03' },
        { sort: 'amount' },
        { sort_by: 'amount', sort_order: 'desc' },
        { sort: 'name', excluded_accounts: 'only' },
        { search: 'nothing like it' },
      ] as Query[]) {
        const { status, json } = await ask(w.app, { ...query, format: 'json' });
        const order = query['sort_order'] === undefined ? {} : { order: query['sort_order'] };
        const { sort_order: _order, ...others } = query;
        expect([status, json], JSON.stringify(query)).toEqual([200, await listed(w.app, { ...others, ...order })]);
      }
    });

    it('of nothing is a header, no line, or an empty list', async () => {
      const none = { search: 'nothing like it', fields: 'minimal' };
      expect((await ask(w.app, none)).text).toBe('id,short_id,date,amount,name\r\n');
      expect((await ask(w.app, { ...none, format: 'ndjson' })).text).toBe('');
      expect((await ask(w.app, { ...none, format: 'json' })).text).toBe('[]');
    });

    it('answers HEAD with its headers alone', async () => {
      const head = await w.app.request('HEAD', PATH, { query: { format: 'ndjson' } });
      expect([head.status, head.text, head.headers['content-type'], head.headers['content-disposition']]).toEqual([
        200,
        '',
        'application/x-ndjson',
        'attachment; filename="transactions-2026-04-26.ndjson"',
      ]);
    });

    it('refuses unknown parameters by name', async () => {
      for (const [query, name] of [
        [{ format: 'xlsx' }, 'format'],
        [{ format: 'CSV' }, 'format'],
        [{ limit: '10' }, 'limit'],
        [{ cursor: 'x' }, 'cursor'],
        [{ fields: 'name,colour' }, 'fields'],
        [{ sort: 'id' }, 'sort'],
        [{ sort: 'date', sort_by: 'date' }, 'sort_by'],
        [{ order: 'up' }, 'order'],
        [{ spreadsheet_safe: 'yes' }, 'spreadsheet_safe'],
        [{ catgory_slug: 'x' }, 'catgory_slug'],
        [{ tag: 'unknown' }, 'tag'],
        [{ series_id: 'zzzzzzzz' }, 'series_id'],
      ] as const) {
        const { status, json } = await ask(w.app, query);
        expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'INVALID_PARAMETER', name]);
      }
    });
  });

  async function ledger(rows: readonly Partial<NewTransaction>[]): Promise<TestApp> {
    const app = await open();
    const account = await addAccount(app, await addMember(app, 'Ana'));
    const common = { account, date: '2026-04-25', amount_cents: -2_340, name: 'Corner Cafe' };
    await addTransactions(
      app,
      rows.map((row) => ({ ...common, ...row })),
    );
    return app;
  }

  it('text of any kind survives CSV unchanged', async () => {
    const names = [
      'a, "b"\nc',
      '"',
      '""',
      '\r\n',
      ' , ',
      'שלום "עולם"',
      '😀,👨‍👩‍👧',
      'a\tb',
      "'quoted'",
      'x;y',
      '\u2028',
      '%_\\',
    ];
    const metadata = '{"a,b":"\\"x\\"\\n","__proto__":[1,null]}';
    const app = await ledger(
      names.map((name, index) => ({
        name,
        merchant_name: name,
        columns: { metadata: index === 0 ? metadata : '{}' },
      })),
    );
    const [header, ...records] = readCsv((await ask(app, { fields: 'name,merchant_name,metadata,amount' })).text);
    expect(header).toEqual(['id', 'short_id', 'name', 'merchant_name', 'metadata', 'amount']);
    expect(new Set(records.map((record) => record[2]))).toEqual(new Set(names));
    expect(records).toHaveLength(names.length);
    for (const record of records) expect(record[3]).toBe(record[2]);
    const first = records.find((record) => record[2] === names[0]);
    expect(first?.[4]).toBe(metadata);
    expect(first?.[5]).toBe('-23.40');
  });

  it('text that a spreadsheet would take for a formula is only marked when asked for, numbers never', async () => {
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain', "'=1", ' =1'];
    const app = await ledger(names.map((name) => ({ name })));
    const column = async (query: Query): Promise<string[]> =>
      readCsv((await ask(app, { fields: 'name', ...query })).text)
        .slice(1)
        .map((record) => record[2] as string)
        .sort();
    expect(await column({})).toEqual([...names].sort());
    expect(await column({ spreadsheet_safe: 'true' })).toEqual(
      names.map((name) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name)).sort(),
    );
    const amounts = await ask(app, { fields: 'amount', spreadsheet_safe: 'true' });
    expect(readCsv(amounts.text)[1]?.[2]).toBe('-23.40');
  });

  describe('a large file', () => {
    const ROWS = 20_000;
    const NEW_LINE = 10;
    const SAMPLE_BYTES = 3_000_000;
    const HELD_BYTES = 5_000_000;
    const BUFFERED_BYTES = 20_000_000;

    it('is streamed: memory stays flat, and a client that leaves early leaves nothing behind', async () => {
      const app = await largeLedger(await open({ env: { PORT: '0' } }), ROWS);
      const url = `${await app.app.listen()}${PATH}`;
      const headers = { 'x-api-key': app.key, 'accept-encoding': 'identity' };
      const before = memoryInUse();
      let [bytes, next, rows] = [0, SAMPLE_BYTES, 0];
      const { body } = await fetch(`${url}?format=ndjson`, { headers });
      for await (const piece of body as AsyncIterable<Uint8Array>) {
        bytes += piece.length;
        rows += piece.filter((byte) => byte === NEW_LINE).length;
        if (bytes < next) continue;
        next += SAMPLE_BYTES;
        const now = memoryInUse();
        expect(now.heapUsed - before.heapUsed).toBeLessThan(HELD_BYTES);
        expect(now.external - before.external).toBeLessThan(BUFFERED_BYTES);
      }
      expect(rows).toBe(ROWS);
      expect(bytes).toBeGreaterThan(BUFFERED_BYTES);
      // More of them than there are connections to the database.
      for (let turn = 0; turn < 12; turn += 1) {
        const left = await fetch(url, { headers });
        await left.body?.cancel();
      }
      const { status } = await app.request('GET', LIST);
      expect(status).toBe(200);
    });
  });
});
