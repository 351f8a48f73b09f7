import { NumberCell } from '../cells/numbers.ts';
import { openRecords } from '../cells/table.ts';
import type { Table } from '../cells/table.ts';
import { decimalByVotes } from './decimal.ts';
import { decimalVotes } from './column-stats.ts';
import type { TableStats } from './column-stats.ts';

const MOST_CHAINED = 6;

/**
 * Among number columns without a known name, the pair in which one is the running balance of the other: from row to
 * row it changes by the amount of one of the two rows. Undefined without such a pair.
 */
export function chainingColumns(
  table: Table,
  stats: TableStats,
  candidates: readonly number[],
): { amount: number; balance: number } | undefined {
  const columns = candidates.slice(0, MOST_CHAINED);
  if (columns.length < 2) return undefined;
  const all = columns.flatMap((index) => stats.columns[index] ?? []);
  const { point, comma } = decimalVotes(all);
  // `3.665` is a number under either separator, but has no hundredths under one of them.
  const decimals = point + comma === 0 ? (['.', ','] as const) : [decimalByVotes(all).detection.value];
  for (const decimal of decimals) {
    const found = chainedUnder(decimal, table, columns);
    if (found) return found;
  }
  return undefined;
}

function chainedUnder(
  decimal: '.' | ',',
  table: Table,
  columns: readonly number[],
): { amount: number; balance: number } | undefined {
  const reader = openRecords(table);
  const number = new NumberCell();
  const hits = new Map<string, number>();
  const turns = new Turns(columns.length);
  let links = 0;
  let previous: number[] | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const values = columns.map((index) => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN));
    if (values.some(Number.isNaN)) continue;
    turns.note(values);
    if (previous) {
      links++;
      for (let balance = 0; balance < columns.length; balance++) {
        const step = Math.abs((values[balance] as number) - (previous[balance] as number));
        for (let amount = 0; amount < columns.length; amount++) {
          if (amount === balance) continue;
          if (step === Math.abs(values[amount] as number))
            hits.set(`${amount} ${balance} after`, (hits.get(`${amount} ${balance} after`) ?? 0) + 1);
          if (step === Math.abs(previous[amount] as number))
            hits.set(`${amount} ${balance} before`, (hits.get(`${amount} ${balance} before`) ?? 0) + 1);
        }
      }
    }
    previous = values;
  }
  const best = [...hits].sort((a, b) => b[1] - a[1])[0];
  if (!best || links < 2 || best[1] < links * 0.9) return undefined;
  const [amount, balance] = best[0].split(' ').map(Number) as [number, number];
  if (columns.some((_, i) => i !== balance && turns.areTaken(amount, i))) return undefined;
  return { amount: columns[amount] as number, balance: columns[balance] as number };
}

/** Which columns have money in different rows, as money out and in do: even one such row counts. */
class Turns {
  readonly #alone: Uint8Array;
  readonly #together: Uint8Array;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
    this.#alone = new Uint8Array(count * count);
    this.#together = new Uint8Array(count * count);
  }

  note(values: readonly number[]): void {
    for (let a = 0; a < this.#count; a++) {
      for (let b = 0; b < this.#count; b++) {
        if (values[b] === 0) continue;
        (values[a] === 0 ? this.#alone : this.#together)[a * this.#count + b] = 1;
      }
    }
  }

  /** True when the second has money only where the first is zero. */
  areTaken(first: number, second: number): boolean {
    const place = first * this.#count + second;
    return this.#alone[place] === 1 && this.#together[place] === 0;
  }
}
