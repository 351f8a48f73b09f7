import fc from 'fast-check';
import { describe, test } from 'vitest';

import { expectAtOnce } from '../../../../test/harness/answered-at-once.ts';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { ReadOptions } from '../analysis.ts';
import { analyseCsv } from '../csv.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };

/** Reads the file to the end; any error but an AppError escapes. */
function swallow(bytes: Uint8Array, options: ReadOptions): void {
  try {
    const file = analyseCsv(bytes, options, CONTEXT);
    let records = 0;
    for (const row of file.rows()) records += row.part;
    file.previewRows(10);
    if (records !== file.total_rows) throw new Error(`${records} records of ${file.total_rows} had an outcome`);
    if (file.row_count + file.skipped_count + file.invalid_count !== file.total_rows)
      throw new Error('the counts do not add up');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

const cell = fc.oneof(
  fc.constantFrom(
    ...'2025-01-02|03/04/2025|13.02.25|1.234,56|-12.50|(3.00)|12.345|"|""|"a|debit|credit|EUR|€ 5,00|Date|Amount|Balance|Betrag|Datum|Fee|Status|pending|1 234|99999999999999|Feb 3 2020|ID|opening balance|1.000||x'.split(
      '|',
    ),
  ),
  fc.string({ maxLength: 6, unit: anyCharacter }),
);
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
const header = fc.constantFrom(
  '',
  'Date,Description,Amount,Balance,Fee,Status\n',
  'Datum;Text;Soll;Haben;Saldo\n',
  'Date,Description,Amount\n',
);
const text = fc
  .tuple(header, fc.constantFrom(',', ';', '\t', '|'), fc.constantFrom('\n', '\r\n', '\r'), rows)
  .map(([head, delimiter, end, table]) => head + table.map((record) => record.join(delimiter)).join(end));
const field = fc.constantFrom(
  'date',
  'amount',
  'debit',
  'credit',
  'description',
  'balance',
  'fee',
  'direction',
  'account',
  'currency',
  'status',
);
const options: fc.Arbitrary<ReadOptions> = fc.record(
  {
    has_header: fc.boolean(),
    header_line: fc.integer({ min: 1, max: 4 }),
    column_mapping: fc.dictionary(
      field,
      fc.oneof(fc.integer({ min: -1, max: 7 }), fc.constant(null), fc.constantFrom('Date', 'Amount', 'Text')),
    ),
    date_format: fc.constantFrom('DD/MM/YYYY', '2006-01-02', 'xx', 'D.M.YY'),
    decimal_separator: fc.constantFrom('.' as const, ',' as const),
    sign: fc.constantFrom('positive_is_in' as const, 'positive_is_out' as const),
    has_debit_credit: fc.boolean(),
    delimiter: fc.constantFrom(',', ';', 'tab'),
    encoding: fc.constantFrom('utf-8', 'windows-1252', 'shift_jis', 'utf-16le'),
    fee_mode: fc.constantFrom('separate' as const, 'included' as const),
    pending: fc.constantFrom('skip' as const, 'import' as const),
    skip_invalid: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('whatever the bytes', () => {
  test('arbitrary bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => swallow(bytes, {})),
      { numRuns: 1_000 },
    );
  });

  test('arbitrary tables with arbitrary options are read or refused, every record with an outcome', () => {
    fc.assert(
      fc.property(text, options, (content, chosen) => swallow(new TextEncoder().encode(content), chosen)),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(text, (content) => swallow(new TextEncoder().encode(content), {})),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['quotes', '"'.repeat(300_000)],
    ['odd quotes', 'Date,Text,Amount\n' + ',"""'.repeat(60_000)],
    ['delimiters', `Date,Text,Amount\n${','.repeat(500)}\n`.repeat(200)],
    ['open quotes', 'Date,Text,Amount\n' + '"a,\n'.repeat(60_001)],
    ['digits', `Date,Text,Amount\n2025-01-02,a,${'1'.repeat(60_000)}\n`],
    ['grouping', `Date,Text,Amount\n2025-01-02,a,${'1,'.repeat(30)}1\n`],
    ['spaces', `Date,Text,Amount\n2025-01-02,${' '.repeat(60_000)}x,1\n`.repeat(50)],
    ['carriage returns', '\r'.repeat(200_000)],
  ])('a flood of %s is answered at once', (_, content) => {
    expectAtOnce(() => swallow(new TextEncoder().encode(content), {}));
  });
});
