import { normalisedText } from '../text/cell-text.ts';
import { LOOSE_LETTERS, OPPOSITES, TERMS } from './directions.ts';

export const OUT = 1;
export const IN = 2;
/** A direct debit: money out of a current account, but the payment that comes in on a card. */
export const DIRECT_DEBIT = 3;
/** OUT, IN, or 0 for neither. */
export type Direction = 0 | typeof OUT | typeof IN;
export type DirectionWords = ReadonlyMap<string, typeof OUT | typeof IN>;

/** `either` names an instrument or what goes both ways, `reversal` what undoes a movement: neither is a direction. */
export type Way = 'out' | 'in' | 'either' | 'reversal' | 'direct debit';
/** A language by its ISO code; `ofx` for the words of that format, `any` for words of many languages. */
export type Lang = string;

/**
 * The place where a term counts. A `signed type` (a shop's sale or return) depends on who says it, so it needs the sign
 * of the amount beside it; a `credit account type` only counts on a credit account.
 */
export type Where =
  | 'header'
  | 'name part'
  | 'cell'
  | 'suffix'
  | 'type'
  | 'signed type'
  | 'credit account type'
  | 'text';

/** One entry of the lexicon: what a word or phrase says about the direction of money where it stands. */
export interface Term {
  readonly text: string;
  readonly way: Way;
  readonly where: Where;
  readonly lang: Lang;
  /** The other word of the pair, for cells. */
  readonly opposite?: string;
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

export const LEXICON: readonly Term[] = [
  ...OPPOSITES.flatMap(([lang, out, into]): Term[] => [
    { text: out, way: 'out', where: 'cell', lang, opposite: into },
    { text: into, way: 'in', where: 'cell', lang, opposite: out },
  ]),
  ...TERMS.flatMap(([lang, where, way, texts]) => texts.split('|').map((text): Term => ({ text, way, where, lang }))),
];

const WHOLE = new Map<string, Term[]>();
for (const term of LEXICON) {
  const key = `${term.where} ${normalisedText(term.text)}`;
  WHOLE.set(key, [...(WHOLE.get(key) ?? []), term]);
}

/** The terms that are this text as a whole. */
function termsOf(text: string, where: Where): readonly Term[] {
  return WHOLE.get(`${where} ${normalisedText(text)}`) ?? [];
}

/** The direction of a text that is exactly one term. */
export function wordDirection(text: string, where: 'cell' | 'suffix' | 'name part'): Direction {
  const way = termsOf(text, where)[0]?.way;
  return way === 'out' ? OUT : way === 'in' ? IN : 0;
}

/** The names of columns of money out or in, the best first. */
export function columnNames(way: 'out' | 'in'): string[] {
  return LEXICON.filter((term) => term.where === 'header' && term.way === way).map(({ text }) => text);
}

/** The pair that contains all of these words; undefined without one. */
export function directionPair(words: Iterable<string>): DirectionWords | undefined {
  const [first, ...others] = new Set([...words].map(normalisedText));
  if (first === undefined) return undefined;
  for (const { text, opposite = '', way } of termsOf(first, 'cell')) {
    const pair = way === 'out' ? directionWords([text], [opposite]) : directionWords([opposite], [text]);
    if (others.every((word) => pair.has(word))) return pair;
  }
  return undefined;
}

export function directionWords(out: readonly string[], into: readonly string[]): DirectionWords {
  const words = new Map<string, typeof OUT | typeof IN>();
  for (const word of into) words.set(normalisedText(word), IN);
  for (const word of out) words.set(normalisedText(word), OUT);
  return words;
}

export function isLoosePair(words: DirectionWords): boolean {
  return [...words.keys()].some((word) => LOOSE_LETTERS.has(word));
}

/** The direction of a bank's type word, where the amount has a sign too. */
export function typeDirection(type: string, isCredit: boolean): Direction {
  const folded = normalisedText(type);
  const ways = waysIn(folded, 'signed');
  if (ways.has('reversal')) return 0;
  const isOut = ways.has('out');
  const isIn = ways.has('in') || (isCredit && !isOut && ways.has('payment'));
  if (isOut !== isIn) return isOut ? OUT : IN;
  return ways.size === 0 ? wordDirection(folded, 'cell') : 0;
}

/**
 * The direction of every type in a column, for amounts without a sign; undefined when one of the types could be
 * either.
 */
export function directionOfTypes(types: Iterable<string>): DirectionWords | undefined {
  const directions = new Map<string, typeof OUT | typeof IN>();
  for (const type of types) {
    const folded = normalisedText(type);
    const ways = waysIn(folded, 'unsigned');
    const isOut = ways.has('out');
    if (isOut === ways.has('in') || ways.has('reversal')) return undefined;
    directions.set(folded, isOut ? OUT : IN);
  }
  return directions.size > 0 ? directions : undefined;
}

/** Whether a type says which way the money went, or that a movement was taken back. */
export function isKindOfMovement(type: string): boolean {
  const ways = waysIn(normalisedText(type), 'unsigned');
  return ways.has('reversal') || ways.has('out') !== ways.has('in');
}

/** Whether a type says that a movement was taken back, as "refund" does. */
export function isReversal(type: string): boolean {
  return waysIn(normalisedText(type), 'unsigned').has('reversal');
}

/** The direction that a description shows, or DIRECT_DEBIT. */
export function textDirection(text: string): Direction | typeof DIRECT_DEBIT {
  if (!MAY_SAY.test(text)) return 0;
  const ways = waysIn(ASCII.test(text) ? text.toLowerCase() : normalisedText(text), 'text');
  const isOut = ways.has('out');
  const isIn = ways.has('in');
  if (ways.has('reversal') || (isOut && isIn)) return 0;
  if (isOut || isIn) return isOut ? OUT : IN;
  return ways.has('direct debit') ? DIRECT_DEBIT : 0;
}

type Scope = 'signed' | 'unsigned' | 'text';
type Found = Way | 'payment';

/** A phrase after its first word. */
interface Phrase {
  readonly rest: readonly string[];
  readonly way: Found;
}

/** A term that is the beginning or the end of a word. */
interface Part {
  readonly holds: (word: string) => boolean;
  readonly way: Found;
}

/** Terms of one scope: phrases by their first word, the longest first; beginnings of words by their first two letters. */
interface Terms {
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  readonly beginnings: ReadonlyMap<number, readonly Part[]>;
  readonly endings: readonly Part[];
  /** Terms that may be anywhere within a word, by what they say. */
  readonly inner: ReadonlyMap<Found, RegExp>;
}

const NO_PARTS: readonly Part[] = [];

const SCOPES: Readonly<Record<Scope, Terms>> = {
  signed: scopeOf(['type', 'signed type', 'credit account type']),
  unsigned: scopeOf(['type']),
  text: scopeOf(['text'], ['type']),
};

/** The terms of some places, with the reversals of others. */
function scopeOf(places: readonly Where[], reversalsOf: readonly Where[] = []): Terms {
  const phrases = new Map<string, Phrase[]>();
  const beginnings = new Map<number, Part[]>();
  const endings: Part[] = [];
  const inner = new Map<Found, string[]>();
  for (const { text, where, way } of LEXICON) {
    if (!places.includes(where) && !(way === 'reversal' && reversalsOf.includes(where))) continue;
    const found = where === 'credit account type' ? 'payment' : way;
    const [first = '', ...rest] = wordsOf(normalisedText(text));
    const letters = firstLetters(first);
    if (text.startsWith('*') && text.endsWith('*')) inner.set(found, [...(inner.get(found) ?? []), first]);
    else if (text.startsWith('*')) endings.push({ holds: (word) => word.endsWith(first), way: found });
    else if (text.endsWith('*'))
      beginnings.set(letters, [
        ...(beginnings.get(letters) ?? []),
        { holds: (word) => word.startsWith(first), way: found },
      ]);
    else phrases.set(first, [...(phrases.get(first) ?? []), { rest, way: found }]);
  }
  for (const list of phrases.values()) list.sort((a, b) => b.rest.length - a.rest.length);
  const patterns = [...inner].map(([way, texts]) => [way, new RegExp([...new Set(texts)].join('|'), 'u')] as const);
  return { phrases, beginnings, endings, inner: new Map(patterns) };
}

/** The first two letters of a word as a number. */
function firstLetters(word: string): number {
  return word.charCodeAt(0) * 65_536 + word.charCodeAt(1);
}

/** A quick test before a text is folded: whether it may contain a term, or marks and a Turkish i that only folding removes. */
const MAY_SAY = new RegExp(
  [
    ...LEXICON.flatMap(({ text, where, way }) => (where === 'text' && way !== 'reversal' ? spellings(text) : [])),
    '[\\u0300-\\u036f\\u0130\\u0131]',
  ].join('|'),
  'i',
);

/** A term as it is written and as it is folded, whatever stands between its words. */
function spellings(text: string): string[] {
  return [...new Set([text.toLowerCase(), normalisedText(text)])].map((form) => wordsOf(form).join('[^a-z0-9]+'));
}

/** The ways of all terms in a folded text; where they overlap the longer counts, as `credit card` before `credit`. */
function waysIn(folded: string, scope: Scope): ReadonlySet<Found> {
  const { phrases, beginnings, endings, inner } = SCOPES[scope];
  const words = wordsOf(folded);
  const found = new Set<Found>();
  for (const [way, pattern] of inner) if (pattern.test(folded)) found.add(way);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const phrase = phrases.get(word)?.find(({ rest }) => rest.every((next, i) => words[at + 1 + i] === next));
    if (phrase) {
      found.add(phrase.way);
      at += phrase.rest.length;
    } else {
      for (const part of beginnings.get(firstLetters(word)) ?? NO_PARTS) if (part.holds(word)) found.add(part.way);
      for (const part of endings) if (part.holds(word)) found.add(part.way);
    }
  }
  return found;
}

/** The words of a folded text, of letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}
