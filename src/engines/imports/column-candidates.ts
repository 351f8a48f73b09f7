import { LIMITS } from '../../kernel/limits.ts';
import type { DetectionCandidate } from './analysis.ts';
import { collapsed } from './cell-text.ts';
import type { ColumnStats, TableStats } from './column-stats.ts';
import { isDateColumn, isNumberColumn } from './column-stats.ts';
import type { Table } from './table.ts';

const SAMPLE_CHARS = 100;

/** The columns of a file with a cell of each and what it could be, for a person to choose from. */
export function columnCandidates(
  stats: Pick<TableStats, 'columns'>,
  table: Pick<Table, 'headers'>,
  isWanted: (column: ColumnStats) => boolean = () => true,
): DetectionCandidate[] {
  const found = stats.columns.flatMap((column, index) => {
    if (!isWanted(column)) return [];
    const name = table.headers[index] || `column_${index + 1}`;
    const raw = collapsed(column.first?.raw ?? '').slice(0, SAMPLE_CHARS);
    return [{ value: name, line: column.first?.line ?? 1, raw, read_as: `column ${index + 1}: ${use(column)}` }];
  });
  return found.slice(0, LIMITS.importColumnsNamed);
}

function use(column: ColumnStats): string {
  if (column.filled === 0) return 'empty';
  const isDate = isDateColumn(column);
  const isNumber = isNumberColumn(column);
  if (isDate && isNumber) return 'could be a date or an amount';
  if (isDate) return 'could be the date';
  if (isNumber) return 'could be an amount or a balance';
  return 'could be a text';
}
