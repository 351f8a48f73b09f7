/** More would not narrow the candidates further. */
const MOST_INNER = 8;
const SURROGATE = /[\ud800-\udfff]/;
const RUNS = /[\p{L}\p{N}]+/gu;

/**
 * The trigram set of a folded text (contract 10.4.2): every maximal run of letters and digits, padded with two
 * spaces in front and one behind, cut into all its substrings of three characters.
 */
export function trigramsOf(folded: string): Set<string> {
  const found = new Set<string>();
  for (const run of folded.match(RUNS) ?? []) addTrigrams(found, `  ${run} `);
  return found;
}

/** Code points, not UTF-16 units; nearly all texts have no surrogates and take the short way. */
function addTrigrams(found: Set<string>, padded: string): void {
  if (!SURROGATE.test(padded)) {
    for (let i = 0; i + 3 <= padded.length; i++) found.add(padded.slice(i, i + 3));
    return;
  }
  const letters = [...padded];
  for (let i = 0; i + 3 <= letters.length; i++) found.add(letters.slice(i, i + 3).join(''));
}

/** The padded runs in one text, whose substrings of three characters are the trigram set and others outside it. */
export function paddedRuns(folded: string): string {
  return (folded.match(RUNS) ?? []).map((run) => `  ${run} `).join('');
}

/** Trigrams inside the runs of a folded term: any text that contains the term has them all. At most eight. */
export function innerTrigrams(folded: string): string[] {
  const found = new Set<string>();
  for (const [run] of folded.matchAll(RUNS)) {
    const letters = [...run];
    for (let i = 0; i + 3 <= letters.length && found.size < MOST_INNER; i++)
      found.add(letters.slice(i, i + 3).join(''));
  }
  return [...found];
}

/** Similarity of at least 0.3, compared exactly (contract 10.4.2); two empty sets are not similar. */
export function areSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const trigram of a) if (b.has(trigram)) shared += 1;
  return shared > 0 && 10 * shared >= 3 * (a.size + b.size - shared);
}

/** The most trigrams that a text can have if it is similar to one with `size` trigrams and shares only so many. */
export function largestSimilar(size: number, shared: number): number {
  return Math.floor((13 * shared - 3 * size) / 3);
}
