import type { CommentsTable } from '../../db/schema.ts';
import { difference, type WriteTx } from '../../journal/write.ts';
import { updateCommentRow } from './comments.queries.ts';
import { toComment, type CommentRecord } from './comments.table.ts';

/** Gives a comment another text; whether it then counts as edited is the caller's to say. Records the change. */
export async function changeText(
  tx: WriteTx,
  row: CommentsTable,
  { body, edited }: Pick<CommentRecord, 'body' | 'edited'>,
): Promise<CommentsTable> {
  const columns = { body, is_edited: edited ? (1 as const) : (0 as const), updated_at: tx.now };
  await updateCommentRow(tx, row.id, columns);
  const before = toComment(row);
  const changed = difference({ ...before }, { body, edited });
  if (changed) tx.journal.record({ ...identity(row), operation: 'update', ...changed, revertible: true });
  return { ...row, ...columns };
}

/** Deletes a comment. Its row stays, so that the deletion can be taken back. */
export async function removeComment(tx: WriteTx, row: CommentsTable): Promise<void> {
  await updateCommentRow(tx, row.id, { deleted_at: tx.now });
  const before = { ...toComment(row) };
  tx.journal.record({ ...identity(row), operation: 'delete', before, after: null, revertible: true });
}

/** Brings a deleted comment back with this text. */
export async function bringBack(
  tx: WriteTx,
  row: CommentsTable,
  { body, edited }: Pick<CommentRecord, 'body' | 'edited'>,
): Promise<void> {
  const columns = { body, is_edited: edited ? (1 as const) : (0 as const), deleted_at: null };
  await updateCommentRow(tx, row.id, columns);
  const after = { ...toComment({ ...row, ...columns }) };
  tx.journal.record({ ...identity(row), operation: 'create', before: null, after, revertible: true });
}

function identity(row: CommentsTable) {
  return {
    entityType: 'comment',
    entityId: row.id,
    entityShortId: row.short_id,
    transactionId: row.transaction_id,
  } as const;
}
