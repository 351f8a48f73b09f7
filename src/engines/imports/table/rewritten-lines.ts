import { compactDates, yearlessDates } from './bare-dates.ts';
import { knownNames } from './known-header.ts';
import { splitDecimals } from './split-decimals.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';
import { decodedChunks } from '../bytes/encoding.ts';
import type { TextSource } from '../bytes/encoding.ts';

/** Tables whose lines another program has put into a form of its own. Each line stays where it is, so that its number does. */

/** A form of lines: null unless the first ones have it, else what a line is as a record of a table. */
type Form = (head: readonly string[]) => ((lines: readonly string[]) => string[]) | null;

const FORMS: readonly Form[] = [
  wrappedLines,
  longSeparators,
  labelledLines,
  splitDecimals,
  yearlessDates,
  compactDates,
];
const HEAD_LINES = 200;
const ANY_YEAR = 9_998;

/** The text with its lines as records of a table; the same source if they are that already. */
export function asTable(source: TextSource): TextSource {
  const [head = ''] = decodedChunks(source);
  const first = linesOf(head).slice(0, HEAD_LINES);
  const rewrite = FORMS.map((form) => form(first)).find((found) => found !== null);
  if (!rewrite) return source;
  const lines = rewrite(linesOf([...decodedChunks(source)].join('')));
  const bytes = new TextEncoder().encode(lines.join('\n'));
  return { bytes, label: 'utf-8', start: 0, end: bytes.length, labelOfFile: source.label };
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** `"2026-05-13,""Coffee, large"",-4.50"`: spreadsheets put whole records in quotes, and some banks do. */
function wrappedLines(head: readonly string[]): ReturnType<Form> {
  const from = head.findIndex(isWrapped);
  const filled = head.slice(from).filter((line) => line.trim() !== '');
  // Sums below a table may be in quotes, with commas between their thousands.
  const hasDates = filled.some((line) => isWrapped(line) && /\d[/.-]\d{1,2}[/.-]\d|\d{8}/.test(line));
  if (from < 0 || !hasDates || filled.filter(isWrapped).length * 2 < filled.length) return null;
  return (lines) => lines.map((line) => (isWrapped(line) ? line.trim().slice(1, -1).replaceAll('""', '"') : line));
}

/** True for a line that is one quoted value with separators in it. */
function isWrapped(line: string): boolean {
  const text = line.trim();
  if (text.length < 3 || !text.startsWith('"') || !text.endsWith('"')) return false;
  const inner = text.slice(1, -1);
  return /[;,\t|]/.test(inner) && !inner.replaceAll('""', '').includes('"') && !inner.startsWith('",');
}

const LONG_SEPARATORS = ['~|~', '~'] as const;
const FEWEST_COLUMNS = 4;

/** `Domestic~|~15/05/2026~|~SHOP~|~100.00`: some banks separate values by several characters, or by an odd one. */
function longSeparators(head: readonly string[]): ReturnType<Form> {
  for (const separator of LONG_SEPARATORS) {
    const records = head.map((line) => line.split(separator)).filter((cells) => cells.length >= FEWEST_COLUMNS);
    const names = records.find((cells) => knownNames(cells, ANY_YEAR) > 0);
    if (!names) continue;
    // Other tables above and below have other widths; a record may lack its last value.
    const isRecord = (cells: readonly string[]): boolean => Math.abs(cells.length - names.length) < 2;
    return (lines) =>
      lines.map((line) => {
        const cells = line.split(separator).map((cell) => cell.trim());
        return isRecord(cells) ? recordOf(cells) : line;
      });
  }
  return null;
}

const LABELLED = /^\s*(\p{L}[\p{L} ./]{1,29}):[\s\u00a0]+(\S.*)$/u;

/** `Date: 01/09/2026`, `Description: …`, `Amount: …`, each on a line of its own, and an empty line below each transaction. */
function labelledLines(head: readonly string[]): ReturnType<Form> {
  const blocks = blocksOf(head);
  const first = blocks.find(({ labels }) => namesTransaction(labels));
  if (!first || first.from === 0) return null;
  const own = blocks.filter(({ labels }) => labels.join() === first.labels.join());
  const filled = head.filter((line) => line.trim() !== '').length;
  if (own.length * first.labels.length * 2 < filled) return null;
  const isNamed = ({ labels }: Block): boolean => labels.every((label) => first.labels.includes(label));
  return (lines) => {
    const out = [...lines];
    for (const block of blocksOf(lines).filter((one) => namesTransaction(one.labels) && isNamed(one))) {
      for (let at = block.from; at < block.to; at++) out[at] = '';
      out[block.from] = recordOf(first.labels.map((label) => block.values.get(label) ?? ''));
    }
    out[first.from - 1] = recordOf(first.labels);
    return out;
  };
}

/** Labelled lines that follow each other. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly labels: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let values = new Map<string, string>();
  let from = 0;
  const close = (to: number): void => {
    if (values.size > 0) blocks.push({ from, to, labels: [...values.keys()], values });
    values = new Map();
  };
  for (const [at, line] of lines.entries()) {
    const [, label, value] = LABELLED.exec(line) ?? [];
    if (label === undefined || value === undefined || values.has(label)) close(at);
    if (label === undefined || value === undefined) continue;
    if (values.size === 0) from = at;
    values.set(label, value.trim());
  }
  close(lines.length);
  return blocks;
}

function namesTransaction(labels: readonly string[]): boolean {
  const meanings = labels.map((label) => [...meaningsOf(label).keys()]);
  const has = (test: (meaning: string) => boolean): boolean => meanings.some((own) => own.some(test));
  return (
    has((meaning) => meaning.endsWith('_date')) &&
    has((meaning) => meaning === 'description') &&
    has((meaning) => meaning === 'amount' || meaning === 'debit' || meaning === 'credit')
  );
}

function recordOf(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t');
}
