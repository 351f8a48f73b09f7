import { AppError, validationError } from '../../../kernel/errors.ts';
import type { Confidence, DetectionCandidate, ReadContext } from '../analysis.ts';
import { DOS_CODE_PAGES, decoderOf, isDosCodePage } from './dos-code-pages.ts';
import { conceivableDosCodePages, dosCodePage, regionalEncoding } from './encoding-by-text.ts';
import { eastAsian, spelledWords } from './encoding-by-words.ts';
import { otherEncodings } from './encoding-doubt.ts';
import { settle } from '../question.ts';
import type { Question } from '../question.ts';

/** The labels a caller may send as `encoding` (36.3.2). */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1257',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  ...DOS_CODE_PAGES,
] as const;

const CHUNK = 65_536;
const SNIFFED = 4_096;
const MAX_CONTROL_SHARE = 0.01;

/** What gives a file stretch by stretch. A stretch is only good until the next one is asked for. */
export interface Stretches {
  subarray(from: number, to: number): Uint8Array;
}

/** Bytes with the way to read them: BOM and a closing SUB are outside of start…end. */
export interface TextSource {
  readonly bytes: Stretches;
  readonly label: string;
  readonly start: number;
  readonly end: number;
  /** The encoding of the file itself, if these bytes are a rewritten copy of its text. */
  readonly labelOfFile?: string;
}

export interface EncodingDecision {
  readonly source: TextSource;
  readonly confidence: Confidence;
  readonly evidence: readonly string[];
  readonly candidates: readonly DetectionCandidate[];
}

interface EncodingFacts {
  readonly bytes: Uint8Array;
  readonly given: string | null;
}

/** The character encoding of a whole file (36.5.2). */
export const ENCODING: Question<string, EncodingFacts> = {
  name: 'encoding',
  asks: 'Which letters do the bytes of the file stand for?',
  explains:
    'A file stores each letter as numbers. Its encoding says which numbers stand for which letter. In the wrong encoding, “Müller” becomes “MÃ¼ller”.',
  tests: [
    {
      code: 'parameter',
      confidence: 'given',
      means: 'You chose it when you sent the file.',
      says: ({ given }) => given,
    },
    {
      code: 'bom',
      confidence: 'certain',
      means: 'The file begins with a byte order mark: a few bytes that name its encoding.',
      says: ({ bytes }) => byteOrderMark(bytes)?.label ?? null,
    },
    {
      code: 'byte_pattern',
      confidence: 'certain',
      means: 'Every second byte is zero, as in UTF-16.',
      says: ({ bytes }) => zeroPattern(bytes),
    },
    {
      code: 'strict_decode',
      confidence: 'certain',
      means: 'The whole file is valid UTF-8.',
      says: ({ bytes }) => (firstBadByte(sourceOf(bytes, 'utf-8', 0)) === null ? 'utf-8' : null),
    },
    {
      code: 'byte_pattern',
      confidence: 'likely',
      means:
        'Some words only make sense in an old DOS encoding, in which nearly all accented letters belong to one language. If another encoding fits too, or gives more known words, Homeledger asks.',
      says: ({ bytes }) => orInDoubt(bytes, dosCodePage(bytes)),
    },
    {
      code: 'byte_pattern',
      confidence: 'likely',
      means:
        'Nearly all accented letters belong to one Central European or Baltic language, such as Polish or Latvian, or to Turkish, and they fit no Western European one. Turkish and Baltic ones may fit it too if they give more known words. If another encoding fits too, or gives more known words, Homeledger asks.',
      says: ({ bytes }) => orInDoubt(bytes, regionalEncoding(bytes)),
    },
    {
      code: 'byte_pattern',
      confidence: 'likely',
      means:
        'Accented letters stand alone or in pairs, as in Western European languages. If another encoding fits too, or gives more known words, Homeledger asks.',
      says: ({ bytes }) => orInDoubt(bytes, westernEncoding(bytes)),
    },
    {
      code: 'byte_pattern',
      confidence: 'likely',
      means:
        'Read in one East Asian encoding, the file has at least two known column names, and more than in any other.',
      says: ({ bytes }) => eastAsian(bytes) ?? null,
    },
    {
      code: 'byte_pattern',
      confidence: 'ambiguous',
      means: 'Several encodings are possible, for example for Cyrillic or Greek letters. Homeledger asks.',
      says: ({ bytes }) => readableEncodings(bytes),
    },
  ],
};

function orInDoubt(bytes: Uint8Array, label: string | undefined): string | readonly string[] | null {
  if (label === undefined) return null;
  const others = otherEncodings(bytes, label);
  return others.length === 0 ? label : [label, ...others];
}

