import type { ReactNode } from 'react';

import { useFitsOrCards } from './fits-or-cards.ts';

export interface Column<Row> {
  /** Heading; also the label of the value on small screens. */
  title: string;
  /** Null where a row has nothing to say in this column. */
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** The column that names the row. One per table. */
  isRowHeader?: boolean;
  /** For buttons and menus: the heading is for screen readers only. */
  isActions?: boolean;
}

/** Rows that belong together, under a heading. */
export interface RowGroup<Row> {
  key: string;
  title: string;
  /** At the end of the heading, such as a sum. */
  end?: ReactNode;
  rows: readonly Row[];
}

interface DataTableProps<Row> {
  /** What the table lists. */
  caption: string;
  columns: readonly Column<Row>[];
  rows?: readonly Row[];
  /** Instead of `rows`: all groups share the columns. */
  groups?: readonly RowGroup<Row>[];
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
  groupTitle: { role: 'rowheader', scope: 'rowgroup' },
  cell: { role: 'cell' },
} as const;

/** A real table, which turns into a list of cards on small screens and where its columns do not fit. */
export function DataTable<Row>({
  empty,
  rows = [],
  groups = [{ key: '', title: '', rows }],
  ...table
}: DataTableProps<Row>) {
  return groups.every((group) => group.rows.length === 0) ? (
    <>{empty}</>
  ) : (
    <div>
      <FilledTable {...table} groups={groups} />
    </div>
  );
}

interface FilledTableProps<Row> extends Pick<DataTableProps<Row>, 'caption' | 'columns' | 'keyOf'> {
  groups: readonly RowGroup<Row>[];
}

function FilledTable<Row>({ caption, columns, groups, keyOf }: FilledTableProps<Row>) {
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
      {groups.map((group) => (
        <tbody key={group.key} {...ROLES.rows} className="cards:block">
          {group.title !== '' && <GroupHeading group={group} columns={columns.length} />}
          {group.rows.map((row) => (
            <tr
              {...ROLES.row}
              key={keyOf(row)}
              className="border-b border-line last:border-b-0 cards:block cards:py-3 cards:first:pt-0 cards:last:pb-0"
            >
              {columns.map((column) => (
                <TableCell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function GroupHeading<Row>({ group: { title, end }, columns }: { group: RowGroup<Row>; columns: number }) {
  return (
    <tr {...ROLES.row} className="border-b border-line-strong cards:block cards:border-b-0">
      <th {...ROLES.groupTitle} colSpan={columns} className="pt-6 pb-2 text-base font-semibold cards:block">
        <span className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {end !== undefined && <span className="text-right tabular-nums">{end}</span>}
        </span>
      </th>
    </tr>
  );
}

function TableCell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, cell, isRowHeader = false, isActions = false } = column;
  const Cell = isRowHeader ? 'th' : 'td';
  const content = cell(row);
  const look = isRowHeader ? 'min-w-32 font-semibold cards:min-w-0' : 'font-normal';
  return (
    <Cell
      {...(isRowHeader ? ROLES.rowTitle : ROLES.cell)}
      className={`px-3 py-3 align-baseline first:pl-0 last:pr-0 cards:flex cards:items-baseline cards:gap-4 cards:p-0 cards:py-1 ${look} ${alignOf(column)} ${content === null ? 'cards:hidden' : ''}`}
    >
      {!isRowHeader && !isActions && (
        <span aria-hidden className="hidden text-sm text-muted cards:inline">
          {title}
        </span>
      )}
      <span className={`min-w-0 ${isRowHeader ? 'wrap-anywhere' : 'break-words cards:ml-auto cards:text-right'}`}>
        {content}
      </span>
    </Cell>
  );
}

function alignOf<Row>({ align, isActions }: Column<Row>): string {
  return align === 'end' || isActions === true ? 'text-right tabular-nums cards:text-left' : '';
}
