import type { BuiltInProfile } from './built-in-profiles.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { decimalByVotes } from './settle-decimal.ts';
import { NumberCell } from './numbers.ts';
import { openRecords } from './table.ts';
import type { Table } from './table.ts';

/** The built-in profile of files without header whose columns have the shape of this one (36.13). */
export function matchShape(
  table: Table,
  stats: TableStats,
  profiles: readonly BuiltInProfile[],
): BuiltInProfile | undefined {
  for (const profile of profiles) {
    for (const shape of profile.shape ?? []) {
      if (shape.length !== table.width) continue;
      if (![...shape].every((letter, i) => fits(letter, stats.columns[i] as ColumnStats, stats.records))) continue;
      if (!shape.includes('N') || balancesChain(table, stats, shape)) return profile;
    }
  }
  return undefined;
}

function fits(letter: string, column: ColumnStats, records: number): boolean {
  const { filled } = column;
  switch (letter) {
    case 'd':
      return column.dates >= records * 0.9;
    case 'n':
      return column.numbers >= records * 0.9;
    case 'N':
      return column.letters === 0 && column.numbers === filled && filled < records;
    case 't':
      return column.letters > 0 && column.letters >= filled * 0.5;
    case 'r':
      return (
        filled >= records * 0.9 &&
        column.withDigit === filled &&
        column.numbers < filled &&
        column.variety >= filled * 0.99 &&
        [...column.sampleValues].every((cell) => !cell.includes(' '))
      );
    case '*':
      return filled === records && column.sampleValues.size === 1 && column.sampleValues.has('*');
    case '-':
      return filled === 0;
    default:
      return true;
  }
}

/** True when each balance differs from its neighbour's by what the row moved, in either direction of time. */
function balancesChain(table: Table, stats: TableStats, shape: string): boolean {
  const [out, into] = [shape.indexOf('N'), shape.lastIndexOf('N')];
  const balance = shape.lastIndexOf('n');
  const decimal = decimalByVotes([out, into, balance].map((i) => stats.columns[i] as ColumnStats)).detection.value;
  const reader = openRecords(table);
  const number = new NumberCell();
  const read = (index: number): number => (number.read(reader.cell(index)) ? Math.abs(number.cents(decimal)) : 0);
  let forward = 0;
  let backward = 0;
  let links = 0;
  let previous: { move: number; balance: number } | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const move = read(into) - read(out);
    const stated = number.read(reader.cell(balance)) ? number.cents(decimal) : Number.NaN;
    if (previous) {
      links++;
      if (previous.balance + move === stated) forward++;
      if (stated + previous.move === previous.balance) backward++;
    }
    previous = { move, balance: stated };
  }
  return links >= 2 && Math.max(forward, backward) >= links * 0.9;
}
