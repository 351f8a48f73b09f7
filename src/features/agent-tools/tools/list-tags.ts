import { z } from 'zod';

import { listTags as operation, Tag } from '../../tags/tags.contract.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

export const listTags = defineReadTool({
  name: 'list_tags',
  title: 'List tags',
  description: 'All tags, with how many transactions have each. `needs-review` is the review queue.',
  scope: 'read_only',
  input: {},
  output: { tags: z.array(fieldsOf(Tag, ['slug', 'name', 'description', 'color', 'transaction_count'])) },
  operations: ['listTags'],
  examples: [{ arguments: {}, says: 'Which tags exist?' }],
  run: async (context) => {
    const tags = await callOperation(context, operation, {});
    return {
      tags: tags.map(({ slug, name, description, color, transaction_count: count }) => ({
        slug,
        name,
        description,
        color,
        transaction_count: count,
      })),
    };
  },
});
