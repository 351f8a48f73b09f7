import { z } from 'zod';

import { deleteTag as operation, getTag } from '../../tags/tags.contract.ts';
import { Slug } from '../../../contract/common.ts';
import { callOperation } from '../call-operation.ts';
import { defineWriteTool } from '../tool.ts';

export const deleteTag = defineWriteTool({
  name: 'delete_tag',
  title: 'Delete a tag',
  description:
    'Deletes a tag and removes it from all transactions. Refused while a rule uses it. The result says how many ' +
    'transactions had it.',
  action: 'tag.delete',
  isProposable: true,
  isDestructive: true,
  isIdempotent: true,
  weight: 'heavy',
  input: { slug: z.string() },
  output: { status: z.literal('deleted'), slug: Slug, transaction_count: z.int() },
  errors: ['TAG_IN_USE'],
  operations: ['deleteTag'],
  examples: [{ arguments: { slug: 'holiday-2024' }, says: 'Delete the tag of an old holiday.' }],
  run: async (context, { slug: anyName }) => {
    const { slug, transaction_count: count } = await callOperation(context, getTag, { params: { slug: anyName } });
    await callOperation(context, operation, { params: { slug: anyName } });
    return { status: 'deleted', slug, transaction_count: count };
  },
});
