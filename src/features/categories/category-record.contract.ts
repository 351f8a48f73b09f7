import { z } from 'zod';

import { AnyId, Id, Instant, ShortId, text } from '../../contract/common.ts';
import { LIMITS } from '../../kernel/limits.ts';

export const CATEGORY_SLUG = /^[a-z0-9]+(_[a-z0-9]+)*$/;
export const CategorySlug = z
  .string()
  .max(LIMITS.categorySlugChars, `at most ${LIMITS.categorySlugChars} characters`)
  .regex(CATEGORY_SLUG, 'a-z and 0-9, with single _ between them');
export const CategoryKind = z
  .enum(['income', 'expense', 'transfer'], 'income, expense or transfer')
  .meta({ id: 'CategoryKind' });
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

export const SortOrder = z
  .int()
  .min(0, `a whole number from 0 to ${LIMITS.categorySortOrderMax}`)
  .max(LIMITS.categorySortOrderMax, `a whole number from 0 to ${LIMITS.categorySortOrderMax}`);
// What identifies no category is an INVALID_PARAMETER, even when it is too long to be an id.
export const CategoryRef = text(LIMITS.jsonBodyBytes).meta({ description: 'Slug, UUID or short_id' });
export const ParentRef = CategoryRef.nullable().meta({
  description: 'A top-level category; null or "" for the top level',
});

export const exampleCategory = {
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
export const categoryParams = z.object({
  id: AnyId.meta({ description: 'Slug, UUID or short_id, tried in this order' }),
});