/** Decides the character encoding of a whole file (36.5.2). Throws NOT_TEXT and VALIDATION_ERROR. */
export function detectEncoding(bytes: Uint8Array, given: string | undefined): EncodingDecision {
  if (given !== undefined) return givenEncoding(bytes, given);
  const bom = byteOrderMark(bytes);
  if (!bom && zeroPattern(bytes) === null) refuseBinary(bytes);
  const { values, confidence, evidence } = settle(ENCODING, { bytes, given: null });
  const label = values[0];
  if (label === undefined) {
    throw new AppError(
      'NOT_TEXT',
      'The characters in the file could not be read. Open it in a text editor, save it as UTF-8 and upload it again.',
    );
  }
  const source = sourceOf(bytes, label, bom?.length ?? 0);
  if (bom) requireStrict(source, `The file begins with the mark of the encoding ${label}`);
  else if (label.startsWith('utf-16')) requireStrict(source, `The file looks like text in the encoding ${label}`);
  if (confidence !== 'ambiguous') return { source, confidence, evidence, candidates: [] };
  const at = bytes.findIndex((byte) => byte >= 0x80);
  return { source, confidence, evidence, candidates: encodingCandidates(bytes, at, values) };
}

/** The same text from where the file is kept, if it is: what held all of its bytes lets go of them. */
export function fromSpool(source: TextSource, { letGo }: ReadContext): TextSource {
  return letGo ? { ...source, bytes: letGo() } : source;
}

/** Yields the text in pieces, each decoded once; invalid sequences become U+FFFD (they were refused before). */
export function* decodedChunks(source: TextSource, chunkBytes = CHUNK): Generator<string, void, undefined> {
  const decoder = decoderOf(source.label);
  for (let at = source.start; at < source.end; at += chunkBytes) {
    const last = at + chunkBytes >= source.end;
    yield decoder.decode(source.bytes.subarray(at, Math.min(source.end, at + chunkBytes)), { stream: !last });
  }
}

function givenEncoding(bytes: Uint8Array, given: string): EncodingDecision {
  const label = given.trim().toLowerCase();
  if (!ENCODINGS.some((known) => known === label)) {
    throw validationError('encoding', `Unknown encoding. Use one of: ${ENCODINGS.join(', ')}.`);
  }
  const bom = byteOrderMark(bytes);
  const source = sourceOf(bytes, label, bom?.label === label ? bom.length : 0);
  requireStrict(source, `${label} was chosen as the encoding of the file`);
  return { source, confidence: 'given', evidence: ['parameter'], candidates: [] };
}

/** The bytes of a text in an encoding, without a closing SUB. */
export function sourceOf(bytes: Uint8Array, label: string, start: number): TextSource {
  let end = bytes.length;
  if (!label.startsWith('utf-16')) while (end > start && bytes[end - 1] === 0x1a) end--;
  return { bytes, label, start, end };
}

function byteOrderMark(bytes: Uint8Array): { label: string; length: number } | null {
  const [a, b, c, d] = bytes;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    throw new AppError(
      'NOT_TEXT',
      'The file is encoded as UTF-32, which is not supported. Open it in a text editor and save it as UTF-8.',
    );
  }
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe) return { label: 'utf-16le', length: 2 };
  if (a === 0xfe && b === 0xff) return { label: 'utf-16be', length: 2 };
  return null;
}

function zeroPattern(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, SNIFFED) & ~1;
  if (length < 2) return null;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++;
    if (bytes[i + 1] === 0) odd++;
  }
  const half = length / 2;
  if (odd >= half * 0.3 && even < Math.max(1, half * 0.01)) return 'utf-16le';
  if (even >= half * 0.3 && odd < Math.max(1, half * 0.01)) return 'utf-16be';
  return null;
}

function refuseBinary(bytes: Uint8Array): void {
  let controls = 0;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0x1a) end--;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 32) continue;
    if (byte === 0) {
      throw new AppError(
        'NOT_TEXT',
        `The file is not text (byte ${i} is zero). Upload the CSV, OFX, QIF, CAMT or MT940 file that your bank offers.`,
      );
    }
    if (byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) controls++;
  }
  if (controls > bytes.length * MAX_CONTROL_SHARE) {
    throw new AppError(
      'NOT_TEXT',
      'The file is not text: it is full of control characters. Upload the CSV, OFX, QIF, CAMT or MT940 file that your bank offers.',
    );
  }
}

