import { chainingColumns } from './chained-columns.ts';
import type { ColumnClaims } from './column-claims.ts';
import { decimalVotes, isNumberColumn } from './column-stats.ts';
import type { ColumnStats } from './column-stats.ts';

/** In fewer rows than this a column of nothing but zeros may be the amount, and what stands beside it the balance. */
const FEWEST_OF_ZEROS = 3;

/**
 * The column of numbers without a known name that is the amount, by content alone; undefined where several may be.
 * Where two of them chain, the other one is claimed as the balance.
 */
export function amountByContent(claims: ColumnClaims): number | undefined {
  const free = claims.free((column, i) => claims.isNameless(i) && isNumberColumn(column));
  const steady = free.filter((i) => columnAt(claims, i).numbers >= claims.completeRecords * 0.9);
  const chained = chainedAmount(claims, free, steady);
  if (chained !== undefined) return chained;
  return hasHalves(claims, free) ? undefined : mostLikely(claims, free, steady);
}

function chainedAmount(claims: ColumnClaims, free: readonly number[], steady: readonly number[]): number | undefined {
  const { table, stats } = claims;
  const balance = claims.indexOf('balance');
  if (balance !== undefined) {
    const chained = chainingColumns(table, stats, [balance, ...steady]);
    return chained?.balance === balance ? chained.amount : undefined;
  }
  if (claims.isClosed('balance')) return undefined;
  const pair = chainingColumns(table, stats, steady) ?? chainingColumns(table, stats, free);
  if (pair) claims.claim('balance', [pair.balance], 'likely', 'content');
  return pair?.amount;
}

/** True when two columns may be money out and in: together they are filled, or move money, in nearly every row once. */
function hasHalves(claims: ColumnClaims, free: readonly number[]): boolean {
  const { completeRecords } = claims;
  const isAll = (cells: number): boolean => Math.abs(cells - completeRecords) <= cells * 0.1;
  const partly = free
    .map((i) => columnAt(claims, i))
    .filter((column) => moving(column) > 0 && moving(column) < completeRecords);
  return partly.some((a, i) =>
    partly.slice(i + 1).some((b) => isAll(moving(a) + moving(b)) || isAll(a.filled + b.filled)),
  );
}

/** The amount among columns that do not chain: what is written like money comes first. */
function mostLikely(claims: ColumnClaims, free: readonly number[], steady: readonly number[]): number | undefined {
  const at = (i: number): ColumnStats => columnAt(claims, i);
  const hasNoNames = claims.table.headerLine === null;
  const likely = (hasNoNames ? free : steady).filter((i) => isWrittenLikeMoney(at(i))).length;
  if (likely > 1 || (likely === 0 && free.length > steady.length)) return undefined;
  const steadiest = steady.length > 0 ? steady : free;
  const moved = steadiest.filter((i) => moving(at(i)) > 0);
  if (hasNoNames && claims.completeRecords < FEWEST_OF_ZEROS && moved.length < steadiest.length) return undefined;
  const pool = moved.length > 0 ? moved : steadiest;
  const withDecimals = pool.find((i) => hasDecimals(at(i)));
  if (withDecimals !== undefined) return withDecimals;
  if (hasNoNames && pool.length > 1) return undefined;
  return pool.find((i) => at(i).negatives > 0) ?? pool.find((i) => at(i).sampleValues.size > 1) ?? pool[0];
}

function columnAt({ columns }: ColumnClaims, index: number): ColumnStats {
  return columns[index] as ColumnStats;
}

function isWrittenLikeMoney(column: ColumnStats): boolean {
  const isGrouped = decimalVotes([column]).undecided > 0;
  return hasDecimals(column) || isGrouped || column.negatives > 0 || column.withDirection > 0;
}

function hasDecimals(column: ColumnStats): boolean {
  const { point, comma } = decimalVotes([column]);
  return point + comma > 0;
}

/** How many cells move money. */
function moving({ filled, zeros, dashes }: ColumnStats): number {
  return filled - zeros - dashes;
}
