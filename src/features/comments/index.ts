import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { listComments } from './list-comments.ts';
import { updateComment } from './update-comment.ts';

export const handlers = [listComments, createComment, updateComment, deleteComment];

export { insertComment, insertComments, type CommentAuthor, type NewComment } from './insert-comment.ts';
export { undo } from './undo-comments.ts';
export { selectCommentsOfRules } from './comments.queries.ts';
