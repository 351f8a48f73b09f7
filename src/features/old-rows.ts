import { setImmediate } from 'node:timers/promises';

import { sql, type RawBuilder } from 'kysely';

import type { Schema } from '../db/schema.ts';
import type { BareWriteTx, Database } from '../db/unit-of-work.ts';
import { bookkeep } from '../journal/write.ts';
import { LIMITS } from '../kernel/limits.ts';

/** Rows of a table that nobody keeps any longer. `isOld` names the columns as those of the table. */
export interface OldRows {
  readonly table: keyof Schema;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  readonly isOld: RawBuilder<unknown>;
}

/** Deletes at most so many of them. Answers how many there were. */
export async function deleteSome(tx: BareWriteTx, rows: OldRows, most: number = LIMITS.oldRowsAtOnce): Promise<number> {
  const [table, key] = [sql.table(rows.table), sql.join(rows.key.map((column) => sql.ref(column)))];
  const { numAffectedRows } = await sql`delete from ${table} where (${key}) in
    (select ${key} from ${table} where ${rows.isOld} limit ${sql.lit(most)})`.execute(tx.q);
  return Number(numAffectedRows ?? 0);
}

/** Deletes all of them, few in each transaction, so that nobody waits long however many there are. */
export async function deleteInParts(
  database: Database,
  rows: OldRows,
  atOnce: number = LIMITS.oldRowsAtOnce,
): Promise<void> {
  for (;;) {
    const count = await bookkeep(database, (tx) => deleteSome(tx, rows, atOnce));
    if (count < atOnce) return;
    // On SQLite, one part would follow the other without letting any request in between.
    await setImmediate();
  }
}
