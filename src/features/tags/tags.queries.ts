import { sql } from 'kysely';

import type { TagsTable } from '../../db/schema.ts';
import { idColumn } from '../../db/short-ids.ts';
import type { ReadTx } from '../../db/unit-of-work.ts';

/** By name without regard to case, then slug. */
export async function selectTags(tx: ReadTx): Promise<TagsTable[]> {
  return tx.q.selectFrom('tags').selectAll().orderBy('name_folded').orderBy('slug').execute();
}

export async function selectTagsBySlug(tx: ReadTx, slugs: readonly string[]): Promise<TagsTable[]> {
  return tx.q
    .selectFrom('tags')
    .selectAll()
    .where(tx.portable.inList(sql.ref('slug'), slugs))
    .execute();
}

/** By slug, then UUID, then short_id: a slug of eight letters may look like a short_id. */
export async function findTag(tx: ReadTx, named: string): Promise<TagsTable | undefined> {
  const by = (name: 'slug' | 'id' | 'short_id') =>
    tx.q.selectFrom('tags').selectAll().where(name, '=', named).executeTakeFirst();
  const column = idColumn(named);
  return (await by('slug')) ?? (column && by(column));
}

/**
 * How many live transactions have each tag, or this one; unused tags are left out. Counts the pairs along an index and
 * subtracts the few deleted transactions, so that a million transactions are not read.
 */
export async function countCarriers(tx: ReadTx, tagId?: string): Promise<Map<string, number>> {
  const one = tagId === undefined ? sql`` : sql`where tag_id = ${tagId}`;
  const oneDeleted = tagId === undefined ? sql`` : sql`and p.tag_id = ${tagId}`;
  const all = await sql<{ tag_id: string; n: number }>`
    select tag_id, count(*) as n from transaction_tags ${one} group by tag_id`.execute(tx.q);
  const deleted = await sql<{ tag_id: string; n: number }>`
    select p.tag_id, count(*) as n
    from transactions t ${tx.portable.orderedJoin} transaction_tags p on p.transaction_id = t.id
    where t.deleted_at is not null ${oneDeleted} group by p.tag_id`.execute(tx.q);
  const counts = new Map(all.rows.map((row) => [row.tag_id, row.n]));
  for (const row of deleted.rows) counts.set(row.tag_id, (counts.get(row.tag_id) ?? 0) - row.n);
  return counts;
}

/** Whether any transaction, live or deleted, carries the tag. */
export async function isCarried(tx: ReadTx, tagId: string, except: ReadonlySet<string>): Promise<boolean> {
  const others = except.size === 0 ? sql`` : sql`and not ${tx.portable.inList(sql.ref('transaction_id'), [...except])}`;
  const { rows } = await sql`select 1 from transaction_tags where tag_id = ${tagId} ${others} limit 1`.execute(tx.q);
  return rows.length > 0;
}
