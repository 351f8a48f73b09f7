import { dateOfDayNumber, dayNumber } from '../../kernel/dates.ts';
import type { BalanceResult } from './analysis.ts';
import type { GroupProof } from './file-proof.ts';
import type { PreambleFacts } from './preamble.ts';
import { proveStatements, type StatementSense } from './statement-proof.ts';

/**
 * The proof of a file of one account without running balances, whose preamble states how it opens or closes (36.6.1).
 * Where the closing balance is of a later day than the last row, rows may lie between: it proves, but refutes nothing.
 */
export function closedByPreamble(
  results: readonly BalanceResult[],
  groups: readonly GroupProof[],
  { opening, closing }: PreambleFacts,
  sense: StatementSense,
): BalanceResult[] {
  const [result] = results;
  const [group] = groups;
  if (!result || !group || results.length > 1 || result.status !== 'not_available' || !closing) return [...results];
  const { rows, kind } = group;
  const factor = kind === 'debt' ? 1 : -1;
  const statement = {
    opening: result.opening_cents ?? opening,
    closing: closing.cents,
    available: null,
    day: closing.day,
    lines: [...rows.lines],
    days: [...rows.days],
    amounts: Array.from(rows.effects, (effect) => factor * effect + 0),
  };
  const { file_value, iso_currency_code } = result;
  const isLater = result.last_date !== null && closing.day > dayNumber(result.last_date);
  const proved = proveStatements([statement], { file_value, iso_currency_code }, sense);
  if (!isLater || proved.status === 'proved') return [{ ...proved, closesLater: isLater }];
  const balance = { date: dateOfDayNumber(closing.day), balance_cents: closing.cents };
  return [{ ...result, kind: proved.kind, closing_cents: closing.cents, closings: [balance], closesLater: true }];
}
