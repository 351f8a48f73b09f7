import { z } from 'zod';

import { name } from '../../contract/common.ts';
import type { ErrorDetail } from '../../kernel/errors.ts';
import { ColorInput, IconInput } from '../tags/tags.contract.ts';
import { CategoryKind, CategorySlug, SortOrder } from './category-record.contract.ts';
import type { Column, TsvRow } from './category-tsv.ts';

/** One line of an import: what it says, undefined where it says nothing. */
export interface FileRow {
  line: number;
  slug: string;
  name: string;
  /** null = the top level. */
  parentSlug: string | null | undefined;
  kind: CategoryKind | undefined;
  icon: string | null | undefined;
  color: string | null | undefined;
  sortOrder: number | undefined;
  isArchived: boolean | undefined;
}

const Archived = z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true');
const Order = z
  .string()
  .regex(/^\d{1,7}$/, 'a whole number')
  .transform(Number)
  .pipe(SortOrder);

/** Reads the cells of each line. A line with an error is left out of `read`, but known by its slug. */
export function readRows(rows: readonly TsvRow[]): {
  read: FileRow[];
  slugs: ReadonlySet<string>;
  problems: ErrorDetail[];
} {
  const problems: ErrorDetail[] = [];
  const lineOf = new Map<string, number>();
  const read: FileRow[] = [];
  for (const { line, cells, isBroken } of rows) {
    if (isBroken) {
      lineOf.set(cells.get('slug') ?? '', line);
      continue;
    }
    const known = problems.length;
    const complain = (column: Column, message: string): void => {
      problems.push({ path: `line ${line}: ${column}`, message });
    };
    const cell = <T>(column: Column, schema: z.ZodType<T>): T | undefined => {
      const result = schema.safeParse(cells.get(column));
      if (result.success) return result.data;
      complain(column, result.error.issues[0]?.message ?? 'is not valid');
      return undefined;
    };
    /** An empty cell, like a column that is left out, says nothing. */
    const said = <T>(column: Column, schema: z.ZodType<T>): T | undefined =>
      (cells.get(column) ?? '') === '' ? undefined : cell(column, schema);
    /** An empty cell clears. */
    const clearable = <T>(column: Column, schema: z.ZodType<T>): T | undefined =>
      cells.has(column) ? cell(column, schema) : undefined;
    const parent = cells.get('parent_slug');
    const row: FileRow = {
      line,
      slug: cell('slug', CategorySlug) ?? '',
      name: cell('name', name()) ?? '',
      parentSlug: parent === '' ? null : parent,
      kind: said('kind', CategoryKind),
      icon: clearable('icon', IconInput),
      color: clearable('color', ColorInput),
      sortOrder: said('sort_order', Order),
      isArchived: said('archived', Archived),
    };
    const other = lineOf.get(row.slug);
    if (other !== undefined) complain('slug', `stands on line ${other} already`);
    else if (row.slug !== '') lineOf.set(row.slug, line);
    if (problems.length === known) read.push(row);
  }
  return { read, slugs: new Set(lineOf.keys()), problems };
}
