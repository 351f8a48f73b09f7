import { sql } from 'kysely';

import { trigramsOf } from '../kernel/trigrams.ts';
import type { BareWriteTx } from './unit-of-work.ts';

const AT_ONCE = 2_000;

/**
 * Ids of folded texts in the dictionary that search uses; adds missing ones together with their search index entries.
 * Each distinct text is stored once, however many transactions have it.
 */
export async function textIds(tx: BareWriteTx, folded: Iterable<string>): Promise<Map<string, number>> {
  const wanted = [...new Set(folded)];
  const ids = new Map<string, number>();
  for (let start = 0; start < wanted.length; start += AT_ONCE) {
    const chunk = wanted.slice(start, start + AT_ONCE);
    await collect(tx, chunk, ids);
    const missing = chunk.filter((text) => !ids.has(text));
    if (missing.length === 0) continue;
    const free = (await highestId(tx)) + 1;
    const added = missing.map((folded, index) => ({ id: free + index, folded, trigrams: [...trigramsOf(folded)] }));
    await tx.portable.insertTexts(tx, added);
    for (const { id, folded } of added) ids.set(folded, id);
  }
  return ids;
}

async function collect(tx: BareWriteTx, texts: readonly string[], ids: Map<string, number>): Promise<void> {
  const list = tx.portable.inList(sql.ref('folded'), texts);
  const { rows } = await sql<{ id: number; folded: string }>`select id, folded from texts where ${list}`.execute(tx.q);
  for (const row of rows) ids.set(row.folded, row.id);
}

/** Writers are serialised, so the ids above this one are free. */
async function highestId(tx: BareWriteTx): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from texts`.execute(tx.q);
  return rows[0]?.id ?? 0;
}
