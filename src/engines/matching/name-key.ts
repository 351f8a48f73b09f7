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

export type Similarity = 'equal' | 'compatible' | null;

interface Named {
  readonly name: string;
  readonly merchantName: string | null;
}

const KEYS_REMEMBERED = 50_000;

/** Compares what two rows are called: their merchants where both name one, else their texts (30.8.2). */
export function similarityOf(): (one: Named, other: Named) => Similarity {
  const keys = new Map<string, string>();
  const keyOf = (text: string): string => {
    let key = keys.get(text);
    if (key !== undefined) return key;
    key = nameKey(text);
    if (keys.size < KEYS_REMEMBERED) keys.set(text, key);
    return key;
  };
  return (one, other) => {
    if (one.name === other.name) return 'equal';
    const byMerchant = one.merchantName !== null && other.merchantName !== null;
    const a = keyOf(byMerchant ? one.merchantName : one.name);
    const b = keyOf(byMerchant ? other.merchantName : other.name);
    if (a === b) return 'equal';
    return areCompatibleKeys(a, b) ? 'compatible' : null;
  };
}
