import type { AnalysedRow } from '../../engines/imports/analysis.ts';

const TEXT_CHARS = 500;

/** The beginning of a record as people read it. */
export function rawText({ cells, fields }: Pick<AnalysedRow, 'cells' | 'fields'>): string {
  const parts = fields ? Object.entries(fields).map(([name, value]) => `${name} ${value}`) : cells;
  return parts.join(fields ? ' ' : ',').slice(0, TEXT_CHARS);
}

/** Writes a record as JSON: the fields of a statement's entry, else the cells as `cellsAsJson` does. */
export function rawOf(headers: readonly string[]): (row: Pick<AnalysedRow, 'cells' | 'fields'>) => string {
  const ofCells = cellsAsJson(headers);
  return ({ cells, fields }) => (fields ? JSON.stringify(fields) : ofCells(cells));
}

/** Writes the cells of a record as JSON by header name; a name that occurs again gets a number. */
function cellsAsJson(headers: readonly string[]): (cells: readonly string[]) => string {
  const times = new Map<string, number>();
  const keys = headers.map((header) => {
    const nth = (times.get(header) ?? 0) + 1;
    times.set(header, nth);
    return `${JSON.stringify(nth > 1 ? `${header}#${nth}` : header)}:`;
  });
  return (cells) => {
    let json = '{';
    for (let i = 0; i < keys.length; i++) {
      json += `${i > 0 ? ',' : ''}${keys[i] as string}${JSON.stringify(cells[i] ?? '')}`;
    }
    return `${json}}`;
  };
}
