/** Primary texts that contain a dependent text or are within it, by the dependent text; equal ones are left out. */
export type Containments = ReadonlyMap<number, readonly number[]>;

type Texts = ReadonlyMap<number, string>;

/** Up to this many comparisons are made one by one. */
const COMPARED = 10_000;
const PREFIX = 4;

export function containmentsOf(
  primary: readonly (number | null)[],
  dependent: readonly (number | null)[],
  texts: Texts,
): Containments {
  const [ours, theirs] = [distinct(primary, texts), distinct(dependent, texts)];
  const found = new Map<number, number[]>();
  const note = (one: number, other: number): void => {
    const known = found.get(other);
    if (known) known.push(one);
    else found.set(other, [one]);
  };
  if (ours.size * theirs.size <= COMPARED) compareAll(ours, theirs, note);
  else {
    findWithin(theirs, ours, (outer, inner) => note(inner, outer));
    findWithin(ours, theirs, (outer, inner) => note(outer, inner));
  }
  return found;
}

/** Folded texts by what they stand for, without the empty one. */
function distinct(ids: readonly (number | null)[], texts: Texts): Texts {
  const found = new Map<number, string>();
  for (const id of ids) {
    const text = id === null ? '' : (texts.get(id) ?? '');
    if (id !== null && text !== '') found.set(id, text);
  }
  return found;
}

function compareAll(ours: Texts, theirs: Texts, note: (one: number, other: number) => void): void {
  for (const [other, theirText] of theirs) {
    for (const [one, ourText] of ours) {
      if (one !== other && (ourText.includes(theirText) || theirText.includes(ourText))) note(one, other);
    }
  }
}

/**
 * Calls `note` for each inner text that is part of an outer one. Looks the beginnings of inner texts up at every place
 * of each outer text, so the cost grows with their lengths, not with the number of pairs.
 */
function findWithin(outer: Texts, inner: Texts, note: (outer: number, inner: number) => void): void {
  const idOf = new Map([...inner].map(([id, text]) => [text, id]));
  const lengths = new Map<string, Set<number>>();
  for (const text of idOf.keys()) {
    const prefix = text.slice(0, PREFIX);
    lengths.set(prefix, (lengths.get(prefix) ?? new Set()).add(text.length));
  }
  for (const [id, text] of outer) {
    const seen = new Set<number>([id]);
    for (let start = 0; start < text.length; start += 1) {
      for (let size = 1; size <= PREFIX && start + size <= text.length; size += 1) {
        for (const length of lengths.get(text.slice(start, start + size)) ?? []) {
          const part = idOf.get(text.slice(start, start + length));
          if (part === undefined || seen.has(part) || start + length > text.length) continue;
          seen.add(part);
          note(id, part);
        }
      }
    }
  }
}
