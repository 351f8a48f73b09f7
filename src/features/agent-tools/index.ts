import { deleteTag } from './delete-tag.ts';
import { listTags } from './list-tags.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which agents see them: those that read, then those that write. */
export const tools: readonly Tool[] = [listTags, deleteTag];
