import { LEXICON } from '../lexicon/lexicon.ts';
import { STATUS_WORDS } from '../lexicon/statuses.ts';
import { meaningsOf, NAMES } from '../lexicon/synonyms.ts';
import { decoderOf } from './dos-code-pages.ts';

const HEAD_BYTES = 65_536;
const HEAD_LINES = 40;
const EAST_ASIAN_LABELS = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'];
/** Column names that must be recognised: a single one may be chance. */
const NAMES_MIN = 2;
/** Letters beyond a to z. */
const MARKS = /[^\0-\u007f]/u;

/** The words of the lexicon with letters beyond a to z, in small letters. */
const MARKED = new Set(
  [
    ...Object.values(NAMES).flatMap((names) => names.split('|')),
    ...STATUS_WORDS.flatMap(([, words]) => words.split('|')),
    ...LEXICON.map(({ text }) => text.replaceAll('*', '')),
  ]
    .map((word) => word.toLowerCase())
    .filter((word) => MARKS.test(word)),
);

/** The East Asian encoding under which the most column names are known. */
export function eastAsian(bytes: Uint8Array): string | undefined {
  const found = EAST_ASIAN_LABELS.map((label) => ({ label, names: knownNames(bytes, label) })).sort(
    (a, b) => b.names - a.names,
  );
  const [best, next] = found;
  return best && next && best.names >= NAMES_MIN && best.names > next.names ? best.label : undefined;
}

/** How many cells of the head are words of the lexicon, spelled with just the letters that a single-byte encoding gives. */
export function spelledWords(bytes: Uint8Array, label: string): number {
  return cellsAmong(bytes.subarray(0, HEAD_BYTES), label, (cell) => MARKED.has(cell.toLowerCase()));
}

function knownNames(bytes: Uint8Array, label: string): number {
  return cellsAmong(bytes, label, (cell) => MARKS.test(cell) && meaningsOf(cell).size > 0);
}

function cellsAmong(bytes: Uint8Array, label: string, isSuch: (cell: string) => boolean): number {
  let text: string;
  try {
    text = decoderOf(label, { fatal: true }).decode(bytes);
  } catch {
    return 0;
  }
  const cells = text
    .slice(0, HEAD_BYTES)
    .split(/\r\n|\r|\n/u, HEAD_LINES)
    .flatMap((line) => line.split(/[,;\t|]/u));
  return new Set(cells.map((cell) => cell.replaceAll('"', '').trim()).filter(isSuch)).size;
}