/** The western encoding with a euro, where the others have a sign (¤) that nobody writes. */
function westernEncoding(bytes: Uint8Array): string | undefined {
  if (!isWesternText(bytes)) return undefined;
  const isWindows = (byte: number): boolean => byte >= 0x80 && byte < 0xa0;
  return bytes.includes(0xa4) && !bytes.some(isWindows) ? 'iso-8859-15' : 'windows-1252';
}

/** Western text has its letters with marks alone or in pairs; Cyrillic, Greek and East Asian text has long runs. */
function isWesternText(bytes: Uint8Array): boolean {
  let total = 0;
  let inRuns = 0;
  let run = 0;
  let inWords = 0;
  for (let i = 0; i <= bytes.length; i++) {
    const byte = i < bytes.length ? (bytes[i] as number) : 0;
    if (byte >= 0x80) {
      if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) return false;
      total++;
      run++;
      if (SYMBOLS_1252.has(byte) && isLatinLetter(bytes[i - 1]) && isLatinLetter(bytes[i + 1])) inWords++;
      continue;
    }
    if (run >= 3) inRuns += run;
    run = 0;
  }
  return inRuns * 3 <= total && inWords * 10 <= total;
}

/** Signs of windows-1252 that are letters in windows-1250; within a word they show that the text is not western. */
const SYMBOLS_1252 = new Set([0xa3, 0xa5, 0xaf, 0xb3, 0xb9, 0xbc, 0xbe, 0xbf]);

function isLatinLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));
}

function readableEncodings(bytes: Uint8Array): string[] {
  const labels = ENCODINGS.filter(
    (label) => !label.startsWith('utf-') && !isDosCodePage(label) && readsAsText(sourceOf(bytes, label, 0)),
  );
  const words = new Map(
    [...labels, ...conceivableDosCodePages(bytes)].map((label) => [label, spelledWords(bytes, label)]),
  );
  return [...words].sort(([, a], [, b]) => b - a).map(([label]) => label);
}

/** The line that contains a byte, as each encoding reads it. */
export function encodingCandidates(bytes: Uint8Array, at: number, labels: readonly string[]): DetectionCandidate[] {
  const from = bytes.lastIndexOf(10, at) + 1;
  const next = bytes.indexOf(10, at);
  const sample = bytes.subarray(Math.max(from, at - 40), Math.min(next < 0 ? bytes.length : next, at + 60));
  let line = 1;
  for (let i = 0; i < at; i++) if (bytes[i] === 10) line++;
  const raw = Array.from(sample, (byte) =>
    byte >= 32 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
  return labels.map((value) => ({
    value,
    line,
    raw,
    read_as: decoderOf(value).decode(sample).trim(),
  }));
}

/** True when all bytes are characters of the encoding, and none a control character of the upper half. */
export function readsAsText(source: TextSource): boolean {
  if (firstBadByte(source) !== null) return false;
  for (const text of decodedChunks(source)) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80 && code < 0xa0) return false;
    }
  }
  return true;
}

function requireStrict(source: TextSource, reason: string): void {
  const bad = firstBadByte(source);
  if (bad === null) return;
  throw new AppError(
    'NOT_TEXT',
    `${reason}, but byte ${bad} cannot be read that way. Choose another encoding, or save the file as UTF-8.`,
    {
      details: [{ path: 'encoding', message: `not valid ${source.label} from byte ${bad}` }],
    },
  );
}

function firstBadByte(source: TextSource): number | null {
  const { bytes, label, start, end } = source;
  const decoder = decoderOf(label, { fatal: true });
  for (let at = start; at < end; at += CHUNK) {
    const stop = Math.min(end, at + CHUNK);
    try {
      decoder.decode(bytes.subarray(at, stop), { stream: stop < end });
    } catch {
      return narrowed(source, Math.max(start, at - 4), stop);
    }
  }
  return null;
}

/** Halves the stretch that does not decode until one byte is left; starting a few bytes early is harmless. */
function narrowed(source: TextSource, from: number, to: number): number {
  const decodes = (stop: number): boolean => {
    try {
      new TextDecoder(source.label, { fatal: true }).decode(source.bytes.subarray(alignedStart(source, from), stop), {
        stream: true,
      });
      return true;
    } catch {
      return false;
    }
  };
  let low = from;
  let high = to;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (decodes(middle)) low = middle;
    else high = middle;
  }
  return Math.max(0, high - 1);
}

function alignedStart(source: TextSource, from: number): number {
  if (source.label.startsWith('utf-16')) return from - ((from - source.start) & 1);
  let at = from;
  while (source.label === 'utf-8' && at > source.start && ((source.bytes.subarray(at, at + 1)[0] ?? 0) & 0xc0) === 0x80)
    at--;
  return at;
}
