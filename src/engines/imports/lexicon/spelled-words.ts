import { LEXICON } from './lexicon.ts';
import { STATUS_WORDS } from './statuses.ts';
import { NAMES } from './synonyms.ts';

const ALL = [
  ...Object.values(NAMES).flatMap((names) => names.split('|')),
  ...STATUS_WORDS.flatMap(([, words]) => words.split('|')),
  ...LEXICON.map(({ text }) => text.replaceAll('*', '')),
];
const MARKED = new Set(ALL.map((word) => word.toLowerCase()).filter((word) => /[^\0-\u007f]/u.test(word)));

/** Whether a cell is a name or word of the lexicon that has letters beyond a to z, spelled with exactly these. */
export function isSpelledWord(cell: string): boolean {
  return MARKED.has(cell.toLowerCase());
}
