import { shortIdFor } from '../../db/short-ids.ts';
import type { CommentsTable } from '../../db/schema.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { insertCommentRow } from './comments.queries.ts';
import { toComment } from './comments.table.ts';

/** Who a comment is by; a rule's own comments carry the rule's UUID and name. */
export type CommentAuthor = Actor;

export interface NewComment {
  /** UUID of a live transaction. */
  transactionId: string;
  /** Already trimmed and measured. */
  body: string;
  author: CommentAuthor;
}

/** Adds a comment and records it; what may follow (rule id, kind of run) belongs to the journal entry. */
export async function insertComment(
  tx: WriteTx,
  { transactionId, body, author }: NewComment,
  provenance: { ruleId?: string; appliedBy?: string } = {},
): Promise<CommentsTable> {
  const row: CommentsTable = {
    id: tx.ids.uuid(),
    short_id: await shortIdFor(tx, 'comments'),
    transaction_id: transactionId,
    body,
    author_type: author.type,
    author_id: author.id,
    author_user_id: author.userId,
    author_name: author.name,
    is_edited: 0,
    deleted_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertCommentRow(tx, row);
  tx.journal.record({
    entityType: 'comment',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: { ...toComment(row) },
    transactionId,
    ...provenance,
    ...(provenance.ruleId === undefined ? {} : { source: 'rule' as const }),
    revertible: true,
  });
  return row;
}
