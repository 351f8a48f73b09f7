import type { CommentsTable } from '../../db/schema.ts';

/** A comment as its record and the journal show it (contract 10.7). */
export function toCommentFields(row: CommentsTable) {
  const { deleted_at: _served, is_edited: isEdited, created_at: createdAt, updated_at: updatedAt, ...fields } = row;
  return { ...fields, edited: isEdited === 1, created_at: createdAt, updated_at: updatedAt };
}
