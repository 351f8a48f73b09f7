import { meaningsOf } from './synonyms.ts';

const HEAD_BYTES = 65_536;
const HEAD_LINES = 40;
const LETTERS_ENOUGH = 20_000;
/** Different marked letters that must be met: the `³` of `12 m³` alone would be a Polish one. */
const LETTERS_MIN = 3;
/** Names that must be recognised: one alone may be chance. */
const NAMES_MIN = 2;

/** The letters beyond a to z of the languages that are written in windows-1252. */
export const WESTERN = [
  'äöüß',
  'àâçéèêëîïôùûüœæ',
  'áéíóúñü',
  'àáâãçéêíóôõúü',
  'àèéìíòóùú',
  'åäöé',
  'åæøéä',
  'áéíóúýðþæö',
  'éëïöüèêàçáó',
  'äöõüšžåé',
  'äöüàâçéèêëîïôùûœìò',
  'åäöæøéüë',
  'àèéíïòóúüçñáâãêôõ',
];
/** The same for windows-1250 and iso-8859-2. */
export const CENTRAL = ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžäľĺŕô', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț'];
const CENTRAL_LABELS = ['windows-1250', 'iso-8859-2'];
const EAST_ASIAN_LABELS = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'];

/**
 * The Central European encoding under which the marked letters are those of one language, where they belong to no
 * western one; undefined when western text explains them as well.
 */
export function centralEuropean(bytes: Uint8Array): string | undefined {
  if (coverage(bytes, 'windows-1252', WESTERN).share >= 0.9) return undefined;
  const found = CENTRAL_LABELS.map((label) => ({ label, ...coverage(bytes, label, CENTRAL) }));
  const best = found.reduce((a, b) => (b.share > a.share ? b : a));
  return best.share >= 0.97 && best.letters >= LETTERS_MIN ? best.label : undefined;
}

/** The East Asian encoding under which more names of columns are known than under any other. */
export function eastAsian(bytes: Uint8Array): string | undefined {
  const found = EAST_ASIAN_LABELS.map((label) => ({ label, names: knownNames(bytes, label) })).sort(
    (a, b) => b.names - a.names,
  );
  const [best, next] = found;
  return best && next && best.names >= NAMES_MIN && best.names > next.names ? best.label : undefined;
}

/**
 * The share of letters beyond a to z that the language which explains most of them explains. A sign behind a letter
 * counts as one that no language explains: there it is a letter of another encoding.
 */
function coverage(bytes: Uint8Array, label: string, languages: readonly string[]): { share: number; letters: number } {
  const counts = new Map<string, number>();
  let total = 0;
  const decoder = new TextDecoder(label);
  for (let at = 0; at < bytes.length && total < LETTERS_ENOUGH; at += HEAD_BYTES) {
    let previous = '';
    for (const one of decoder.decode(bytes.subarray(at, at + HEAD_BYTES)).toLowerCase()) {
      if (one >= '\u0080' && one < '\u00a0' && label !== 'windows-1252') return { share: 0, letters: 0 };
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

function knownNames(bytes: Uint8Array, label: string): number {
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return 0;
  }
  const cells = text
    .slice(0, HEAD_BYTES)
    .split(/\r\n|\r|\n/u, HEAD_LINES)
    .flatMap((line) => line.split(/[,;\t|]/u));
  const names = cells.map((cell) => cell.replaceAll('"', '').trim());
  return new Set(names.filter((name) => /[^\0-\u007f]/u.test(name) && meaningsOf(name).size > 0)).size;
}
