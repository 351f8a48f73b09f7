import type { Confidence, MappingSource } from '../analysis.ts';
import { isNumberColumnByName } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import type { Mapping } from './mapping.ts';
import { meaningsOf } from '../lexicon/synonyms.ts';
import type { Field, Meaning } from '../lexicon/synonyms.ts';
import type { Table } from '../cells/table.ts';

/** Which columns the fields have claimed so far, and which fields accept no further claim. */
export class ColumnClaims {
  readonly mapping: Mapping = new Map();
  readonly table: Table;
  readonly stats: TableStats;
  readonly columns: readonly ColumnStats[];
  readonly completeRecords: number;
  readonly #claimed = new Set<number>();
  readonly #closed = new Set<Field>();
  readonly #meanings: readonly ReadonlyMap<Meaning, number>[];

  constructor(table: Table, stats: TableStats) {
    this.table = table;
    this.stats = stats;
    this.columns = stats.columns;
    this.completeRecords = stats.completeRecords;
    this.#meanings = withSharedNames(
      table.headers.map((name) => (table.headerLine === null ? new Map() : meaningsOf(name))),
      table,
      stats.columns,
    );
  }

  claim(field: Field, columns: readonly number[], confidence: Confidence, source: MappingSource): void {
    this.mapping.set(field, { columns, confidence, source });
    for (const column of columns) this.#claimed.add(column);
  }

  /** Takes the field out of the mapping; its columns stay claimed. */
  release(field: Field): void {
    this.mapping.delete(field);
  }

  /** Lets no later step claim a column for the field. */
  close(...fields: readonly Field[]): void {
    for (const field of fields) this.#closed.add(field);
  }

  isClosed(field: Field): boolean {
    return this.#closed.has(field);
  }

  /** True while a step may still claim a column for the field. */
  isOpen(field: Field): boolean {
    return !this.#closed.has(field) && !this.mapping.has(field);
  }

  isClaimed(index: number): boolean {
    return this.#claimed.has(index);
  }

  /** The first column of the field. */
  indexOf(field: Field): number | undefined {
    return this.mapping.get(field)?.columns[0];
  }

  columnOf(field: Field): ColumnStats | undefined {
    return this.columns[this.indexOf(field) ?? -1];
  }

  /** What the column's name may mean, each with its rank: 0 is the best name. */
  meaningsAt(index: number): ReadonlyMap<Meaning, number> | undefined {
    return this.#meanings[index];
  }

  /** True for a column whose name says nothing but perhaps a direction. */
  isNameless(index: number): boolean {
    const meanings = this.#meanings[index];
    return !meanings || meanings.size === 0 || (meanings.size === 1 && meanings.has('direction'));
  }

  /** Indexes of the unclaimed columns that pass, from left to right. */
  free(test: (column: ColumnStats, index: number) => boolean): number[] {
    return [...this.columns.keys()].filter((i) => !this.#claimed.has(i) && test(this.columns[i] as ColumnStats, i));
  }

  firstFree(test: (column: ColumnStats, index: number) => boolean): number | undefined {
    const index = this.columns.findIndex((column, i) => !this.#claimed.has(i) && test(column, i));
    return index < 0 ? undefined : index;
  }

  /** The unclaimed column whose name is the best for a meaning, among those that pass. */
  best(meaning: Meaning, passes: (column: ColumnStats) => boolean): number | undefined {
    let best: number | undefined;
    let bestRank = Infinity;
    this.#meanings.forEach((meanings, index) => {
      const rank = meanings.get(meaning);
      const column = this.columns[index];
      if (rank === undefined || rank >= bestRank || column === undefined || this.#claimed.has(index) || !passes(column))
        return;
      best = index;
      bestRank = rank;
    });
    return best;
  }

  /** The best column by name that holds anything at all, for the first of the meanings that has one. */
  bestRegardless(meanings: readonly Meaning[]): number | undefined {
    for (const meaning of meanings) {
      const index = this.best(meaning, (column) => column.filled > 0);
      if (index !== undefined) return index;
    }
    return undefined;
  }
}

/**
 * A name of money above two columns, as in `Change,,Balance,`: where the column below it holds only currencies and the
 * next has numbers and no name, the numbers are meant, and the first such column is their currency.
 */
function withSharedNames(
  meanings: readonly ReadonlyMap<Meaning, number>[],
  { headers }: Table,
  columns: readonly ColumnStats[],
): readonly ReadonlyMap<Meaning, number>[] {
  const out = [...meanings];
  meanings.forEach((meaning, i) => {
    const [own, next] = [columns[i], columns[i + 1]];
    if (!own || !next || (headers[i + 1] ?? '').trim() !== '') return;
    if (!meaning.has('amount') && !meaning.has('balance')) return;
    if (own.currencies === 0 || own.currencies < own.filled * 0.9 || !isNumberColumnByName(next)) return;
    out[i] = new Map(meaning.has('amount') ? [['currency', 0]] : []);
    out[i + 1] = meaning;
  });
  return out;
}
