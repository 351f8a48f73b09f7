import { sql } from 'kysely';

import type { Schema } from './schema.ts';
import type { BareWriteTx } from './unit-of-work.ts';

/** A column that refers to a row of another table. */
export type Reference = { [T in keyof Schema]: readonly [table: T, column: keyof Schema[T] & string] }[keyof Schema];

/**
 * Runs `fn` with an index on each of these columns, then drops them. Deleting a row that others may refer to otherwise
 * reads the whole of their tables; lasting indexes would slow down every import for what is hardly ever done.
 */
export async function withLookups<T>(
  tx: BareWriteTx,
  references: readonly Reference[],
  fn: () => Promise<T>,
): Promise<T> {
  const names = references.map(([table, column]) => `lookup_${table}_${column}`);
  for (const [index, [table, column]] of references.entries()) {
    await sql`create index if not exists ${sql.ref(names[index] as string)} on ${sql.table(table)} (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(tx.q);
  }
  const result = await fn();
  for (const name of names) await tx.portable.dropIndex(tx, name);
  return result;
}
