import { z } from 'zod';

import { listTags as operation, Tag } from '../../tags/tags.contract.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { fold } from '../../../kernel/fold.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

export const listTags = defineReadTool({
  name: 'list_tags',
  title: 'List tags',
  description: 'All tags, with how many transactions have each. `needs-review` is the review queue.',
  scope: 'read_only',
  input: { search: z.string().optional() },
  output: { tags: z.array(fieldsOf(Tag, ['slug', 'name', 'description', 'color', 'transaction_count'])) },
  operations: ['listTags'],
  examples: [{ arguments: {}, says: 'Which tags exist?' }],
  run: async (context, { search }) => {
    const tags = await callOperation(context, operation, {});
    return {
      tags: tags
        .filter((tag) => matches(tag, search))
        .map(({ slug, name, description, color, transaction_count: count }) => ({
          slug,
          name,
          description,
          color,
          transaction_count: count,
        })),
    };
  },
});

function matches({ slug, name }: { slug: string; name: string }, search = ''): boolean {
  const wanted = fold(search.trim());
  return fold(name).includes(wanted) || slug.includes(wanted);
}
