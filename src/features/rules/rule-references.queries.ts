import { sql } from 'kysely';

import type { ReadTx } from '../../db/unit-of-work.ts';
import type { Reference } from '../../journal/undo-rows.ts';

/** Of records that rules name, the ids of those that no longer exist or were merged away. */
export async function selectGone(tx: ReadTx, references: readonly Reference[]): Promise<ReadonlySet<string>> {
  const gone = new Set(references.map(({ id }) => id));
  const byTable = new Map(references.map(({ table, nullWhileStanding }) => [table, nullWhileStanding]));
  for (const [table, nullWhileStanding] of byTable) {
    const ids = references.flatMap((reference) => (reference.table === table ? [reference.id] : []));
    const standing = nullWhileStanding === undefined ? sql`` : sql`and ${sql.ref(nullWhileStanding)} is null`;
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where ${tx.portable.inList(sql.ref('id'), ids)} ${standing}`.execute(tx.q);
    for (const { id } of rows) gone.delete(id);
  }
  return gone;
}
