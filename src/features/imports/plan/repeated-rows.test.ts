import { describe, expect, test } from 'vitest';

import { listed, sendBytes } from '../../../../test/harness/bank-files/bank-files.ts';
import { ofxFile } from '../../../../test/harness/bank-files/ofx-files.ts';
import {
  asCamt,
  asMt940,
  type SampleEntry,
  type SampleStatement,
} from '../../../../test/harness/bank-files/statement-files.ts';
import { openHousehold } from '../../../../test/harness/ledger.ts';
import { forEachDatabase } from '../../../../test/harness/test-app.ts';

/** What a day's purchase is called, and what it costs in hundredths. */
const bought = (day: number, cents: number, id: string | null = `R${day}`, text = 'COFFEE'): SampleEntry => ({
  date: `2026-01-${String(day).padStart(2, '0')}`,
  cents,
  text,
  id,
});

const ROWS = [bought(2, 350), bought(8, 350), bought(9, 410), bought(15, 350)];

/** A statement that opens with what the rows before its first day leave of 100.00. */
function from(
  first: number,
  last: number,
  entries: readonly SampleEntry[],
  before: readonly SampleEntry[] = ROWS,
): SampleStatement {
  const left = (day: number): number =>
    before.filter((row) => Number(row.date.slice(-2)) <= day).reduce((sum, { cents }) => sum - cents, 10_000);
  const date = (day: number): string => `2026-01-${String(day).padStart(2, '0')}`;
  const account = 'DE89370400440532013000';
  return {
    account,
    openingCents: left(first - 1),
    closingCents: left(last),
    openingDate: date(first),
    closingDate: date(last),
    entries,
  };
}

const WANTED = ['2026-01-15 COFFEE 3.50', '2026-01-09 COFFEE 4.10', '2026-01-08 COFFEE 3.50', '2026-01-02 COFFEE 3.50'];

function asOfx(statements: readonly SampleStatement[]): string {
  return ofxFile(
    ...statements.map(({ entries, closingCents, closingDate }) => ({
      closing: [(closingCents / 100).toFixed(2), closingDate] as const,
      entries: entries.map(({ date, cents, text, id }) => ({
        date,
        text,
        id: id ?? '0',
        amount: (-cents / 100).toFixed(2),
      })),
    })),
  );
}

forEachDatabase((database) => {
  describe.each([
    ['OFX', asOfx],
    ['CAMT.053', asCamt],
    ['MT940', asMt940],
  ] as const)('Statements of one account in one %s file', (name, write) => {
    const [early, late] = [from(1, 9, ROWS.slice(0, 3)), from(8, 31, ROWS.slice(1))];
    const whole = from(1, 31, ROWS);

    test.each([
      ['overlap', [early, late], 2],
      ['overlap, the later one first', [late, early], 2],
      ['are the same', [whole, whole], 4],
      ['contain one another', [whole, late], 3],
      ['contain one another, the shorter one first', [early, whole], 3],
    ] as const)('%s: what both list is one row', async (_how, statements, repeated) => {
      const app = await openHousehold(database);
      const file = write(statements);
      const { status, json } = await sendBytes(app, file);
      expect([status, json.error?.message]).toEqual([201, undefined]);
      expect(json.counts).toMatchObject({ total: 4 + repeated, added: 4, skipped: repeated });
      const reasons = json.skipped_rows.map((row: { reason: string }) => row.reason);
      expect(reasons).toEqual(Array.from({ length: repeated }, () => 'REPEATED_ROW'));
      expect(json.warnings.map(({ code }: { code: string }) => code)).not.toContain('BANK_ID_NOT_UNIQUE');
      if (name !== 'OFX') expect(json.balance_proof).toMatchObject({ status: 'proved' });
      expect(await listed(app)).toEqual(WANTED);
      const asked = await sendBytes(app, file, { include_lines: [json.skipped_rows[0].line] });
      expect([asked.status, asked.json.error.details]).toMatchObject([
        400,
        [{ path: 'include_lines', message: expect.stringContaining('repeats a row of another statement') }],
      ]);
      const again = await sendBytes(app, file);
      expect([again.json.counts, again.json.change_set_id]).toMatchObject([{ added: 0, updated: 0 }, null]);
      const { totals } = (await app.request('GET', '/api/v1/transactions/summary?group_by=month')).json;
      expect(totals).toMatchObject([{ money_out: '14.60', transaction_count: 4 }]);
    });

    test('placeholders, other contents and equal rows of one statement stay rows of their own', async () => {
      const app = await openHousehold(database);
      const twice = [
        bought(8, 350, 'A'),
        bought(8, 350, 'A'),
        bought(9, 100, 'NONREF', 'TEA'),
        bought(9, 250, 'B', 'BUN'),
      ];
      const again = [bought(8, 350, 'A'), bought(9, 100, 'NONREF', 'TEA'), bought(9, 250, 'B', 'BREAD')];
      const statements = [
        from(1, 9, twice, twice),
        { ...from(9, 10, again, again), openingCents: 8_950, closingCents: 8_250 },
      ];
      const { status, json } = await sendBytes(app, write(statements), { accept_unproved: true });
      expect([status, json.error?.message]).toEqual([201, undefined]);
      expect(json.counts).toMatchObject({ total: 7, added: 6, skipped: 1 });
      expect(json.skipped_rows).toMatchObject([{ reason: 'REPEATED_ROW' }]);
    });
  });
});
