import { decimalByVotes } from './settle-decimal.ts';
import type { TableStats } from './column-stats.ts';
import { NumberCell } from './numbers.ts';
import { openRecords } from './table.ts';
import type { Table } from './table.ts';

const MAX_COLUMNS = 6;

/**
 * Among number columns without a known name, the pair of which one is the running balance of the other: from row to
 * row it changes by the amount of one of the two rows. Undefined without such a pair.
 */
export function chainingColumns(
  table: Table,
  stats: TableStats,
  candidates: readonly number[],
): { amount: number; balance: number } | undefined {
  const columns = candidates.slice(0, MAX_COLUMNS);
  if (columns.length < 2) return undefined;
  const decimal = decimalByVotes(columns.flatMap((index) => stats.columns[index] ?? [])).detection.value;
  const reader = openRecords(table);
  const number = new NumberCell();
  const hits = new Map<string, number>();
  let links = 0;
  let previous: number[] | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const values = columns.map((index) => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN));
    if (values.some(Number.isNaN)) continue;
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
  return { amount: columns[amount] as number, balance: columns[balance] as number };
}
