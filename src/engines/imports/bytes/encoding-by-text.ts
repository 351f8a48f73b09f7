import { dosCharacter } from './dos-code-pages.ts';
import { spelledWords } from './encoding-by-words.ts';

const PIECE_BYTES = 65_536;
const LETTERS_ENOUGH = 20_000;

/** Different accented letters that must occur: alone, the `³` of `12 m³` would be a Polish letter. */
const LETTERS_MIN = 3;
/** Share of the marked letters that one language must explain. */
const EXPLAINED = 0.97;
/** Share of the marked letters that one language must explain beside names from elsewhere, and by how much more. */
const MOSTLY = 0.8;
const CLEARLY = 0.2;

export const ICELANDIC = 'áéíóúýðþæö';
/** The letters beyond a to z of the languages that are written in windows-1252. */
export const WESTERN = [
  'äöüßé',
  'àâçéèêëîïôùûüœæ',
  'áéíóúñü',
  'àáâãçéêíóôõúü',
  'àèéìíòóùú',
  'åäöé',
  'åæøéä',
  ICELANDIC,
  'éëïöüèêàçáó',
  'äöõüšžåé',
  'äöüàâçéèêëîïôùûœìò',
  'åäöæøéüë',
  'àèéíïòóúüçñáâãêôõ',
];
/** The same for windows-1250 and iso-8859-2. */
export const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžäľĺŕô', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț'];
export const CENTRAL_LABELS: readonly string[] = ['windows-1250', 'iso-8859-2'];
/** The same for windows-1254, with the small form that JavaScript gives İ, and for windows-1257. */
export const TURKISH = ['çğıöşüâîûi\u0307'];
export const BALTIC = ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'];

/** Share of the marked letters from which on western text explains them. */
const WESTERN_ENOUGH = 0.9;

/** The encoding of another part of Europe under which the marked letters are those of one language. */
export function regionalEncoding(bytes: Uint8Array): string | undefined {
  const western = coverage(bytes, 'windows-1252', WESTERN).share;
  return turkishOrBaltic(bytes, western) ?? (western < WESTERN_ENOUGH ? centralEuropean(bytes) : undefined);
}

function centralEuropean(bytes: Uint8Array): string | undefined {
  const found = CENTRAL_LABELS.map((label) => ({ label, ...coverage(bytes, label, CENTRAL) }));
  const best = found.reduce((a, b) => (b.share > a.share ? b : a));
  return best.share >= EXPLAINED && best.letters >= LETTERS_MIN ? best.label : undefined;
}

/** These languages have many letters at the places of others, so words decide where both fit. */
function turkishOrBaltic(bytes: Uint8Array, western: number): string | undefined {
  const spellsMore = (label: string, other: string): boolean => spelledWords(bytes, label) > spelledWords(bytes, other);
  const regions = [
    ['windows-1254', TURKISH],
    ['windows-1257', BALTIC],
  ] as const;
  return regions.find(([label, languages]) => {
    if (western >= WESTERN_ENOUGH && !spellsMore(label, 'windows-1252')) return false;
    const { share, letters } = coverage(bytes, label, languages);
    if (share < EXPLAINED || letters < LETTERS_MIN) return false;
    return CENTRAL_LABELS.every(
      (other) => coverage(bytes, other, CENTRAL).share < WESTERN_ENOUGH || spellsMore(label, other),
    );
  })?.[0];
}

/**
 * True when one language of an encoding explains most of the marked letters and no western one does: names from
 * elsewhere are among them.
 */
export function explainsMore(bytes: Uint8Array, label: string): boolean {
  const western = coverage(bytes, 'windows-1252', WESTERN).share;
  const central = coverage(bytes, label, CENTRAL);
  return central.letters >= LETTERS_MIN && central.share >= MOSTLY && central.share >= western + CLEARLY;
}

/**
 * The share of letters beyond a to z that the best fitting language explains. A sign after a letter counts as
 * unexplained: there it is a letter of another encoding.
 */
function coverage(bytes: Uint8Array, label: string, languages: readonly string[]): { share: number; letters: number } {
  const counts = new Map<string, number>();
  let total = 0;
  const decoder = new TextDecoder(label);
  for (let at = 0; at < bytes.length && total < LETTERS_ENOUGH; at += PIECE_BYTES) {
    let previous = '';
    for (const one of decoder.decode(bytes.subarray(at, at + PIECE_BYTES)).toLowerCase()) {
      if (one === '\ufffd' || (one >= '\u0080' && one < '\u00a0' && label !== 'windows-1252'))
        return { share: 0, letters: 0 };
      const isSign = one >= '\u0080' && !/\p{L}/u.test(one);
      if (one >= '\u0080' && (!isSign || ('¯³¹¼¾¿±¶¡¦¬'.includes(one) && /\p{L}/u.test(previous)))) {
        total++;
        counts.set(one, (counts.get(one) ?? 0) + 1);
      }
      previous = one;
    }
  }
  if (total === 0) return { share: 1, letters: 0 };
  const held = languages.map((letters) => [...letters].reduce((sum, one) => sum + (counts.get(one) ?? 0), 0));
  return { share: Math.max(...held) / total, letters: counts.size };
}

/** Signs that occur in texts of any language, and those that only occur apart from words. */
const SIGNS = new Set('§°ªº¿¡«»·\u00a0');
const SIGNS_APART = new Set('£¢¥½¼¾¹²³±¬µ×÷®©');
/** Marked letters among those of the words that have some: about one in five; of two-byte scripts half or more. */
const DENSE = 0.4;

