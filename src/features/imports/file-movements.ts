import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import type { HistoryRow } from '../../engines/matching/proof-by-rows.ts';
import { sortedMovements, type Movements } from '../../engines/matching/shared-days.ts';
import { dayNumber } from '../../kernel/dates.ts';

type ByValue = ReadonlyMap<string | null, Movements>;

const known = new WeakMap<FileAnalysis, ByValue>();
const NONE = sortedMovements(new Int32Array(0), new Float64Array(0));

/** Day and amount of the rows of one account of a file; several accounts of the ledger are held against them. */
export function movementsOf(analysis: FileAnalysis, { file_value: value }: AccountInFile): Movements {
  const isOnly = analysis.accounts.length <= 1;
  let movements = known.get(analysis);
  if (!movements) {
    movements = movementsByValue(analysis, isOnly);
    known.set(analysis, movements);
  }
  return movements.get(isOnly ? null : value) ?? NONE;
}

/** One reading of the file for all its accounts. */
function movementsByValue(analysis: FileAnalysis, isOnly: boolean): ByValue {
  const columns = new Map<string | null, { days: number[]; amounts: number[] }>();
  for (const row of analysis.rows()) {
    if (row.outcome !== 'row') continue;
    const value = isOnly ? null : row.account_value;
    const column = columns.get(value) ?? { days: [], amounts: [] };
    columns.set(value, column);
    column.days.push(dayNumber(row.date as string));
    column.amounts.push(row.amount_cents as number);
  }
  return new Map(
    [...columns].map(([value, { days, amounts }]) => [
      value,
      sortedMovements(Int32Array.from(days), Float64Array.from(amounts)),
    ]),
  );
}

/** The posted rows of one account of a file, with their currency. */
export function historyOf(analysis: FileAnalysis, inFile: AccountInFile): HistoryRow[] {
  const rows: HistoryRow[] = [];
  const isOnly = analysis.accounts.length <= 1;
  for (const row of analysis.rows()) {
    if (row.outcome !== 'row' || row.pending || (!isOnly && row.account_value !== inFile.file_value)) continue;
    rows.push({
      day: dayNumber(row.date as string),
      amountCents: row.amount_cents as number,
      currency: row.iso_currency_code,
    });
  }
  return rows;
}
