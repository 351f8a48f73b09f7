/** The parts of a delivered row that collapsing looks at. */
export interface CollapsibleRow {
  readonly externalId: string | null;
}

/** One part of a fetch, in order: its rows come before what it removes. */
export type CollapsiblePart<Removed> =
  | { readonly kind: 'rows'; readonly rows: readonly CollapsibleRow[]; readonly removed: readonly Removed[] }
  | { readonly kind: 'restart' };

export interface Collapsed<Removed> {
  /** The rows that count, by their place among all rows since the last restart, ascending. */
  readonly kept: readonly number[];
  /** What was removed and not delivered again. */
  readonly removed: readonly Removed[];
}

/**
 * Takes the parts of a fetch one by one and keeps the last word per external id (30.7.2, step 3). Only ids are held,
 * because the rows of a long history are in a file. Rows whose ids mean nothing are all kept.
 */
export function startCollapse<Removed extends { readonly externalId: string }>(
  rowIds: 'lasting' | 'posted' | 'none',
): { take(part: CollapsiblePart<Removed>): void; finish(): Collapsed<Removed> } {
  const lastWords = new Map<string, number | Removed>();
  let withoutId: number[] = [];
  let rowCount = 0;
  return {
    take(part) {
      if (part.kind === 'restart') {
        lastWords.clear();
        withoutId = [];
        rowCount = 0;
        return;
      }
      for (const { externalId } of part.rows) {
        if (externalId === null || rowIds === 'none') withoutId.push(rowCount);
        else lastWords.set(externalId, rowCount);
        rowCount += 1;
      }
      for (const one of part.removed) lastWords.set(one.externalId, one);
    },
    finish() {
      const kept = withoutId;
      const removed: Removed[] = [];
      for (const word of lastWords.values()) {
        if (typeof word === 'number') kept.push(word);
        else removed.push(word);
      }
      return { kept: kept.sort((a, b) => a - b), removed };
    },
  };
}
