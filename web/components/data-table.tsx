import type { ReactNode } from 'react';

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

/** A real table, which turns into a list of cards where it would not fit. */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table className="w-full border-collapse text-left max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line-strong">
          {columns.map((column) => (
            <th
              key={column.title}
              scope="col"
              className={`px-3 py-2 text-sm font-semibold text-muted ${alignOf(column)}`}
            >
              {column.isActions === true ? <span className="sr-only">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <TableRow key={keyOf(row)} columns={columns} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function TableRow<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <tr className="border-b border-line last:border-b-0 max-sm:mb-3 max-sm:block max-sm:rounded-card max-sm:border max-sm:border-line max-sm:p-3 max-sm:last:border-b">
      {columns.map((column) => {
        const Cell = column.isRowHeader === true ? 'th' : 'td';
        return (
          <Cell
            key={column.title}
            {...(column.isRowHeader === true ? { scope: 'row' } : {})}
            className={`px-3 py-3 align-top font-normal max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-1 ${alignOf(column)} ${column.isRowHeader === true ? 'font-semibold' : ''}`}
          >
            {column.isRowHeader !== true && column.isActions !== true && (
              <span aria-hidden className="text-sm font-normal text-muted sm:hidden">
                {column.title}
              </span>
            )}
            <span className={`min-w-0 break-words ${column.isRowHeader === true ? 'max-sm:flex-1' : ''}`}>
              {column.cell(row)}
            </span>
          </Cell>
        );
      })}
    </tr>
  );
}

function alignOf<Row>({ align, isActions }: Column<Row>): string {
  return align === 'end' || isActions === true ? 'sm:text-right tabular-nums' : '';
}
