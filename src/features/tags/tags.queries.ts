import type { TagsTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';

export async function insertTag(tx: BareWriteTx, row: TagsTable): Promise<void> {
  await tx.q.insertInto('tags').values(row).execute();
}
