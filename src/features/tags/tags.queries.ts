import { sql } from 'kysely';

import type { TagsTable } from '../../db/schema.ts';
import type { BareWriteTx, ReadTx } from '../../db/unit-of-work.ts';

export async function insertTag(tx: BareWriteTx, row: TagsTable): Promise<void> {
  await tx.q.insertInto('tags').values(row).execute();
}

export async function selectTagsBySlug(tx: ReadTx, slugs: readonly string[]): Promise<TagsTable[]> {
  return tx.q
    .selectFrom('tags')
    .selectAll()
    .where(tx.portable.inList(sql.ref('slug'), slugs))
    .execute();
}
