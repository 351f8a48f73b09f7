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
const BETWEEN_WORDS = /[^\p{L}\p{M}]+/u;

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

/** How many words of the lexicon the head has, as cells or within texts, spelled with just the letters that an encoding gives. */
export function spelledWords(bytes: Uint8Array, label: string): number {
  const cells = cellsOf(bytes.subarray(0, HEAD_BYTES), label);
  const words = cells.flatMap((cell) => [cell, ...cell.split(BETWEEN_WORDS)]).map((word) => word.toLowerCase());
  return new Set(words.filter((word) => MARKED.has(word))).size;
}

function knownNames(bytes: Uint8Array, label: string): number {
  const cells = cellsOf(bytes, label);
  return new Set(cells.filter((cell) => MARKS.test(cell) && meaningsOf(cell).size > 0)).size;
}

/** None if the bytes are not valid in the encoding. */
function cellsOf(bytes: Uint8Array, label: string): string[] {
  let text: string;
  try {
    text = decoderOf(label, { fatal: true }).decode(bytes);
  } catch {
    return [];
  }
  return text
    .slice(0, HEAD_BYTES)
    .split(/\r\n|\r|\n/u, HEAD_LINES)
    .flatMap((line) => line.split(/[,;\t|]/u))
    .map((cell) => cell.replaceAll('"', '').trim());
}
