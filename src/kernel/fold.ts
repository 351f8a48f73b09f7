// oxlint-disable-next-line no-misleading-character-class -- ranges that hold marks and nothing else
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const MAPPED = /[ßæœøđðłþħıς‘’“”‐‑–—]/g;
const MAP: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};
// eslint-disable-next-line no-control-regex
const PLAIN = /^[\x21-\x40\x5b-\x7e]+(?: [\x21-\x40\x5b-\x7e]+)*$/;

/**
 * Folds a text for search, comparison and name sorting (contract 10.1.5): NFKD, lower case, marks removed,
 * look-alike letters and quotes mapped, white space collapsed. Computed here so that both databases agree.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(MAPPED, (letter) => MAP[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Orders two texts code point by code point, as `collate "C"` on UTF-8 does; JS `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const xSurrogate = x >= 0xd800 && x <= 0xdfff;
      const ySurrogate = y >= 0xd800 && y <= 0xdfff;
      return xSurrogate === ySurrogate ? x - y : xSurrogate ? 1 : -1;
    }
  }
  return a.length - b.length;
}
