import type { ReadWarning } from './analysis.ts';
import { detectEncoding, encodingCandidates, readsAsText, sourceOf } from './encoding.ts';
import type { EncodingDecision } from './encoding.ts';
import { utf8Damage } from './utf8-damage.ts';

/** Other readings of a text that is nearly UTF-8; each shows its letters as two signs. */
const OTHERS = ['windows-1252', 'windows-1250'] as const;

/**
 * The encoding of a delimited file. One that is UTF-8 but for a few bytes is asked about: it stays UTF-8, with the bad
 * characters shown as such, unless the caller knows another; whoever sends `utf-8` for it has seen them (36.5.2).
 */
export function detectTableEncoding(
  bytes: Uint8Array,
  given: string | undefined,
): EncodingDecision & { readonly warnings: readonly ReadWarning[] } {
  const isUtf8 = given?.trim().toLowerCase() === 'utf-8';
  const damage = (given === undefined || isUtf8) && !bytes.includes(0) ? utf8Damage(bytes) : null;
  if (!damage || startsWithWideMark(bytes)) return { ...detectEncoding(bytes, given), warnings: [] };
  const source = sourceOf(bytes, 'utf-8', startsWithMark(bytes) ? 3 : 0);
  if (isUtf8) {
    const message = `${damage.badBytes} bytes of the file are not part of any letter and show as \ufffd.`;
    const warnings = [{ code: 'DAMAGED_CHARACTERS', message, lines: [lineOf(bytes, damage.firstBad)] }];
    return { source, confidence: 'given', evidence: ['parameter'], candidates: [], warnings };
  }
  const labels = ['utf-8', ...OTHERS.filter((label) => readsAsText(sourceOf(bytes, label, 0)))];
  const candidates = encodingCandidates(bytes, damage.firstBad, labels);
  return { source, confidence: 'ambiguous', evidence: ['byte_pattern'], candidates, warnings: [] };
}

function startsWithMark([a, b, c]: Uint8Array): boolean {
  return a === 0xef && b === 0xbb && c === 0xbf;
}

function startsWithWideMark([a, b]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
}

function lineOf(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let i = 0; i < at; i++) if (bytes[i] === 10) line++;
  return line;
}
