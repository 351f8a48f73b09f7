import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { importFile, listed, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { asCamt } from '../../../../test/harness/bank-files/statement-files.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { LIMITS } from '../../../kernel/limits.ts';

const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures');
const SAMPLES = ['camt', 'csv', 'mt940', 'ofx', 'qif'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((name) => !name.endsWith('.md'))
    .map((name) => new Uint8Array(readFileSync(join(FIXTURES, folder, name)))),
);
const FORMULA = '=HYPERLINK("http://x","y")';

/** A bank file with pieces of it cut out, doubled, or written over. */
const damaged = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40), fc.uint8Array({ maxLength: 12 })), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([sample, wounds]) => {
    let bytes = Buffer.from(sample);
    for (const [place, length, instead] of wounds) {
      const at = Math.floor(place * bytes.length);
      bytes = Buffer.concat([bytes.subarray(0, at), instead, bytes.subarray(at + length)]);
    }
    return bytes;
  });

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  test('no bytes cause an internal error', async () => {
    const app = await household();
    const options = fc.record(
      {
        format: fc.constantFrom('auto', 'csv', 'ofx', 'qif', 'camt053', 'mt940'),
        skip_invalid: fc.boolean(),
        accept_unproved: fc.boolean(),
        pending: fc.constantFrom('skip', 'import'),
        date_format: fc.constantFrom('DD/MM/YYYY', 'YYYY-MM-DD'),
        sign: fc.constantFrom('positive_is_in', 'positive_is_out'),
      },
      { requiredKeys: [] },
    );
    const bytes = fc.oneof(
      { weight: 4, arbitrary: damaged },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    );
    await fc.assert(
      fc.asyncProperty(bytes, options, async (content, fields) => {
        const preview = await sendBytes(app, content, { ...fields, dry_run: true });
        const done = await sendBytes(app, content, fields);
        expect([200, 400, 413, 415, 422]).toContain(preview.status);
        expect([201, 400, 409, 413, 415, 422]).toContain(done.status);
        if (done.status === 201) {
          expect([preview.json.ready, preview.json.counts]).toEqual([true, done.json.counts]);
          const {
            total,
            removed: _removed,
            pending: _pending,
            ...outcomes
          } = done.json.counts as Record<string, number>;
          expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(total);
        } else if (preview.status === 200) expect(preview.json.blockers[0].code).toBe(done.json.error.code);
        else expect(preview.json.error.code).toBe(done.json.error.code);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('binary and compressed files are refused at their first bytes', async () => {
    const app = await household();
    const bytes = (...head: readonly number[]): Buffer => Buffer.concat([Buffer.from(head), Buffer.alloc(2_000, 7)]);
    const noise = Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 7_919) % 251));
    for (const [content, status, code] of [
      [bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bytes(0xff, 0xd8, 0xff, 0xe0), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bytes(0x25, 0x50, 0x44, 0x46, 0x2d), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bytes(0x50, 0x4b, 0x03, 0x04), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bytes(0x1f, 0x8b, 0x08), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [noise, 422, 'NOT_TEXT'],
    ] as const) {
      const { status: got, json } = await sendBytes(app, content);
      expect([got, json.error.code, json.error.message.length > 20]).toEqual([status, code, true]);
    }
  });

  test('an XML file with a DTD is refused; no entity is expanded and no address is fetched', async () => {
    const app = await household();
    const camt = asCamt([]);
    const [head, body] = camt.split('?>') as [string, string];
    for (const dtd of [
      '<!DOCTYPE Document SYSTEM "http://127.0.0.1:1/x.dtd">',
      '<!DOCTYPE Document [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]>',
    ]) {
      const answer = await sendBytes(app, `${head}?>${dtd}${body}`);
      expect([answer.status, answer.json.error.code]).toEqual([422, 'INVALID_FILE']);
    }
  });

  test('a text like a formula is stored unchanged, exported safely, and imported back unchanged', async () => {
    const app = await household();
    const quoted = `"${FORMULA.replaceAll('"', '""')}"`;
    await importFile(app, `Date,Description,Amount,Currency\n2026-01-02,${quoted},-3.50,EUR\n`, {
      account_name: 'Main',
    });
    expect(await listed(app)).toEqual([`2026-01-02 ${FORMULA} 3.50`]);
    const query = { spreadsheet_safe: true };
    const exported = await app.request('GET', '/api/v1/transactions/export', { query });
    expect(exported.text).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
    // In the household that it is from, it would find its own row.
    const elsewhere = await household();
    const back = await importFile(elsewhere, exported.text, { account_name: 'Copy' });
    expect([back.status, back.json.import?.profile?.slug]).toEqual([201, 'homeledger']);
    expect(await listed(elsewhere)).toEqual([`2026-01-02 ${FORMULA} 3.50`]);
  });

  test('a file name never keeps its path and is cut to its limit', async () => {
    const app = await household();
    const file = 'Date,Description,Amount,Currency\n2026-01-02,COFFEE,-3.50,EUR\n';
    for (const [given, shown] of [
      ['../../etc/passwd.csv', 'passwd.csv'],
      ['C:\\bank\\january.csv', 'january.csv'],
      ['a\u001b[31m\n.csv', 'a[31m.csv'],
      ['..', '..'],
    ] as const) {
      const preview = await sendBytes(app, file, { file_name: given, dry_run: true });
      expect(preview.json.file_name).toBe(shown);
    }
    expect((await sendBytes(app, file, { file_name: 'x'.repeat(256) })).status).toBe(400);
  });

  test('two files in one form are refused', async () => {
    const app = await household();
    const form = new FormData();
    for (const name of ['a.csv', 'b.csv']) form.append('file', new File(['Date,Amount\n2026-01-02,1\n'], name));
    const encoded = new Response(form);
    const answer = await app.request('POST', '/api/v1/imports', {
      body: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') as string },
    });
    expect([answer.status, answer.json.error.code, answer.json.error.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      'file',
    ]);
  });

  if (database.name === 'SQLite')
    test('50 MiB are accepted in every transport, one byte more is not, and one endless line is refused', async () => {
      const app = await household();
      const start = Buffer.from('Date,Description,Amount,Currency\n2026-01-02,COFFEE,-3.50,EUR\n');
      const size = LIMITS.importFileBytes;
      // Old programs pad a file with this character; it is not text, so reading it costs little.
      const whole = Buffer.alloc(size, 0x1a);
      start.copy(whole);
      const path = '/api/v1/connections/csv/preview';
      const ways: Record<string, (bytes: Buffer) => Promise<Answer>> = {
        raw: (body) => app.request('POST', path, { body, headers: { 'content-type': 'text/csv' } }),
        base64: (bytes) => app.request('POST', path, { body: `{"csv_base64":"${bytes.toString('base64')}"}` }),
        async form(bytes) {
          const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
          const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]);
          return app.request('POST', path, { body, headers: { 'content-type': 'multipart/form-data; boundary=x' } });
        },
      };
      for (const [name, send] of Object.entries(ways)) {
        const taken = await send(whole);
        expect([name, taken.status, taken.json.file_bytes, taken.json.total_rows]).toEqual([name, 200, size, 1]);
        const refused = await send(Buffer.concat([whole, Buffer.from('\n')]));
        expect([name, refused.status, refused.json.error.code]).toEqual([name, 413, 'PAYLOAD_TOO_LARGE']);
      }
      const line = Buffer.alloc(49 * 1_048_576, 'a,');
      const endless = await ways['raw']?.(line);
      expect([endless?.status, endless?.json.error.code]).toEqual([422, 'INVALID_FILE']);
    }, 60_000);
});
