import { z } from 'zod';

import { Id, QueryBoolean, text } from '../../contract/common.ts';
import { defineOperation, type AnyOperation } from '../../contract/operation.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Category, CategoryRef, categoryParams, exampleCategory } from './category-record.contract.ts';

const group = 'categories';

export const CategoryMoves = z
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
  params: categoryParams,
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

export const operations: readonly AnyOperation[] = [mergeCategory, exportCategories, importCategories];
