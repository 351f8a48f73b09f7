import { analyseCsv } from '../../src/engines/imports/csv.ts';
import { AppError } from '../../src/kernel/errors.ts';
import { formatCents } from '../../src/kernel/money.ts';

/** How the reader takes a file, in lines that a person compares with the file at a glance. */

const CONTEXT = { today: '2026-11-21', profiles: [], account: null, file_name: null };

function encoded(text: string, encoding: string): Uint8Array {
  const marked = encoding.endsWith('with mark') ? `\ufeff${text}` : text;
  if (encoding.startsWith('utf-16le')) return new Uint8Array(Buffer.from(marked, 'utf16le'));
  if (encoding.startsWith('utf-8')) return new TextEncoder().encode(marked);
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte]));
  return Uint8Array.from(text, (letter) => bytes.get(letter) ?? 63);
}

export function readingOf(file: string, encoding: string): string[] {
  try {
    const analysis = analyseCsv(encoded(file, encoding), {}, CONTEXT);
    const refusals = analysis.blockers.map((blocker) => `${blocker.code} ${blocker.parameter}`);
    if (refusals.length > 0) return refusals;
    return [...analysis.rows()].map((row) =>
      row.outcome === 'row'
        ? `${row.date} ${formatCents(row.amount_cents ?? 0)} ${row.iso_currency_code ?? '-'} ${row.description}`
        : `line ${row.line} ${row.reason}`,
    );
  } catch (error) {
    if (error instanceof AppError) return [error.code];
    throw error;
  }
}
