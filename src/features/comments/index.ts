export { comments, insertComment, insertComments } from './comments.entity.ts';
export { selectCommentsOfRules, selectSameComments } from './comments.queries.ts';
