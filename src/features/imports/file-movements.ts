import type { AccountInFile, FileAnalysis } from '../../engines/imports/analysis.ts';
import type { HistoryRow } from '../../engines/matching/proof-by-rows.ts';
import { sortedMovements, type Movements } from '../../engines/matching/shared-days.ts';
import { dayNumber } from '../../kernel/dates.ts';

const known = new WeakMap<FileAnalysis, Map<string | null, Movements>>();

/** Day and amount of the rows of one account of a file; several accounts of the ledger are held against them. */
export function movementsOf(analysis: FileAnalysis, inFile: AccountInFile): Movements {
  const ofFile = known.get(analysis) ?? new Map<string | null, Movements>();
  known.set(analysis, ofFile);
  const made = ofFile.get(inFile.file_value);
  if (made) return made;
  const days = new Int32Array(analysis.row_count);
  const amounts = new Float64Array(analysis.row_count);
  let count = 0;
  const isOnly = analysis.accounts.length <= 1;
  for (const row of analysis.rows()) {
    if (row.outcome !== 'row' || (!isOnly && row.account_value !== inFile.file_value)) continue;
    days[count] = dayNumber(row.date as string);
    amounts[count] = row.amount_cents as number;
    count += 1;
  }
  const movements = sortedMovements(days.subarray(0, count), amounts.subarray(0, count));
  ofFile.set(inFile.file_value, movements);
  return movements;
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
