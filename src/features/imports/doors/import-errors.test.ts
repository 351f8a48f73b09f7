import { expect, test } from 'vitest';

import {
  base64,
  csvOf,
  csvWithBalance,
  importFile,
  listed,
  previewFile,
  type Fields,
} from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { allRows } from '../../../../test/harness/table-rows.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';

const DOOR = '/api/v1/connections/csv';
const PLAIN = csvOf('2026-01-02 COFFEE -3.50', '2026-01-05 SALARY 1000.00');

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  /** The import is refused, the preview names the same code first, and nothing is written. */
  async function expectRefused(
    app: TestApp,
    text: string,
    fields: Fields,
    status: number,
    code: string,
  ): Promise<Answer> {
    const before = await allRows(app.app.instance.database, ['api_key_uses']);
    const answer = await importFile(app, text, fields);
    expect([answer.status, answer.json.error?.code], answer.text).toEqual([status, code]);
    const preview = await previewFile(app, text, fields);
    if (preview.status === 200) {
      expect([preview.json.ready, preview.json.blockers[0]?.code]).toEqual([false, code]);
    } else expect([preview.status, preview.json.error.code]).toEqual([status, code]);
    expect(await allRows(app.app.instance.database, ['api_key_uses'])).toEqual(before);
    return answer;
  }

  test('a file that is not a table is refused with the reason', async () => {
    const app = await household();
    const header = 'Date,Description,Amount\n';
    for (const [text, status, code] of [
      ['', 422, 'EMPTY_FILE'],
      [' \n\n', 422, 'EMPTY_FILE'],
      [header, 422, 'NO_ROWS'],
      ['\u0089PNG\r\n', 422, 'NO_HEADER'],
      ['%PDF-1.7 x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['Dear customer\nthis is a letter\n', 422, 'NO_HEADER'],
      ['OFXHEADER:100\n<OFX>', 422, 'INVALID_FILE'],
    ] as const) {
      await expectRefused(app, text, {}, status, code);
    }
  });

  test('an ambiguous date order is asked about, with both interpretations', async () => {
    const app = await household();
    const text = 'Date,Description,Amount\n03/04/2025,COFFEE,-3.50\n';
    const { json } = await expectRefused(app, text, {}, 422, 'AMBIGUOUS_FORMAT');
    const dates = json.error.candidates.find((one: { parameter: string }) => one.parameter === 'date_format');
    expect(dates.values.map((one: { read_as: string }) => one.read_as).toSorted()).toEqual([
      '2025-03-04',
      '2025-04-03',
    ]);
    expect((await importFile(app, text, { date_format: 'DD/MM/YYYY' })).json.import.first_date).toBe('2025-04-03');
  });

  test('unreadable rows are reported by line; skip_invalid imports the rest', async () => {
    const app = await household();
    const rows = Array.from({ length: 300 }, (_, i) => (i < 250 ? `31/02/2025 A${i} -1.00` : `2026-01-02 B${i} -1.00`));
    const { json } = await expectRefused(app, csvOf(...rows), { date_format: 'YYYY-MM-DD' }, 422, 'INVALID_ROWS');
    expect(json.error.details).toHaveLength(100);
    expect(json.error.details[0]).toMatchObject({ path: 'line 2: date' });
    expect(json.error.message).toContain('250');
    expect([json.error.parameter, json.error.details.length]).toEqual(['skip_invalid', 100]);
    const done = await importFile(app, csvOf(...rows), { date_format: 'YYYY-MM-DD', skip_invalid: true });
    expect(done.json.import.counts).toMatchObject({ total: 300, added: 50, invalid: 250 });
    expect(done.json.import.skipped_rows_truncated).toBe(true);
    expect(done.json.import.skipped_rows).toHaveLength(100);
    expect(done.json.import.skipped_rows[0]).toMatchObject({
      line: 2,
      outcome: 'invalid',
      reason: 'DATE_INVALID',
      transaction_id: null,
    });
  });

  test('a broken balance chain is refused, with the proof, unless it is accepted', async () => {
    const app = await household();
    const lines = csvWithBalance(
      0,
      '2026-01-02 A 10.00',
      '2026-01-03 B -2.00',
      '2026-01-04 C -3.00',
      '2026-01-05 D -1.00',
    ).split('\n');
    const text = lines.filter((_, index) => index !== 2).join('\n');
    const { json } = await expectRefused(app, text, {}, 422, 'BALANCE_MISMATCH');
    const [result] = json.error.balance_proof.results;
    expect([json.error.balance_proof.status, result.first_break.line, result.first_break.likely_cause]).toEqual([
      'broken',
      3,
      'missing_row',
    ]);
    const done = await importFile(app, text, { accept_unproved: true });
    expect(done.json.import.balance_proof.status).toBe('broken');
    expect(done.json.import.warnings.map((one: { code: string }) => one.code)).toContain('PROOF_OVERRIDDEN');
    const [account] = (await app.request('GET', '/api/v1/accounts')).json;
    expect(account.balance_current).toBeNull();
  });

  test('the same file read another way is refused, and the error names the import', async () => {
    const app = await household();
    const first = await importFile(app, PLAIN, { sign: 'positive_is_in' });
    const { json } = await expectRefused(app, PLAIN, { sign: 'positive_is_out' }, 409, 'ALREADY_IMPORTED');
    expect(json.error.message).toContain(first.json.import.short_id);
    expect((await importFile(app, PLAIN, { sign: 'positive_is_in' })).json.skipped_duplicates).toBe(2);
  });

  test('wrong fields are refused by name', async () => {
    const app = await household();
    for (const [fields, path] of [
      [{ colour: 1 }, 'colour'],
      [{ limit: 0 }, 'limit'],
      [{ sign: 'positive_is_in', positive_is_debit: true }, 'positive_is_debit'],
      [{ format: 'ofx' }, 'format'],
      [{ column_mapping: { date: -1 } }, 'column_mapping.date'],
      [{ column_mapping: { date: 99 } }, 'column_mapping.date'],
      [{ column_mapping: { date: 1.5 } }, 'column_mapping.date'],
      [{ column_mapping: { colour: 0 } }, 'column_mapping.colour'],
      [{ date_format: 'nonsense' }, 'date_format'],
      [{ include_lines: [1] }, 'include_lines'],
      [{ include_lines: [2], exclude_lines: [2] }, 'include_lines'],
      [{ exclude_lines: [99] }, 'exclude_lines'],
    ] as const) {
      const answer = await importFile(app, PLAIN, fields);
      expect([path, answer.status, answer.json.error?.code], answer.text).toEqual([path, 400, 'VALIDATION_ERROR']);
      expect(answer.json.error.details.map((one: { path: string }) => one.path)).toContain(path);
    }
    for (const path of ['account_id', 'connection_id', 'user_id']) {
      for (const id of ['zzzzzzzz', 'no', '019a8c5e-7d10-7a3b-9c41-5f2e8d7b6a90']) {
        const answer = await importFile(app, PLAIN, { [path]: id });
        expect([answer.status, answer.json.error.code, answer.json.error.details[0].path]).toEqual([
          400,
          'INVALID_PARAMETER',
          path,
        ]);
      }
    }
    expect(await listed(app)).toEqual([]);
  });

  test('no file, two files and text that is not base64 are refused', async () => {
    const app = await household();
    const send = (body: unknown): Promise<Answer> => app.request('POST', `${DOOR}/preview`, { body });
    const none = await send({});
    expect([none.status, none.json.error.details[0].path]).toEqual([400, 'file']);
    expect((await app.request('POST', `${DOOR}/preview`)).json.error.details[0].path).toBe('file');
    expect((await send({ csv_base64: base64(PLAIN), csv_data: base64(PLAIN) })).status).toBe(400);
    expect((await send({ csv_base64: '!!!' })).json.error).toMatchObject({
      message: 'csv_base64: must be base64 text',
      details: [{ path: 'csv_base64' }],
    });
    expect(
      (await app.request('POST', `${DOOR}/preview`, { body: PLAIN, headers: { 'content-type': 'image/png' } })).status,
    ).toBe(415);
    const reading = await app.request('POST', `${DOOR}/preview`, { key: app.readOnlyKey, body: 'x' });
    expect([reading.status, reading.json.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  test.for(['', '>', '>>'])(
    'base64 comes in both alphabets, padded or not, broken into lines or not: %j',
    async (end) => {
      const app = await household();
      const text = `Date,Description,Amount\n2026-01-02,ÿÿÿ>>>???ÿ?ÿ>${end},-3.50\n`;
      const padded = base64(text);
      expect(padded).toMatch(/[+].*[/]|[/].*[+]/);
      const wanted = (await previewFile(app, text)).json;
      expect(wanted.counts).toMatchObject({ added: 1 });
      const url = padded.replaceAll('+', '-').replaceAll('/', '_');
      for (const sent of [
        url,
        padded.replaceAll('=', ''),
        url.replaceAll('=', ''),
        padded.replaceAll(/(.{10})/g, '$1\r\n '),
      ]) {
        const body = { csv_base64: sent, file_name: 'bank.csv' };
        expect((await app.request('POST', `${DOOR}/preview`, { body })).json).toEqual(wanted);
      }
    },
  );

  test('the transports give equal previews', async () => {
    const app = await household();
    const fields = { column_mapping: { date: 0, description: 1, amount: 2 }, skip_invalid: false, include_lines: [2] };
    const { json: wanted } = await previewFile(app, PLAIN, fields);
    const unpadded = base64(PLAIN).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
    const named = {
      ...fields,
      csv_base64: unpadded,
      file_name: 'bank.csv',
      column_mapping: { date: 'Date', description: 'Description', amount: 'Amount' },
    };
    const byName = (await app.request('POST', `${DOOR}/preview`, { body: named })).json;
    // Names of columns also say which line is the header; how sure that is may differ.
    expect({ ...byName, detection: { ...byName.detection, header: wanted.detection.header } }).toEqual(wanted);

    const mapping = JSON.stringify(fields.column_mapping);
    const query = { column_mapping: mapping, skip_invalid: 'no', include_lines: '2', file_name: 'bank.csv' };
    const raw = await app.request('POST', `${DOOR}/preview`, {
      body: PLAIN,
      query,
      headers: { 'content-type': 'text/csv' },
    });
    expect(raw.json).toEqual(wanted);

    const form = new FormData();
    form.set('file', new Blob([PLAIN]), '../folder/bank.csv');
    for (const [name, value] of Object.entries(query)) if (name !== 'file_name') form.set(name, value);
    const response = new Response(form);
    const multipart = await app.request('POST', `${DOOR}/preview`, {
      body: Buffer.from(await response.arrayBuffer()),
      headers: { 'content-type': response.headers.get('content-type') as string },
    });
    expect(multipart.json).toEqual(wanted);
  });
});
