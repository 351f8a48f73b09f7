import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Reference } from '../../journal/undo-rows.ts';

/** Of records that rules name, the ids of those that no longer exist or were merged away. */
export async function selectGone(tx: ReadTx, references: readonly Reference[]): Promise<ReadonlySet<string>> {
  const gone = new Set(references.map(({ id }) => id));
  const byTable = new Map(references.map(({ table, mergedInto }) => [table, mergedInto]));
  for (const [table, mergedInto] of byTable) {
    const ids = references.flatMap((reference) => (reference.table === table ? [reference.id] : []));
    const standing = mergedInto === undefined ? sql`` : sql`and ${sql.ref(mergedInto)} is null`;
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where ${tx.portable.inList(sql.ref('id'), ids)} ${standing}`.execute(tx.q);
    for (const { id } of rows) gone.delete(id);
  }
  return gone;
}
