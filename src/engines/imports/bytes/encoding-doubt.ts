import { decoderOf, isDosCodePage } from './dos-code-pages.ts';
import {
  BALTIC,
  CENTRAL,
  CENTRAL_LABELS,
  ICELANDIC,
  TURKISH,
  WESTERN,
  explainsMore,
  possibleDosCodePages,
} from './encoding-by-text.ts';
import { spelledWords } from './encoding-by-words.ts';

/** All letters of the languages of a region at once, for a text with names from several of them. */
const ALL_WESTERN = [WESTERN.join('')];
const ALL_CENTRAL = [`${CENTRAL.join('')}äöüß`];

/** Another encoding that a text may be in which looks western at first sight. */
interface Other {
  readonly label: string;
  /** The languages that are written in it. */
  readonly languages: readonly string[];
  /** The same with their letters mixed, where no single language fits. */
  readonly mixed: readonly string[];
}

const OTHERS: readonly Other[] = [
  { label: 'windows-1250', languages: CENTRAL, mixed: ALL_CENTRAL },
  { label: 'iso-8859-2', languages: CENTRAL, mixed: ALL_CENTRAL },
  { label: 'windows-1254', languages: TURKISH, mixed: TURKISH },
  { label: 'windows-1257', languages: BALTIC, mixed: BALTIC },
  // The places of the letters tell enough: few texts look like one of an old Macintosh.
  { label: 'macintosh', languages: ALL_WESTERN, mixed: ALL_WESTERN },
];
const DOS: readonly Other[] = [
  { label: 'ibm850', languages: WESTERN, mixed: ALL_WESTERN },
  { label: 'ibm852', languages: CENTRAL, mixed: ALL_CENTRAL },
];
/** Turkish and Baltic letters are at the places of ð, ý and þ, which only Icelandic has. */
const LIKE_ICELANDIC = OTHERS.filter(({ languages }) => languages === TURKISH || languages === BALTIC);
const OTHER_WESTERN = WESTERN.filter((letters) => letters !== ICELANDIC);
const SCANNED_BYTES = 1_048_576;

/** Signs that do stand within words (apostrophes, hyphens, middle dots), and those that never begin or end one. */
const SIGNS_IN_WORDS = new Set('\u2019\u00b4\u00ad\u00b7');
const SIGNS_BEHIND_WORDS = new Set('£¥¯³¹¼¾®©¬¦±¶¤¢\u2026\u2122');
const SIGNS_BEFORE_WORDS = new Set('¢¤¦\u2014\u201a\u201e\u2039\u02c6\u2020\u2021\u2030');
/** French words have û before these; before others it is a Hungarian letter read wrongly. */
const BEHIND_CIRCUMFLEX = new Set('tlrmckdnsi ');

/** The encodings that a text may be in although it looks like `found`: nobody can tell, so it is asked about. */
export function otherEncodings(bytes: Uint8Array, found: string): string[] {
  const words = spelledWords(bytes, found);
  const spelled = [...DOS, ...OTHERS].map(({ label }) => label).filter((label) => spelledWords(bytes, label) > words);
  return [...new Set([...byLetters(bytes, found), ...spelled])];
}

/**
 * Those in which every marked letter fits one language and its word. Empty where `found` fits too, except that a DOS
 * code page also has letters where old Macintosh files have theirs.
 */
function byLetters(bytes: Uint8Array, found: string): string[] {
  const part = bytes.subarray(0, SCANNED_BYTES);
  const own = decoderOf(found).decode(part);
  const isDos = isDosCodePage(found);
  const isWestern = found === 'windows-1252' || found === 'iso-8859-15';
  const languages = OTHERS.find(({ label }) => label === found)?.languages ?? WESTERN;
  if (!isDos && fits(own, languages, isWestern)) {
    const isIcelandic = isWestern && !fits(own, OTHER_WESTERN, true);
    return isIcelandic ? fitting(LIKE_ICELANDIC, part, own, 'languages') : [];
  }
  const isOpen = isDos || isWestern;
  const pages = isOpen ? possibleDosCodePages(bytes).filter((label) => decoderOf(label).decode(part) !== own) : [];
  const others = OTHERS.filter(({ label }) => label !== found && (!isDos || label === 'macintosh'));
  const likely = [...pages, ...fitting(others, part, own, 'languages')];
  if (likely.length > 0 || !isWestern) return likely;
  const mixed = fitting([...DOS, ...OTHERS], part, own, 'mixed');
  if (!fits(own, ALL_WESTERN, true)) return mixed;
  return mixed.filter((label) => CENTRAL_LABELS.includes(label) && explainsMore(part, label));
}

/** The encodings that give a text which fits, and which none before them gives. */
function fitting(others: readonly Other[], part: Uint8Array, own: string, letters: 'languages' | 'mixed'): string[] {
  const readings = new Set([own]);
  const found = others.filter((other) => {
    const text = decoderOf(other.label).decode(part);
    if (readings.has(text) || !fits(text, other[letters], false)) return false;
    readings.add(text);
    return true;
  });
  return found.map(({ label }) => label);
}

/** True when one language has all marked letters, and each stands where its case and its neighbours allow it. */
function fits(text: string, languages: readonly string[], isWestern: boolean): boolean {
  const letters = new Set<string>();
  for (const { index } of text.matchAll(/[\u0080-\uffff]/gu)) {
    const one = text.charAt(index);
    const [before, after] = [text.charAt(index - 1), text.charAt(index + 1)];
    if (!/\p{L}/u.test(one)) {
      // A space that does not break stands between words; between small letters it may be an á of DOS.
      const isInWord = one === '\u00a0' ? isSmall(before) && isSmall(after) : !SIGNS_IN_WORDS.has(one);
      const isWithin = isLetter(before) && isLetter(after) && isInWord;
      const isMisplaced = /[\p{L}\u00a1-\uffff]/u.test(after)
        ? SIGNS_BEHIND_WORDS.has(one)
        : isLetter(before) && SIGNS_BEFORE_WORDS.has(one);
      if (one < '\u00a0' || isWithin || isMisplaced) return false;
      continue;
    }
    if (one === 'ª' || one === 'º') continue;
    const small = one.toLowerCase();
    const isCapital = small !== one;
    const isAmongCapitals = isCapitals(before) && (isCapitals(after) || isCapitals(text.slice(index - 3, index - 1)));
    // A QIF line has its code right before the text.
    const isSecond = isCapitals(before) && isSmall(after) && !/^[\r\n]?$/.test(text.charAt(index - 2));
    const isBesideSmall = isSmall(before) || isSecond;
    if (isCapital ? isBesideSmall : isAmongCapitals) return false;
    if (isWestern && !isWesternUse(small, after.toLowerCase())) return false;
    letters.add(small);
  }
  // Danish has æ beside ø and å; a Polish Ć is the same byte.
  if (isWestern && [...letters].join('') === 'æ' && !text.includes('æ')) return false;
  return languages.some((language) => [...letters].every((letter) => language.includes(letter)));
}

function isWesternUse(letter: string, after: string): boolean {
  if (letter === 'õ') return after === 'e';
  return letter !== 'û' || BEHIND_CIRCUMFLEX.has(after) || after === '';
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isSmall(character: string): boolean {
  return /\p{Ll}/u.test(character);
}

function isCapitals(text: string): boolean {
  return /^\p{Lu}+$/u.test(text);
}
