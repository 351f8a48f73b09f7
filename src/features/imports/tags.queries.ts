import { sql } from 'kysely';

import type { TagsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function selectTagIds(tx: ReadTx, slugs: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.q
    .selectFrom('tags')
    .select(['id', 'slug'])
    .where(tx.portable.inList(sql.ref('slug'), slugs))
    .execute();
  return new Map(rows.map((row) => [row.slug, row.id]));
}

export async function insertTag(tx: BareWriteTx, row: TagsTable): Promise<void> {
  await tx.q.insertInto('tags').values(row).execute();
}

export async function attachTags(tx: BareWriteTx, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await tx.insertMany('transaction_tags', ['transaction_id', 'tag_id'], pairs);
}
