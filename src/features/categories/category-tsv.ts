import type { ErrorDetail } from '../../kernel/errors.ts';
import type { CategoryRecord } from './categories.table.ts';

/** The columns of the exported text, in its order; an imported one has some of them, in any order. */
export const COLUMNS = ['slug', 'name', 'parent_slug', 'kind', 'icon', 'color', 'sort_order', 'archived'] as const;
export type Column = (typeof COLUMNS)[number];

const REQUIRED: readonly Column[] = ['slug', 'name'];
const ESCAPES: readonly (readonly [string, string])[] = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
];
const UNESCAPED: ReadonlyMap<string, string> = new Map(ESCAPES.map(([plain, escaped]) => [escaped, plain]));

const BAD_ESCAPE = 'a backslash is followed by t, n, r or another backslash; write \\\\ for a single one';

export interface TsvRow {
  /** Counted from 1, blank lines too. */
  line: number;
  /** Trimmed; only the columns of the header. */
  cells: ReadonlyMap<Column, string>;
  /** Not all of its cells could be read, and `problems` says why. */
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
  if (!header) return { rows: [], problems: [{ path: 'line 1', message: 'a header is missing: the text is empty' }] };
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
    ...unknown.map((name) => `unknown column ${JSON.stringify(name.slice(0, 100))}; known are ${COLUMNS.join(', ')}`),
    ...[...repeated].map((name) => `the column ${name} is there more than once`),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `the column ${name} is missing`),
  ];
}

/** null where a backslash escapes nothing. */
function unescaped(cell: string): string | null {
  if (!cell.includes('\\')) return cell;
  const text = cell.replace(/\\(.?)/gsu, (escape) => UNESCAPED.get(escape) ?? '\0');
  return text.includes('\0') ? null : text;
}

/** Writes categories, in the order given, as the text that `parseTsv` reads. */
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