/** Letters of windows-1252 below 0xC0, and signs that do stand within words there: quotes, dashes, dots, spaces. */
const IN_WORDS_1252 = new Set([
  0x83, 0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f, 0xaa, 0xb5, 0xba, 0x85, 0x91, 0x92, 0x95, 0x96, 0x97, 0xa0, 0xad,
  0xb4, 0xb7,
]);

/** Code page 437 has the letters of 850 at the same places, and fewer of them. */
const PAGES = [
  ['ibm850', WESTERN],
  ['ibm852', CENTRAL],
] as const;

/**
 * The DOS code page of a text: its words contain bytes that are not letters in windows-1252, and under the code page
 * all accented letters belong to one language. Undefined for any other text.
 */
export function dosCodePage(bytes: Uint8Array): string | undefined {
  const facts = highBytes(bytes);
  if (facts.telltales === 0 || facts.marked > facts.inWords * DENSE) return undefined;
  let best: string | undefined;
  let highest = 0;
  for (const [label, languages] of PAGES) {
    const share = hasSmallAmongCapitals(facts, label) ? 0 : explained(facts, label, languages);
    if (share >= EXPLAINED && share > highest) [best, highest] = [label, share];
  }
  return best;
}

/** The DOS code pages under which the marked letters of a text belong to one language: worth offering in a question. */
export function possibleDosCodePages(bytes: Uint8Array): string[] {
  return codePagesThatExplain(bytes, (languages) => languages);
}

/** The same where names of several languages of a region stand together: enough for a file that is asked about anyway. */
export function conceivableDosCodePages(bytes: Uint8Array): string[] {
  return codePagesThatExplain(bytes, (languages) => [[...new Set(`${languages.join('')}äöüß`)].join('')]);
}

function codePagesThatExplain(
  bytes: Uint8Array,
  alphabetsOf: (languages: readonly string[]) => readonly string[],
): string[] {
  const facts = highBytes(bytes);
  return PAGES.filter(([label, languages]) => explained(facts, label, alphabetsOf(languages)) >= EXPLAINED).map(
    ([label]) => label,
  );
}

interface HighBytes {
  /** How often each byte occurs, how often between two small letters or two capitals, and how often beside a letter. */
  readonly counts: Uint32Array;
  readonly between: Uint32Array;
  readonly amongCapitals: Uint32Array;
  readonly beside: Uint32Array;
  /** Bytes within words that are not letters in windows-1252. */
  telltales: number;
  /** Bytes above 127 in words, and all letters of the words that have such a byte. */
  marked: number;
  inWords: number;
}

function highBytes(bytes: Uint8Array): HighBytes {
  const facts: HighBytes = {
    counts: new Uint32Array(256),
    between: new Uint32Array(256),
    amongCapitals: new Uint32Array(256),
    beside: new Uint32Array(256),
    telltales: 0,
    marked: 0,
    inWords: 0,
  };
  let letters = 0;
  let marked = 0;
  for (let i = 0; i <= bytes.length; i++) {
    const byte = i < bytes.length ? (bytes[i] as number) : 0;
    if (byte >= 128) {
      marked++;
      note(facts, byte, bytes[i - 1] ?? 0, bytes[i + 1] ?? 0);
    } else if (isLetter(byte)) letters++;
    else {
      if (marked > 0) {
        facts.marked += marked;
        facts.inWords += marked + letters;
      }
      letters = 0;
      marked = 0;
    }
  }
  return facts;
}

function note(facts: HighBytes, byte: number, before: number, after: number): void {
  facts.counts[byte] = (facts.counts[byte] as number) + 1;
  if (isSmall(before) && isSmall(after)) facts.between[byte] = (facts.between[byte] as number) + 1;
  if (isCapital(before) && isCapital(after)) facts.amongCapitals[byte] = (facts.amongCapitals[byte] as number) + 1;
  const [isBehind, isBefore] = [isLetter(before) || before >= 128, isLetter(after) || after >= 128];
  if (isBehind || isBefore) facts.beside[byte] = (facts.beside[byte] as number) + 1;
  if (isBehind && isBefore && byte < 0xc0 && !IN_WORDS_1252.has(byte)) facts.telltales++;
}

/** The share of the marked letters that one of the languages explains; 0 where capitals stand among small letters. */
function explained({ counts, between, beside }: HighBytes, label: string, languages: readonly string[]): number {
  const times = new Map<string, number>();
  let total = 0;
  for (let byte = 128; byte < 256; byte++) {
    const count = counts[byte] as number;
    if (count === 0) continue;
    const character = dosCharacter(label, byte);
    if (SIGNS.has(character) || (SIGNS_APART.has(character) && beside[byte] === 0)) continue;
    const small = character.toLowerCase();
    if (small !== character && (between[byte] as number) > 0) return 0;
    total += count;
    times.set(small, (times.get(small) ?? 0) + count);
  }
  const held = languages.map((letters) => [...letters].reduce((sum, one) => sum + (times.get(one) ?? 0), 0));
  return total === 0 ? 0 : Math.max(...held) / total;
}

/** True when a letter is small among capitals, as in a text of another encoding. */
function hasSmallAmongCapitals({ amongCapitals }: HighBytes, label: string): boolean {
  return amongCapitals.some((times, byte) => {
    if (times === 0) return false;
    const character = dosCharacter(label, byte);
    return character !== character.toUpperCase();
  });
}

function isCapital(byte: number): boolean {
  return byte >= 65 && byte <= 90;
}

function isSmall(byte: number): boolean {
  return byte >= 97 && byte <= 122;
}

function isLetter(byte: number): boolean {
  return isSmall(byte | 32) && byte < 128;
}
