import { z } from 'zod';

import { QueryBoolean, name, queryList } from '../../contract/common.ts';
import { defineOperation, type AnyOperation } from '../../contract/operation.ts';
import { ColorInput, IconInput } from '../tags/tags.contract.ts';
import { operations as moves } from './category-moves.contract.ts';
import {
  Category,
  CategoryKind,
  CategorySlug,
  ParentRef,
  SortOrder,
  categoryParams,
  exampleCategory,
} from './category-record.contract.ts';

export { Category, CategoryKind } from './category-record.contract.ts';

const group = 'categories';
const path = '/api/v1/categories/{id}';

export const listCategories = defineOperation({
  name: 'listCategories',
  group,
  method: 'GET',
  path: '/api/v1/categories',
  scope: 'read_only',
  summary: 'List categories, each top-level category followed by its children',
  query: z.object({
    archived: QueryBoolean.optional().meta({ description: 'Omit it to list both' }),
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
  example: { query: { kind: 'expense' }, response: [exampleCategory] },
});

export const getCategory = defineOperation({
  name: 'getCategory',
  group,
  method: 'GET',
  path,
  scope: 'read_only',
  summary: 'Get one category',
  params: categoryParams,
  response: Category,
  status: 200,
  errors: ['NOT_FOUND'],
  effect: 'read',
  weight: 'light',
  etag: true,
  cli: { command: 'categories get' },
  example: { params: { id: 'food_and_drink_coffee' }, response: exampleCategory },
});

const exampleOwn = {
  ...exampleCategory,
  id: '019a8c5d-0001-7000-8000-000000000777',
  short_id: 'Ba8yS1tt',
  slug: 'babysitter',
  name: 'Babysitter',
  parent_id: null,
  icon: 'baby',
  sort_order: 17,
  is_system: false,
};

export const createCategory = defineOperation({
  name: 'createCategory',
  group,
  method: 'POST',
  path: '/api/v1/categories',
  scope: 'full_access',
  summary: 'Create a category at the top level or under a top-level category',
  body: z.strictObject({
    name: name(),
    parent_id: ParentRef.optional(),
    kind: CategoryKind.optional().meta({
      description: 'Defaults to the kind of the parent, or to expense at the top level',
    }),
    slug: CategorySlug.optional().meta({ description: 'Derived from the name if omitted; cannot be changed later' }),
    icon: IconInput.optional(),
    color: ColorInput.optional(),
    sort_order: SortOrder.optional().meta({ description: 'If omitted, the category comes after its siblings' }),
  }),
  response: Category,
  status: 201,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'SLUG_CONFLICT'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'categories create' },
  example: { body: { name: 'Babysitter', icon: 'baby' }, response: exampleOwn },
});

/** The body of PATCH and of PUT: both change only the fields that are sent. */
export const CategoryChange = z.strictObject({
  name: name().optional(),
  parent_id: ParentRef.optional(),
  kind: CategoryKind.optional(),
  archived: z.boolean().optional().meta({ description: 'Archiving a top-level category archives its children too' }),
  icon: IconInput.optional(),
  color: ColorInput.optional(),
  sort_order: SortOrder.optional(),
});

export const updateCategory = defineOperation({
  name: 'updateCategory',
  group,
  method: 'PATCH',
  path,
  scope: 'full_access',
  summary: 'Rename, move, archive or restyle a category',
  description: 'Fields that are left out keep their values. The slug never changes.',
  params: categoryParams,
  body: CategoryChange,
  response: Category,
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'write',
  weight: 'light',
  cli: { command: 'categories update' },
  example: {
    params: { id: 'babysitter' },
    body: { name: 'Babysitters' },
    response: { ...exampleOwn, name: 'Babysitters', updated_at: '2026-04-26T06:00:00.000Z' },
  },
});

const { cli: _asUpdate, ...sameAsUpdate } = updateCategory;
export const putCategory = defineOperation({
  ...sameAsUpdate,
  name: 'putCategory',
  method: 'PUT',
  summary: 'Change a category in the same way as PATCH',
});

export const deleteCategory = defineOperation({
  name: 'deleteCategory',
  group,
  method: 'DELETE',
  path,
  scope: 'full_access',
  summary: 'Delete a category of your own',
  description: 'Built-in categories cannot be deleted. What uses the category moves to `reassign_to`.',
  params: categoryParams,
  query: z.object({
    reassign_to: z.string().optional().meta({
      description: 'Another category, or `none`; required if transactions, rules or counterparties use the category',
    }),
  }),
  response: null,
  status: 204,
  errors: [
    'VALIDATION_ERROR',
    'INVALID_PARAMETER',
    'NOT_FOUND',
    'CATEGORY_UNDELETABLE',
    'CATEGORY_HAS_CHILDREN',
    'CATEGORY_IN_USE',
  ],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'categories delete', confirm: true },
  example: { params: { id: 'babysitter' }, query: { reassign_to: 'none' }, response: null },
});

const records = [listCategories, getCategory, createCategory, updateCategory, putCategory, deleteCategory];
export const operations: readonly AnyOperation[] = [...records, ...moves];
