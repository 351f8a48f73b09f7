/** A table that is laid out by its own measures is no longer one to screen readers, unless it says so. */
export const ROLES = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  title: { role: 'columnheader', scope: 'col' },
  rowTitle: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const;
