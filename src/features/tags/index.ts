export { findOrMakeTags, isTagSlug, makeTag, nameOfSlug, seedTags, slugOfName } from './make-tag.ts';
export { tags } from './tags.entity.ts';
