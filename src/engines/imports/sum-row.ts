import { KIND } from './parsed-columns.ts';
import type { ParsedAmounts, ColumnPlan } from './parsed-columns.ts';
import { isSumLabel } from './balance-labels.ts';
import { openRecords } from './table.ts';

const FEWEST = 3;

/** True when the last dated record is no movement but the sum of all above it: its text says so and its amounts are. */
export function isSumRow(plan: ColumnPlan, amounts: readonly ParsedAmounts[], kinds: Uint8Array, row: number): boolean {
  if (row < FEWEST || kinds[row] !== KIND.row || !amounts.some((parsed) => sumsUp(parsed, kinds, row))) return false;
  const reader = openRecords(plan.table);
  for (let at = 0; at <= row && reader.next();) {
    if (reader.isBlank()) continue;
    if (at === row) {
      for (let i = 0; i < plan.table.width; i++) if (isSumLabel(reader.cell(i))) return true;
    }
    at++;
  }
  return false;
}

function sumsUp({ amount, debit, credit }: ParsedAmounts, kinds: Uint8Array, row: number): boolean {
  let summed = 0;
  for (const column of [amount, debit, credit]) {
    const found = column.length > 0 ? (column[row] as number) : Number.NaN;
    if (Number.isNaN(found)) continue;
    let sum = 0;
    for (let i = 0; i < row; i++) if (kinds[i] === KIND.row && !Number.isNaN(column[i])) sum += column[i] as number;
    if (sum !== found) return false;
    if (found !== 0) summed++;
  }
  return summed > 0;
}
