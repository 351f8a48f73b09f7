import type { ReadWarning } from '../analysis.ts';
import { detectEncoding, encodingCandidates, readsAsText, sourceOf } from './encoding.ts';
import type { EncodingDecision } from './encoding.ts';

/** Other encodings offered for a text that is nearly UTF-8; each shows its letters as two signs. */
const OTHERS = ['windows-1252', 'windows-1250'] as const;

/**
 * The encoding of a delimited file. A file that is UTF-8 except for a few bytes is asked about: it stays UTF-8, with
 * its bad characters shown, unless the caller knows better; whoever sends `utf-8` has seen them (36.5.2).
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
    const message = `${damage.badBytes === 1 ? '1 byte of the file is' : `${damage.badBytes} bytes of the file are`} damaged; damaged characters show as \ufffd.`;
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

/** How much of a text is UTF-8: sequences for characters beyond ASCII, and bytes outside of any sequence. */
interface Utf8Damage {
  readonly sequences: number;
  readonly badBytes: number;
  readonly firstBad: number;
}

/**
 * The damage to a text that is UTF-8 except for a few bytes, as when a program cut letters in two; null for text in
 * another encoding, whose letters hardly ever form UTF-8 sequences by chance.
 */
function utf8Damage(bytes: Uint8Array): Utf8Damage | null {
  let sequences = 0;
  let badBytes = 0;
  let firstBad = -1;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      if (firstBad < 0) firstBad = at;
      badBytes++;
    } else if (length > 1) {
      sequences++;
    }
    at += Math.max(1, length);
  }
  return badBytes > 0 && sequences >= badBytes ? { sequences, badBytes, firstBad } : null;
}

/** Bytes of the character that begins here: 1 to 4, or 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : length;
}
