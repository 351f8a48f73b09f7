import type { AnalysedRow, FileAnalysis, ReadOptions, StoredProfile } from '../../../src/engines/imports/analysis.ts';
import { analyseCsv } from '../../../src/engines/imports/csv.ts';
import { AppError } from '../../../src/kernel/errors.ts';
import { formatCents } from '../../../src/kernel/money.ts';

/** How the reader takes a file, in lines that a person compares with the file at a glance. */

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

export function encoded(text: string, encoding: string): Uint8Array {
  const marked = encoding.endsWith('with mark') ? `\ufeff${text}` : text;
  if (encoding.startsWith('utf-16le')) return new Uint8Array(Buffer.from(marked, 'utf16le'));
  if (encoding.startsWith('utf-8')) return new TextEncoder().encode(marked);
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]));
  return Uint8Array.from(text, (letter) => bytes.get(letter) ?? 63);
}

/** How a file was read, as an import remembers it. */
function rememberedFrom({ header_signature: signature, settings }: FileAnalysis): StoredProfile {
  return {
    id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
    slug: 'remembered',
    name: 'Remembered',
    institution_name: null,
    header_signature: signature ?? '',
    account_id: null,
    settings,
  };
}

/**
 * The rows of a file, and of the same file once its reading is remembered: whoever imports it again must get the same.
 */
export function readTwice(
  bytes: Uint8Array,
  options: ReadOptions = {},
): { first: AnalysedRow[]; again: AnalysedRow[] } {
  const analysis = analyseCsv(bytes, options, CONTEXT);
  const again = analyseCsv(bytes, {}, { ...CONTEXT, profiles: [rememberedFrom(analysis)] });
  return { first: [...analysis.rows()], again: [...again.rows()] };
}

export function readingOf(file: string, encoding: string): string[] {
  try {
    const analysis = analyseCsv(encoded(file, encoding), {}, CONTEXT);
    const refusals = analysis.blockers.map((blocker) => `${blocker.code} ${blocker.parameter}`);
    if (refusals.length > 0) return refusals;
    const { first, again } = readTwice(encoded(file, encoding));
    if (JSON.stringify(first) !== JSON.stringify(again)) return ['read differently once it was remembered'];
    return first.map((row) =>
      row.outcome === 'row'
        ? `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.iso_currency_code ?? '-'} ${row.description}`
        : `line ${row.line} ${row.reason}`,
    );
  } catch (error) {
    if (error instanceof AppError) return [error.code];
    throw error;
  }
}
