import { expect, test } from 'vitest';

import { csvOf, importFile, listed, previewFile, type Fields } from '../../../../test/harness/bank-files/bank-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { setLimit } from '../../../../test/harness/limits.ts';
import { forEachDatabase, type Answer, type TestApp } from '../../../../test/harness/test-app.ts';
import { LIMITS } from '../../../kernel/limits.ts';

const HEADER = 'Date,Description,Amount,Currency';

/** A file with this many columns, the last ones without a name that means anything. */
function wide(columns: number): string {
  const more = columns - 4;
  const names = Array.from({ length: more }, (_, i) => `x${i}`).join(',');
  return `${HEADER},${names}\n2026-01-02,COFFEE,-3.50,EUR${',v'.repeat(more)}\n`;
}

function withText(text: string): string {
  return `${HEADER}\n2026-01-02,${text},-3.50,EUR\n2026-01-03,TEA,-1.00,EUR\n`;
}

/** A record of this many bytes, in fields that are none too long. */
function withRecord(bytes: number): string {
  const fields = 20;
  const start = '2026-01-02,COFFEE,-3.50,EUR';
  const each = Math.floor((bytes - start.length - fields) / fields);
  const last = bytes - start.length - fields - each * (fields - 1);
  const names = Array.from({ length: fields }, (_, i) => `x${i}`).join(',');
  const cells = [...Array.from({ length: fields - 1 }, () => 'v'.repeat(each)), 'v'.repeat(last)];
  return `${HEADER},${names}\n${start},${cells.join(',')}\n`;
}

function ofAccounts(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => `2026-01-02,ROW ${i},-1.00,EUR,Account ${i}`);
  return `${HEADER},Account\n${rows.join('\n')}\n`;
}

forEachDatabase((database) => {
  const household = (): Promise<TestApp> => openHousehold(database);

  /** Preview and import alike refuse it, and nothing is written. */
  async function expectRefused(
    app: TestApp,
    text: string,
    [status, code]: readonly [number, string],
    fields: Fields = {},
  ): Promise<Answer> {
    const preview = await previewFile(app, text, fields);
    expect([preview.status, preview.json.error?.code], preview.text.slice(0, 300)).toEqual([status, code]);
    const answer = await importFile(app, text, fields);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(await listed(app)).toEqual([]);
    expect((await app.request('GET', '/api/v1/imports')).json.imports).toEqual([]);
    return answer;
  }

  test('columns, fields and records have limits: the last value within is accepted, the next is refused', async () => {
    const app = await household();
    const tooBig = [422, 'INVALID_FILE'] as const;
    await expectRefused(app, wide(LIMITS.importColumns + 1), tooBig);
    await expectRefused(app, withText('x'.repeat(LIMITS.importFieldBytes + 1)), tooBig);
    await expectRefused(app, withRecord(LIMITS.importRecordBytes + 1), tooBig);
    for (const text of [
      wide(LIMITS.importColumns),
      withText('x'.repeat(LIMITS.importFieldBytes)),
      withRecord(LIMITS.importRecordBytes),
    ]) {
      const { status, json } = await previewFile(app, text);
      expect([status, json.counts?.added ?? json.error]).toEqual([200, text.split('\n').length - 2]);
    }
    const long = await importFile(app, withText('x'.repeat(LIMITS.importFieldBytes)));
    expect([long.status, long.json.imported_transactions]).toEqual([201, 2]);
    expect(await listed(app)).toEqual(['2026-01-03 TEA 1.00', `2026-01-02 ${'x'.repeat(500)} 3.50`]);
    expect((await importFile(app, withText('x'.repeat(LIMITS.importFieldBytes)))).json.skipped_duplicates).toBe(2);
  });

  test('a file with too many records is refused', async () => {
    const app = await household();
    setLimit('importRecords', 3);
    const rows = ['2026-01-02 A -1.00', '2026-01-03 B -1.00', '2026-01-04 C -1.00', '2026-01-05 D -1.00'];
    await expectRefused(app, csvOf(...rows), [413, 'PAYLOAD_TOO_LARGE']);
    expect((await importFile(app, csvOf(...rows.slice(1)))).json.imported_transactions).toBe(3);
  });

  test(`a file holds at most ${LIMITS.importAccounts} accounts`, async () => {
    const app = await household();
    await expectRefused(app, ofAccounts(LIMITS.importAccounts + 1), [422, 'INVALID_FILE']);
    const taken = await importFile(app, ofAccounts(LIMITS.importAccounts));
    expect([taken.status, taken.json.imported_transactions], taken.text.slice(0, 300)).toEqual([
      201,
      LIMITS.importAccounts,
    ]);
    expect((await app.request('GET', '/api/v1/accounts')).json).toHaveLength(LIMITS.importAccounts);
  });

  test('at most 10,000 lines can be included or excluded, and only lines of the file', async () => {
    const app = await household();
    const file = csvOf('2026-01-02 COFFEE -3.50');
    for (const field of ['include_lines', 'exclude_lines']) {
      const many = Array.from({ length: LIMITS.importLinesListed + 1 }, (_, i) => i + 2);
      const refused = await expectRefused(app, file, [400, 'VALIDATION_ERROR'], { [field]: many });
      expect(refused.json.error.details[0].path).toContain(field);
      await expectRefused(app, file, [400, 'VALIDATION_ERROR'], { [field]: [3] });
    }
  });
});
