import type { SqlValue } from '../engine.ts';
import type { Ask } from './postgres-reads.ts';

/** The types of a table's columns, by name. */
type ColumnTypes = ReadonlyMap<string, string>;

/** Rows as parameters of a statement: one array for each column. PostgreSQL reads JSON half as fast. */
export interface RowSource {
  /** What gives the rows in a statement: their text does not depend on how many there are. */
  source: string;
  /** The parameters for some of the rows. */
  valuesOf: (rows: readonly (readonly SqlValue[])[]) => string[];
}

/** Knows the types of columns once they were asked for. No migration ever changes one. */
export class RowSources {
  readonly #types = new Map<string, ColumnTypes>();

  async of(ask: Ask, table: string, columns: readonly string[]): Promise<RowSource> {
    let types = this.#types.get(table);
    if (!types || columns.some((column) => !types?.has(column))) {
      types = await typesOf(ask, table);
      this.#types.set(table, types);
    }
    const parameters = columns.map((column, at) => `$${at + 1}::${types.get(column) ?? 'text'}[]`);
    return {
      source: `unnest(${parameters.join(', ')})`,
      valuesOf: (rows) => columns.map((_column, at) => arrayOf(rows, at)),
    };
  }
}

async function typesOf(ask: Ask, table: string): Promise<ColumnTypes> {
  const text = `select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`;
  const { rows } = await ask({ text, values: [table] });
  return new Map((rows as { name: string; type: string }[]).map(({ name, type }) => [name, type]));
}

/** A column as PostgreSQL writes arrays. Nulls at its end are left out: `unnest` fills up the shorter arrays. */
function arrayOf(rows: readonly (readonly SqlValue[])[], at: number): string {
  let length = rows.length;
  while (length > 0 && (rows[length - 1]?.[at] ?? null) === null) length -= 1;
  let text = '{';
  for (let i = 0; i < length; i++) text += (i === 0 ? '' : ',') + element(rows[i]?.[at] ?? null);
  return `${text}}`;
}

const ESCAPED = /["\\]/;

/** No lone surrogates, which UTF-8 cannot write. */
function element(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  const text = value.toWellFormed();
  return `"${ESCAPED.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
