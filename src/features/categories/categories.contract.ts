import { z } from 'zod';

import { Id, Instant, QueryBoolean, ShortId, queryList } from '../../contract/common.ts';
import { defineOperation } from '../../contract/operation.ts';

export const CategoryKind = z.enum(['income', 'expense', 'transfer']);
export type CategoryKind = z.output<typeof CategoryKind>;

export const Category = z
  .object({
    id: Id,
    short_id: ShortId,
    slug: z.string(),
    name: z.string(),
    parent_id: Id.nullable(),
    kind: CategoryKind,
    archived: z.boolean(),
    icon: z.string().nullable(),
    color: z.string().nullable(),
    sort_order: z.int(),
    is_system: z.boolean(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Category' });

export const listCategories = defineOperation({
  name: 'listCategories',
  group: 'categories',
  method: 'GET',
  path: '/api/v1/categories',
  scope: 'read_only',
  summary: 'List categories: each top-level category followed by its children',
  query: z.object({
    archived: QueryBoolean.optional().meta({ description: 'Absent: both' }),
    kind: queryList(CategoryKind).optional(),
  }),
  response: z.array(Category),
  status: 200,
  errors: ['INVALID_PARAMETER'],
  effect: 'read',
  weight: 'light',
  etag: true,
  mcp: { tool: 'list_categories', title: 'List categories' },
  cli: { command: 'categories list' },
  example: {
    query: { kind: 'expense' },
    response: [
      {
        id: '019a8c5d-0001-7000-8000-000000000035',
        short_id: 'Ca7eg0rY',
        slug: 'food_and_drink_coffee',
        name: 'Coffee Shops',
        parent_id: '019a8c5d-0001-7000-8000-000000000033',
        kind: 'expense',
        archived: false,
        icon: 'coffee',
        color: null,
        sort_order: 2,
        is_system: true,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    ],
  },
});

export const operations = [listCategories];
