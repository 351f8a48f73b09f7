/** A field that this person and somebody else have changed in different ways. */
export interface FieldConflict {
  mine: unknown;
  theirs: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
export type FieldConflicts = Readonly<Record<string, FieldConflict>>;

/** What only one side changed is taken from that side; where both did, mine stays until the person has chosen. */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields): { values: Fields; conflicts: FieldConflicts } {
  const values: Record<string, unknown> = {};
  const conflicts: Record<string, FieldConflict> = {};
  for (const name of Object.keys(mine)) {
    const isMine = !isSame(mine[name], base[name]);
    const isTheirs = name in theirs && !isSame(theirs[name], base[name]);
    values[name] = isTheirs && !isMine ? theirs[name] : mine[name];
    if (isMine && isTheirs && !isSame(mine[name], theirs[name])) {
      conflicts[name] = { mine: mine[name], theirs: theirs[name] };
    }
  }
  return { values, conflicts };
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
