import { normalisedName, normalisedText } from './cell-text.ts';
import type { ColumnStats } from './column-stats.ts';

/**
 * The column that tells most about the rows: the most different texts, but words before codes, and either before what
 * never changes. Masked numbers (`**** 1234`) tell nothing.
 */
export function mostTelling(
  columns: readonly ColumnStats[],
  isFree: (column: ColumnStats, index: number) => boolean,
): number | undefined {
  let best: number | undefined;
  let bestRank: readonly number[] = [];
  columns.forEach((column, index) => {
    if (!isFree(column, index) || !holdsWords(column)) return;
    const rank = [column.sampleValues.size < 2 && column.filled > 1 ? 0 : holdsCodes(column) ? 1 : 2, column.variety];
    if (best !== undefined && !isHigher(rank, bestRank)) return;
    best = index;
    bestRank = rank;
  });
  return best;
}

/** Where something happened does not say what happened. */
export function namesPlace(header: string): boolean {
  return /\b(?:city|town|state|county|country|location|postcode|zip|ort|land|plaats|ville|pays|ciudad|kraj)\b/.test(
    normalisedText(header),
  );
}

export function endsWithDateWord(name: string): boolean {
  const last =
    normalisedName(name)
      .split(/[\s_]+/u)
      .at(-1) ?? '';
  return ['date', 'datum', 'fecha', 'data', 'dato', 'datuma', 'datetime', 'time'].includes(last);
}

function holdsWords({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].some((cell) => /\p{L}/u.test(cell));
}

/** Short words without spaces or codes in capitals, which tell nothing by themselves. */
export function holdsCodes({ sampleValues }: ColumnStats): boolean {
  return [...sampleValues].every((cell) => /^(?:\S{1,5}|[A-Z0-9_-]{6,})$/.test(cell));
}

function isHigher(rank: readonly number[], than: readonly number[]): boolean {
  for (let i = 0; i < rank.length; i++) {
    if (rank[i] !== than[i]) return (rank[i] as number) > (than[i] as number);
  }
  return false;
}
