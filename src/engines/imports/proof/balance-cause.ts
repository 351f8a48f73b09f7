import type { BreakCause } from '../analysis.ts';
import type { ProofRows } from './balance-proof.ts';

const SUSPECTS = 10;
const POWERS = [10, 100, 1_000] as const;

/** The broken link: rows `from`…`at` of the sequence lead to a balance that is not the expected one. */
interface BrokenLink {
  readonly from: number;
  readonly at: number;
  readonly expected: number;
  readonly found: number;
}

/** The likely cause of a broken link (36.6.5), first match, with the lines to look at. */
export function causeOf(
  rows: ProofRows,
  sequence: Int32Array,
  after: Float64Array,
  link: BrokenLink,
): { cause: BreakCause; lines: number[] } {
  const stretch = Array.from(sequence.subarray(link.from, link.at + 1));
  const broken = sequence[link.at] as number;
  const difference = link.found - link.expected;
  const lineOf = (row: number): number => rows.lines[row] as number;
  const effectOf = (row: number): number => rows.effects[row] as number;
  if (continuesAsExpected(rows, sequence, after, link)) return { cause: 'wrong_balance', lines: [lineOf(broken)] };
  const flipped = stretch.filter((row) => effectOf(row) !== 0 && difference === -2 * effectOf(row));
  if (flipped.length > 0) return { cause: 'flipped_sign', lines: suspects(flipped.map(lineOf)) };
  const misplaced = stretch.filter((row) => isPowerOfTen(effectOf(row), effectOf(row) + difference));
  if (misplaced.length > 0) return { cause: 'wrong_decimal', lines: suspects(misplaced.map(lineOf)) };
  for (const row of stretch) {
    if (effectOf(row) === 0 || difference !== -effectOf(row)) continue;
    const twin = [row - 1, row + 1].find((other) => other >= 0 && other < rows.count && isTwin(rows, row, other));
    if (twin !== undefined) return { cause: 'doubled_row', lines: suspects([lineOf(row), lineOf(twin)]) };
  }
  const previous = link.from > 0 ? [lineOf(sequence[link.from - 1] as number)] : [];
  return { cause: 'missing_row', lines: suspects([...previous, ...stretch.map(lineOf)]) };
}

/** True when the next stated balance follows from the expected one: only this one balance is wrong. */
function continuesAsExpected(rows: ProofRows, sequence: Int32Array, after: Float64Array, link: BrokenLink): boolean {
  let expected = link.expected;
  for (let i = link.at + 1; i < sequence.length; i++) {
    const row = sequence[i] as number;
    expected += rows.effects[row] as number;
    const stated = after[row] as number;
    if (!Number.isNaN(stated)) return stated === expected;
  }
  return false;
}

function isPowerOfTen(read: number, needed: number): boolean {
  if (read === 0 || needed === 0) return false;
  return POWERS.some((power) => read * power === needed || needed * power === read);
}

function isTwin(rows: ProofRows, row: number, other: number): boolean {
  return rows.days[row] === rows.days[other] && rows.effects[row] === rows.effects[other];
}

function suspects(lines: readonly number[]): number[] {
  return [...new Set(lines)].sort((a, b) => a - b).slice(0, SUSPECTS);
}
