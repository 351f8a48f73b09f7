import { shortIdsFor } from '../../db/short-ids.ts';
import type { CommentsTable } from '../../db/schema.ts';
import type { Actor, WriteTx } from '../../journal/write.ts';
import { insertCommentRows } from './comments.queries.ts';
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

/** Which rule wrote, and in what kind of run: it belongs to the journal entry. */
interface Provenance {
  ruleId?: string;
  appliedBy?: string;
}

/** Adds a comment and records it. */
export async function insertComment(tx: WriteTx, comment: NewComment): Promise<CommentsTable> {
  const [row] = await insertComments(tx, [comment]);
  return row as CommentsTable;
}

/** Adds many at once and records each. */
export async function insertComments(
  tx: WriteTx,
  comments: readonly (NewComment & Provenance)[],
): Promise<CommentsTable[]> {
  if (comments.length === 0) return [];
  const shortIds = await shortIdsFor(tx, 'comments', comments.length);
  const rows = comments.map(({ transactionId, body, author }, index): CommentsTable => ({
    id: tx.ids.uuid(),
    short_id: shortIds[index] as string,
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
  }));
  await insertCommentRows(tx, rows);
  for (const [index, row] of rows.entries()) record(tx, row, comments[index] as Provenance);
  await tx.journal.flushIfLarge();
  return rows;
}

function record(tx: WriteTx, row: CommentsTable, { ruleId, appliedBy }: Provenance): void {
  tx.journal.record({
    entityType: 'comment',
    entityId: row.id,
    entityShortId: row.short_id,
    operation: 'create',
    before: null,
    after: { ...toComment(row) },
    transactionId: row.transaction_id,
    ...(ruleId === undefined ? {} : { ruleId, source: 'rule' as const }),
    ...(appliedBy === undefined ? {} : { appliedBy }),
    revertible: true,
  });
}
