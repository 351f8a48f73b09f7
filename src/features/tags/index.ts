export { findOrMakeTags, isTagSlug, makeTag, nameOfSlug, slugOfName } from './make-tag.ts';
export { seedTags } from './seed-tags.ts';
export { undo } from './undo-tags.ts';
