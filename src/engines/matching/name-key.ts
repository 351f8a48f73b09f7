const MARKS = /\p{M}/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const DROPPED = new Set(
  'auth authorized card checkcard debit mastercard pending pos preauth purchase recurring visa'.split(' '),
);
const MASKED_NUMBER = /^(?=.*\d)[\dx]{3,}$/;
const ENOUGH_LETTERS = 4;

/** The name key of contract 30.8.2: a bank text without card words and numbers. */
export function nameKey(text: string): string {
  const words = text
    .normalize('NFKC')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SEPARATORS, ' ')
    .trim()
    .split(' ');
  const kept = words.filter((word) => !DROPPED.has(word) && !MASKED_NUMBER.test(word));
  return (kept.length > 0 ? kept : words).join(' ');
}

/** Compatible names (30.8.2): equal keys, one inside the other with enough letters, or half of all words shared. */
export function areCompatibleKeys(one: string, other: string): boolean {
  if (one === other) return true;
  const a = new Set(one.split(' '));
  const b = new Set(other.split(' '));
  const [shorter, longer] = a.size <= b.size ? [a, b] : [b, a];
  const common = [...shorter].filter((word) => longer.has(word));
  if (common.length === shorter.size && common.join('').length >= ENOUGH_LETTERS) return true;
  return common.length * 2 >= a.size + b.size - common.length;
}
