import { normalisedText } from './cell-text.ts';
import { BALANCE_LABELS, DATE_LINKS } from './lexicon-balances.ts';
import type { BalanceMeaning } from './lexicon-balances.ts';
import { wordsOf } from './lexicon.ts';
import { monthOf } from './month-names.ts';

const LONGEST_LABEL = 60;
const LONGEST_TEXT = 200;
/** Words that `…` may stand for. */
const GAP = 3;

interface Label {
  readonly head: readonly string[];
  /** The words behind `…`; empty without one. */
  readonly tail: readonly string[];
  readonly means: BalanceMeaning;
}

const BY_FIRST = new Map<string, Label[]>();
for (const [, means, texts] of BALANCE_LABELS) {
  for (const text of texts.split('|')) {
    const [head = [], tail = []] = text.split('…').map((part) => wordsOf(normalisedText(part)));
    const first = head[0] ?? '';
    BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), { head, tail, means }]);
  }
}

/**
 * What a text that is nothing but the label of a balance stands for: the one at the start, at the end, of a `dated` day
 * (`Saldo al 31.12.2024`), or a word that may be something else as well.
 */
export function balanceLabel(text: string): '' | 'opening' | 'closing' | 'dated' | 'bare' {
  if (text.length > LONGEST_LABEL) return '';
  const isSpaced = /^(?:\p{L} ){2,20}\p{L}$/u.test(text);
  const words = wordsOf(normalisedText(isSpaced ? text.replaceAll(' ', '') : text));
  const means = meaningsOfWhole(words, isPartOfDate);
  if (means.has('opening')) return 'opening';
  if (means.has('closing')) return 'closing';
  if (means.has('bare') && words.some((word) => DATE_LINKS.has(word)) && words.some(isDigits)) return 'dated';
  if (!meaningsOfWhole(words, isDigits).has('bare')) return '';
  return isSpaced ? 'closing' : 'bare';
}

/** True for the text of a record that only states the balance at the start. */
export function isOpeningText(text: string): boolean {
  if (text.length > LONGEST_TEXT) return false;
  const words = wordsOf(normalisedText(text));
  return words.some((_, at) => labelsAt(words, at).some(({ label }) => label.means === 'opening'));
}

/** True for a text that is nothing but the label of a sum. */
export function isSumLabel(text: string): boolean {
  if (text.length > LONGEST_LABEL) return false;
  const words = wordsOf(normalisedText(text));
  return labelsAt(words, 0).some(({ label, end }) => label.means === 'sum' && end === words.length);
}

/** The meanings of labels behind which nothing follows but what may, such as a date. */
function meaningsOfWhole(words: readonly string[], may: (word: string) => boolean): ReadonlySet<BalanceMeaning> {
  const whole = labelsAt(words, 0).filter(({ end }) => words.slice(end).every(may));
  return new Set(whole.map(({ label }) => label.means));
}

function isPartOfDate(word: string): boolean {
  return isDigits(word) || DATE_LINKS.has(word) || monthOf(word) > 0;
}

function isDigits(word: string): boolean {
  return /^\d+$/.test(word);
}

function labelsAt(words: readonly string[], at: number): { label: Label; end: number }[] {
  const found: { label: Label; end: number }[] = [];
  for (const label of BY_FIRST.get(words[at] ?? '') ?? []) {
    const { head, tail } = label;
    if (!head.every((word, i) => words[at + i] === word)) continue;
    const after = at + head.length;
    const gaps = tail.length === 0 ? [0] : Array.from({ length: GAP + 1 }, (_, gap) => gap);
    const gap = gaps.find((skipped) => tail.every((word, i) => words[after + skipped + i] === word));
    if (gap !== undefined) found.push({ label, end: after + gap + tail.length });
  }
  return found;
}
