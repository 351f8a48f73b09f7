/** The known name with the smallest edit distance. */
export function nearest(name: string, known: readonly string[]): string {
  let best = known[0] ?? '';
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** A longer name is not a typing mistake. */
const TYPED_CHARS = 100;

/** What other programs, or other lists of this one, call the same thing. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['q', 'search'],
  ['query', 'search'],
  ['date_from', 'from'],
  ['start_date', 'from'],
  ['since', 'from'],
  ['date_to', 'to'],
  ['end_date', 'to'],
  ['until', 'to'],
  ['page_size', 'limit'],
  ['per_page', 'limit'],
]);

/** The known name that was probably meant: it is called so elsewhere, differs by a few letters, or contains this word. */
export function probablyMeant(name: string, known: readonly string[]): string | undefined {
  if (name.length > TYPED_CHARS) return undefined;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  const other = OTHER_NAMES.get(plain);
  if (other !== undefined && known.includes(other)) return other;
  const close = nearest(plain, known);
  if (known.length > 0 && editDistance(plain, close) <= Math.floor(plain.length / 3)) return close;
  return plain === '' ? undefined : known.find((one) => `_${one}_`.includes(`_${plain}_`));
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_value, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous.at(-1) as number;
}
