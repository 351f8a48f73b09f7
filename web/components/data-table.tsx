import type { ReactNode } from 'react';

import { useFitsOrCards } from './fits-or-cards.ts';

export interface Column<Row> {
  /** Heading; also the label of the value on small screens. */
  title: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** The column that names the row. One per table. */
  isRowHeader?: boolean;
  /** For buttons and menus: the heading is for screen readers only. */
  isActions?: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Shown instead when there are no rows. */
  empty: ReactNode;
}

/** A table that is laid out as cards is no longer one to screen readers, unless it says so. */
const ROLES = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  title: { role: 'columnheader' },
  rowTitle: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const;

/** A real table, which turns into a list of cards on small screens and where its columns do not fit. */
export function DataTable<Row>({ empty, ...table }: DataTableProps<Row>) {
  return table.rows.length === 0 ? (
    <>{empty}</>
  ) : (
    <div>
      <FilledTable {...table} />
    </div>
  );
}

function FilledTable<Row>({ caption, columns, rows, keyOf }: Omit<DataTableProps<Row>, 'empty'>) {
  const ref = useFitsOrCards();
  return (
    <table {...ROLES.table} ref={ref} className="w-full border-collapse text-left cards:block">
      <caption className="sr-only">{caption}</caption>
      <thead {...ROLES.rows} className="cards:sr-only">
        <tr {...ROLES.row} className="border-b border-line-strong">
          {columns.map((column) => (
            <th
              {...ROLES.title}
              key={column.title}
              scope="col"
              className={`px-3 py-2 text-sm font-semibold text-muted first:pl-0 last:pr-0 ${alignOf(column)}`}
            >
              {column.isActions === true ? <span className="sr-only">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.rows} className="cards:block">
        {rows.map((row) => (
          <tr
            {...ROLES.row}
            key={keyOf(row)}
            className="border-b border-line last:border-b-0 cards:mb-3 cards:block cards:rounded-card cards:border cards:p-3 cards:last:border-b"
          >
            {columns.map((column) => (
              <TableCell key={column.title} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TableCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, cell, isRowHeader = false, isActions = false } = column;
  const Cell = isRowHeader ? 'th' : 'td';
  const look = isRowHeader ? 'min-w-32 font-semibold cards:min-w-0' : 'font-normal';
  return (
    <Cell
      {...(isRowHeader ? ROLES.rowTitle : ROLES.cell)}
      className={`px-3 py-3 align-baseline first:pl-0 last:pr-0 cards:flex cards:items-baseline cards:gap-4 cards:p-0 cards:py-1 ${look} ${alignOf(column)}`}
    >
      {!isRowHeader && !isActions && (
        <span aria-hidden className="hidden text-sm text-muted cards:inline">
          {title}
        </span>
      )}
      <span className={`min-w-0 ${isRowHeader ? 'wrap-anywhere' : 'break-words cards:ml-auto cards:text-right'}`}>
        {cell(row)}
      </span>
    </Cell>
  );
}

function alignOf<Row>({ align, isActions }: Column<Row>): string {
  return align === 'end' || isActions === true ? 'text-right tabular-nums cards:text-left' : '';
}
