import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { expectAtOnce } from '../../../../../test/harness/answered-at-once.ts';
import { AppError } from '../../../../kernel/errors.ts';
import type { ReadOptions } from '../../analysis.ts';
import { readOfx } from './ofx.ts';
import { readQif } from '../qif/qif.ts';
import type { StatementFile } from '../statement.ts';

const CONTEXT = { today: '2025-06-30', profiles: [], account: null, file_name: null };
const FIXTURES = join(import.meta.dirname, '../../../../../test/fixtures');
const READERS = { ofx: readOfx, qif: readQif } as const;
const FORMATS = ['ofx', 'qif'] as const;
const utf8 = new TextEncoder();

function filesOf(format: 'ofx' | 'qif'): Uint8Array[] {
  const folder = join(FIXTURES, format);
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.md'))
    .map((name) => new Uint8Array(readFileSync(join(folder, name))));
}

/** Reads a file; any error but an AppError escapes, and so does an entry that says less than it must. */
function swallow(format: 'ofx' | 'qif', bytes: Uint8Array, options: ReadOptions = {}): StatementFile | null {
  try {
    const file = READERS[format](bytes, options, CONTEXT);
    for (const { entries } of file.statements) {
      for (const entry of entries) {
        const isWhole = entry.date !== null && Number.isSafeInteger(entry.amount_cents) && entry.description !== '';
        if (entry.outcome === 'row' ? !isWhole || entry.reason !== null : entry.reason === null)
          throw new Error(`entry ${entry.line} is ${entry.outcome} without what that needs`);
      }
    }
    return file;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

const bits: Readonly<Record<'ofx' | 'qif', string>> = {
  ofx: '<OFX>|</OFX>|<STMTRS>|</STMTRS>|<CCSTMTRS>|<INVSTMTRS>|<BANKTRANLIST>|</BANKTRANLIST>|<INVTRANLIST>|<STMTTRN>|</STMTTRN>|<STMTTRNP>|<DTPOSTED>20250131|<TRNAMT>-1.5|<TRNAMT>1,500|<FITID>x|<NAME>|</NAME>|<MEMO>a|<CURRENCY>|<CURSYM>EUR|<STATUS>|<CODE>0|<BANKACCTFROM>|<ACCTID>1|<LEDGERBAL>|<BALAMT>1|text|&amp;|&#38;|&#x;|<|>|</|<!--|-->|<![CDATA[|]]>|<?|?>|<!DOCTYPE|<X Y="1">|<A/>|\n|\r|\u0000|é|CHARSET:1252\n',
  qif: "!Type:Bank\n|!Type:Invst\n|!Account\n|!Clear:AutoSwitch\n|!Option:AutoSwitch\n|!\n|^\n|D1/2/2025\n|D31/12'24\n|D\n|T-1.50\n|T1.500\n|U1\n|PShop\n|POpening Balance\n|MMemo\n|L[A]\n|SFood\n|$1\n|%50\n|NAcct\n|TBank\n|lower\n|\r|\n| |\t|é|\u0000|1/ 5' 6",
};

const options: fc.Arbitrary<ReadOptions> = fc.record(
  {
    date_format: fc.constantFrom('DD/MM/YYYY', '2006-01-02', 'xx', 'D.M.YY'),
    decimal_separator: fc.constantFrom('.' as const, ',' as const),
    encoding: fc.constantFrom('utf-8', 'windows-1252', 'shift_jis', 'utf-16le', 'nonsense'),
    iso_currency_code: fc.constantFrom('JPY', 'EUR'),
  },
  { requiredKeys: [] },
);

describe.each(FORMATS)('whatever the bytes of %s', (format) => {
  test('arbitrary bytes and arbitrary pieces are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void swallow(format, bytes)),
      { numRuns: 500 },
    );
    const pieces = fc.array(fc.constantFrom(...bits[format].split('|')), { maxLength: 60 });
    const lead = format === 'ofx' ? '<OFX><STMTRS>' : '';
    fc.assert(
      fc.property(pieces, options, (parts, chosen) => void swallow(format, utf8.encode(lead + parts.join('')), chosen)),
      { numRuns: 3_000 },
    );
  });

  test('mutated bank files are read or refused', () => {
    const files = filesOf(format);
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 60 }),
      with: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom(...bits[format].split('|')).map((bit) => utf8.encode(bit)),
      ),
    });
    fc.assert(
      fc.property(
        fc.nat({ max: files.length - 1 }),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (which, changes) => {
          let bytes = files[which] as Uint8Array;
          for (const { at, length, with: piece } of changes) {
            const from = at % bytes.length;
            bytes = Uint8Array.from([...bytes.subarray(0, from), ...piece, ...bytes.subarray(from + length)]);
          }
          swallow(format, bytes);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test('a bank file cut off anywhere never loses a part unseen', () => {
    for (const bytes of filesOf(format)) {
      const whole = swallow(format, bytes);
      if (!whole) continue;
      const count = whole.statements.flatMap(({ entries }) => [...entries]).length;
      for (let end = 0; end < bytes.length; end += 7) {
        const cut = swallow(format, bytes.subarray(0, end));
        if (format === 'ofx' && cut) expect(cut.statements.flatMap(({ entries }) => [...entries])).toHaveLength(count);
      }
    }
  });
});

describe('floods', () => {
  const head = '<OFX><STMTRS><BANKTRANLIST><STMTTRN><NAME>';
  test.each<['ofx' | 'qif', string, string]>([
    ['ofx', 'open tags', `<OFX>${'<a>'.repeat(100_000)}`],
    ['ofx', 'closing tags', `<OFX>${'</a>'.repeat(200_000)}`],
    ['ofx', 'angle brackets', head + '<'.repeat(60_000)],
    ['ofx', 'half tags', head + '<a '.repeat(20_000)],
    ['ofx', 'ampersands', head + '&'.repeat(60_000)],
    ['ofx', 'comments', `<OFX>${'<!-- -->'.repeat(100_000)}`],
    ['ofx', 'comment starts', `<OFX>${'<!--'.repeat(100_000)}`],
    ['ofx', 'leaves', `${head}x${'<b>1'.repeat(100_000)}`],
    ['ofx', 'blanks', head + ' '.repeat(1_000_000)],
    ['ofx', 'statements', `<OFX>${'<STMTRS>'.repeat(100_000)}`],
    ['qif', 'directives', '!\n'.repeat(200_000)],
    ['qif', 'record ends', `!Type:Bank\n${'^\n'.repeat(300_000)}`],
    ['qif', 'carriage returns', `!Type:Bank${'\r'.repeat(1_000_000)}`],
    ['qif', 'doubled dates', `!Type:Bank\n${`${'P\n'.repeat(9_000)}${'Dx\n'.repeat(9_000)}^\n`.repeat(5)}`],
    ['qif', 'continued lines', `!Type:Bank\nP\n${'x\n'.repeat(15_000)}^\n`],
    ['qif', 'date signs', `!Type:Bank\n${`D${"1/' ".repeat(10)}\nT1\n^\n`.repeat(5_000)}`],
  ])('%s: %s are answered at once', (format, _, content) => {
    expectAtOnce(() => swallow(format, utf8.encode(content)));
  });
});
