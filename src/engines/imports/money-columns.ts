import { decimalVotes, isNumberColumn } from './column-stats.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { decimalByVotes } from './settle-decimal.ts';
import type { FieldColumns, Mapping } from './mapping.ts';
import { NumberCell } from './numbers.ts';
import type { Field } from './synonyms.ts';
import { openRecords } from './table.ts';
import type { Table } from './table.ts';

/** One way of reading the amounts of a file whose columns have no names. */
export type MoneyColumns = Readonly<Partial<Record<'amount' | 'debit' | 'credit' | 'balance', number>>>;

const MOST = 6;

/**
 * The ways in which the amounts of a file without a header may stand in its columns: two that take turns are money out
 * and in, or the other way round; else each column of numbers may be the amount.
 */
export function moneyColumns(table: Table, stats: TableStats, mapping: Mapping): MoneyColumns[] {
  const claimed = new Set([...mapping].flatMap(([field, { columns }]) => (field === 'balance' ? [] : columns)));
  const all = [...stats.columns.keys()].filter((i) => {
    const column = stats.columns[i] as ColumnStats;
    return !claimed.has(i) && isNumberColumn(column);
  });
  const money = all.filter((i) => looksLikeMoney(stats.columns[i] as ColumnStats));
  const numbers = money.length > 0 ? money : all;
  const pairs = numbers.flatMap((a) =>
    numbers.flatMap((b) => (a < b && takeTurns(stats, a, b) ? [[a, b] as const] : [])),
  );
  if (pairs.length > 0) {
    return pairs.slice(0, MOST / 2).flatMap(([a, b]) => {
      const others = numbers.filter((i) => i !== a && i !== b && isSteady(stats, i));
      const balance = others.find((i) => follows(table, stats, [a, b], i));
      const rest = balance === undefined ? {} : { balance };
      return [
        { debit: a, credit: b, ...rest },
        { debit: b, credit: a, ...rest },
      ];
    });
  }
  const steady = numbers.filter((i) => isSteady(stats, i));
  return steady.slice(0, MOST).map((amount) => {
    const balance = steady.find((i) => i !== amount && follows(table, stats, [amount], i));
    return balance === undefined ? { amount } : { amount, balance };
  });
}

/** The mapping with these columns in it. */
export function withMoney(mapping: Mapping, money: MoneyColumns): Mapping {
  const entries = Object.entries(money).map(([field, index]): [Field, FieldColumns] => [
    field as Field,
    { columns: [index], confidence: 'likely', source: 'content' },
  ]);
  return new Map([...mapping, ...entries]);
}

function looksLikeMoney(column: ColumnStats): boolean {
  const { point, comma } = decimalVotes([column]);
  return point + comma > 0 || column.negatives > 0 || column.stated > 0;
}

function isSteady(stats: TableStats, index: number): boolean {
  return (stats.columns[index] as ColumnStats).filled * 2 >= stats.completeRecords;
}

/** True when each row has its amount in one of the two: the other is empty there, or zero. */
function takeTurns(stats: TableStats, a: number, b: number): boolean {
  const moving = [a, b].map((i) => {
    const { filled, zeros, dashes } = stats.columns[i] as ColumnStats;
    return filled - zeros - dashes;
  }) as [number, number];
  const both = moving[0] + moving[1];
  return Math.min(...moving) > 0 && both <= stats.completeRecords && both >= stats.completeRecords * 0.8;
}

/** True when a column changes from row to row by what the rows move, in either direction of time. */
function follows(table: Table, stats: TableStats, moves: readonly number[], balance: number): boolean {
  const decimal = decimalByVotes([...moves, balance].map((i) => stats.columns[i] as ColumnStats)).detection.value;
  const reader = openRecords(table);
  const number = new NumberCell();
  const read = (index: number): number => (number.read(reader.cell(index)) ? number.cents(decimal) : Number.NaN);
  let [links, forward, backward] = [0, 0, 0];
  let previous: { move: number; balance: number } | undefined;
  while (reader.next()) {
    if (reader.isBlank()) continue;
    const move = moves.reduce((sum, index) => sum + Math.abs(read(index) || 0), 0);
    const stated = read(balance);
    if (Number.isNaN(stated)) continue;
    if (previous) {
      const step = Math.abs(stated - previous.balance);
      links++;
      if (step === move) forward++;
      if (step === previous.move) backward++;
    }
    previous = { move, balance: stated };
  }
  return links > 0 && Math.max(forward, backward) >= links * 0.9;
}
