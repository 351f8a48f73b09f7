import { z } from 'zod';

import {
  AnyId,
  Color,
  Icon,
  Id,
  Instant,
  name,
  QueryBoolean,
  queryList,
  ShortId,
  Slug,
  text,
} from '../../contract/common.ts';
import { defineOperation, type AnyOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { ColorInput, IconInput } from '../tags/tags.contract.ts';

const CATEGORY_SLUG = /^[a-z0-9]+(_[a-z0-9]+)*$/;
export const CategorySlug = z
  .string()
  .max(LIMITS.categorySlugChars, `must have at most ${LIMITS.categorySlugChars} characters`)
  .regex(CATEGORY_SLUG, 'must be a-z and 0-9, with single _ between them');
export const CategoryKind = z
  .enum(['income', 'expense', 'transfer'], 'must be income, expense or transfer')
  .meta({ id: 'CategoryKind' });
export type CategoryKind = z.output<typeof CategoryKind>;

export const Category = z
  .object({
    id: Id,
    short_id: ShortId,
    slug: Slug,
    name: z.string(),
    parent_id: Id.nullable(),
    kind: CategoryKind,
    archived: z.boolean(),
    icon: Icon.nullable(),
    color: Color.nullable(),
    sort_order: z.int(),
    is_system: z.boolean(),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Category' });

export const SortOrder = z
  .int()
  .min(0, `must be a whole number from 0 to ${LIMITS.categorySortOrderMax}`)
  .max(LIMITS.categorySortOrderMax, `must be a whole number from 0 to ${LIMITS.categorySortOrderMax}`);
// An unknown category is an INVALID_PARAMETER, even if the text is too long to be an id.
const CategoryRef = text(LIMITS.jsonBodyBytes).meta({ description: 'Slug, UUID or short_id' });
const ParentRef = CategoryRef.nullable().meta({
  description: 'A top-level category; null or "" for the top level',
});

const exampleCategory = {
  id: '019a8c5d-0001-7000-8000-000000000035',
  short_id: 'Ca7eg0rY',
  slug: 'food_and_drink_coffee',
  name: 'Coffee Shops',
  parent_id: '019a8c5d-0001-7000-8000-000000000033',
  kind: 'expense' as const,
  archived: false,
  icon: 'coffee',
  color: null,
  sort_order: 2,
  is_system: true,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const params = z.object({
  id: AnyId.meta({ description: 'Slug, UUID or short_id, tried in this order' }),
});
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
  params,
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
  params,
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
  params,
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

const CategoryMoves = z
  .object({
    transactions: z.int().meta({ description: 'Including deleted transactions' }),
    rules: z.int(),
    counterparties: z.int(),
    children_moved: z.int(),
    children_merged: z.int(),
  })
  .meta({ id: 'CategoryMoves' });

export const mergeCategory = defineOperation({
  name: 'mergeCategory',
  group,
  method: 'POST',
  path: '/api/v1/categories/{id}/merge',
  scope: 'full_access',
  summary: 'Merge another category into this one',
  description:
    'Transactions, rules, counterparties and children of the other category move to this one. The other category is then ' +
    'deleted if it is your own. If it is built in, it is archived, and whatever the provider puts into it goes here instead.',
  params,
  body: z.strictObject({
    from_category_id: CategoryRef,
    dry_run: z.boolean().default(false).meta({ description: 'Only report what would move' }),
  }),
  response: z
    .object({
      category: Category,
      source_id: Id,
      source_archived: z.boolean(),
      moved: CategoryMoves,
      dry_run: z.boolean(),
      change_set_id: Id.nullable(),
    })
    .meta({ id: 'CategoryMerge' }),
  status: 200,
  errors: ['VALIDATION_ERROR', 'INVALID_PARAMETER', 'NOT_FOUND'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'categories merge', confirm: true },
  example: {
    params: { id: 'food_and_drink_coffee' },
    body: { from_category_id: 'tea_rooms' },
    response: {
      category: exampleCategory,
      source_id: '019a8c5d-0001-7000-8000-000000000778',
      source_archived: false,
      moved: { transactions: 12, rules: 1, counterparties: 2, children_moved: 0, children_merged: 0 },
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

export const exportCategories = defineOperation({
  name: 'exportCategories',
  group,
  method: 'GET',
  path: '/api/v1/categories/export',
  scope: 'read_only',
  summary: 'Download the category tree as tab-separated text',
  response: z.string().meta({ description: 'Text that POST /categories/import accepts' }),
  produces: ['text/tab-separated-values'],
  status: 200,
  errors: [],
  effect: 'read',
  weight: 'light',
  cli: { command: 'categories export' },
  example: {
    response:
      'slug\tname\tparent_slug\tkind\ticon\tcolor\tsort_order\tarchived\n' +
      'food_and_drink_coffee\tCoffee Shops\tfood_and_drink\texpense\tcoffee\t\t2\tfalse\n',
  },
});

export const importCategories = defineOperation({
  name: 'importCategories',
  group,
  method: 'POST',
  path: '/api/v1/categories/import',
  scope: 'full_access',
  summary: 'Create and change categories from tab-separated text',
  description:
    'Send the text as the body (text/tab-separated-values or text/plain, with options in the query) or as `content` in a ' +
    'JSON body. If it contains errors, nothing is changed and `details` lists each of them. Columns that are left out keep ' +
    'their values. Transactions are never changed.',
  query: z.object({
    dry_run: QueryBoolean.optional().meta({ description: 'Only report what would change' }),
    replace: QueryBoolean.optional().meta({ description: 'Delete your own categories that are not in the text' }),
  }),
  body: z.strictObject({
    content: text(LIMITS.categoryFileBytes),
    dry_run: z.boolean().optional(),
    replace: z.boolean().optional(),
  }),
  rawText: { field: 'content', types: ['text/tab-separated-values', 'text/plain'] },
  response: z
    .object({
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      deleted: z.int(),
      dry_run: z.boolean(),
      change_set_id: Id.nullable(),
    })
    .meta({ id: 'CategoryImport' }),
  status: 200,
  errors: ['INVALID_BODY', 'VALIDATION_ERROR', 'CATEGORY_IN_USE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  effect: 'write',
  weight: 'heavy',
  cli: { command: 'categories import', confirm: true },
  example: {
    body: { content: 'slug\tname\tparent_slug\npets\tPets\t\npets_food\tPet food\tpets\n' },
    response: {
      created: 2,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      dry_run: false,
      change_set_id: '019a8c61-aa00-7111-8222-333344445555',
    },
  },
});

export const operations: readonly AnyOperation[] = [
  listCategories,
  getCategory,
  createCategory,
  updateCategory,
  putCategory,
  deleteCategory,
  mergeCategory,
  exportCategories,
  importCategories,
];
