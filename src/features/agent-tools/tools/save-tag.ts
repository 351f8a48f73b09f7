import { z } from 'zod';

import { nameOfSlug } from '../../tags/index.ts';
import { createTag, getTag, Tag, updateTag } from '../../tags/tags.contract.ts';
import { clearArgument, withCleared } from '../parts/clear.ts';
import { callOperation, foundOrNull } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const saveTag = defineWriteTool({
  name: 'save_tag',
  title: 'Create or change a tag',
  description:
    'Changes the tag with this slug, or creates it if there is none. A new tag without a name is named after its slug.',
  action: 'tag.update',
  isProposable: true,
  isIdempotent: true,
  input: {
    slug: z.string().min(1),
    name: z.string().optional(),
    description: z.string().nullable().optional(),
    color: z.string().nullable().optional().meta({ description: '#rrggbb' }),
    icon: z.string().nullable().optional(),
    clear: clearArgument(['description', 'color', 'icon']),
  },
  output: { tag: Tag, created: z.boolean() },
  operations: ['createTag', 'updateTag'],
  examples: [{ arguments: { slug: 'refund-expected', color: '#2563eb' }, says: 'Create a tag for expected refunds.' }],
  run: async (context, { slug, name, description, color, icon, clear }) => {
    const fields = withCleared({ name, description, color, icon }, clear);
    const stored = await foundOrNull(callOperation(context, getTag, { params: { slug } }));
    if (stored) {
      const tag = await callOperation(context, updateTag, { params: { slug: stored.slug }, body: fields });
      return { tag, created: false };
    }
    const body = { ...fields, slug, name: name ?? (nameOfSlug(slug) || slug) };
    const tag = await callOperation(context, createTag, { body });
    context.tx.journal.refine({ action: 'tag.create' });
    return { tag, created: true };
  },
});
