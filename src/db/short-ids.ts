import { sql } from 'kysely';

import { isShortId, isUuid } from '../kernel/ids.ts';
import type { SqlValue } from './engine.ts';
import type { Schema } from './schema.ts';
import type { BareWriteTx, ReadTx } from './unit-of-work.ts';

type WithShortId = { [T in keyof Schema]: Schema[T] extends { short_id: string } ? T : never }[keyof Schema];

const CHECKED_AT_ONCE = 5_000;

/** The column that has ids of this form; undefined for a text that cannot be an id. */
export function idColumn(anyId: string): 'id' | 'short_id' | undefined {
  if (isUuid(anyId)) return 'id';
  return isShortId(anyId) ? 'short_id' : undefined;
}

/** The UUID of a row, by UUID or short_id. */
export async function findIdOf(tx: ReadTx, table: WithShortId, anyId: string): Promise<string | undefined> {
  const column = idColumn(anyId);
  if (column === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${sql.ref(column)} = ${anyId}`.execute(tx.q);
  return rows[0]?.id;
}

/** Tables whose rows are also named by their slug, which counts first where a text could be both. */
const SLUGGED: ReadonlySet<string> = new Set(['tags', 'categories', 'workflows'] satisfies WithShortId[]);

/**
 * The filters with the UUID in place of every short_id and slug, so that a cursor does not depend on the form in which
 * they name a row. `tables` says what each of them names; what names nothing stays as it is.
 */
export async function withUuids<F extends Readonly<Record<string, unknown>>>(
  tx: ReadTx,
  filters: F,
  tables: Readonly<Partial<Record<keyof F, WithShortId>>>,
): Promise<Record<string, unknown>> {
  const same: Record<string, unknown> = { ...filters };
  for (const [name, table] of Object.entries(tables) as [string, WithShortId][]) {
    const value = same[name];
    if (typeof value === 'string') same[name] = await uuidOf(tx, table, value);
    if (Array.isArray(value)) same[name] = await Promise.all(value.map((one: string) => uuidOf(tx, table, one)));
  }
  return same;
}

async function uuidOf(tx: ReadTx, table: WithShortId, anyName: string): Promise<string> {
  if (isUuid(anyName)) return anyName;
  if (SLUGGED.has(table)) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where slug = ${anyName}`.execute(tx.q);
    if (rows[0]) return rows[0].id;
  }
  return (await findIdOf(tx, table, anyName)) ?? anyName;
}

/** A short_id that no row of the table has. Writers are serialised, so a free one stays free. */
export async function shortIdFor(tx: BareWriteTx, table: WithShortId): Promise<string> {
  const [only] = await shortIdsFor(tx, table, 1);
  return only as string;
}

/** `count` different short_ids, none of them taken. */
export async function shortIdsFor(tx: BareWriteTx, table: WithShortId, count: number): Promise<string[]> {
  const found = new Set<string>();
  while (found.size < count) {
    const wanted = new Set<string>();
    while (wanted.size < Math.min(CHECKED_AT_ONCE, count - found.size)) {
      const candidate = tx.ids.shortId();
      if (!found.has(candidate)) wanted.add(candidate);
    }
    const list = tx.portable.inList(sql.ref('short_id'), [...wanted]);
    const { rows } = await sql<{ short_id: string }>`select short_id from ${sql.table(table)} where ${list}`.execute(
      tx.q,
    );
    for (const { short_id } of rows) wanted.delete(short_id);
    for (const candidate of wanted) found.add(candidate);
  }
  return [...found];
}

/**
 * Inserts rows with unused short_ids, and overwrites whatever is in that column. A collision is so rare (one row in a
 * billion) that it is left to the conflict: looking up each id first took a tenth of an import.
 */
export async function insertWithShortIds<T extends WithShortId>(
  tx: BareWriteTx,
  table: T,
  columns: readonly (keyof Schema[T] & string)[],
  rows: readonly SqlValue[][],
): Promise<void> {
  const names: readonly string[] = columns;
  const [idAt, shortIdAt] = [names.indexOf('id'), names.indexOf('short_id')];
  let missing = rows;
  while (missing.length > 0) {
    for (const row of missing) row[shortIdAt] = tx.ids.shortId();
    const inserted = await tx.insertMany(table, columns, missing, 'on conflict (short_id) do nothing');
    if (inserted === missing.length) return;
    const ids = missing.map((row) => row[idAt] as string);
    const list = tx.portable.inList(sql.ref('id'), ids);
    const { rows: there } = await sql<{ id: string }>`select id from ${sql.table(table)} where ${list}`.execute(tx.q);
    const found = new Set(there.map(({ id }) => id));
    missing = missing.filter((row) => !found.has(row[idAt] as string));
  }
}
