export { comments, insertComment, insertComments } from './comments.entity.ts';
export { selectCommentsOfRules } from './comments.queries.ts';
