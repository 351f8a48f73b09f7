import type { Handler } from '../handler.ts';

export const handlers: readonly Handler[] = [];

export { insertComment, type CommentAuthor, type NewComment } from './insert-comment.ts';
