import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { getTag } from './get-tag.ts';
import { listTags } from './list-tags.ts';
import { updateTag } from './update-tag.ts';

export const handlers = [listTags, getTag, createTag, updateTag, deleteTag];

export { findOrMakeTags, isTagSlug, makeTag, nameOfSlug, slugOfName } from './make-tag.ts';
export { seedTags } from './seed-tags.ts';
export { undo } from './undo-tags.ts';
