export { comments, insertComment, insertComments } from './comments.entity.ts';
export { allComments } from './comments.handlers.ts';
export { selectCommentsOfRules, selectSameComments } from './comments.queries.ts';
