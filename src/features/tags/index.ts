import type { Handler } from '../handler.ts';

export const handlers: readonly Handler[] = [];

export { findOrMakeTags, isTagSlug, nameOfSlug, slugOfName } from './make-tag.ts';
export { seedTags } from './seed-tags.ts';
