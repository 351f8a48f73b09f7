import type { z } from 'zod';

import type { CommentsTable } from '../../db/schema.ts';
import type { Comment } from './comments.contract.ts';

export type CommentRecord = z.output<typeof Comment>;

/** A comment as its record and the journal show it (contract 10.7). */
export function toComment(row: CommentsTable): CommentRecord {
  return {
    id: row.id,
    short_id: row.short_id,
    transaction_id: row.transaction_id,
    body: row.body,
    author_type: row.author_type as CommentRecord['author_type'],
    author_id: row.author_id,
    author_user_id: row.author_user_id,
    author_name: row.author_name,
    edited: row.is_edited === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
