import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { expectAtOnce } from '../../../../test/harness/answered-at-once.ts';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { CONTEXT } from '../../../../test/harness/bank-files/statement-files.ts';
import { AppError } from '../../../kernel/errors.ts';
import { analyseStatements } from './analyse-statements.ts';
import type { ReadOptions } from '../analysis.ts';
import { readCamt } from './camt/camt.ts';
import { detectFormat } from '../bytes/format.ts';
import { readMt940 } from './mt940/mt940.ts';

const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures');
const READERS = { camt: readCamt, mt940: readMt940 } as const;
type Format = keyof typeof READERS;
const FORMATS = ['camt', 'mt940'] as const;

/** Reads the file to the end; any error but an AppError escapes. */
function swallow(format: Format, bytes: Uint8Array, options: ReadOptions = {}): void {
  try {
    const file = analyseStatements(READERS[format](bytes, options, CONTEXT), options, CONTEXT);
    let records = 0;
    for (const row of file.rows()) {
      records++;
      if (row.outcome === 'row' && (row.date === null || !Number.isSafeInteger(row.amount_cents)))
        throw new Error('a row without date or amount');
      if (row.outcome !== 'row' && row.reason === null) throw new Error('a record without a reason');
    }
    if (records !== file.total_rows) throw new Error(`${records} records of ${file.total_rows} had an outcome`);
    if (file.row_count + file.skipped_count + file.invalid_count !== file.total_rows)
      throw new Error('the counts do not add up');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function samples(format: Format): Uint8Array[] {
  const folder = join(FIXTURES, format);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.md'));
  return names.map((name) => new Uint8Array(readFileSync(join(folder, name))));
}

const options: fc.Arbitrary<ReadOptions> = fc.record(
  {
    encoding: fc.constantFrom('utf-8', 'windows-1252', 'shift_jis', 'utf-16le', 'nonsense'),
    pending: fc.constantFrom('skip' as const, 'import' as const),
    skip_invalid: fc.boolean(),
    accept_unproved: fc.boolean(),
    refuse_assumptions: fc.boolean(),
    account_type: fc.constantFrom('credit', 'depository'),
  },
  { requiredKeys: [] },
);

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const PIECES =
  ':61:|:86:|:20:|:62F:C250131EUR1,|\n|\r|-|{1:|{4:|-}|?20|//|<|>|</Ntry>|<Ntry>|<TxDtls>|<Amt Ccy="EUR">|&amp;|&x;|&#1;|<![CDATA[|]]>|<!--|<!DOCTYPE a [|__proto__|constructor|hasOwnProperty="1"|\u0000|\ufffd|9999999999999999|-1|,'.split(
    '|',
  );
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 40 }),
  insert: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: anyCharacter })),
});

function edited(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  let text = Buffer.from(bytes).toString('latin1');
  for (const { at, remove, insert } of edits) {
    const from = at % (text.length + 1);
    text = text.slice(0, from) + insert + text.slice(from + remove);
  }
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

describe.each(FORMATS)('%s, whatever the bytes', (format) => {
  test('arbitrary bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), options, (bytes, chosen) => {
        swallow(format, bytes, chosen);
        try {
          detectFormat(bytes);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('arbitrary pieces of the format are read or refused', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) =>
        swallow(format, new TextEncoder().encode(pieces.join(''))),
      ),
      { numRuns: 1_000 },
    );
  });

  test('damaged files are read or refused', () => {
    const files = samples(format);
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        options,
        (bytes, edits, chosen) => swallow(format, edited(bytes, edits), chosen),
      ),
      { numRuns: 1_500 },
    );
  });
});

describe('a flood', () => {
  const camt = (inside: string): string => `<Document><BkToCstmrStmt><Stmt>${inside}</Stmt></BkToCstmrStmt></Document>`;
  const mt940 = (inside: string): string => `:20:A\n:25:1/2\n:60F:C250101EUR0,00\n${inside}\n:62F:C250101EUR0,00\n`;

  test.each<[string, Format, string]>([
    ['of open elements', 'camt', '<a>'.repeat(100_000)],
    ['of declarations', 'camt', `<!${'a'.repeat(200_000)}`],
    ['of entities', 'camt', camt(`<Ntry>${'&amp;'.repeat(200_000)}</Ntry>`)],
    ['of attributes', 'camt', camt(`<Ntry ${Array.from({ length: 5_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`)],
    ['of a name', 'camt', `<${'a'.repeat(200_000)}>`],
    ['of a comment', 'camt', camt(`<!--${'- '.repeat(100_000)}-->`)],
    ['of details', 'camt', camt(`<Ntry><NtryDtls>${'<TxDtls/>'.repeat(50_000)}</NtryDtls></Ntry>`)],
    ['of children', 'camt', camt(`<Ntry>${'<X>1</X>'.repeat(50_000)}</Ntry>`)],
    ['of text', 'camt', camt(`<Ntry><X>${'x'.repeat(500_000)}</X></Ntry>`)],
    ['of statements', 'mt940', mt940(':61:250101D0,00N').repeat(3_000)],
    ['of lines', 'mt940', mt940(`:61:250101D0,00N\n:86:${'a\n'.repeat(300_000)}`)],
    ['of marks', 'mt940', mt940(`:61:250101D0,00N\n:86:020${'?20'.repeat(20_000)}`)],
    ['of slashes', 'mt940', mt940(`:61:250101D0,00N\n:86:/NAME${'/'.repeat(60_000)}`)],
    ['of SEPA marks', 'mt940', mt940(`:61:250101D0,00N\n:86:020?20${'EREF+'.repeat(12_000)}`)],
    ['of digits', 'mt940', mt940(`:61:250101D${'1'.repeat(60_000)}`)],
    ['of spaces', 'mt940', mt940(`:61:250101D0,00N\n${' '.repeat(60_000)}\n`.repeat(20))],
    ['of carriage returns', 'mt940', '\r'.repeat(300_000)],
  ])('%s is answered at once', (_, format, content) => {
    expectAtOnce(() => swallow(format, new TextEncoder().encode(content)));
    expect(content.length).toBeGreaterThan(10_000);
  });
});
