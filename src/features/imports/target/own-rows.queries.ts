import { sql } from 'kysely';

import type { ReadTx } from '../../../db/unit-of-work.ts';

interface KnownTransaction {
  readonly id: string;
  readonly account_id: string;
  readonly merged_into_id: string | null;
}

/** Merges of merged rows that are followed. */
const MERGES_FOLLOWED = 20;

/** The transactions of this household with these ids; one that was merged into another is that one. */
export async function selectKnownTransactions(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownTransaction>> {
  const read = async (wanted: readonly string[]): Promise<Map<string, KnownTransaction>> => {
    if (wanted.length === 0) return new Map();
    const rows = await tx.q
      .selectFrom('transactions')
      .select(['id', 'account_id', 'merged_into_id'])
      .where(tx.portable.inList(sql.ref('id'), wanted))
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  };
  const found = await read(ids);
  for (let step = 0; step < MERGES_FOLLOWED; step++) {
    const merged = [...found].filter(([, row]) => row.merged_into_id !== null);
    if (merged.length === 0) break;
    const survivors = await read(merged.map(([, row]) => row.merged_into_id as string));
    for (const [id, { merged_into_id: into }] of merged) {
      const survivor = survivors.get(into as string);
      if (survivor) found.set(id, survivor);
      else found.delete(id);
    }
  }
  return found;
}
