import { describe, expect, test } from 'vitest';

import { formatCents } from '../../kernel/money.ts';
import type { FileAnalysis, ReadContext, ReadOptions } from './analysis.ts';
import { analyseCsv } from './csv.ts';

const CONTEXT: ReadContext = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function read(text: string, options: ReadOptions = {}, context: Partial<ReadContext> = {}): FileAnalysis {
  return analyseCsv(new TextEncoder().encode(text), options, { ...CONTEXT, ...context });
}

/** Every record as `date amount currency`, or as why it is no row; an open question instead of all of them. */
function told(file: FileAnalysis): string[] {
  if (file.blockers.length > 0) return file.blockers.map(({ code, parameter }) => `${code} ${parameter ?? ''}`.trim());
  return [...file.rows()].map((row) =>
    row.outcome === 'row'
      ? `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.iso_currency_code ?? '-'}`
      : `${row.reason}`,
  );
}

describe('characters that nobody sees', () => {
  const plain = 'Date,Description,Amount\n2026-03-01,Shop,-4.50\n2026-03-13,Bar,-14.50\n2026-03-20,Pay,900.00\n';
  const around = (from: string, to: string): string => plain.replaceAll(/[^,\n]+/g, (cell) => `${from}${cell}${to}`);

  test.each([
    ['left-to-right marks', '\u200e', '\u200e'],
    ['embeddings', '\u202a', '\u202c'],
    ['isolates', '\u2067', '\u2069'],
    ['Arabic letter marks', '\u061c', ''],
    ['word joiners', '\u2060', '\u2060'],
    ['byte order marks', '\ufeff', ''],
    ['marks outside of quotes', '\u200f"', '"\u200f'],
    ['zero-width joiners', '', '\u200d'],
    ['soft hyphens', '', '\u00ad'],
  ])('%s change nothing', (_, from, to) => {
    expect(told(read(around(from, to)))).toEqual(['2026-03-01 4.50 -', '2026-03-13 14.50 -', '2026-03-20 -900.00 -']);
  });

  test('a soft hyphen where a minus would be is not dropped', () => {
    expect(told(read(plain.replaceAll(',-', ',\u00ad')))).toEqual([
      'AMBIGUOUS_FORMAT sign',
      'INVALID_ROWS skip_invalid',
    ]);
  });

  test('texts keep the joiners of letters and lose the rest', () => {
    const [row] = [...read(plain.replace('Shop', 'می\u200cخواهم \u202aSoz\u00adial\u202c')).rows()];
    expect(row?.description).toBe('می\u200cخواهم Sozial');
  });
});
