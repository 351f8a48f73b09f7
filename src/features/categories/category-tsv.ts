import { z } from 'zod';

import { name } from '../../contract/common.ts';
import { quoted, type ErrorDetail } from '../../kernel/errors.ts';
import { ColorInput, IconInput } from '../tags/tags.contract.ts';
import { CategoryKind, CategorySlug, SortOrder } from './categories.contract.ts';
import type { CategoryRecord } from './categories.entity.ts';

/** The columns of the exported text, in this order. An imported text has some of them, in any order. */
const COLUMNS = ['slug', 'name', 'parent_slug', 'kind', 'icon', 'color', 'sort_order', 'archived'] as const;
type Column = (typeof COLUMNS)[number];

const REQUIRED: readonly Column[] = ['slug', 'name'];
const ESCAPES: readonly (readonly [string, string])[] = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
];
const UNESCAPED: ReadonlyMap<string, string> = new Map(ESCAPES.map(([plain, escaped]) => [escaped, plain]));

const BAD_ESCAPE = 'a backslash must be followed by t, n, r or another backslash; write \\\\ for a single one';

interface TsvRow {
  /** From 1, counting blank lines. */
  line: number;
  /** Trimmed. Only columns in the header. */
  cells: ReadonlyMap<Column, string>;
  /** Whether some cells could not be read; `problems` says why. */
  isBroken: boolean;
}

/** Reads tab-separated text. */
export function parseTsv(content: string): { rows: TsvRow[]; problems: ErrorDetail[] } {
  const lines = content
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => text.trim() !== '');
  const [header, ...body] = lines;
  if (!header) return { rows: [], problems: [{ path: 'line 1', message: 'the header is missing: the text is empty' }] };
  const names = header.text.split('\t').map((name) => name.trim());
  const problems = headerProblems(names).map((message) => ({ path: `line ${header.line}`, message }));
  if (problems.length > 0) return { rows: [], problems };
  const rows: TsvRow[] = [];
  for (const { line, text } of body) {
    const known = problems.length;
    const cells = text.split('\t');
    if (cells.length !== names.length) {
      const message = `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${names.length}`;
      problems.push({ path: `line ${line}`, message });
    }
    const read = new Map<Column, string>();
    for (const [index, column] of (names as Column[]).entries()) {
      const value = unescaped(cells[index] ?? '');
      if (value !== null) read.set(column, value.trim());
      else problems.push({ path: `line ${line}: ${column}`, message: BAD_ESCAPE });
    }
    rows.push({ line, cells: read, isBroken: problems.length > known });
  }
  return { rows, problems };
}

function headerProblems(names: readonly string[]): string[] {
  const known: readonly string[] = COLUMNS;
  const unknown = names.filter((name) => !known.includes(name));
  const repeated = new Set(names.filter((name, index) => known.includes(name) && names.indexOf(name) !== index));
  return [
    ...unknown.map((name) => `unknown column ${quoted(name)}; known are ${COLUMNS.join(', ')}`),
    ...[...repeated].map((name) => `the column ${name} occurs more than once`),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `the column ${name} is missing`),
  ];
}

/** null for an invalid escape. */
function unescaped(cell: string): string | null {
  if (!cell.includes('\\')) return cell;
  const text = cell.replace(/\\(.?)/gsu, (escape) => UNESCAPED.get(escape) ?? '\0');
  return text.includes('\0') ? null : text;
}

/** One line of an import. Fields that the line leaves open are undefined. */
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

const Archived = z.enum(['true', 'false'], 'must be true or false').transform((word) => word === 'true');
const Order = z
  .string()
  .regex(/^\d{1,7}$/, 'must be a whole number')
  .transform(Number)
  .pipe(SortOrder);

/** Reads the cells of each line. A line with an error is left out of `read`, but its slug is in `slugs`. */
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
    /** An empty cell leaves the field open, like a missing column. */
    const optional = <T>(column: Column, schema: z.ZodType<T>): T | undefined =>
      (cells.get(column) ?? '') === '' ? undefined : cell(column, schema);
    /** An empty cell clears the field. */
    const clearable = <T>(column: Column, schema: z.ZodType<T>): T | undefined =>
      cells.has(column) ? cell(column, schema) : undefined;
    const parent = cells.get('parent_slug');
    const row: FileRow = {
      line,
      slug: cell('slug', CategorySlug) ?? '',
      name: cell('name', name()) ?? '',
      parentSlug: parent === '' ? null : parent,
      kind: optional('kind', CategoryKind),
      icon: clearable('icon', IconInput),
      color: clearable('color', ColorInput),
      sortOrder: optional('sort_order', Order),
      isArchived: optional('archived', Archived),
    };
    const other = lineOf.get(row.slug);
    if (other !== undefined) complain('slug', `is already on line ${other}`);
    else if (row.slug !== '') lineOf.set(row.slug, line);
    if (problems.length === known) read.push(row);
  }
  return { read, slugs: new Set(lineOf.keys()), problems };
}

/** Writes categories in the given order, in the format that `parseTsv` reads. */
export function formatTsv(categories: readonly CategoryRecord[]): string {
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  const lines = categories.map((one) =>
    [
      one.slug,
      one.name,
      one.parent_id === null ? '' : (slugs.get(one.parent_id) ?? ''),
      one.kind,
      one.icon ?? '',
      one.color ?? '',
      String(one.sort_order),
      String(one.archived),
    ].map(escaped),
  );
  return [COLUMNS, ...lines].map((cells) => `${cells.join('\t')}\n`).join('');
}

function escaped(text: string): string {
  let cell = text;
  for (const [plain, escape] of ESCAPES) cell = cell.replaceAll(plain, escape);
  return cell;
}
