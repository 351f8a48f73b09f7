export { insertComment, insertComments, type CommentAuthor, type NewComment } from './insert-comment.ts';
export { undo } from './undo-comments.ts';
export { selectCommentsOfRules } from './comments.queries.ts';
