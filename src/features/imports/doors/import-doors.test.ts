import { expect, test } from 'vitest';

import {
  base64,
  csvOf,
  csvWithBalance,
  sendBytes,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { addMember } from '../../../../test/harness/ledger.ts';
import { asCamt, asMt940, type SampleStatement } from '../../../../test/harness/bank-files/statement-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const FILE = csvWithBalance(10_000, '2026-01-02 COFFEE -3.50', '2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 900.00');
const STATEMENT: SampleStatement = {
  account: 'DE89370400440532013000',
  openingCents: 10_000,
  openingDate: '2026-01-01',
  closingCents: 99_650,
  closingDate: '2026-01-31',
  entries: [
    { date: '2026-01-02', cents: 350, text: 'COFFEE', id: 'A1' },
    { date: '2026-01-05', cents: -90_000, text: 'SALARY', id: 'A2' },
  ],
};
const OFX = `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n
<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><FI><ORG>First Bank<FID>1</FI></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>111<ACCTID>98765432<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260102<TRNAMT>-3.50<FITID>A1<NAME>COFFEE</STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>900.00<FITID>A2<NAME>SALARY</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
const QIF = '!Type:Bank\nD2026-01-02\nT-3.50\nPCOFFEE\n^\nD2026-01-05\nT900.00\nPSALARY\n^\n';
const BY_FORMAT = { ofx: OFX, qif: QIF, camt053: asCamt([STATEMENT]), mt940: asMt940([STATEMENT]) } as const;

type Doors = Readonly<Record<string, (app: TestApp, text: string, fields: Fields) => Promise<Answer>>>;

const DOORS: Doors = {
  csv: (app, text, fields) =>
    app.request('POST', '/api/v1/connections/csv/import', { body: { csv_base64: base64(text), ...fields } }),
  imports: (app, text, fields) => sendBytes(app, text, fields),
  connections: (app, text, { user_id, ...fields }) =>
    app.request('POST', '/api/v1/connections', {
      body: {
        provider: 'csv',
        ...(user_id === undefined ? {} : { user_id }),
        credentials: { csv_data: base64(text), ...fields },
      },
    }),
  form: (app, text, fields) => sendForm(app, '/api/v1/connections', text, { provider: 'csv', ...fields }),
};

async function sendForm(app: TestApp, path: string, text: string, fields: Fields): Promise<Answer> {
  const form = new FormData();
  form.set('file', new File([text], 'bank.csv', { type: 'image/png' }));
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const encoded = new Response(form);
  return app.request('POST', path, {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') as string },
  });
}

forEachDatabase((database) => {
  test('every endpoint gives the same preview and adds the same rows to equal targets', async () => {
    const app = await database.open();
    const previews: unknown[] = [];
    const lists: unknown[] = [];
    const owners: Record<string, { short_id: string }> = {};
    const fieldsOf = (name: string): Fields => ({
      user_id: owners[name]?.short_id,
      file_name: 'bank.csv',
      account_name: 'Giro',
      exclude_lines: [3],
    });
    for (const [name, send] of Object.entries(DOORS)) {
      owners[name] = await addMember(app, name);
      const fields = fieldsOf(name);
      const { status, json } = await send(app, FILE, { ...fields, dry_run: true });
      expect([name, status, json.dry_run]).toEqual([name, 200, true]);
      previews.push(json);
    }
    for (const [name, send] of Object.entries(DOORS)) {
      const done = await send(app, FILE, fieldsOf(name));
      expect([name, done.status]).toEqual([name, 201]);
      const { id } = done.json.import ?? done.json;
      expect(done.headers['x-change-set-id']).toBe((done.json.import ?? done.json).change_set_id);
      const query = { import_id: id, fields: 'date,name,amount,iso_currency_code,provider_category_primary,pending' };
      const { transactions } = (await app.request('GET', '/api/v1/transactions', { query })).json;
      expect(transactions).toHaveLength(2);
      lists.push(transactions.map(({ id: _id, short_id: _short, ...rest }: Record<string, unknown>) => rest));
    }
    expect(previews).toEqual(previews.map(() => previews[0]));
    expect(lists).toEqual(lists.map(() => lists[0]));
  });

  test('creating a connection from a file returns the connection, the account and the import', async () => {
    const app = await database.open();
    const owner = await addMember(app, 'Ana');
    const done = await DOORS['connections']?.(app, FILE, { file_name: 'giro.csv' });
    expect(done?.json).toMatchObject({
      user_id: owner.short_id,
      user_name: 'Ana',
      provider: 'csv',
      institution_name: 'giro',
      status: 'active',
      paused: false,
      next_sync_at: null,
      account_count: 1,
      imported_transactions: 3,
      updated_transactions: 0,
      skipped_duplicates: 0,
      total_rows: 3,
      import: { status: 'completed', format: 'csv' },
    });
    expect(done?.json.id).toBe(done?.json.connection_id);
    const later = await DOORS['connections']?.(app, csvOf('2026-03-01 LATE -1.00'), { prefer: 'respond-async' });
    expect([later?.status, later?.headers['retry-after'], later?.headers['preference-applied']]).toEqual([
      202,
      '1',
      'respond-async',
    ]);
    expect(later?.headers.location).toBe(`/api/v1/imports/${later?.json.import.id}`);
    expect(Object.keys(later?.json)).toEqual([
      'connection_id',
      'account_id',
      'institution_name',
      'status',
      'imported_transactions',
      'updated_transactions',
      'skipped_duplicates',
      'total_rows',
      'import',
    ]);
    expect(later?.json).toMatchObject({ connection_id: null, institution_name: null, status: null, total_rows: 1 });
  });

  test('creating a connection from a file takes only JSON and forms, and errors name the wrong field', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const path = '/api/v1/connections';
    const raw = await app.request('POST', path, { body: FILE, headers: { 'content-type': 'text/csv' } });
    expect([raw.status, raw.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const csv_base64 = base64(FILE);
    for (const [body, at] of [
      [{ provider: 'csv', csv_base64, credentials: {} }, 'csv_base64'],
      [{ provider: 'csv' }, 'credentials'],
      [{ provider: 'csv', credentials: {} }, 'file'],
      [{ provider: 'csv', credentials: { csv_base64, colour: 1 } }, 'credentials.colour'],
      [{ provider: 'csv', credentials: { csv_base64, user_id: 'x' } }, 'credentials.user_id'],
      [{ provider: 'csv', credentials: { csv_base64: '%' } }, 'credentials.csv_base64'],
      [{ provider: 'csv', credentials: { csv_base64, csv_data: csv_base64 } }, 'credentials.csv_data'],
      [{ provider: 'csv', credentials: { csv_base64, format: 'ofx' } }, 'credentials.format'],
      [{ provider: 'bank', credentials: { csv_base64 } }, 'provider'],
    ] as const) {
      const { status, json } = await app.request('POST', path, { body });
      expect([status, json.error.code, json.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', at]);
    }
    const form = await sendForm(app, path, FILE, { provider: 'csv', colour: 'red' });
    expect([form.status, form.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(form.json.error.details[0].path).toMatch(/colour$/);
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toEqual([]);
  });

  test('a statement file creates a csv connection and account, and its format decides the account type', async () => {
    for (const [format, text] of Object.entries(BY_FORMAT)) {
      const app = await database.open();
      await addMember(app, 'Ana');
      const done = await sendBytes(app, text, { file_name: `statement.${format}`, iso_currency_code: 'EUR' });
      expect([format, done.status, done.json.format]).toEqual([format, 201, format]);
      const [account, ...others] = (await app.request('GET', '/api/v1/accounts')).json;
      expect(others).toEqual([]);
      expect(account).toMatchObject({
        id: done.json.account_id,
        provider: 'csv',
        connection_status: 'active',
        type: 'depository',
        subtype: format === 'ofx' ? 'savings' : 'checking',
        iso_currency_code: 'EUR',
        mask: { ofx: '5432', qif: null, camt053: '3000', mt940: '3000' }[format],
      });
      const { transactions } = (await app.request('GET', '/api/v1/transactions')).json;
      expect(
        transactions.map((one: Record<string, string>) => `${one['date']} ${one['name']} ${one['amount']}`),
      ).toEqual(['2026-01-05 SALARY -900.00', '2026-01-02 COFFEE 3.50']);
      const preview = await sendBytes(app, text, {
        file_name: `statement.${format}`,
        dry_run: true,
        iso_currency_code: 'EUR',
      });
      expect(preview.json).toMatchObject({
        headers: [],
        preview_rows: [],
        delimiter: null,
        inferred_mapping: {},
        mapping: {},
        template_name: null,
        unmapped_columns: [],
        accounts: [{ account_id: account.id, created: false }],
        counts: { total: 2, duplicate: 2 },
      });
    }
  });

  test('the content decides the format, whatever the media type', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const types = [
      'text/csv',
      'text/tab-separated-values',
      'text/plain; charset=latin1',
      'application/octet-stream',
      'application/x-ofx',
      'application/vnd.intu.qfx',
      'application/qif',
      'application/xml',
      'text/xml',
    ];
    for (const type of types) {
      for (const [format, body] of Object.entries({ csv: FILE, ...BY_FORMAT })) {
        const { status, json } = await app.request('POST', '/api/v1/imports', {
          body,
          headers: { 'content-type': type },
          query: { dry_run: 'yes', file_name: '../../etc/bank.txt', iso_currency_code: 'eur' },
        });
        expect([type, status, json.format, json.file_name]).toEqual([type, 200, format, 'bank.txt']);
      }
    }
    const image = await app.request('POST', '/api/v1/imports', {
      body: FILE,
      headers: { 'content-type': 'image/png' },
    });
    expect([image.status, image.json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('a declared format that the content contradicts is refused, and so is any other format at the csv endpoints', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    for (const [found, text] of Object.entries(BY_FORMAT)) {
      const declared = found === 'ofx' ? 'qif' : 'qfx';
      const wrong = await sendBytes(app, text, { format: declared });
      expect([wrong.status, wrong.json.error.code]).toEqual([422, 'INVALID_FILE']);
      expect(wrong.json.error.details[0].message).toContain(`format: "${found}"`);
      expect((await sendBytes(app, text, { format: found, dry_run: true })).status).toBe(200);
      for (const door of ['csv', 'connections', 'form'] as const) {
        const refused = await DOORS[door]?.(app, text, {});
        expect([door, refused?.status, refused?.json.error.code]).toEqual([door, 422, 'INVALID_FILE']);
        expect(refused?.json.error.message).toContain('POST /imports');
      }
    }
    const table = await sendBytes(app, FILE, { format: 'camt053' });
    expect([table.status, table.json.error.code]).toEqual([422, 'INVALID_FILE']);
    const option = await sendBytes(app, OFX, { delimiter: ';' });
    expect([option.status, option.json.error.details[0].path]).toEqual([400, 'delimiter']);
  });

  test('the same request twice under one key is one import, at every endpoint', async () => {
    const app = await database.open();
    await addMember(app, 'Ana');
    const headers = { 'idempotency-key': 'once' };
    const body = { provider: 'csv', credentials: { csv_base64: base64(FILE) } };
    const first = await app.request('POST', '/api/v1/connections', { body, headers });
    const again = await app.request('POST', '/api/v1/connections', { body, headers });
    expect([again.headers['idempotency-replayed'], again.json]).toEqual(['true', first.json]);
    const other = { provider: 'csv', credentials: { csv_base64: base64(`${FILE}\n`) } };
    const conflict = await app.request('POST', '/api/v1/connections', { body: other, headers });
    expect([conflict.status, conflict.json.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const one = await sendBytes(app, OFX, {}, { headers: { 'idempotency-key': 'two' } });
    const two = await sendBytes(app, OFX, {}, { headers: { 'idempotency-key': 'two' } });
    expect(two.json).toEqual(one.json);
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toHaveLength(2);
  });
});
