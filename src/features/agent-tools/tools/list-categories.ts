import { z } from 'zod';

import { Category, CategoryKind, listCategories as operation } from '../../categories/categories.contract.ts';
import { Slug } from '../../../contract/common.ts';
import { fieldsOf } from '../results/result-schema.ts';
import { callOperation } from '../call-operation.ts';
import { defineReadTool } from '../tool.ts';

export const listCategories = defineReadTool({
  name: 'list_categories',
  title: 'List categories',
  description:
    'Categories in two levels, each parent before its children. Other tools take their slugs. Filtering by a parent’s' +
    ' slug also finds its children.',
  scope: 'read_only',
  input: { kind: CategoryKind.optional(), include_archived: z.boolean().default(false) },
  output: {
    categories: z.array(fieldsOf(Category, ['slug', 'name', 'kind', 'archived']).extend({ parent: Slug.nullable() })),
  },
  operations: ['listCategories'],
  examples: [{ arguments: { kind: 'income' }, says: 'Which income categories are there?' }],
  run: async (context, { kind, include_archived: withArchived }) => {
    const all = await callOperation(context, operation, {});
    const slugs = new Map(all.map(({ id, slug }) => [id, slug]));
    const wanted = all.filter((one) => (withArchived || !one.archived) && (kind === undefined || one.kind === kind));
    return {
      categories: wanted.map(({ slug, name, kind: ofKind, parent_id: parentId, archived }) => ({
        slug,
        name,
        kind: ofKind,
        parent: parentId === null ? null : (slugs.get(parentId) ?? null),
        archived,
      })),
    };
  },
});
