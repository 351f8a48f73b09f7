import type { CommentsTable } from '../../db/schema.ts';
import type { BareWriteTx } from '../../db/unit-of-work.ts';

export async function insertCommentRow(tx: BareWriteTx, row: CommentsTable): Promise<void> {
  await tx.q.insertInto('comments').values(row).execute();
}
